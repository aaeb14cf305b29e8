//! `…/events/{event}/new-set` and `…/events/{event}/sets/{set}`: the form of a category of tickets.

use askama::Template;
use bytes::Bytes;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use kassa_http::http::{Response, StatusCode};
use kassa_texts::Texts;
use serde_json::{Map, Value, json};

use super::form::{money, number};
use super::{Loaded, event_path, load, resource};
use crate::answer::see_other;
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::times::{of_field, to_field, to_utc};
use crate::console::visit::{Conditions, Visit, page_answer};
use crate::model::read_span;

/// The fields of the prices that follow the first: from when, and how much.
const LATER: [(&str, &str); 3] = [("from1", "price1"), ("from2", "price2"), ("from3", "price3")];
const NAMES: [(&str, &str); 3] = [("description", "desc"), ("rules", "price"), ("price_org", "price")];

#[derive(Template)]
#[template(path = "console/set.html")]
struct SetPage<'a> {
    frame: ConsoleFrame<'a>,
    /// Its id; empty before it is made.
    set_id: String,
    title: String,
    event_title: String,
    fields: Fields,
    /// What the zone of its times is called.
    zone: String,
    key: String,
    tag: String,
    back: String,
    has_seats: bool,
    is_merged: bool,
    later: [(&'static str, &'static str); 3],
}

impl SetPage<'_> {
    /// Whether a price changes with time.
    fn has_later(&self) -> bool {
        LATER.iter().any(|(from, price)| self.fields.given(from).is_some() || self.fields.given(price).is_some())
    }
}

/// Makes a set.
pub(super) async fn create(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    let mut fields = Fields::typed(visit.form());
    if visit.is_form {
        let mut body = body_of(&mut fields, &event.zone(), visit.texts());
        body["pos"] = json!(event.data.sets.len());
        if !fields.has_wrong() {
            let conditions = Conditions { key: visit.form().value("_key"), tag: None };
            let path = format!("{}/sets", resource(&event.data.id));
            match visit.send_if("POST", &path, Some(&body), conditions).await? {
                Ok(_) => {
                    let next = if fields.is("_next", "another") { "/new-set" } else { "" };
                    return Ok(see_other(&format!("{}{next}?done=created", event_path(visit, &event.data.id))));
                }
                Err(refusal) => fields.refuse(visit.texts(), &refusal, &NAMES),
            }
        }
    }
    let status = if fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let title = visit.texts().text("new-set");
    let page = page(visit, event, fields, &title).await?;
    page_answer(status, &SetPage { key: visit.shop.new_key(), ..page })
}

/// Changes a set, unless somebody else has changed it meanwhile; or removes it.
pub(crate) async fn respond(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let event = load(visit, visit.segment("event")).await?;
    let path = format!("{}/sets/{}", resource(&event.data.id), visit.segment("set"));
    let set = visit.read(&path).await?;
    let now = fields_of(&set.value, &event.zone());
    let mut fields = if visit.is_form { Fields::typed(visit.form()) } else { now.clone() };
    let mut is_merged = false;
    if visit.is_form {
        let tag = visit.form().value("_tag");
        let is_removal = fields.is("_do", "remove");
        let body = body_of(&mut fields, &event.zone(), visit.texts());
        let (method, body) = if is_removal { ("DELETE", None) } else { ("PATCH", Some(&body)) };
        if is_removal || !fields.has_wrong() {
            match visit.send_if(method, &path, body, Conditions { key: None, tag }).await? {
                Ok(_) => return Ok(see_other(&format!("{}?done=saved", event_path(visit, &event.data.id)))),
                Err(refusal) if refusal.status == StatusCode::PRECONDITION_FAILED => {
                    fields.merge(&now);
                    is_merged = true;
                }
                Err(refusal) => fields.refuse(visit.texts(), &refusal, &NAMES),
            }
        }
    }
    let status = match (is_merged, fields.has_wrong()) {
        (true, _) => StatusCode::CONFLICT,
        (false, true) => StatusCode::UNPROCESSABLE_ENTITY,
        (false, false) => StatusCode::OK,
    };
    let tag = visit.form().value("_tag").filter(|_| !is_merged).unwrap_or(&set.tag).to_owned();
    let title = set.value["name"].as_str().unwrap_or_default();
    let page = page(visit, &event, fields, title).await?;
    page_answer(
        status,
        &SetPage {
            set_id: visit.segment("set").to_owned(),
            tag,
            has_seats: set.value["with_seats"] == true,
            is_merged,
            ..page
        },
    )
}

async fn page<'a>(visit: &Visit<'a>, event: &Loaded, fields: Fields, title: &str) -> Result<SetPage<'a>, Fault> {
    let zone = event.zone();
    Ok(SetPage {
        frame: ConsoleFrame::of_partner(visit, title, Section::Events).await?,
        set_id: String::new(),
        title: title.to_owned(),
        event_title: event.data.title.text.clone(),
        fields,
        zone: zone.iana_name().unwrap_or("UTC").replace('_', " "),
        key: String::new(),
        tag: String::new(),
        back: event_path(visit, &event.data.id),
        has_seats: false,
        is_merged: false,
        later: LATER,
    })
}

