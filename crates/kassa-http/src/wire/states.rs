//! States and reasons that all versions of the interface name alike.

use kassa_domain::checkout::BuyerField;
use kassa_domain::event::EffectiveEventStatus;
use kassa_domain::order::PaymentSystem;
use kassa_domain::payment::{PaymentProvider, PaymentStatus};
use kassa_domain::refund::{Culprit, RefundStatusKind};
use kassa_domain::refusal::ShortfallReason;
use kassa_domain::single_seats::SingleSeatRule;
use kassa_domain::ticket::TicketState;
use utoipa::openapi::{RefOr, Schema};

use super::enum_names::{enum_input, enum_names};

/// The status of a ticket, as a word says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TicketStatus {
    Vacant,
    Reserved,
    Sold,
    Blocked,
}

impl From<&TicketState> for TicketStatus {
    fn from(state: &TicketState) -> Self {
        match state {
            TicketState::Vacant => Self::Vacant,
            TicketState::Held { .. } => Self::Reserved,
            TicketState::Sold { .. } => Self::Sold,
            TicketState::Blocked => Self::Blocked,
        }
    }
}

enum_names! {
    pub(crate) static EVENT_STATUSES: EffectiveEventStatus {
        StandBy => "stand_by",
        Public => "public",
        Finished => "finished",
        Canceled => "canceled",
    }

    pub(crate) static SINGLE_SEAT_RULES: SingleSeatRule {
        Off => "off",
        Warn => "warn",
        Forbid => "forbid",
    }

    pub(crate) static BUYER_FIELDS: BuyerField {
        Required => "required",
        Optional => "optional",
        Hidden => "hidden",
    }

    pub(crate) static TICKET_STATUSES: TicketStatus {
        Vacant => "vacant",
        Reserved => "reserved",
        Sold => "sold",
        Blocked => "blocked",
    }

    pub(crate) static REFUND_STATUSES: RefundStatusKind {
        New => "new",
        InProgress => "in_progress",
        Approved => "approved",
        Rejected => "rejected",
    }

    pub(crate) static PAYMENT_SYSTEMS: PaymentSystem {
        CollectedByVendor => "api/BASE",
        Invitation => "system/INVITATION",
        Test => "kassa/TEST",
        Transfer => "kassa/TRANSFER",
        Door => "kassa/DOOR",
        Stripe => "kassa/STRIPE",
    }

    pub(crate) static PAYMENT_PROVIDERS: PaymentProvider {
        Test => "TEST",
        Transfer => "TRANSFER",
        Door => "DOOR",
        Stripe => "STRIPE",
    }

    pub(crate) static PAYMENT_STATUSES: PaymentStatus {
        Pending => "pending",
        Paid => "paid",
        Failed => "failed",
        Canceled => "canceled",
        Returning => "returning",
        Returned => "returned",
    }

    pub(crate) static CULPRITS: Culprit {
        Customer => "user",
        Organizer => "org",
    }

    pub(crate) static SHORTFALL_REASONS: ShortfallReason {
        Sold => "sold",
        Reserved => "reserved",
        Blocked => "blocked",
        NotOnSale => "not_on_sale",
        NoPrice => "no_price",
        Scattered => "scattered",
    }
}

enum_input! {
    pub(crate) struct PaymentProviderInput(PaymentProvider) of PAYMENT_PROVIDERS;
}

enum_input! {
    pub(crate) struct SingleSeatRuleInput(SingleSeatRule) of SINGLE_SEAT_RULES;
}

enum_input! {
    pub(crate) struct BuyerFieldInput(BuyerField) of BUYER_FIELDS;
}

pub(crate) fn single_seats_schema() -> RefOr<Schema> {
    let about = "What becomes of orders that leave a seat without a free neighbour, where the customer could sit elsewhere: \
                 `forbid` refuses them, `warn` has pages say so.";
    SINGLE_SEAT_RULES.schema().description(Some(about)).into()
}

pub(crate) fn event_status_schema() -> RefOr<Schema> {
    let about = "Only `public` events sell. `finished` once the lifetime is over; `canceled` is final.";
    EVENT_STATUSES.schema().description(Some(about)).into()
}

pub(crate) fn refund_states_schema() -> RefOr<Schema> {
    let about = "`new`, and `in_progress` while money moves, are open; `approved` and `rejected` are final.";
    REFUND_STATUSES.schema().description(Some(about)).into()
}

pub(crate) fn culprits_schema() -> RefOr<Schema> {
    let about = "Who caused the refund: with `user`, the customer, the refund policy applies; with `org`, the \
                 organizer, all that was paid is returned.";
    CULPRITS.schema().description(Some(about)).into()
}

pub(crate) fn shortfall_reasons_schema() -> RefOr<Schema> {
    let about = "Why: `blocked` is held back by the organizer, `not_on_sale` outside all price rules, \
                 `no_price` without any; \
                 `scattered`: the tickets were found, but their seats are not all next to each other.";
    SHORTFALL_REASONS.schema().description(Some(about)).into()
}
