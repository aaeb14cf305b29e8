//! Ids.

use std::borrow::Cow;

use kassa_domain::Id;
use kassa_domain::attachment::Attachment;
use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::hall::HallMap;
use kassa_domain::key::ApiKey;
use kassa_domain::order::Order;
use kassa_domain::partner::Partner;
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::RefundRequest;
use kassa_domain::set::{Rule, Set};
use kassa_domain::ticket::Ticket;
use kassa_domain::user::User;
use kassa_domain::venue::Venue;
use serde::{Serialize, Serializer};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::error::Detail;
use crate::input::FromJson;
use crate::openapi::schema;

/// The id of a `K`: 24 hexadecimal digits.
#[derive(Clone, Debug)]
pub(crate) struct Ref<K>(pub(crate) Id<K>);

pub(crate) type AttachmentRef = Ref<Attachment>;
pub(crate) type DealRef = Ref<Deal>;
pub(crate) type EventRef = Ref<Event>;
pub(crate) type KeyRef = Ref<ApiKey>;
pub(crate) type MapRef = Ref<HallMap>;
pub(crate) type OrderRef = Ref<Order>;
pub(crate) type PartnerRef = Ref<Partner>;
pub(crate) type PromocodeRef = Ref<Promocode>;
pub(crate) type PromotionRef = Ref<Promotion>;
pub(crate) type RefundRef = Ref<RefundRequest>;
pub(crate) type RuleRef = Ref<Rule>;
pub(crate) type SetRef = Ref<Set>;
pub(crate) type TicketRef = Ref<Ticket>;
pub(crate) type UserRef = Ref<User>;
pub(crate) type VenueRef = Ref<Venue>;

impl<K> Serialize for Ref<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<K> FromJson for Ref<K> {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let bad = |problem: String| vec![Detail { field: String::new(), problem }];
        let text: String = serde_json::from_str(json).map_err(|_| bad("must be an id".to_owned()))?;
        text.parse().map(Self).map_err(|error: kassa_domain::id::MalformedId| bad(error.to_string()))
    }

    fn form() -> RefOr<Schema> {
        schema::named::<Self>()
    }
}

impl<K> PartialSchema for Ref<K> {
    fn schema() -> RefOr<Schema> {
        schema::id().description(Some("24 hexadecimal digits.")).into()
    }
}

impl<K> ToSchema for Ref<K> {
    fn name() -> Cow<'static, str> {
        "Id".into()
    }
}
