//! Values as they stand in answers and requests.

mod digits;
mod id;
mod media;
mod names;
mod reason;
mod refund;
mod seat;
mod share;
mod time;
mod vevent;

pub(crate) use id::{
    AttachmentRef, DealRef, EventRef, KeyRef, MapRef, OrderRef, PartnerRef, PromocodeRef, PromotionRef, Ref, RefundRef,
    RuleRef, SetRef, TicketRef, UserRef, VenueRef,
};
pub(crate) use media::{COVER, LOGO, MediaBody, MediaKeys};
pub(crate) use names::PlaceNames;
pub(crate) use reason::{reason_name, reasons};
pub(crate) use refund::{culprits, refund_states};
pub(crate) use seat::{Row, Seats};
pub(crate) use share::{ReadPercent, ReadShare, show as show_share};
pub(crate) use time::{Moment, ReadTime, Time};
pub(crate) use vevent::{Cal, Vevent, show as show_vevent};

use std::borrow::Cow;

use kassa_domain::Money;
use serde::{Serialize, Serializer};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::openapi::schema;
use digits::Digits;

/// Money as a string with two decimals: `"100.00"`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Price(pub(crate) Money);

impl Serialize for Price {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let minor = self.0.minor();
        let sign = if minor < 0 { "-" } else { "" };
        let amount = minor.unsigned_abs();
        Digits::new().text(sign).number(amount / 100, 1).text(".").number(amount % 100, 2).show(serializer)
    }
}

impl PartialSchema for Price {
    fn schema() -> RefOr<Schema> {
        let about = "Money, with two decimals.";
        schema::text().pattern(Some(r"^[0-9]+\.[0-9]{2}$")).description(Some(about)).into()
    }
}

impl ToSchema for Price {
    fn name() -> Cow<'static, str> {
        "Money".into()
    }
}
