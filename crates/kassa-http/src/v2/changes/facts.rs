//! The facts of a change as v2 shows them.

use kassa_domain::change::{Fact, FactValue, Facts};
use kassa_domain::deal::DealStatus;
use kassa_domain::event::EventStatus;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::v2::order_status::order_status_name;
use crate::wire::{CULPRITS, MoneyBody, PAYMENT_STATUSES, PAYMENT_SYSTEMS, REFUND_STATUSES, TimeV2};

/// Facts by name: a value, `{"from": …, "to": …}`, or `{"changed": true}` where the value is not told.
pub(in crate::v2) struct FactsBody<'a>(pub(in crate::v2) &'a Facts);

impl Serialize for FactsBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, fact)| (name.name(), FactBody(fact))))
    }
}

struct FactBody<'a>(&'a Fact);

impl Serialize for FactBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Fact::Value(value) => ValueBody(value).serialize(serializer),
            Fact::Step(step) => {
                let mut body = serializer.serialize_map(Some(2))?;
                body.serialize_entry("from", &ValueBody(&step.from))?;
                body.serialize_entry("to", &ValueBody(&step.to))?;
                body.end()
            }
            Fact::Hidden => {
                let mut hidden = serializer.serialize_map(Some(1))?;
                hidden.serialize_entry("changed", &true)?;
                hidden.end()
            }
        }
    }
}

struct ValueBody<'a>(&'a FactValue);

impl Serialize for ValueBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            FactValue::None => serializer.serialize_none(),
            FactValue::Flag(flag) => serializer.serialize_bool(*flag),
            FactValue::Number(number) => serializer.serialize_i64(*number),
            FactValue::Money(amount) => MoneyBody(*amount).serialize(serializer),
            FactValue::Time(at) => TimeV2(*at).serialize(serializer),
            FactValue::Text(text) => serializer.serialize_str(text),
            FactValue::Id(id) => id.serialize(serializer),
            FactValue::Ids(ids) => serializer.collect_seq(ids.ids()),
            FactValue::OrderStatus(status) => serializer.serialize_str(order_status_name(*status)),
            FactValue::EventStatus(status) => serializer.serialize_str(event_status_name(*status)),
            FactValue::DealStatus(status) => serializer.serialize_str(deal_status_name(*status)),
            FactValue::RefundStatus(status) => serializer.serialize_str(REFUND_STATUSES.name(*status)),
            FactValue::Culprit(culprit) => serializer.serialize_str(CULPRITS.name(*culprit)),
            FactValue::PaymentSystem(system) => serializer.serialize_str(PAYMENT_SYSTEMS.name(*system)),
            FactValue::PaymentStatus(status) => serializer.serialize_str(PAYMENT_STATUSES.name(*status)),
        }
    }
}

/// What the organizer has decided; that an event is over, its lifetime says.
fn event_status_name(status: EventStatus) -> &'static str {
    match status {
        EventStatus::StandBy => "stand_by",
        EventStatus::Public => "public",
        EventStatus::Canceled => "canceled",
    }
}

fn deal_status_name(status: DealStatus) -> &'static str {
    match status {
        DealStatus::New => "new",
        DealStatus::Accepted => "accepted",
        DealStatus::Declined => "declined",
        DealStatus::Revoked => "revoked",
        DealStatus::Terminated => "terminated",
    }
}
