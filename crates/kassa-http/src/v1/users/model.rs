//! A user as v1 shows it.

use kassa_domain::Money;
use kassa_domain::partner::PartnerId;
use kassa_domain::user::{User, UserId};
use kassa_store::queries::CrmSums;
use serde::Serialize;

use crate::wire::{Price, Time};

/// A user (seed, User).
#[derive(Debug, Serialize)]
pub(crate) struct UserBody {
    id: UserId,
    email: String,
    #[serde(flatten)]
    names: Option<Names>,
    partners: Vec<PartnerId>,
    tags: [String; 0],
    created_at: Time,
    updated_at: Time,
    #[serde(skip_serializing_if = "Option::is_none")]
    crm: Option<CrmBody>,
}

#[derive(Debug, Serialize)]
struct Names {
    first_name: Option<String>,
    last_name: Option<String>,
}

/// What a user has bought.
#[derive(Debug, Serialize)]
struct CrmBody {
    values: CrmValues,
    counters: CrmCounters,
}

#[derive(Debug, Serialize)]
struct CrmValues {
    avg: Price,
    sum: Price,
}

#[derive(Debug, Serialize)]
struct CrmCounters {
    orders: i64,
    tickets: i64,
}

impl UserBody {
    pub(crate) fn new(user: &User, partners: Vec<PartnerId>) -> Self {
        let names = Names { first_name: user.first_name.clone(), last_name: user.last_name.clone() };
        Self { names: Some(names), ..Self::registered(user, partners) }
    }

    /// As the answer to a registration shows it: without names.
    pub(crate) fn registered(user: &User, partners: Vec<PartnerId>) -> Self {
        Self {
            id: user.id,
            email: user.email.to_string(),
            names: None,
            partners,
            tags: [],
            created_at: Time(user.created_at),
            updated_at: Time(user.updated_at),
            crm: None,
        }
    }

    /// With what the user has bought.
    pub(crate) fn with_crm(self, sums: &CrmSums) -> Self {
        Self { crm: Some(CrmBody::new(sums)), ..self }
    }
}

impl CrmBody {
    fn new(sums: &CrmSums) -> Self {
        let (sum, orders) = (sums.sum.minor(), sums.orders);
        // Half a cent counts up.
        let avg = if orders == 0 { 0 } else { (2 * sum + orders) / (2 * orders) };
        Self {
            values: CrmValues { avg: Price(Money::from_minor(avg)), sum: Price(sums.sum) },
            counters: CrmCounters { orders, tickets: sums.tickets },
        }
    }
}
