//! A user as v1 shows it.

use kassa_domain::Money;
use kassa_domain::order::Order;
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::user::{Email, User, UserId};
use kassa_store::queries::CustomerTotals;
use serde::Serialize;
use utoipa::ToSchema;

use crate::route::ResourceKind;
use crate::wire::{IdRef, MoneyBody, PartnerRef, Referenced, Time, UserRef, WireField, wire_form};

wire_form! {
    /// A user.
    #[derive(Debug)]
    #[schema(as = User)]
    pub(crate) struct UserBody {
        /// The id of the user.
        id: UserRef,
        /// The e-mail address, with which the user logs in; of a customer, the one of its newest order; `null` where
        /// neither is for you to see.
        email: Option<String>,
        /// The first name; of a customer, as its newest order says; `null` if it is not known.
        first_name: Option<String>,
        /// The last name; `null` if it is not known.
        last_name: Option<String>,
        /// The partners that the user manages; of a customer, none.
        partners: Vec<PartnerRef>,
        /// Always empty.
        tags: [String; 0],
        /// When it was created; of a customer, when it first ordered.
        created_at: Time,
        /// When it was last changed; of a customer, when its newest order was.
        updated_at: Time,
        /// In reads by id and in lists: what the user has bought, counting only orders that the caller can see.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        crm: Option<CrmBody>,
    }
}

pub(crate) static USER: ResourceKind = ResourceKind::new("user", UserBody::KIND);

impl Referenced for User {
    fn kind() -> &'static ResourceKind {
        &USER
    }
}

/// A new user, without names.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RegisteredUser)]
pub(crate) struct RegisteredUserBody {
    /// The id of the user.
    id: UserRef,
    /// The e-mail address, with which the user logs in.
    email: String,
    /// Always empty: a new user manages no partner.
    partners: [String; 0],
    /// Always empty.
    tags: [String; 0],
    /// When it was created.
    created_at: Time,
    /// When it was last changed.
    updated_at: Time,
}

wire_form! {
    /// What a user has bought.
    #[derive(Debug)]
    #[schema(as = Crm)]
    struct CrmBody {
        /// Amounts of money.
        values: CrmValues,
        /// Numbers of orders and tickets.
        counters: CrmCounters,
    }
}

wire_form! {
    #[derive(Debug)]
    struct CrmValues {
        /// The average of paid orders; 0.00 if there are none.
        avg: MoneyBody,
        /// The total of paid orders.
        sum: MoneyBody,
    }
}

wire_form! {
    #[derive(Debug)]
    struct CrmCounters {
        /// How many paid orders there are.
        orders: i64,
        /// How many tickets they have.
        tickets: i64,
    }
}

impl UserBody {
    /// The account, for its user.
    pub(crate) fn new(user: &User, partners: Vec<PartnerId>) -> Self {
        Self {
            id: IdRef(user.id),
            email: Some(user.email.to_string()),
            first_name: user.first_name.clone(),
            last_name: user.last_name.clone(),
            partners: partners.into_iter().map(IdRef).collect(),
            tags: [],
            created_at: Time(user.created_at),
            updated_at: Time(user.updated_at),
            crm: None,
        }
    }

    /// A customer, for a partner: what its newest order with that partner says, and nothing of the account.
    pub(crate) fn of_customer(user: UserId, newest: &Order, sums: &CustomerTotals) -> Self {
        let customer = &newest.customer;
        Self {
            id: IdRef(user),
            email: customer.email.as_ref().map(Email::to_string),
            first_name: customer.first_name.clone(),
            last_name: customer.last_name.clone(),
            partners: Vec::new(),
            tags: [],
            created_at: Time(sums.first_order_at.unwrap_or(newest.created_at)),
            updated_at: Time(newest.updated_at),
            crm: Some(CrmBody::new(sums)),
        }
    }

    /// The user that made a partner, for others who act for it: no more than that it did, and when.
    pub(crate) fn of_founder(user: UserId, partner: &Partner) -> Self {
        Self {
            id: IdRef(user),
            email: None,
            first_name: None,
            last_name: None,
            partners: vec![IdRef(partner.id)],
            tags: [],
            created_at: Time(partner.created_at),
            updated_at: Time(partner.created_at),
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
