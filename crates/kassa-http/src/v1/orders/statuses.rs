//! The statuses of an order and the ways to pay, as version 1 names them.

use kassa_domain::order::{OrderStatusKind, PaymentSystem};
use utoipa::openapi::{RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::{FromJson, parse_word};
use crate::openapi::schema;
use crate::wire::{PAYMENT_SYSTEMS, enum_names};

enum_names! {
    /// `cancelled` is how version 2 spells it.
    pub(crate) static ORDER_STATUSES: OrderStatusKind {
        Reserved => "executed",
        AwaitingPayment => "in_progress",
        Paid => "done",
        Canceled => "canceled" | "cancelled",
        Expired => "expired",
        Refunded => "refunded",
    }

}

/// What a request says of who takes the money: what the shop takes, it says itself.
pub(super) struct PaymentSystemInput(pub(super) PaymentSystem);

impl FromJson for PaymentSystemInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        parse_word(&named_systems(), json).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        schema::words(named_systems().into_iter().map(|(word, _)| word)).into()
    }
}

fn named_systems() -> Vec<(&'static str, PaymentSystem)> {
    PAYMENT_SYSTEMS.words_for(|system| (!system.has_payments()).then_some(system))
}

pub(crate) fn status_schema() -> RefOr<Schema> {
    let about = "`executed` and `in_progress` orders hold their tickets until `reserved_till`; `done` is paid. \
                 Tickets of the others are back on sale.";
    ORDER_STATUSES.schema().description(Some(about)).into()
}

pub(crate) fn payment_system_schema() -> RefOr<Schema> {
    let about = "`api/BASE`: the vendor takes the money. `system/INVITATION`: the tickets are free. `kassa/…`: it is \
                 paid in the vendor's shop. `null` until it is chosen.";
    schema::nullable(PAYMENT_SYSTEMS.schema().description(Some(about)).into())
}
