//! The webhooks of a partner, and a form for another one.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::Value;

use super::form::{PATHS, body_of};
use super::{RESOURCE, state_of};
use crate::answer::see_other;
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::visit::{Conditions, Visit, moment, page_answer};

struct WebhookRow {
    path: String,
    url: String,
    description: String,
    state: &'static str,
    state_text: String,
    last_success: String,
}

#[derive(Template)]
#[template(path = "console/webhooks.html")]
struct WebhooksPage<'a> {
    frame: ConsoleFrame<'a>,
    rows: Vec<WebhookRow>,
    fields: Fields,
    path: String,
    key: String,
}

/// Lists webhooks, or makes one.
pub(crate) async fn list(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let path = format!("{}/webhooks", visit.home());
    let mut fields = Fields::typed(visit.form());
    if visit.is_form {
        let conditions = Conditions { key: fields.given("_key"), tag: None };
        match visit.send_if("POST", RESOURCE, Some(&body_of(&fields)), conditions).await? {
            Ok(made) => {
                let id = made.value["data"]["id"].as_str().unwrap_or_default();
                return Ok(see_other(&format!("{path}/{id}?done=created&shown=secret")));
            }
            Err(refusal) => fields.refuse(visit.texts(), &refusal, &PATHS),
        }
    } else {
        fields.set("types", "order.*");
    }
    let found = visit.read(&format!("{RESOURCE}?page_size=200")).await?.value;
    let row = |webhook: &Value| {
        let (state, state_text) = state_of(visit, webhook);
        let text = |name: &str| webhook[name].as_str().unwrap_or_default().to_owned();
        WebhookRow {
            path: format!("{path}/{}", text("id")),
            url: text("url"),
            description: text("description"),
            state,
            state_text,
            last_success: moment(&webhook["last_success_at"]),
        }
    };
    let page = WebhooksPage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text("console-webhooks"), Section::Webhooks).await?,
        rows: found["data"].as_array().into_iter().flatten().map(row).collect(),
        key: visit.shop.new_key(),
        fields,
        path,
    };
    let status = if page.fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_answer(status, &page)
}
