//! What customers have bought.

use std::collections::{BTreeMap, BTreeSet};

use kassa_domain::order::{Order, OrderStatusKind};
use kassa_domain::partner::PartnerId;
use kassa_domain::user::{Email, UserId};
use kassa_domain::{Id, Money};

use super::partners::{add_either_side, root_key, root_keys};
use super::{Conditions, Statement};
use crate::cell::RowReader;
use crate::error::StoreError;
use crate::memory::MemoryTables;

/// Which orders count.
#[derive(Clone, Debug)]
pub enum CustomerTotalsScope {
    /// Orders under addresses that the user has proved to be its own: it asks for itself.
    CustomersOwn(Vec<Email>),
    /// Those that these partners sold or organize.
    OfPartners(Vec<PartnerId>),
}

/// What a user has bought: over its orders that are done or refunded.
#[derive(Clone, Debug)]
pub struct CustomerTotalsQuery {
    /// Who.
    pub user: UserId,
    /// Which orders count.
    pub scope: CustomerTotalsScope,
}

/// What several users have bought, each as [`CustomerTotalsQuery`] says it.
#[derive(Clone, Debug)]
pub struct CustomerTotalsByUserQuery {
    /// Who.
    pub users: Vec<UserId>,
    /// Which orders count.
    pub scope: CustomerTotalsScope,
}

/// The states of orders that were paid.
const PAID_ORDER_STATES: [OrderStatusKind; 2] = [OrderStatusKind::Paid, OrderStatusKind::Refunded];

/// The sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CustomerTotals {
    /// Orders that were paid.
    pub paid_orders: i64,
    /// The tickets that they have.
    pub tickets: i64,
    /// What was paid and not given back.
    pub paid_sum: Money,
    /// Orders in whatever state: whether the partners know the user at all.
    pub all_orders: i64,
}

impl CustomerTotalsQuery {
    /// One row: orders, tickets, sum, known.
    pub fn statement(&self) -> Statement {
        let mut conditions = Conditions::default();
        conditions.add("user_id = ?", [root_key(self.user).into()]);
        self.scope.add_conditions(&mut conditions);
        Statement { text: format!("SELECT {} FROM orders{}", totals_columns(), conditions.text), args: conditions.args }
    }

    pub(crate) fn in_memory(&self, tables: &MemoryTables) -> CustomerTotals {
        let mine = |order: &&Order| order.customer.user == Some(self.user) && self.scope.includes(order);
        tables.orders.rows().filter(mine).fold(CustomerTotals::default(), CustomerTotals::plus_order)
    }
}

impl CustomerTotalsByUserQuery {
    /// A row for each user who has orders at all: user, orders, tickets, sum, known.
    pub fn statement(&self) -> Statement {
        let mut conditions = Conditions::default();
        conditions.one_of("user_id", root_keys(&self.users));
        self.scope.add_conditions(&mut conditions);
        let text = format!("SELECT user_id, {} FROM orders{} GROUP BY user_id", totals_columns(), conditions.text);
        Statement { text, args: conditions.args }
    }

    pub(crate) fn in_memory(&self, tables: &MemoryTables) -> BTreeMap<UserId, CustomerTotals> {
        let wanted: BTreeSet<UserId> = self.users.iter().copied().collect();
        let mut found = BTreeMap::<UserId, CustomerTotals>::new();
        for order in tables.orders.rows().filter(|order| self.scope.includes(order)) {
            if let Some(user) = order.customer.user.filter(|user| wanted.contains(user)) {
                let sums = found.entry(user).or_default();
                *sums = sums.plus_order(order);
            }
        }
        found
    }

    /// One row of the statement.
    pub(crate) fn read(source: &mut dyn RowReader) -> Result<(UserId, CustomerTotals), StoreError> {
        Ok((Id::root(source.int()?), CustomerTotals::read(source)?))
    }
}

impl CustomerTotals {
    pub(crate) fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        Ok(Self {
            paid_orders: source.int()?,
            tickets: source.int()?,
            paid_sum: Money::from_minor(source.int()?),
            all_orders: source.int()?,
        })
    }

    fn plus_order(self, order: &Order) -> Self {
        let known = self.all_orders + 1;
        if !PAID_ORDER_STATES.contains(&order.state()) {
            return Self { all_orders: known, ..self };
        }
        Self {
            paid_orders: self.paid_orders + 1,
            tickets: self.tickets + i64::try_from(order.lines.len()).unwrap_or(i64::MAX),
            paid_sum: self.paid_sum + order.totals().full + order.refunded.retained(),
            all_orders: known,
        }
    }
}

/// The columns of the sums.
fn totals_columns() -> String {
    let paid = |sum: &str| {
        format!("CAST(coalesce(sum(CASE WHEN status IN ('done', 'refunded') THEN {sum} END), 0) AS BIGINT)")
    };
    format!("{}, {}, {}, count(*)", paid("1"), paid("ticket_count"), paid("value + retained"))
}

impl CustomerTotalsScope {
    fn add_conditions(&self, conditions: &mut Conditions) {
        match self {
            Self::CustomersOwn(proved) => {
                conditions.one_of("email", proved.iter().map(|email| email.to_string().into()));
            }
            Self::OfPartners(partners) => add_either_side("organizer", "vendor", partners, conditions),
        }
    }

    fn includes(&self, order: &Order) -> bool {
        match self {
            Self::CustomersOwn(proved) => order.customer.email.as_ref().is_some_and(|email| proved.contains(email)),
            Self::OfPartners(partners) => partners.contains(&order.organizer) || partners.contains(&order.vendor),
        }
    }
}
