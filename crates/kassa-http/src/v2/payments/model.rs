//! A payment as v2 shows it.

use kassa_domain::Money;
use kassa_domain::order::Order;
use kassa_domain::partner::TransferAccount;
use kassa_domain::payment::{OrderPayment, PaymentReason};
use kassa_engine::payments::epc_text;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::super::order_refs::OrderRefsBody;
use super::super::pagination::{PageRequest, list_answer};
use crate::openapi::schema;
use crate::related::RelatedRowsLookup;
use crate::wire::{
    EmptyBody, EventRef, IdRef, MoneyBody, OrderRef, PAYMENT_PROVIDERS, PAYMENT_STATUSES, PartnerRef, PaymentRef,
    TimeV2, enum_names,
};

/// A payment of an order.
#[derive(Serialize, ToSchema)]
#[schema(as = Payment)]
pub(in crate::v2) struct PaymentBody {
    /// The id of the payment; `null` for an order that costs nothing: it has none.
    id: Option<PaymentRef>,
    /// The order that is paid.
    order: OrderRef,
    /// The event that its tickets are for.
    event: EventRef,
    /// The partner that sold them, and gets the money.
    vendor: PartnerRef,
    #[schema(schema_with = provider_schema)]
    provider: Option<&'static str>,
    #[schema(schema_with = status_schema)]
    status: &'static str,
    #[schema(schema_with = reason_schema)]
    reason: Option<&'static str>,
    /// What is to be paid.
    amount: MoneyBody,
    /// What has come in.
    received: MoneyBody,
    /// What of it is the price of tickets.
    used: MoneyBody,
    /// What of it has gone back.
    returned: MoneyBody,
    /// What a transfer has to say: a creditor reference of ISO 11649. `null` for an order that costs nothing.
    #[schema(example = "RF18539007547034")]
    reference: Option<String>,
    /// Until when the money has to come, and the tickets are held; `null` for an order that costs nothing.
    due_at: Option<TimeV2>,
    /// What the customer does next; `null` once nothing is waited for, and for the organizer of another vendor's order.
    next: Option<NextStepBody>,
    /// When it began; `null` for an order that costs nothing.
    created_at: Option<TimeV2>,
    /// When it last changed; `null` for an order that costs nothing.
    updated_at: Option<TimeV2>,
}

/// What a customer does next.
#[derive(Serialize, ToSchema)]
#[schema(as = PaymentStep)]
pub(in crate::v2) struct NextStepBody {
    #[serde(rename = "type")]
    #[schema(schema_with = step_schema)]
    kind: &'static str,
    /// Where to go; with `redirect` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    url: Option<String>,
    /// The account to send money to; with `instructions` only, as all that follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    iban: Option<String>,
    /// Whose account it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    holder: Option<String>,
    /// Its bank, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    bic: Option<String>,
    /// What the transfer has to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reference: Option<String>,
    /// How much is still missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    amount: Option<MoneyBody>,
    /// All of it as the text of a QR code that banking programs read (EPC069-12).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    epc: Option<String>,
}

impl NextStepBody {
    /// There is nothing to do here.
    pub(super) fn done() -> Self {
        Self { kind: "done", url: None, iban: None, holder: None, bic: None, reference: None, amount: None, epc: None }
    }

    /// To another page.
    pub(super) fn redirect(url: String) -> Self {
        Self { kind: "redirect", url: Some(url), ..Self::done() }
    }

    /// To send money.
    pub(super) fn transfer(account: &TransferAccount, payment: &OrderPayment) -> Self {
        let missing = payment.missing();
        Self {
            kind: "instructions",
            url: None,
            iban: Some(account.iban.to_string()),
            holder: Some(account.holder.clone()),
            bic: account.bic.as_ref().map(ToString::to_string),
            reference: Some(payment.reference.to_string()),
            amount: Some(MoneyBody(missing)),
            epc: Some(epc_text(account, missing, &payment.reference)),
        }
    }
}