/// The fields of a set, as it is.
fn fields_of(set: &Value, zone: &TimeZone) -> Fields {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let rules: Vec<&Value> = set["rules"].as_array().into_iter().flatten().collect();
    let start = |rule: &Value| rule["cal"].as_str().and_then(|cal| read_span(cal).start);
    let price = rules.first().map_or_else(|| text(&set["price_org"]), |rule| text(&rule["price_org"]));
    let mut fields = vec![
        ("name", text(&set["name"])),
        ("desc", text(&set["desc"])),
        ("amount", set["amount"].as_u64().unwrap_or_default().to_string()),
        ("price", price),
        ("_begin", rules.first().and_then(|rule| start(rule)).map(to_utc).unwrap_or_default()),
    ];
    for ((from, price), rule) in LATER.iter().zip(rules.iter().skip(1)) {
        fields.push((from, start(rule).map(|at| to_field(at, zone)).unwrap_or_default()));
        fields.push((price, text(&rule["price_org"])));
    }
    Fields::to_change(fields)
}

/// What the fields change.
fn body_of(fields: &mut Fields, zone: &TimeZone, texts: &Texts) -> Value {
    let mut body = Map::new();
    if fields.is_changed("name") {
        body.insert("name".to_owned(), json!(fields.value("name").trim()));
    }
    if fields.is_changed("desc") {
        body.insert("desc".to_owned(), json!(fields.given("desc")));
    }
    if fields.is_changed("amount") {
        body.insert("amount".to_owned(), number(fields.value("amount").trim()));
    }
    let later = LATER.iter().flat_map(|(from, price)| [*from, *price]);
    if std::iter::once("price").chain(later).any(|name| fields.is_changed(name)) {
        let prices = later_prices(fields, zone, texts);
        let first = money(fields.value("price"));
        let (name, value) = match prices.as_slice() {
            [] => ("price", json!(first)),
            prices => ("rules", rules(&first, fields.given("_begin"), prices)),
        };
        body.insert(name.to_owned(), value);
    }
    Value::Object(body)
}

/// The prices that follow the first, each with the time from which it holds.
fn later_prices(fields: &mut Fields, zone: &TimeZone, texts: &Texts) -> Vec<(Timestamp, String)> {
    let mut prices = Vec::new();
    for (from, price) in LATER {
        let time = fields.given(from).map(|text| of_field(text, zone));
        let sum = fields.given(price).map(money);
        match (time, sum) {
            (None, None) => {}
            (Some(Some(time)), Some(sum)) => prices.push((time, sum)),
            (Some(None), _) => fields.set_wrong(from, texts.text("wrong-time")),
            (Some(_), None) => fields.set_wrong(price, texts.text("wrong-required")),
            (None, Some(_)) => fields.set_wrong(from, texts.text("wrong-required")),
        }
    }
    if !prices.is_sorted_by(|(one, _), (other, _)| one < other) {
        fields.set_wrong("from1", texts.text("wrong-order"));
    }
    prices
}

/// Prices in time: each until the next one begins, the last one until the event is over.
fn rules(first: &str, begin: Option<&str>, later: &[(Timestamp, String)]) -> Value {
    let starts = std::iter::once(begin.map(str::to_owned)).chain(later.iter().map(|(at, _)| Some(to_utc(*at))));
    let ends = later.iter().map(|(at, _)| Some(to_utc(*at))).chain([None]);
    let prices = std::iter::once(first).chain(later.iter().map(|(_, price)| price.as_str()));
    let rule = |((start, finish), price): ((Option<String>, Option<String>), &str)| {
        let mut rule = json!({"price": price});
        if let Some(start) = start {
            rule["start"] = json!(start);
        }
        if let Some(finish) = finish {
            rule["finish"] = json!(finish);
        }
        rule
    };
    starts.zip(ends).zip(prices).map(rule).collect()
}

#[cfg(test)]
mod tests {
    use kassa_texts::Language;

    use super::*;
    use crate::form::Form;

    #[test]
    fn prices_follow_each_other() {
        let form = b"name=Floor&amount=10&price=20&from1=2026-02-01T00%3A00&price1=25,50&from2=&price2=";
        let mut fields = Fields::typed(&Form::parse(form));
        let body = body_of(&mut fields, &TimeZone::UTC, Texts::of(Language::En));
        assert_eq!(
            body,
            json!({"name": "Floor", "amount": 10, "rules": [
                {"finish": "2026-02-01T00:00:00Z", "price": "20"},
                {"start": "2026-02-01T00:00:00Z", "price": "25.50"},
            ]})
        );
    }

    #[test]
    fn half_a_price_is_asked_for() {
        let mut fields = Fields::typed(&Form::parse(b"price=1&from1=2026-02-01T00%3A00"));
        body_of(&mut fields, &TimeZone::UTC, Texts::of(Language::En));
        assert!(fields.is_wrong("price1"));
    }
}
