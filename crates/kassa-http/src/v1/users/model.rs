//! A user as v1 shows it.

use kassa_domain::Money;
use kassa_domain::partner::PartnerId;
use kassa_domain::user::User;
use kassa_store::queries::CustomerTotals;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::{IdRef, MoneyBody, PartnerRef, Time, UserRef};

/// A user.
// seed, User
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = User)]
pub(crate) struct UserBody {
    id: UserRef,
    email: String,
    first_name: Option<String>,
    last_name: Option<String>,
    /// Those that it manages.
    partners: Vec<PartnerRef>,
    tags: [String; 0],
    created_at: Time,
    updated_at: Time,
    /// In a read by id and in lists: what it has bought, as the caller may know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    crm: Option<CrmBody>,
}

/// A user that has just registered: without names.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RegisteredUser)]
pub(crate) struct RegisteredUserBody {
    id: UserRef,
    email: String,
    partners: [String; 0],
    tags: [String; 0],
    created_at: Time,
    updated_at: Time,
}

/// What a user has bought.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Crm)]
struct CrmBody {
    values: CrmValues,
    counters: CrmCounters,
}

#[derive(Debug, Serialize, ToSchema)]
struct CrmValues {
    avg: MoneyBody,
    sum: MoneyBody,
}

#[derive(Debug, Serialize, ToSchema)]
struct CrmCounters {
    orders: i64,
    tickets: i64,
}

impl UserBody {
    pub(crate) fn new(user: &User, partners: Vec<PartnerId>) -> Self {
        Self {
            id: IdRef(user.id),
            email: user.email.to_string(),
            first_name: user.first_name.clone(),
            last_name: user.last_name.clone(),
            partners: partners.into_iter().map(IdRef).collect(),
            tags: [],
            created_at: Time(user.created_at),
            updated_at: Time(user.updated_at),
            crm: None,
        }
    }

    /// With what the user has bought.
    pub(crate) fn with_crm(self, sums: &CustomerTotals) -> Self {
        Self { crm: Some(CrmBody::new(sums)), ..self }
    }
}

impl RegisteredUserBody {
    pub(crate) fn new(user: &User) -> Self {
        Self {
            id: IdRef(user.id),
            email: user.email.to_string(),
            partners: [],
            tags: [],
            created_at: Time(user.created_at),
            updated_at: Time(user.updated_at),
        }
    }
}

impl CrmBody {
    fn new(sums: &CustomerTotals) -> Self {
        let (sum, orders) = (sums.paid_sum.minor(), sums.paid_orders);
        // Half a cent counts up.
        let avg = if orders == 0 { 0 } else { (2 * sum + orders) / (2 * orders) };
        Self {
            values: CrmValues { avg: MoneyBody(Money::from_minor(avg)), sum: MoneyBody(sums.paid_sum) },
            counters: CrmCounters { orders, tickets: sums.tickets },
        }
    }
}
