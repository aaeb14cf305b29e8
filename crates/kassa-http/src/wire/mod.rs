//! Values as they stand in answers and requests.

mod digits;
mod empty;
mod enum_names;
mod form;
mod id;
mod id_or_object;
mod media;
mod media_input;
mod names;
mod order_input;
mod refund_input;
mod role;
mod scopes;
mod seat;
mod seats_input;
mod share;
mod shortfall;
mod states;
mod tickets_count;
mod time;
mod vevent;

pub(crate) use empty::EmptyBody;
pub(crate) use enum_names::{EnumNames, enum_input, enum_names};
pub(crate) use form::{Referenced, WireField, field_name, wire_form};
pub(crate) use id::{
    ApiKeyRef, AttachmentRef, DealRef, EventRef, HallMapRef, IdRef, OrderRef, PartnerRef, PaymentRef, PromocodeRef,
    PromotionRef, RefundRequestRef, RuleRef, SetRef, TicketRef, UserRef, VenueRef, WebhookRef, WidgetTokenRef,
};
pub(crate) use id_or_object::IdOrObject;
pub(crate) use media::{CoverBody, LogoBody, MediaItemBody};
pub(crate) use media_input::{CoverInput, LogoInput, media_patch};
pub(crate) use names::PlaceNames;
pub(crate) use order_input::{
    OrderStatusInput, SetCounts, TICKETS_AND_RANDOM, TicketList, object_patch, promocode_codes, ticket_selection,
};
pub(crate) use refund_input::{RefundStatusInput, parse_word_or_explain, refund_transitions};
pub(crate) use role::{RoleInput, role_schema};
pub(crate) use scopes::{ScopesInput, scope_names, scopes_schema};
pub(crate) use seat::{RowNameBody, Seats};
pub(crate) use seats_input::SeatsInput;
pub(crate) use share::{PercentInput, ShareInput, show as show_share, show_percent};
pub(crate) use shortfall::shortfall_body;
pub(crate) use states::{
    BUYER_FIELDS, BuyerFieldInput, CULPRITS, EVENT_STATUSES, PAYMENT_PROVIDERS, PAYMENT_STATUSES, PAYMENT_SYSTEMS,
    PaymentProviderInput, REFUND_STATUSES, SHORTFALL_REASONS, SINGLE_SEAT_RULES, SingleSeatRuleInput, TICKET_STATUSES,
    TicketStatus, culprits_schema, event_status_schema, refund_states_schema, shortfall_reasons_schema,
    single_seats_schema,
};
pub(crate) use tickets_count::TicketsCountBody;
pub(crate) use time::{Time, TimeInput, TimeV2};
pub(crate) use vevent::{OpenVeventInput, VeventInput, show as show_vevent};

use std::borrow::Cow;

use kassa_domain::Money;
use serde::{Serialize, Serializer};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::openapi::schema;
use digits::DigitBuffer;

/// Money as a string with two decimals: `"100.00"`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoneyBody(pub(crate) Money);

impl Serialize for MoneyBody {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let minor = self.0.minor();
        let sign = if minor < 0 { "-" } else { "" };
        let amount = minor.unsigned_abs();
        DigitBuffer::new().text(sign).number(amount / 100, 1).text(".").number(amount % 100, 2).serialize(serializer)
    }
}

impl PartialSchema for MoneyBody {
    fn schema() -> RefOr<Schema> {
        let about = "An amount of money, with two decimals.";
        schema::text().pattern(Some(r"^[0-9]+\.[0-9]{2}$")).description(Some(about)).into()
    }
}

impl ToSchema for MoneyBody {
    fn name() -> Cow<'static, str> {
        "Money".into()
    }
}
