//! `…/events/{event}/new-promocode` and `…/new-promocodes`: the form of a promocode, and of many that are alike.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::NAMES;
use crate::answer::see_other;
use crate::console::events::form::{money, number};
use crate::console::events::{Loaded, event_path, resource};
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::times::{of_field, to_utc};
use crate::console::visit::{Conditions, Outcome, Visit, page_answer};

/// Codes that a form makes at most.
const CODES_MAX: usize = 500;
/// Signs of codes that are made up: none of them is taken for another one.
const SIGNS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// How many of them a code has.
const CODE_SIGNS: usize = 8;

#[derive(Template)]
#[template(path = "console/promocode.html")]
struct PromocodePage<'a> {
    frame: ConsoleFrame<'a>,
    event_title: String,
    fields: Fields,
    /// Ids and names.
    sets: Vec<(String, String)>,
    is_many: bool,
    key: String,
    back: String,
}

/// Makes a promocode.
pub(crate) async fn create(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    let mut fields = Fields::typed(visit.form());
    if visit.is_form {
        let body = body_of(visit, event, &mut fields);
        if !fields.has_wrong() {
            let code = fields.value("code").trim().to_owned();
            match make(visit, event, &body, &code, fields.value("_key")).await? {
                Ok(_) => {
                    return Ok(see_other(&format!("{}/promocodes?done=created", event_path(visit, &event.data.id))));
                }
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
    page(visit, event, fields, false).await
}

/// Makes many that are alike but for the code. Those that are refused stand in the form again, and why.
pub(crate) async fn create_many(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    let mut fields = Fields::typed(visit.form());
    if !visit.is_form {
        fields.set("kind", "percent");
        return page(visit, event, fields, true).await;
    }
    let body = body_of(visit, event, &mut fields);
    let codes = wanted_codes(visit, &mut fields);
    if fields.has_wrong() {
        return page(visit, event, fields, true).await;
    }
    let (mut made, mut left): (i64, Vec<String>) = (0, Vec::new());
    let mut why = None;
    for (at, code) in codes.iter().enumerate() {
        let key = format!("{}-{at}", fields.value("_key"));
        match make(visit, event, &body, code, &key).await? {
            Ok(_) => made += 1,
            Err(refusal) => {
                left.push(code.clone());
                why.get_or_insert(refusal);
            }
        }
    }
    let Some(refusal) = why else {
        return Ok(see_other(&format!("{}/promocodes?done=created", event_path(visit, &event.data.id))));
    };
    fields.refuse(visit.texts(), &refusal, &NAMES);
    fields.set_wrong("codes", refusal.text(visit.texts()));
    fields.set("codes", &left.join("\n"));
    fields.set("count", "");
    if made > 0 {
        fields.failure = Some(visit.texts().count("promocodes-made", made));
    }
    page(visit, event, fields, true).await
}

/// The codes that were typed, and those to be made up.
fn wanted_codes(visit: &Visit<'_>, fields: &mut Fields) -> Vec<String> {
    let typed = fields.value("codes").lines().map(str::trim).filter(|code| !code.is_empty());
    let mut codes: Vec<String> = typed.map(str::to_owned).collect();
    let count = fields.given("count").map_or(Some(0), |count| count.parse::<usize>().ok());
    let all = count.map(|count| count.saturating_add(codes.len()));
    match all {
        Some(1..=CODES_MAX) => {
            let prefix = fields.value("prefix").trim();
            let new_key = visit.shop.new_key();
            let key = fields.given("_key").unwrap_or(&new_key);
            codes.extend((0..count.unwrap_or_default()).map(|at| format!("{prefix}{}", made_up(key, at))));
        }
        Some(0) => fields.set_wrong("codes", visit.texts().text("wrong-required")),
        _ => fields.set_wrong("count", visit.texts().text("wrong-number")),
    }
    codes
}

/// A code that nobody can guess who has not the form: its key has 128 random bits. The same form makes the same codes,
/// so that one that is sent twice makes none twice.
fn made_up(key: &str, at: usize) -> String {
    let bytes = Sha256::digest(format!("{at} {key}"));
    bytes.iter().take(CODE_SIGNS).map(|byte| char::from(SIGNS[usize::from(*byte) % SIGNS.len()])).collect()
}

async fn make(visit: &Visit<'_>, event: &Loaded, body: &Value, code: &str, key: &str) -> Result<Outcome, Fault> {
    let conditions = Conditions { key: Some(key).filter(|key| !key.is_empty()), tag: None };
    let mut body = body.clone();
    body["code"] = json!(code);
    visit.send_if("POST", &format!("{}/promocodes", resource(&event.data.id)), Some(&body), conditions).await
}

async fn page(visit: &Visit<'_>, event: &Loaded, fields: Fields, is_many: bool) -> Result<Response<Bytes>, Fault> {
    let title = if is_many { "new-promocodes" } else { "new-promocode" };
    let status = if fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = PromocodePage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text(title), Section::Events).await?,
        event_title: event.data.title.text.clone(),
        sets: event.data.sets.iter().map(|set| (set.id.clone(), set.name.clone())).collect(),
        key: visit.shop.new_key(),
        back: event_path(visit, &event.data.id),
        fields,
        is_many,
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
    let mut body = json!({"discount": discount, "sets": sets, "name": fields.given("name")});
    if let Some(amount) = fields.given("amount") {
        body["amount"] = number(amount);
    }
    if let Some(min) = fields.given("min") {
        body["tickets_count"] = json!({"min": number(min)});
    }
    match fields.given("until").map(|until| of_field(until, &event.zone())) {
        None => {}
        Some(Some(until)) if until <= visit.shop.present().0 => {
            fields.set_wrong("until", visit.texts().text("wrong-times"));
        }
        // It begins when it is made. That is not said, so that a form that is sent twice says the same twice.
        Some(Some(until)) => body["lifetime"] = json!({"finish": to_utc(until)}),
        Some(None) => fields.set_wrong("until", visit.texts().text("wrong-time")),
    }
    body
}
