//! Changes as operators read them, who see all of them.

use kassa_domain::change::AddressClass;
use kassa_engine::feed::FeedChange;
use serde::Serialize;
use serde_json::Value;

use super::model::{ChangeBody, ChangeReader};

/// A change as it is in the feed, and besides from where it was made: what its readers are not all told.
#[derive(Serialize)]
struct OperatorChangeBody<'a> {
    #[serde(flatten)]
    change: ChangeBody<'a>,
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
    serde_json::to_value(OperatorChangeBody {
        change: ChangeBody::of(found, ChangeReader::Operator),
        origin: OriginBody { node: found.batch.id.node, address: change.attribution.address.map(AddressClass::name) },
    })
}
