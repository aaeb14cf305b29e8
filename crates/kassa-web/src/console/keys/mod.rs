//! `/console/{partner}/keys`: the keys by which programs of a partner call the interface, and what was asked with them.

mod listing;
mod requests;

use serde_json::Value;

pub(crate) use self::listing::respond;
pub(crate) use self::requests::requests;
use super::visit::Visit;

/// Where the keys of the partner are.
fn resource(visit: &Visit<'_>) -> String {
    format!("/v1/resources/partners/{}/api_keys", visit.segment("partner"))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
