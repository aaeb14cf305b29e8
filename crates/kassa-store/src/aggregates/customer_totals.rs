//! What customers have bought.

#[cfg(feature = "test-drivers")]
use std::collections::BTreeMap;

#[cfg(feature = "test-drivers")]
use kassa_domain::order::{Order, OrderStatusKind};
use kassa_domain::partner::PartnerId;
use kassa_domain::user::{Email, UserId};
use kassa_domain::{Id, Money, Timestamp};

use crate::cell::RowReader;
use crate::error::StoreError;
use crate::lists::{Conditions, Predicate, SqlText, Statement, Visibility};
#[cfg(feature = "test-drivers")]
use crate::memory_tables::MemoryTables;
use crate::rows::read_time_or_null;
#[cfg(feature = "test-drivers")]
use crate::tables::ticket_count;

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
    /// When the first of them was made.
    pub first_order_at: Option<Timestamp>,
}

impl CustomerTotalsQuery {
    /// One row: orders, tickets, sum, known, since when.
    pub fn statement(&self) -> Statement {
        let SqlText { text, args } = self.scope.conditions_with(Predicate::names("user_id", self.user)).sql();
        Statement { text: format!("SELECT {} FROM orders{text}", totals_columns()), args }
    }

    /// The same of rows in memory.
    #[cfg(feature = "test-drivers")]
    pub(crate) fn in_memory(&self, tables: &MemoryTables) -> CustomerTotals {
        let conditions = self.scope.conditions_with(Predicate::names("user_id", self.user));
        tables.orders.rows().filter(|order| conditions.hold(*order)).fold(CustomerTotals::default(), plus_order)
    }
}

impl CustomerTotalsByUserQuery {
    /// A row for each user who has orders at all: user, orders, tickets, sum, known, since when.
    pub fn statement(&self) -> Statement {
        let SqlText { text, args } = self.scope.conditions_with(Predicate::names_one_of("user_id", &self.users)).sql();
        Statement { text: format!("SELECT user_id, {} FROM orders{text} GROUP BY user_id", totals_columns()), args }
    }

    /// The same of rows in memory.
    #[cfg(feature = "test-drivers")]
    pub(crate) fn in_memory(&self, tables: &MemoryTables) -> BTreeMap<UserId, CustomerTotals> {
        let conditions = self.scope.conditions_with(Predicate::names_one_of("user_id", &self.users));
        let mut found = BTreeMap::<UserId, CustomerTotals>::new();
        for order in tables.orders.rows().filter(|order| conditions.hold(*order)) {
            if let Some(user) = order.customer.user {
                let sums = found.entry(user).or_default();
                *sums = plus_order(*sums, order);
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
            first_order_at: read_time_or_null(source)?,
        })
    }
}

/// The columns of the sums.
fn totals_columns() -> String {
    let [paid_orders, tickets, paid_sum] = ["1", "ticket_count", "value + retained"].map(sum_of_paid);
    format!("{paid_orders}, {tickets}, {paid_sum}, count(*), min(created_at)")
}

fn sum_of_paid(value: &str) -> String {
    format!("CAST(coalesce(sum(CASE WHEN status IN ('done', 'refunded') THEN {value} END), 0) AS BIGINT)")
}

/// What [`totals_columns`] add up, order by order.
#[cfg(feature = "test-drivers")]
fn plus_order(sums: CustomerTotals, order: &Order) -> CustomerTotals {
    let all_orders = sums.all_orders + 1;
    let first_order_at = Some(sums.first_order_at.map_or(order.created_at, |first| first.min(order.created_at)));
    if !matches!(order.state(), OrderStatusKind::Paid | OrderStatusKind::Refunded) {
        return CustomerTotals { all_orders, first_order_at, ..sums };
    }
    CustomerTotals {
        paid_orders: sums.paid_orders + 1,
        tickets: sums.tickets + ticket_count(order),
        paid_sum: sums.paid_sum + order.totals().full + order.refunded.retained(),
        all_orders,
        first_order_at,
    }
}

impl CustomerTotalsScope {
    /// The orders that count, of some users.
    fn conditions_with(&self, of_users: Predicate) -> Conditions {
        let mut conditions = Conditions::default();
        conditions.add(of_users);
        conditions.add(match self {
            Self::CustomersOwn(proved) => {
                Predicate::one_of("email", proved.iter().map(|email| email.to_string().into()))
            }
            Self::OfPartners(partners) => Visibility::either_side(["organizer", "vendor"], partners).predicate(),
        });
        conditions
    }
}
