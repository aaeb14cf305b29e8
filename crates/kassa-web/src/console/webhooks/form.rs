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

/// What the interface is told of a new one.
pub(super) fn body_of(fields: &Fields) -> Value {
    json!({
        "url": fields.value("url").trim(),
        "description": fields.given("description"),
        "types": types_of(fields),
        "scope": scope_of(fields),
        "payload": payload_of(fields),
    })
}

/// What the fields change.
pub(super) fn changes_of(fields: &Fields) -> Value {
    let all = [
        ("url", "url", json!(fields.value("url").trim())),
        ("description", "description", json!(fields.given("description"))),
        ("types", "types", json!(types_of(fields))),
        ("customers", "scope", json!(scope_of(fields))),
        ("thin", "payload", json!(payload_of(fields))),
    ];
    let changed = all.into_iter().filter(|(field, _, _)| fields.is_changed(field));
    Value::Object(changed.map(|(_, name, value)| (name.to_owned(), value)).collect())
}

fn types_of(fields: &Fields) -> Vec<&str> {
    fields.value("types").split_whitespace().collect()
}

fn scope_of(fields: &Fields) -> Vec<&'static str> {
    if fields.is("customers", "true") { vec!["customers"] } else { Vec::new() }
}

fn payload_of(fields: &Fields) -> &'static str {
    if fields.is("thin", "true") { "thin" } else { "full" }
}
