//! `…/events/{event}/promocodes/{promocode}`: how long and how often a promo code can be used, and its end.

use askama::Template;
use bytes::Bytes;
use jiff::tz::TimeZone;
use kassa_http::http::Response;
use kassa_texts::Texts;
use serde_json::{Map, Value, json};

use super::NAMES;
use super::listing::{PromocodeRow, row_of};
use crate::answer::see_other;
use crate::console::change_form::ChangeForm;
use crate::console::events::form::number;
use crate::console::events::{Loaded, event_path, load, resource};
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::times::{of_field, to_field, to_utc};
use crate::console::visit::{Visit, checked_id, page_answer};
use crate::model::read_span;

#[derive(Template)]
#[template(path = "console/promocode_change.html")]
struct PromocodeChangePage<'a> {
    frame: ConsoleFrame<'a>,
    event_title: String,
    now: PromocodeRow,
    /// What never changes: names and values.
    facts: Vec<(String, String)>,
    fields: Fields,
    tag: String,
    back: String,
    is_merged: bool,
}

/// Changes a promo code, unless somebody else has changed it meanwhile; or ends it.
pub(crate) async fn show(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let event = load(visit, visit.segment("event")).await?;
    let path = format!("{}/promocodes/{}", resource(&event.data.id), checked_id(visit.segment("promocode"))?);
    let code = visit.read(&path).await?;
    let now = fields_of(&code.value, &event.zone());
    // What ends it has none of its fields.
    let is_end = visit.form().value("_do") == Some("end");
    let mut form = ChangeForm::begin(now, &code.tag, visit.sent_form().filter(|_| !is_end));
    if visit.is_form {
        let body = if is_end {
            json!({"lifetime": {"finish": to_utc(visit.shop.present().0)}})
        } else {
            body_of(&mut form.fields, &event.zone(), visit.texts())
        };
        if !form.fields.has_wrong() {
            match visit.send_if("PATCH", &path, Some(&body), form.conditions()).await? {
                Ok(_) => {
                    let (back, done) = (event_path(visit, &event.data.id), if is_end { "ended" } else { "saved" });
                    return Ok(see_other(&format!("{back}/promocodes?done={done}")));
                }
                Err(refusal) => form.settle(&refusal, visit.texts(), |fields| {
                    fields.refuse(visit.texts(), &refusal, &NAMES);
                    if refusal.code == "amount_below_uses" {
                        fields.set_wrong("amount", refusal.text(visit.texts()));
                    }
                }),
            }
        }
    }
    let (status, now) = (form.status(), row_of(visit, &event, &code.value));
    let page = PromocodeChangePage {
        frame: ConsoleFrame::of_partner(visit, &now.code, Section::Events).await?,
        event_title: event.data.title.text.clone(),
        facts: facts_of(visit, &event, &code.value),
        now,
        tag: form.tag(),
        back: format!("{}/promocodes", event_path(visit, &event.data.id)),
        is_merged: form.is_merged,
        fields: form.fields,
    };
    page_answer(status, &page)
}

fn fields_of(code: &Value, zone: &TimeZone) -> Fields {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let span = code["lifetime"].as_str().map(read_span);
    let time = |at: Option<jiff::Timestamp>| at.map(|at| to_field(at, zone)).unwrap_or_default();
    Fields::to_change([
        ("name", text(&code["name"])),
        ("desc", text(&code["desc"])),
        ("amount", code["amount"].as_u64().map(|amount| amount.to_string()).unwrap_or_default()),
        ("from", time(span.and_then(|span| span.start))),
        ("until", time(span.and_then(|span| span.end))),
    ])
}

/// What the fields change. Without a beginning it holds since it was made, without an end for good.
fn body_of(fields: &mut Fields, zone: &TimeZone, texts: &Texts) -> Value {
    let mut body = Map::new();
    for name in ["name", "desc"] {
        if fields.is_changed(name) {
            body.insert(name.to_owned(), json!(fields.given(name)));
        }
    }
    if fields.is_changed("amount") {
        body.insert("amount".to_owned(), fields.given("amount").map_or(Value::Null, number));
    }
    let mut lifetime = Map::new();
    for (field, name) in [("from", "start"), ("until", "finish")] {
        let time = fields.given(field).map(|text| of_field(text, zone));
        if time == Some(None) {
            fields.set_wrong(field, texts.text("wrong-time"));
        }
        if fields.is_changed(field) {
            lifetime.insert(name.to_owned(), json!(time.flatten().map(to_utc)));
        }
    }
    let ends = ["from", "until"].map(|name| fields.given(name).and_then(|text| of_field(text, zone)));
    if let [Some(from), Some(until)] = ends
        && until <= from
    {
        fields.set_wrong("until", texts.text("wrong-times"));
    }
    if !lifetime.is_empty() {
        let is_empty = fields.given("from").is_none() && fields.given("until").is_none();
        body.insert("lifetime".to_owned(), if is_empty { Value::Null } else { Value::Object(lifetime) });
    }
    Value::Object(body)
}

/// What a code is for, which never changes.
fn facts_of(visit: &Visit<'_>, event: &Loaded, code: &Value) -> Vec<(String, String)> {
    let texts = visit.texts();
    let chosen: Vec<&str> = code["sets"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let names = event.data.sets.iter().filter(|set| chosen.contains(&set.id.as_str())).map(|set| set.name.as_str());
    let sets = names.collect::<Vec<_>>().join(", ");
    let count = |value: &Value| value.as_u64().map(|count| count.to_string()).unwrap_or_default();
    let all = [
        ("discount", super::listing::discount_of(visit, code)),
        ("promocode-sets", if chosen.is_empty() { texts.text("sets-all") } else { sets }),
        ("promocode-min", count(&code["tickets_count"]["min"])),
        ("promocode-max", count(&code["tickets_count"]["max"])),
        ("promocode-reserved", count(&code["counter"]["reserved"])),
    ];
    let said = all.into_iter().filter(|(_, value)| !value.is_empty());
    said.map(|(key, value)| (texts.text(key), value)).collect()
}

#[cfg(test)]
mod tests {
    use kassa_texts::Language;

    use super::*;
    use crate::form::Form;

    fn body(form: &[u8]) -> (Value, bool) {
        let mut fields = Fields::typed(&Form::parse(form));
        let body = body_of(&mut fields, &TimeZone::UTC, Texts::of(Language::En));
        (body, fields.has_wrong())
    }

    #[test]
    fn an_empty_lifetime_is_none() {
        let all = b"from=&_was.from=2026-01-01T00%3A00&until=&_was.until=2026-02-01T00%3A00&amount=&_was.amount=5";
        assert_eq!(body(all), (json!({"amount": null, "lifetime": null}), false));
        let one = b"from=2026-01-01T00%3A00&_was.from=2026-01-01T00%3A00&until=&_was.until=2026-02-01T00%3A00";
        assert_eq!(body(one), (json!({"lifetime": {"finish": null}}), false));
    }

    #[test]
    fn a_code_ends_after_it_begins() {
        assert!(body(b"from=2026-01-01T00%3A00&until=2025-01-01T00%3A00").1);
    }
}
