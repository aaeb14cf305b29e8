//! Orders.

use std::fmt::Write as _;

use kassa_domain::Timestamp;
use kassa_domain::event::EventId;
use kassa_domain::order::{Order, OrderId, OrderStatusKind};
use kassa_domain::partner::PartnerId;
use kassa_domain::user::{Email, UserId};

use super::partners::{either_side_branch, root_key, root_keys, two_sided_branches};
use super::{Conditions, Filter, VisibilityBranch};

/// Orders whose hold has ended, the longest ago first.
#[derive(Clone, Copy, Debug)]
pub struct ExpiredHolds {
    /// The time.
    pub now: Timestamp,
}

impl Filter for ExpiredHolds {
    type Row = Order;
    const ORDER: &'static str = "reserved_till, id";

    fn conditions(&self, sql: &mut Conditions) {
        // Spelled as in the partial index, so that both engines use it.
        sql.add("status IN ('executed', 'in_progress')", []);
        sql.add("reserved_till <= ?", [self.now.ms().into()]);
    }
}

/// Paid orders for an event that have tickets, behind another, by id.
#[derive(Clone, Copy, Debug)]
pub struct PaidOrdersFilter {
    /// The event.
    pub event: EventId,
    /// The last one that was seen.
    pub after: Option<OrderId>,
}

impl PaidOrdersFilter {
    fn after_key(&self) -> i64 {
        self.after.map_or(i64::MIN, OrderId::key)
    }
}

impl Filter for PaidOrdersFilter {
    type Row = Order;
    const ORDER: &'static str = "id";

    fn conditions(&self, sql: &mut Conditions) {
        sql.add("event = ?", [root_key(self.event).into()]);
        sql.add("id > ?", [self.after_key().into()]);
        sql.add("status = ?", [OrderStatusKind::Paid.name().into()]);
    }
}

/// Orders that a caller may see, newest first.
#[derive(Clone, Debug, Default)]
pub struct OrdersFilter {
    /// The partners that the caller acts for: it sees orders that they sold or organize.
    pub partners: Vec<PartnerId>,
    /// The user whose own orders it sees, and the addresses that it has proved to be its own.
    pub customer: Option<(UserId, Vec<Email>)>,
    /// Only these.
    pub ids: Option<Vec<OrderId>>,
    /// Only for one of these events.
    pub events: Option<Vec<EventId>>,
    /// Only in one of these states.
    pub status: Option<Vec<OrderStatusKind>>,
    /// Only of this vendor.
    pub vendor: Option<PartnerId>,
    /// Only of this organizer.
    pub org: Option<PartnerId>,
    /// Only of this customer.
    pub user: Option<UserId>,
    /// Only those made from then to then, both included.
    pub created: Option<(Timestamp, Timestamp)>,
    /// Only that with this number.
    pub number: Option<i64>,
    /// Only those whose customer has said its e-mail.
    pub with_customer: bool,
}

impl Filter for OrdersFilter {
    type Row = Order;
    const ORDER: &'static str = "id DESC";

    fn add_visibility(&self, sql: &mut Conditions) {
        sql.any_of(either_side_branch("organizer", "vendor", &self.partners).into_iter().chain(self.customer_branch()));
    }

    fn visibility_branches(&self) -> Vec<VisibilityBranch> {
        let mut reasons = two_sided_branches("organizer", "vendor", &self.partners);
        reasons.extend(self.customer_branch().map(|VisibilityBranch { mut condition, mut args }| {
            if !self.partners.is_empty() {
                let marks = vec!["?"; self.partners.len()].join(", ");
                // Writing to a String does not fail.
                let _ = write!(condition, " AND organizer NOT IN ({marks}) AND vendor NOT IN ({marks})");
                args.extend(root_keys(&self.partners).chain(root_keys(&self.partners)));
            }
            VisibilityBranch { condition, args }
        }));
        reasons
    }

    fn conditions(&self, sql: &mut Conditions) {
        self.add_conditions(sql);
    }
}

impl OrdersFilter {
    /// The orders of the customer, where it has proved an address to be its own.
    fn customer_branch(&self) -> Option<VisibilityBranch> {
        let (user, proved) = self.customer.as_ref().filter(|(_, proved)| !proved.is_empty())?;
        let marks = vec!["?"; proved.len()].join(", ");
        let emails = proved.iter().map(|email| email.to_string().into());
        let args = [root_key(*user).into()].into_iter().chain(emails);
        Some(VisibilityBranch::new(format!("user_id = ? AND email IN ({marks})"), args))
    }

    /// Adds what it wants of orders, whoever sees them.
    fn add_conditions(&self, sql: &mut Conditions) {
        if let Some(list) = &self.ids {
            sql.one_of_ids(list);
        }
        if let Some(list) = &self.events {
            sql.one_of("event", root_keys(list));
        }
        if let Some(list) = &self.status {
            sql.one_of("status", list.iter().map(|state| state.name().into()));
        }
        let equals = [
            ("vendor", self.vendor.map(root_key)),
            ("organizer", self.org.map(root_key)),
            ("user_id", self.user.map(root_key)),
            ("number", self.number),
        ];
        for (column, key) in equals {
            if let Some(key) = key {
                sql.add(&format!("{column} = ?"), [key.into()]);
            }
        }
        if let Some((first, last)) = self.created {
            sql.add("created_at BETWEEN ? AND ?", [first.ms().into(), last.ms().into()]);
        }
        if self.with_customer {
            sql.add("email IS NOT NULL", []);
        }
    }
}

/// Whose orders a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportScope {
    /// Everybody's.
    All,
    /// Those for the events of this organizer.
    OfOrganizer(PartnerId),
    /// Those that this partner sold for other organizers.
    OfAgent(PartnerId),
}

/// Orders to be taken out as a whole, newest first and page by page: each begins behind a key.
#[derive(Clone, Debug)]
pub struct OrderExportFilter {
    /// Whose.
    pub scope: ExportScope,
    /// What is wanted of them; who may see them is not asked.
    pub criteria: OrdersFilter,
    /// Only those that are older than this one.
    pub older_than: Option<OrderId>,
}

impl Filter for OrderExportFilter {
    type Row = Order;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        match self.scope {
            ExportScope::All => {}
            ExportScope::OfOrganizer(org) => sql.add("organizer = ?", [root_key(org).into()]),
            ExportScope::OfAgent(vendor) => {
                sql.add("vendor = ? AND organizer <> ?", [root_key(vendor).into(), root_key(vendor).into()]);
            }
        }
        if let Some(order) = self.older_than {
            sql.add("id < ?", [order.key().into()]);
        }
        self.criteria.add_conditions(sql);
    }
}
