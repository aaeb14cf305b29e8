//! Changes as operators read them, who see all of them.

use kassa_domain::change::{AddressClass, FeedCursor};
use kassa_domain::partner::Partner;
use kassa_domain::webhook::WebhookMessage;
use kassa_engine::feed::FeedChange;
use serde::Serialize;
use serde_json::Value;

use super::model::ChangeBody;
use crate::wire::IdRef;

/// A change as it is in the feed, and besides for whom and from where it was made: what its readers are not all told.
#[derive(Serialize)]
struct OperatorChangeBody<'a> {
    #[serde(flatten)]
    change: ChangeBody<'a>,
    /// The partner for which it was made; `null` if that was none.
    acting_for: Option<IdRef<Partner>>,
    origin: OriginBody,
}

#[derive(Serialize)]
struct OriginBody {
    /// The writer that decided it.
    node: u16,
    /// From what kind of address it came; `null` if over no network.
    address: Option<&'static str>,
}

/// A change as an object, for operators.
pub fn change_for_operators(found: &FeedChange) -> Result<Value, serde_json::Error> {
    let change = found.change();
    let message = WebhookMessage {
        position: FeedCursor { place: found.batch.place, index: found.index },
        subject: change.subject,
        version: change.version,
        kind: change.kind,
    };
    serde_json::to_value(OperatorChangeBody {
        change: ChangeBody::new(&message, Some(found)),
        acting_for: change.attribution.author.partner().map(IdRef),
        origin: OriginBody { node: found.batch.id.node, address: change.attribution.address.map(AddressClass::name) },
    })
}
