//! `…/events/{event}/new-set` and `…/events/{event}/sets/{set}`: the form of a category of tickets.

mod prices;

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Map, Value, json};

use self::prices::PriceRow;
use super::form::number;
use super::{Loaded, event_path, load, resource};
use crate::answer::see_other;
use crate::console::change_form::ChangeForm;
use crate::console::fault::{Fault, Refusal};
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::visit::{Conditions, Visit, page_answer};

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
    later: Vec<PriceRow>,
    has_later: bool,
    /// Where a new set stands among the others.
    pos: usize,
}

/// Makes a set.
pub(super) async fn create(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    let mut fields = Fields::typed(visit.form());
    if visit.is_form {
        let mut body = body_of(visit, event, &mut fields, false);
        // As the form was shown: one that is sent twice says the same twice.
        body["pos"] = json!(fields.given("_pos").and_then(|pos| pos.parse().ok()).unwrap_or(event.data.sets.len()));
        if !fields.has_wrong() {
            let conditions = Conditions { key: visit.form().value("_key"), tag: None };
            let path = format!("{}/sets", resource(&event.data.id));
            match visit.send_if("POST", &path, Some(&body), conditions).await? {
                Ok(_) => {
                    let next = if fields.is("_next", "another") { "/new-set" } else { "" };
                    return Ok(see_other(&format!("{}{next}?done=created", event_path(visit, &event.data.id))));
                }
                Err(refusal) => refuse(visit, &mut fields, &refusal),
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
    let now = fields_of(&set.value, &event);
    let mut form = ChangeForm::begin(now, &set.tag, visit.sent_form());
    if visit.is_form {
        let is_removal = form.fields.is("_do", "remove");
        let body = body_of(visit, &event, &mut form.fields, false);
        let (method, body) = if is_removal { ("DELETE", None) } else { ("PATCH", Some(&body)) };
        if is_removal || !form.fields.has_wrong() {
            let mut outcome = visit.send_if(method, &path, body, form.conditions()).await?;
            if outcome.as_ref().is_err_and(|refusal| refusal.code == "rule_sold") {
                let body = body_of(visit, &event, &mut form.fields, true);
                outcome = visit.send_if(method, &path, Some(&body), form.conditions()).await?;
            }
            match outcome {
                Ok(_) => return Ok(see_other(&format!("{}?done=saved", event_path(visit, &event.data.id)))),
                Err(refusal) => form.settle(&refusal, visit.texts(), |fields| refuse(visit, fields, &refusal)),
            }
        }
    }
    let (status, tag, is_merged) = (form.status(), form.tag(), form.is_merged);
    let page = page(visit, &event, form.fields, set.value["name"].as_str().unwrap_or_default()).await?;
    let (set_id, has_seats) = (visit.segment("set").to_owned(), set.value["with_seats"] == true);
    page_answer(status, &SetPage { set_id, tag, has_seats, is_merged, ..page })
}

async fn page<'a>(visit: &Visit<'a>, event: &Loaded, fields: Fields, title: &str) -> Result<SetPage<'a>, Fault> {
    let zone = event.zone();
    Ok(SetPage {
        frame: ConsoleFrame::of_partner(visit, title, Section::Events).await?,
        set_id: String::new(),
        title: title.to_owned(),
        event_title: event.data.title.text.clone(),
        later: prices::rows(&fields),
        has_later: prices::has_later(&fields),
        pos: event.data.sets.len(),
        fields,
        zone: zone.iana_name().unwrap_or("UTC").replace('_', " "),
        key: String::new(),
        tag: String::new(),
        back: event_path(visit, &event.data.id),
        has_seats: false,
        is_merged: false,
    })
}

/// The fields of a set, as it is.
fn fields_of(set: &Value, event: &Loaded) -> Fields {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let own = [
        ("name", text(&set["name"])),
        ("desc", text(&set["desc"])),
        ("amount", set["amount"].as_u64().unwrap_or_default().to_string()),
    ];
    let own = own.into_iter().map(|(name, value)| (name.to_owned(), value));
    Fields::to_change(own.chain(prices::fields_of(set, event)))
}

/// What the fields change; `keeps_times` is about prices.
fn body_of(visit: &Visit<'_>, event: &Loaded, fields: &mut Fields, keeps_times: bool) -> Value {
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
    if prices::is_changed(fields) {
        let now = visit.shop.present().0;
        let said = prices::body_of(fields, &event.zone(), (now, visit.texts()), keeps_times);
        body.extend(said.into_iter().map(|(name, value)| (name.to_owned(), value)));
    }
    Value::Object(body)
}

/// Says what the interface refuses, where it is to be changed.
fn refuse(visit: &Visit<'_>, fields: &mut Fields, refusal: &Refusal) {
    let rows = prices::names(fields);
    let rows = rows.iter().map(|(path, name)| (path.as_str(), name.as_str()));
    let names: Vec<(&str, &str)> = rows.chain(NAMES).collect();
    fields.refuse(visit.texts(), refusal, &names);
}
