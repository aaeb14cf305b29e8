//! What a form says of a webhook.

use serde_json::{Value, json};

use crate::console::fields::Fields;

/// Which field of the form a field of the interface is, where one holds several.
pub(super) const PATHS: [(&str, &str); 1] = [("types", "types")];

/// The fields of a webhook as it is.
pub(super) fn fields_of(webhook: &Value) -> Fields {
    let text = |name: &str| webhook[name].as_str().unwrap_or_default().to_owned();
    let words = |name: &str, end: &str| {
        let all = webhook[name].as_array().into_iter().flatten().filter_map(Value::as_str);
        all.collect::<Vec<&str>>().join(end)
    };
    let flag = |is_set: bool| if is_set { "true".to_owned() } else { String::new() };
    Fields::to_change([
        ("url", text("url")),
        ("description", text("description")),
        ("types", words("types", "\n")),
        ("customers", flag(!words("scope", "").is_empty())),
        ("thin", flag(webhook["payload"] == "thin")),
    ])
}

/// What the interface is told.
pub(super) fn body_of(fields: &Fields) -> Value {
    let types: Vec<&str> = fields.value("types").split_whitespace().collect();
    let scope: Vec<&str> = if fields.is("customers", "true") { vec!["customers"] } else { Vec::new() };
    json!({
        "url": fields.value("url").trim(),
        "description": fields.given("description"),
        "types": types,
        "scope": scope,
        "payload": if fields.is("thin", "true") { "thin" } else { "full" },
    })
}
