//! The statuses of an order and the ways to pay, as version 1 names them.

use kassa_domain::order::{OrderStatusKind, PaymentSystem};
use utoipa::openapi::{RefOr, Schema};

use crate::openapi::schema;
use crate::wire::{enum_input, enum_names};

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

    pub(crate) static PAYMENT_SYSTEMS: PaymentSystem {
        CollectedByVendor => "api/BASE",
        Invitation => "system/INVITATION",
    }
}

enum_input! {
    pub(super) struct PaymentSystemInput(PaymentSystem) of PAYMENT_SYSTEMS;
}

pub(crate) fn status_schema() -> RefOr<Schema> {
    let about = "`executed` and `in_progress` orders hold their tickets until `reserved_till`; `done` is paid. \
                 Tickets of the others are back on sale.";
    ORDER_STATUSES.schema().description(Some(about)).into()
}

pub(crate) fn payment_system_schema() -> RefOr<Schema> {
    let about = "`api/BASE`: the vendor takes the money. `system/INVITATION`: the tickets are free. `null` until it is \
                 chosen.";
    schema::nullable(PAYMENT_SYSTEMS.schema().description(Some(about)).into())
}
