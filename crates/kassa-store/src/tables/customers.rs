//! Customers: who ordered from a partner, or for its events. Of a user partners see what their own orders say, and
//! nothing of its account: a customer is the newest of its orders that the partner sees.

use kassa_domain::event::EventId;
use kassa_domain::order::{Order, OrderStatusKind};
use kassa_domain::partner::PartnerId;
use kassa_domain::user::UserId;
use kassa_domain::view::Condition;

use crate::cell::Cell;
use crate::lists::{Conditions, Filter, Predicate, SortKey, Visibility, root_keys};
#[cfg(feature = "test-drivers")]
use crate::memory_tables::MemoryTables;

/// The newest order of each customer of some partners.
#[derive(Clone, Debug, Default)]
pub struct CustomersFilter {
    /// The partners that the caller acts for: it sees who ordered from them, or for their events.
    pub partners: Vec<PartnerId>,
    /// Only these.
    pub ids: Option<Vec<UserId>>,
    /// Not this one: the caller itself.
    pub except: Option<UserId>,
    /// Only those whose e-mail contains this, without case.
    pub email_contains: Option<String>,
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

/// The order of a list of customers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CustomersOrder {
    /// The newest user first.
    #[default]
    Newest,
    /// By e-mail.
    Email {
        /// From the end on.
        descending: bool,
    },
}

impl CustomersFilter {
    /// A condition on orders that a partner sees, as SQL.
    fn visible_sql(&self, alias: &str) -> (String, Vec<Cell<'static>>) {
        let marks = vec!["?"; self.partners.len()].join(", ");
        let args = root_keys(&self.partners).chain(root_keys(&self.partners)).collect();
        (format!("({alias}.organizer IN ({marks}) OR {alias}.vendor IN ({marks}))"), args)
    }

    /// No later order of the same customer is visible. Where orders are on several servers, all of them are asked for the last
    /// one of each customer first.
    fn is_newest(&self, are_spread: bool) -> Predicate {
        let (visible, mut args) = self.visible_sql("later");
        if are_spread {
            let last = "SELECT max(later.id) FROM orders AS later WHERE later.user_id IS NOT NULL";
            let ids = self.ids.as_deref().unwrap_or_default();
            let marks = vec!["?"; ids.len()].join(", ");
            let of_ids = if ids.is_empty() { String::new() } else { format!(" AND later.user_id IN ({marks})") };
            args.extend(root_keys(ids));
            return Predicate::sql(format!("id IN ({last} AND {visible}{of_ids} GROUP BY later.user_id)"), args);
        }
        let later = "SELECT 1 FROM orders AS later WHERE later.user_id = orders.user_id AND later.id > orders.id";
        Predicate::sql(format!("NOT EXISTS ({later} AND {visible})"), args)
    }

    /// The customer has an order that meets the criteria.
    fn has_order(&self, criteria: &OrderCriteria) -> Predicate {
        let (visible, mut args) = self.visible_sql("asked");
        let mut text =
            format!("SELECT asked.user_id FROM orders AS asked WHERE asked.user_id IS NOT NULL AND {visible}");
        let mut and_one_of = |column: &str, values: Vec<Cell<'static>>| {
            let marks = vec!["?"; values.len()].join(", ");
            let none = values.is_empty();
            let condition = if none { " AND 1 = 0".to_owned() } else { format!(" AND {column} IN ({marks})") };
            text.push_str(&condition);
            args.extend(values);
        };
        and_one_of("asked.event", root_keys(&criteria.events).collect());
        if let Some(list) = &criteria.status {
            and_one_of("asked.status", list.iter().map(|state| state.name().into()).collect());
        }
        Predicate::sql(format!("user_id IN ({text})"), args)
    }
}

impl Filter for CustomersFilter {
    type Row = Order;

    fn order(&self) -> &'static [SortKey] {
        match self.order {
            CustomersOrder::Newest => &[SortKey::Descending("user_id")],
            CustomersOrder::Email { descending: false } => {
                &[SortKey::NullsThenAscending("email"), SortKey::Ascending("user_id")]
            }
            CustomersOrder::Email { descending: true } => {
                &[SortKey::DescendingThenNulls("email"), SortKey::Descending("user_id")]
            }
        }
    }

    fn conditions(&self, conditions: &mut Conditions) {
        if self.partners.is_empty() {
            conditions.add(Predicate::AnyOf(Vec::new()));
            return;
        }
        conditions.add(Condition::NotNull("user_id"));
        conditions.add(Visibility::either_side(["organizer", "vendor"], &self.partners).predicate());
        conditions.extend(self.ids.as_deref().map(|ids| Predicate::names_one_of("user_id", ids)));
        conditions.extend(self.except.map(|user| Predicate::NoneOf("user_id", root_keys(&[user]).collect())));
        conditions.extend(self.email_contains.as_deref().map(|text| Predicate::contains("email", text)));
        conditions.add(self.is_newest(conditions.are_of_spread_rows()));
        conditions.extend(self.order_criteria.as_ref().map(|criteria| self.has_order(criteria)));
    }

    #[cfg(feature = "test-drivers")]
    fn matches(&self, order: &Order, tables: &MemoryTables) -> bool {
        let visible = || tables.orders.rows().filter(|other| self.shows(other) && is_same_customer(order, other));
        visible().all(|other| other.id.key() <= order.id.key())
            && self.order_criteria.as_ref().is_none_or(|criteria| visible().any(|other| criteria.matches(other)))
    }
}

#[cfg(feature = "test-drivers")]
fn is_same_customer(one: &Order, other: &Order) -> bool {
    one.customer.user == other.customer.user
}

#[cfg(feature = "test-drivers")]
impl CustomersFilter {
    fn shows(&self, order: &Order) -> bool {
        self.partners.contains(&order.organizer) || self.partners.contains(&order.vendor)
    }
}

#[cfg(feature = "test-drivers")]
impl OrderCriteria {
    fn matches(&self, order: &Order) -> bool {
        self.events.contains(&order.event) && self.status.as_ref().is_none_or(|states| states.contains(&order.state()))
    }
}
