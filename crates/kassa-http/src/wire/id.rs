//! Ids.

use std::borrow::Cow;

use kassa_domain::Id;
use kassa_domain::api_key::ApiKey;
use kassa_domain::attachment::Attachment;
use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::hall_map::HallMap;
use kassa_domain::id::{Identified, MalformedId};
use kassa_domain::order::Order;
use kassa_domain::partner::Partner;
use kassa_domain::payment::OrderPayment;
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::RefundRequest;
use kassa_domain::set::{PriceRule, TicketSet};
use kassa_domain::ticket::Ticket;
use kassa_domain::user::User;
use kassa_domain::venue::Venue;
use kassa_domain::webhook::Webhook;
use kassa_domain::widget_token::WidgetToken;
use serde::{Serialize, Serializer};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::error::ErrorDetail;
use crate::input::{FromJson, invalid_value};
use crate::openapi::schema;

/// The id of a `T`: 24 hexadecimal digits.
#[derive(Clone, Debug)]
pub(crate) struct IdRef<T: Identified>(pub(crate) Id<T::Kind>);

pub(crate) type AttachmentRef = IdRef<Attachment>;
pub(crate) type DealRef = IdRef<Deal>;
pub(crate) type EventRef = IdRef<Event>;
pub(crate) type ApiKeyRef = IdRef<ApiKey>;
pub(crate) type HallMapRef = IdRef<HallMap>;
pub(crate) type OrderRef = IdRef<Order>;
pub(crate) type PartnerRef = IdRef<Partner>;
pub(crate) type PaymentRef = IdRef<OrderPayment>;
pub(crate) type PromocodeRef = IdRef<Promocode>;
pub(crate) type PromotionRef = IdRef<Promotion>;
pub(crate) type RefundRequestRef = IdRef<RefundRequest>;
pub(crate) type RuleRef = IdRef<PriceRule>;
pub(crate) type SetRef = IdRef<TicketSet>;
pub(crate) type TicketRef = IdRef<Ticket>;
pub(crate) type UserRef = IdRef<User>;
pub(crate) type VenueRef = IdRef<Venue>;
pub(crate) type WebhookRef = IdRef<Webhook>;
pub(crate) type WidgetTokenRef = IdRef<WidgetToken>;

impl<T: Identified> Serialize for IdRef<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<T: Identified> FromJson for IdRef<T> {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let not_text = "must be an id: a text of 24 lowercase hexadecimal digits";
        let text: String =
            serde_json::from_str(json).map_err(|_| vec![ErrorDetail::new("", not_text).with_text("must be an id")])?;
        text.parse().map(Self).map_err(|error: MalformedId| invalid_value(error.to_string()))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::component_ref::<Self>()
    }
}

impl<T: Identified> PartialSchema for IdRef<T> {
    fn schema() -> RefOr<Schema> {
        schema::id().description(Some("24 hexadecimal digits.")).into()
    }
}

impl<T: Identified> ToSchema for IdRef<T> {
    fn name() -> Cow<'static, str> {
        "Id".into()
    }
}
