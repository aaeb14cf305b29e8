//! What customers have bought.

use kassa_domain::Money;
use kassa_domain::order::{Order, OrderState};
use kassa_domain::partner::PartnerId;
use kassa_domain::user::{Email, UserId};

use super::partners::{ids, root_key};
use super::{Conditions, Statement};
use crate::memory::Tables;

/// Which orders count.
#[derive(Clone, Debug)]
pub enum CrmScope {
    /// Orders under addresses that the user has proved to be its own: it asks for itself.
    Own(Vec<Email>),
    /// Those that these partners sold or organize.
    Partners(Vec<PartnerId>),
}

/// What a user has bought: over its orders that are done.
#[derive(Clone, Debug)]
pub struct Crm {
    /// Who.
    pub user: UserId,
    /// Which orders count.
    pub scope: CrmScope,
}

/// The sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrmSums {
    /// Paid orders.
    pub orders: i64,
    /// Their tickets.
    pub tickets: i64,
    /// What was paid.
    pub sum: Money,
    /// Orders in whatever state: whether the partners know the user at all.
    pub known: i64,
}

impl Crm {
    /// One row: orders, tickets, sum, known.
    pub(crate) fn statement(&self) -> Statement {
        let mut conditions = Conditions::default();
        conditions.add("user_id = ?", [root_key(self.user).into()]);
        match &self.scope {
            CrmScope::Own(proved) => conditions.one_of("email", proved.iter().map(|email| email.to_string().into())),
            CrmScope::Partners(partners) if partners.is_empty() => conditions.add("1 = 0", []),
            CrmScope::Partners(partners) => {
                let marks = vec!["?"; partners.len()].join(", ");
                let args = ids(partners).chain(ids(partners));
                conditions.add(&format!("org IN ({marks}) OR vendor IN ({marks})"), args);
            }
        }
        let paid = |sum: &str| format!("CAST(coalesce(sum(CASE WHEN status = 'done' THEN {sum} END), 0) AS BIGINT)");
        let text = format!(
            "SELECT {}, {}, {}, count(*) FROM orders{}",
            paid("1"), paid("tickets"), paid("value"), conditions.text
        );
        Statement { text, args: conditions.args }
    }

    pub(crate) fn in_memory(&self, tables: &Tables) -> CrmSums {
        let mine = |order: &&Order| {
            order.customer.user == Some(self.user)
                && match &self.scope {
                    CrmScope::Own(proved) => order.customer.email.as_ref().is_some_and(|email| proved.contains(email)),
                    CrmScope::Partners(partners) => partners.contains(&order.org) || partners.contains(&order.vendor),
                }
        };
        tables.orders.rows().filter(mine).fold(CrmSums::default(), |sums, order| {
            let known = sums.known + 1;
            if order.state() != OrderState::Done {
                return CrmSums { known, ..sums };
            }
            CrmSums {
                orders: sums.orders + 1,
                tickets: sums.tickets + i64::try_from(order.lines.len()).unwrap_or(i64::MAX),
                sum: sums.sum + order.values().full,
                known,
            }
        })
    }
}
