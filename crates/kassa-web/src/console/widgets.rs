//! `/console/{partner}/widgets`: by what pages of other sites sell for a partner.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use super::events::EventTitles;
use super::fault::Fault;
use super::fields::Fields;
use super::frame::{ConsoleFrame, Section};
use super::times::day;
use super::visit::{Conditions, Outcome, Visit, checked_id, page_answer};
use crate::answer::see_other;

const RESOURCE: &str = "/v2/services/widget_tokens";

struct TokenRow {
    id: String,
    /// What it sells; `None` where that is everything.
    event: Option<String>,
    snippet: String,
    made: String,
}

#[derive(Template)]
#[template(path = "console/widgets.html")]
struct WidgetsPage<'a> {
    frame: ConsoleFrame<'a>,
    rows: Vec<TokenRow>,
    /// Ids and titles of events that one may be made for.
    events: Vec<(String, String)>,
    /// Says that not all events are offered.
    events_hint: Option<String>,
    fields: Fields,
    path: String,
    shop: String,
    key: String,
}

/// Lists tokens, makes one, or takes one back.
pub(crate) async fn respond(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let path = format!("{}/widgets", visit.home());
    let mut fields = Fields::typed(visit.form());
    if visit.is_form {
        match act(visit, &fields).await? {
            Ok(_) => return Ok(see_other(&format!("{path}?done=saved"))),
            Err(refusal) => fields.refuse(visit.texts(), &refusal, &[]),
        }
    }
    let found = visit.read(&format!("{RESOURCE}?page_size=200")).await?.value;
    let tokens: Vec<&Value> = found["data"].as_array().into_iter().flatten().collect();
    let named: Vec<&str> = tokens.iter().filter_map(|token| token["event"].as_str()).collect();
    let titles = EventTitles::load(visit, &named).await?;
    let row = |token: &Value| {
        let text = |name: &str| token[name].as_str().unwrap_or_default().to_owned();
        TokenRow {
            id: text("id"),
            event: token["event"].as_str().map(|id| titles.title(id).unwrap_or(id).to_owned()),
            snippet: text("snippet"),
            made: day(visit.request.language, &token["created_at"]),
        }
    };
    let page = WidgetsPage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text("console-widgets"), Section::Widgets).await?,
        rows: tokens.into_iter().map(row).collect(),
        events_hint: titles.hint(visit, "events-newest-offered"),
        events: titles.newest,
        key: visit.shop.new_key(),
        shop: format!("{}/shop", visit.home()),
        fields,
        path,
    };
    let status = if page.fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_answer(status, &page)
}

async fn act(visit: &Visit<'_>, fields: &Fields) -> Result<Outcome, Fault> {
    if let Some(id) = fields.given("_remove") {
        return visit.send("DELETE", &format!("{RESOURCE}/{}", checked_id(id)?), None).await;
    }
    let body = fields.given("event").map_or_else(|| json!({}), |event| json!({"event": event}));
    let conditions = Conditions { key: fields.given("_key"), tag: None };
    visit.send_if("POST", RESOURCE, Some(&body), conditions).await
}
