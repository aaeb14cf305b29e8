//! The form of a promotion: its fields, and the body that they make.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use kassa_texts::Texts;
use serde_json::{Map, Value, json};

use super::levels;
use crate::console::events::Loaded;
use crate::console::fault::Refusal;
use crate::console::fields::Fields;
use crate::console::times::{of_field, to_field, to_utc};

const NAMES: [(&str, &str); 5] =
    [("lifetime.start", "start"), ("lifetime", "finish"), ("levels", "levels"), ("by", "levels"), ("kind", "levels")];

/// The fields of a promotion, as it is.
pub(super) fn fields_of(promotion: &Value, event: &Loaded) -> Fields {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let zone = event.zone();
    let time = |value: &Value| value.as_str().and_then(|at| at.parse::<Timestamp>().ok());
    let time = |value: &Value| time(value).map(|at| to_field(at, &zone)).unwrap_or_default();
    let chosen = promotion["sets"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let chosen = chosen.map(|set| (set_field(set), "true".to_owned()));
    let own = [
        ("start", time(&promotion["lifetime"]["start"])),
        ("finish", time(&promotion["lifetime"]["finish"])),
        ("by", text(&promotion["by"])),
        ("kind", text(&promotion["kind"])),
    ];
    let own = own.into_iter().map(|(name, value)| (name.to_owned(), value));
    Fields::to_change(own.chain(chosen).chain(levels::fields_of(promotion)))
}

/// The field that says whether a promotion is for a set.
fn set_field(set: &str) -> String {
    format!("set.{set}")
}

/// What the fields change; of a new one, all that it needs.
pub(super) fn body_of(fields: &mut Fields, event: &Loaded, (is_new, texts): (bool, &Texts)) -> Value {
    let mut body = Map::new();
    let lifetime = lifetime_of(fields, &event.zone(), texts);
    if is_new || !lifetime.is_empty() {
        body.insert("lifetime".to_owned(), Value::Object(lifetime));
    }
    let means_other = ["by", "kind"].into_iter().any(|name| fields.is_changed(name));
    if is_new || means_other {
        body.insert("by".to_owned(), json!(fields.given("by").unwrap_or("count")));
        body.insert("kind".to_owned(), json!(fields.given("kind").unwrap_or("percentage")));
    }
    if is_new || means_other || levels::is_changed(fields) {
        body.insert("levels".to_owned(), json!(levels::levels_of(fields)));
    }
    let sets = || event.data.sets.iter().map(|set| (set.id.as_str(), set_field(&set.id)));
    if sets().any(|(_, name)| fields.is_changed(&name)) {
        let chosen: Vec<&str> = sets().filter(|(_, name)| fields.is(name, "true")).map(|(id, _)| id).collect();
        body.insert("sets".to_owned(), json!(chosen));
    }
    Value::Object(body)
}

/// The ends that were changed: an empty beginning is now, an empty end is none.
fn lifetime_of(fields: &mut Fields, zone: &TimeZone, texts: &Texts) -> Map<String, Value> {
    let mut lifetime = Map::new();
    for name in ["start", "finish"] {
        if !fields.is_changed(name) {
            continue;
        }
        match fields.given(name).map(|text| of_field(text, zone)) {
            Some(None) => fields.set_wrong(name, texts.text("wrong-time")),
            read => {
                lifetime.insert(name.to_owned(), json!(read.flatten().map(to_utc)));
            }
        }
    }
    lifetime
}

/// Says what the interface refuses, where it is to be changed.
pub(super) fn refuse(fields: &mut Fields, refusal: &Refusal, texts: &Texts) {
    let levels = levels::names(fields);
    let levels = levels.iter().map(|(path, name)| (path.as_str(), name.as_str()));
    let names: Vec<(&str, &str)> = levels.chain(NAMES).collect();
    fields.refuse(texts, refusal, &names);
    match refusal.code.as_str() {
        "promotion_overlap" => fields.set_wrong("finish", refusal.text(texts)),
        "promotion_levels" => fields.set_wrong("levels", refusal.text(texts)),
        _ => {}
    }
}