impl PaymentBody {
    pub(in crate::v2) fn new(payment: &OrderPayment, next: Option<NextStepBody>) -> Self {
        Self {
            id: Some(IdRef(payment.id)),
            order: IdRef(payment.order),
            event: IdRef(payment.event),
            vendor: IdRef(payment.vendor),
            provider: Some(PAYMENT_PROVIDERS.name(payment.provider)),
            status: PAYMENT_STATUSES.name(payment.status),
            reason: payment.reason.map(|reason| PAYMENT_REASONS.name(reason)),
            amount: MoneyBody(payment.amount),
            received: MoneyBody(payment.received),
            used: MoneyBody(payment.used),
            returned: MoneyBody(payment.returned),
            reference: Some(payment.reference.to_string()),
            due_at: Some(TimeV2(payment.due_at)),
            next,
            created_at: Some(TimeV2(payment.created_at)),
            updated_at: Some(TimeV2(payment.updated_at)),
        }
    }

    /// Of an order that costs nothing, and is paid.
    pub(super) fn of_free(order: &Order) -> Self {
        let nothing = || MoneyBody(Money::ZERO);
        Self {
            id: None,
            order: IdRef(order.id),
            event: IdRef(order.event),
            vendor: IdRef(order.vendor),
            provider: None,
            status: "paid",
            reason: None,
            amount: nothing(),
            received: nothing(),
            used: nothing(),
            returned: nothing(),
            reference: None,
            due_at: None,
            next: Some(NextStepBody::done()),
            created_at: None,
            updated_at: None,
        }
    }
}

/// A payment.
#[derive(Serialize, ToSchema)]
#[schema(as = PaymentAnswer)]
pub(super) struct PaymentResponse {
    /// The payment.
    data: PaymentBody,
    /// Always empty.
    refs: EmptyBody,
}

impl PaymentResponse {
    pub(super) fn new(data: PaymentBody) -> Self {
        Self { data, refs: EmptyBody {} }
    }
}

/// All payments of an order.
#[derive(Serialize, ToSchema)]
#[schema(as = PaymentList)]
pub(super) struct PaymentListResponse {
    /// The earliest first.
    data: Vec<PaymentBody>,
    /// Always empty.
    refs: EmptyBody,
}

impl PaymentListResponse {
    pub(super) fn new(data: Vec<PaymentBody>) -> Self {
        Self { data, refs: EmptyBody {} }
    }
}

list_answer! {
    /// Payments of which money is to go back, and what they refer to.
    pub(super) struct ReturningPaymentsResponse<'a> as ReturningPayments {
        /// The payments of this page.
        data: Vec<PaymentBody>,
        /// What these payments refer to by id.
        refs: OrderRefsBody<'a>,
    }
}

impl<'a> ReturningPaymentsResponse<'a> {
    pub(super) fn new(
        payments: &[OrderPayment],
        related: RelatedRowsLookup<'a>,
        wanted: PageRequest,
        total: u64,
    ) -> Self {
        let data = payments.iter().map(|payment| PaymentBody::new(payment, None)).collect();
        let refs = OrderRefsBody::of(payments.iter().map(|payment| payment.order), related);
        Self::page(wanted, total, data, refs)
    }
}

enum_names! {
    static PAYMENT_REASONS: PaymentReason {
        Declined => "declined",
        Expired => "expired",
        Replaced => "replaced",
        OrderCanceled => "order_canceled",
        OrderPaid => "order_paid",
        OrderChanged => "order_changed",
        TicketsGone => "tickets_gone",
        EventOver => "event_over",
        Surplus => "surplus",
        Refund => "refund",
    }
}

fn provider_schema() -> RefOr<Schema> {
    let about = "How the money comes: to a bank account (`TRANSFER`), at the door (`DOOR`), on a page of Stripe (`STRIPE`), or not at all \
                 (`TEST`); `null` for an order that costs nothing.";
    schema::nullable(PAYMENT_PROVIDERS.schema().description(Some(about)).into())
}

fn status_schema() -> RefOr<Schema> {
    let about = "`pending` while money is waited for; `paid` when it has bought the tickets; `failed` when none came, \
                 `canceled` when none is waited for; `returning` while money that buys nothing has to go back, and \
                 `returned` when all has.";
    PAYMENT_STATUSES.schema().description(Some(about)).into()
}

fn reason_schema() -> RefOr<Schema> {
    let about = "Why it failed, was canceled, or money goes back; `null` if there is nothing to explain.";
    schema::nullable(PAYMENT_REASONS.schema().description(Some(about)).into())
}

fn step_schema() -> RefOr<Schema> {
    let about = "`redirect` to `url`; `instructions` for a transfer; `done` if there is nothing to do here.";
    schema::words(["redirect", "instructions", "done"]).description(Some(about)).into()
}
