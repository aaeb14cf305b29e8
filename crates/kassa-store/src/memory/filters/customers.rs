//! What passes the filters of queries/customers.rs, and in which order.

use std::cmp::Ordering;

use kassa_domain::order::Order;
use kassa_domain::user::User;

use super::newest_first;
use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::{CustomersFilter, CustomersOrder, OrderCriteria};
use crate::rows::accounts::user_search_text;
use crate::rows::venues::fold_case;

impl FilterInMemory<User> for CustomersFilter {
    fn matches(&self, user: &User, tables: &MemoryTables) -> bool {
        let itself = self.order_criteria.is_none() && self.caller.as_ref().is_some_and(|(own, _)| *own == user.id);
        let by_order = |order: &Order| order.customer.user == Some(user.id) && self.makes_visible(order);
        (itself || tables.orders.rows().any(by_order))
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&user.id))
            && self.name_contains.as_ref().is_none_or(|suggest| user_search_text(user).contains(&fold_case(suggest)))
    }

    fn compare(&self, one: &User, other: &User) -> Ordering {
        let suggest = |user: &User| (user_search_text(user), user.id);
        match self.order {
            CustomersOrder::Newest => newest_first(&one.id, &other.id),
            CustomersOrder::Email { descending: false } => one.email.cmp(&other.email),
            CustomersOrder::Email { descending: true } => other.email.cmp(&one.email),
            CustomersOrder::Suggest { descending: false } => suggest(one).cmp(&suggest(other)),
            CustomersOrder::Suggest { descending: true } => suggest(other).cmp(&suggest(one)),
        }
    }
}

impl CustomersFilter {
    /// Whether an order makes the caller see its customer.
    fn makes_visible(&self, order: &Order) -> bool {
        let partner = self.partners.contains(&order.organizer) || self.partners.contains(&order.vendor);
        let own = self.caller.as_ref().is_some_and(|(user, proved)| {
            let email = order.customer.email.as_ref();
            order.customer.user == Some(*user) && email.is_some_and(|email| proved.contains(email))
        });
        (partner || own) && self.order_criteria.as_ref().is_none_or(|ordered| ordered.matches(order))
    }
}

impl OrderCriteria {
    fn matches(&self, order: &Order) -> bool {
        self.events.contains(&order.event) && self.status.as_ref().is_none_or(|states| states.contains(&order.state()))
    }
}
