//! `…/events/{event}/new-promocode`: the form of a promocode.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use super::form::{money, number};
use super::{Loaded, event_path, resource};
use crate::answer::see_other;
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::times::{of_field, to_utc};
use crate::console::visit::{Conditions, Visit, page_answer};

const NAMES: [(&str, &str); 4] =
    [("discount", "value"), ("tickets_count", "min"), ("lifetime", "until"), ("promocode", "code")];

#[derive(Template)]
#[template(path = "console/promocode.html")]
struct PromocodePage<'a> {
    frame: ConsoleFrame<'a>,
    event_title: String,
    fields: Fields,
    /// Ids and names.
    sets: Vec<(String, String)>,
    key: String,
    back: String,
}

/// Makes a promocode.
pub(super) async fn create(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    let mut fields = Fields::typed(visit.form());
    let back = event_path(visit, &event.data.id);
    if visit.is_form {
        let body = body_of(visit, event, &mut fields);
        if !fields.has_wrong() {
            let conditions = Conditions { key: visit.form().value("_key"), tag: None };
            let path = format!("{}/promocodes", resource(&event.data.id));
            match visit.send_if("POST", &path, Some(&body), conditions).await? {
                Ok(_) => return Ok(see_other(&format!("{back}?done=created#promocodes"))),
                Err(refusal) => {
                    fields.refuse(visit.texts(), &refusal, &NAMES);
                    if refusal.code == "promocode_taken" {
                        fields.set_wrong("code", refusal.text(visit.texts()));
                    }
                }
            }
        }
    } else {
        fields.set("kind", "percent");
    }
    let status = if fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = PromocodePage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text("new-promocode"), Section::Events).await?,
        event_title: event.data.title.text.clone(),
        sets: event.data.sets.iter().map(|set| (set.id.clone(), set.name.clone())).collect(),
        key: visit.shop.new_key(),
        fields,
        back,
    };
    page_answer(status, &page)
}

fn body_of(visit: &Visit<'_>, event: &Loaded, fields: &mut Fields) -> Value {
    let value = money(fields.value("value"));
    let discount = match fields.value("kind") {
        "fixed" => json!({"fixed": value}),
        _ => json!({"percengate": format!("{}%", value.trim_end_matches('%'))}),
    };
    let chosen = event.data.sets.iter().filter(|set| fields.is(&format!("set.{}", set.id), "true"));
    let sets: Vec<&str> = chosen.map(|set| set.id.as_str()).collect();
    let mut body = json!({"code": fields.value("code").trim(), "discount": discount, "sets": sets});
    if let Some(amount) = fields.given("amount") {
        body["amount"] = number(amount);
    }
    if let Some(min) = fields.given("min") {
        body["tickets_count"] = json!({"min": number(min)});
    }
    match fields.given("until").map(|until| of_field(until, &event.zone())) {
        None => {}
        Some(Some(until)) => {
            body["lifetime"] = json!({"start": to_utc(visit.shop.present().0), "finish": to_utc(until)});
        }
        Some(None) => fields.set_wrong("until", visit.texts().text("wrong-time")),
    }
    body
}
