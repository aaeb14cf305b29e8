//! What customers have bought.

use std::collections::{BTreeMap, BTreeSet};

use kassa_domain::order::{Order, OrderState};
use kassa_domain::partner::PartnerId;
use kassa_domain::user::{Email, UserId};
use kassa_domain::{Id, Money};

use super::partners::{ids, is_a_side, root_key};
use super::{Conditions, Statement};
use crate::cell::Source;
use crate::error::StoreError;
use crate::memory::Tables;

/// Which orders count.
#[derive(Clone, Debug)]
pub enum CrmScope {
    /// Orders under addresses that the user has proved to be its own: it asks for itself.
    Own(Vec<Email>),
    /// Those that these partners sold or organize.
    Partners(Vec<PartnerId>),
}

/// What a user has bought: over its orders that are done or refunded.
#[derive(Clone, Debug)]
pub struct Crm {
    /// Who.
    pub user: UserId,
    /// Which orders count.
    pub scope: CrmScope,
}

/// What several users have bought, each as [`Crm`] says it.
#[derive(Clone, Debug)]
pub struct CrmOf {
    /// Who.
    pub users: Vec<UserId>,
    /// Which orders count.
    pub scope: CrmScope,
}

/// The states of orders that were paid.
const PAID: [OrderState; 2] = [OrderState::Done, OrderState::Refunded];

/// The sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrmSums {
    /// Orders that were paid.
    pub orders: i64,
    /// The tickets that they have.
    pub tickets: i64,
    /// What was paid and not given back.
    pub sum: Money,
    /// Orders in whatever state: whether the partners know the user at all.
    pub known: i64,
}

impl Crm {
    /// One row: orders, tickets, sum, known.
    pub fn statement(&self) -> Statement {
        let mut conditions = Conditions::default();
        conditions.add("user_id = ?", [root_key(self.user).into()]);
        self.scope.limit(&mut conditions);
        Statement { text: format!("SELECT {} FROM orders{}", sums(), conditions.text), args: conditions.args }
    }

    pub(crate) fn in_memory(&self, tables: &Tables) -> CrmSums {
        let mine = |order: &&Order| order.customer.user == Some(self.user) && self.scope.counts(order);
        tables.orders.rows().filter(mine).fold(CrmSums::default(), CrmSums::with)
    }
}

impl CrmOf {
    /// A row for each user who has orders at all: user, orders, tickets, sum, known.
    pub fn statement(&self) -> Statement {
        let mut conditions = Conditions::default();
        conditions.one_of("user_id", ids(&self.users));
        self.scope.limit(&mut conditions);
        let text = format!("SELECT user_id, {} FROM orders{} GROUP BY user_id", sums(), conditions.text);
        Statement { text, args: conditions.args }
    }

    pub(crate) fn in_memory(&self, tables: &Tables) -> BTreeMap<UserId, CrmSums> {
        let wanted: BTreeSet<UserId> = self.users.iter().copied().collect();
        let mut found = BTreeMap::<UserId, CrmSums>::new();
        for order in tables.orders.rows().filter(|order| self.scope.counts(order)) {
            if let Some(user) = order.customer.user.filter(|user| wanted.contains(user)) {
                let sums = found.entry(user).or_default();
                *sums = sums.with(order);
            }
        }
        found
    }

    /// One row of the statement.
    pub(crate) fn read(source: &mut dyn Source) -> Result<(UserId, CrmSums), StoreError> {
        Ok((Id::root(source.int()?), CrmSums::read(source)?))
    }
}

impl CrmSums {
    pub(crate) fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        Ok(Self {
            orders: source.int()?,
            tickets: source.int()?,
            sum: Money::from_minor(source.int()?),
            known: source.int()?,
        })
    }

    fn with(self, order: &Order) -> Self {
        let known = self.known + 1;
        if !PAID.contains(&order.state()) {
            return Self { known, ..self };
        }
        Self {
            orders: self.orders + 1,
            tickets: self.tickets + i64::try_from(order.lines.len()).unwrap_or(i64::MAX),
            sum: self.sum + order.values().full + order.refunded.kept(),
            known,
        }
    }
}

/// The columns of the sums.
fn sums() -> String {
    let paid = |sum: &str| {
        format!("CAST(coalesce(sum(CASE WHEN status IN ('done', 'refunded') THEN {sum} END), 0) AS BIGINT)")
    };
    format!("{}, {}, {}, count(*)", paid("1"), paid("tickets"), paid("value + kept"))
}

impl CrmScope {
    fn limit(&self, conditions: &mut Conditions) {
        match self {
            Self::Own(proved) => conditions.one_of("email", proved.iter().map(|email| email.to_string().into())),
            Self::Partners(partners) => is_a_side("org", "vendor", partners, conditions),
        }
    }

    fn counts(&self, order: &Order) -> bool {
        match self {
            Self::Own(proved) => order.customer.email.as_ref().is_some_and(|email| proved.contains(email)),
            Self::Partners(partners) => partners.contains(&order.org) || partners.contains(&order.vendor),
        }
    }
}
