//! `/console/{partner}/webhooks`: where changes are posted to, and what came of it.

mod form;
mod listing;
mod showing;

use serde_json::Value;

pub(crate) use self::listing::list;
pub(crate) use self::showing::show;
use super::visit::Visit;

const RESOURCE: &str = "/v2/resources/webhooks";

/// How a webhook does, in a word and in a text.
fn state_of(visit: &Visit<'_>, webhook: &Value) -> (&'static str, String) {
    let is_failing = !webhook["failing_since"].is_null();
    let (state, key) = match (webhook["status"].as_str(), webhook["disabled_reason"].as_str()) {
        (Some("disabled"), Some("failing")) => ("canceled", "webhook-disabled-failing"),
        (Some("disabled"), Some("gone")) => ("canceled", "webhook-disabled-gone"),
        (Some("disabled"), _) => ("draft", "webhook-disabled"),
        _ if is_failing => ("canceled", "webhook-failing"),
        _ => ("public", "webhook-enabled"),
    };
    (state, visit.texts().text(key))
}
