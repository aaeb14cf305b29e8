//! Users as customers: who ordered from a partner, or for its events.

use std::fmt::Write as _;

use kassa_domain::event::EventId;
#[cfg(feature = "test-drivers")]
use kassa_domain::order::Order;
use kassa_domain::order::OrderStatusKind;
use kassa_domain::partner::PartnerId;
use kassa_domain::user::{Email, User, UserId};

use crate::cell::Cell;
use crate::lists::{Conditions, Filter, NEWEST_FIRST, Predicate, SortKey, root_key, root_keys};
#[cfg(feature = "test-drivers")]
use crate::memory_tables::MemoryTables;

/// Users that a caller may see: itself, and the customers of its partners.
#[derive(Clone, Debug, Default)]
pub struct CustomersFilter {
    /// The partners that the caller acts for: it sees who ordered from them, or for their events.
    pub partners: Vec<PartnerId>,
    /// The user that asks, who sees itself, and the addresses that it has proved to be its own.
    pub caller: Option<(UserId, Vec<Email>)>,
    /// Only these.
    pub ids: Option<Vec<UserId>>,
    /// Only those whose names or e-mail contain this, without case.
    pub name_contains: Option<String>,
    /// Only those who have such an order, among the orders that make the caller see them.
    pub order_criteria: Option<OrderCriteria>,
    /// In which order.
    pub order: CustomersOrder,
}

/// An order that users are asked for.
#[derive(Clone, Debug)]
pub struct OrderCriteria {
    /// For one of these events.
    pub events: Vec<EventId>,
    /// In one of these states.
    pub status: Option<Vec<OrderStatusKind>>,
}

/// The order of a list of users.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CustomersOrder {
    /// Newest first.
    #[default]
    Newest,
    /// By e-mail.
    Email {
        /// From the end on.
        descending: bool,
    },
    /// By what `suggest` searches in: the names, then the e-mail.
    Suggest {
        /// From the end on.
        descending: bool,
    },
}

/// A SELECT of ids of users, with a `?` for each argument.
struct UserIdSelect {
    text: String,
    args: Vec<Cell<'static>>,
}

impl UserIdSelect {
    /// The customers of orders.
    fn of_orders(condition: &str, args: Vec<Cell<'static>>) -> Self {
        Self { text: format!("SELECT user_id FROM orders WHERE user_id IS NOT NULL AND ({condition})"), args }
    }

    fn restricted_to(mut self, ordered: Option<&OrderCriteria>) -> Self {
        if let Some(ordered) = ordered {
            self.and_one_of("event", root_keys(&ordered.events).collect());
            if let Some(list) = &ordered.status {
                self.and_one_of("status", list.iter().map(|state| state.name().into()).collect());
            }
        }
        self
    }

    fn and_one_of(&mut self, column: &str, values: Vec<Cell<'static>>) {
        if values.is_empty() {
            self.text.push_str(" AND 1 = 0");
        } else {
            let marks = vec!["?"; values.len()].join(", ");
            // Writing to a String does not fail.
            let _ = write!(self.text, " AND {column} IN ({marks})");
            self.args.extend(values);
        }
    }
}

impl CustomersFilter {
    /// Those whom the caller sees by their orders with its partners.
    fn customers_of_partners(&self) -> Option<UserIdSelect> {
        if self.partners.is_empty() {
            return None;
        }
        let marks = vec!["?"; self.partners.len()].join(", ");
        let args = root_keys(&self.partners).chain(root_keys(&self.partners)).collect();
        let condition = format!("organizer IN ({marks}) OR vendor IN ({marks})");
        Some(UserIdSelect::of_orders(&condition, args).restricted_to(self.order_criteria.as_ref()))
    }

    /// The caller itself; where orders are asked for, if it has one under an address of its own.
    fn caller_itself(&self) -> Option<UserIdSelect> {
        let (user, proved) = self.caller.as_ref()?;
        let args = vec![root_key(*user).into()];
        if self.order_criteria.is_none() {
            return Some(UserIdSelect { text: "SELECT id FROM users WHERE id = ?".to_owned(), args });
        }
        let mut chosen = UserIdSelect::of_orders("user_id = ?", args);
        chosen.and_one_of("email", proved.iter().map(|email| email.to_string().into()).collect());
        Some(chosen.restricted_to(self.order_criteria.as_ref()))
    }
}

impl Filter for CustomersFilter {
    type Row = User;

    fn order(&self) -> &'static [SortKey] {
        match self.order {
            CustomersOrder::Newest => NEWEST_FIRST,
            CustomersOrder::Email { descending: false } => &[SortKey::Ascending("email")],
            CustomersOrder::Email { descending: true } => &[SortKey::Descending("email")],
            CustomersOrder::Suggest { descending: false } => {
                &[SortKey::Ascending("search_text"), SortKey::Ascending("id")]
            }
            CustomersOrder::Suggest { descending: true } => {
                &[SortKey::Descending("search_text"), SortKey::Descending("id")]
            }
        }
    }

    fn conditions(&self, conditions: &mut Conditions) {
        let chosen: Vec<UserIdSelect> = self.customers_of_partners().into_iter().chain(self.caller_itself()).collect();
        if chosen.is_empty() {
            conditions.add(Predicate::AnyOf(Vec::new()));
        } else {
            let texts: Vec<&str> = chosen.iter().map(|chosen| chosen.text.as_str()).collect();
            let text = format!("id IN ({})", texts.join(" UNION ALL "));
            conditions.add(Predicate::sql(text, chosen.into_iter().flat_map(|chosen| chosen.args)));
        }
        conditions.extend(self.ids.as_deref().map(|ids| Predicate::names_one_of("id", ids)));
        conditions.extend(self.name_contains.as_deref().map(|text| Predicate::contains("search_text", text)));
    }

    #[cfg(feature = "test-drivers")]
    fn matches(&self, user: &User, tables: &MemoryTables) -> bool {
        let is_caller = self.caller.as_ref().is_some_and(|(caller, _)| *caller == user.id);
        let orders = || tables.orders.rows().filter(|order| order.customer.user == Some(user.id));
        (is_caller && self.order_criteria.is_none()) || orders().any(|order| self.makes_visible(order))
    }
}

#[cfg(feature = "test-drivers")]
impl CustomersFilter {
    /// Whether an order makes the caller see its customer.
    fn makes_visible(&self, order: &Order) -> bool {
        let of_partner = self.partners.contains(&order.organizer) || self.partners.contains(&order.vendor);
        let of_caller = self.caller.as_ref().is_some_and(|(user, proved)| {
            let email = order.customer.email.as_ref();
            order.customer.user == Some(*user) && email.is_some_and(|email| proved.contains(email))
        });
        (of_partner || of_caller) && self.order_criteria.as_ref().is_none_or(|criteria| criteria.matches(order))
    }
}

#[cfg(feature = "test-drivers")]
impl OrderCriteria {
    fn matches(&self, order: &Order) -> bool {
        self.events.contains(&order.event) && self.status.as_ref().is_none_or(|states| states.contains(&order.state()))
    }
}
