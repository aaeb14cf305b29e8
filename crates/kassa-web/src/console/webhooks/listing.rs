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
use crate::console::paging::Paging;
use crate::console::sorting::{Head, SortField, SortedColumn, Sorting};
use crate::console::times::day;
use crate::console::visit::{Conditions, Visit, moment, page_answer};

/// Webhooks of a page.
const PAGE_SIZE: u64 = 100;
/// What they are sorted by, where all of them are on the page.
const SORT_FIELDS: &[SortField] = &[
    SortField::amount("created_at"),
    SortField::text("url"),
    SortField::text("state"),
    SortField::amount("last_success_at"),
];
const COLUMNS: &[SortedColumn] = &[
    ("webhook-url", Some("url"), false),
    ("state", Some("state"), false),
    ("webhook-last-success", Some("last_success_at"), false),
    ("key-made", Some("created_at"), false),
];

struct WebhookRow {
    id: String,
    path: String,
    url: String,
    description: String,
    state: &'static str,
    state_text: String,
    last_success: String,
    made: String,
}

#[derive(Template)]
#[template(path = "console/webhooks.html")]
struct WebhooksPage<'a> {
    frame: ConsoleFrame<'a>,
    heads: Vec<Head>,
    rows: Vec<WebhookRow>,
    paging: Paging,
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
    let page = Paging::wanted(visit);
    let found = visit.read(&format!("{RESOURCE}?page={page}&page_size={PAGE_SIZE}")).await?.value;
    let row = |webhook: &Value| {
        let (state, state_text) = state_of(visit, webhook);
        let text = |name: &str| webhook[name].as_str().unwrap_or_default().to_owned();
        WebhookRow {
            id: text("id"),
            path: format!("{path}/{}", text("id")),
            url: text("url"),
            description: text("description"),
            state,
            state_text,
            last_success: moment(&webhook["last_success_at"]),
            made: day(visit.request.language, &webhook["created_at"]),
        }
    };
    let mut rows: Vec<WebhookRow> = found["data"].as_array().into_iter().flatten().map(row).collect();
    let is_whole = found["total_count"].as_u64() == u64::try_from(rows.len()).ok();
    let sorting = Sorting::of_whole(visit, SORT_FIELDS, is_whole);
    match sorting.field() {
        "url" => sorting.sort(&mut rows, |row| row.url.clone()),
        "state" => sorting.sort(&mut rows, |row| row.state_text.clone()),
        "last_success_at" => sorting.sort(&mut rows, |row| row.last_success.clone()),
        _ => sorting.sort(&mut rows, |row| row.id.clone()),
    }
    let page = WebhooksPage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text("console-webhooks"), Section::Webhooks).await?,
        heads: sorting.heads(visit, (&path, ""), COLUMNS),
        rows,
        paging: Paging::of_v2(&found, &format!("{path}?page={{}}")),
        key: visit.shop.new_key(),
        fields,
        path,
    };
    let status = if page.fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_answer(status, &page)
}
