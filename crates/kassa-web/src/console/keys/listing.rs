//! The keys of a partner, and a form for another one.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use super::{resource, text};
use crate::answer::see_other;
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::paging::{Paging, WantedPage};
use crate::console::sorting::{Head, SortField, SortedColumn, Sorting};
use crate::console::times::day;
use crate::console::visit::{Conditions, Outcome, Visit, checked_id, page_answer};

/// Keys of a page.
const PAGE_SIZE: u64 = 100;
/// What they are sorted by, where all of them are on the page.
const SORT_FIELDS: &[SortField] = &[SortField::amount("created_at"), SortField::text("name")];
const COLUMNS: &[SortedColumn] =
    &[("name", Some("name"), false), ("key-scopes", None, false), ("key-made", Some("created_at"), false)];

struct KeyRow {
    id: String,
    name: String,
    /// Whether it is told of customers in the feed.
    has_customers: bool,
    made: String,
}

#[derive(Template)]
#[template(path = "console/keys.html")]
struct KeysPage<'a> {
    frame: ConsoleFrame<'a>,
    heads: Vec<Head>,
    rows: Vec<KeyRow>,
    paging: Paging,
    fields: Fields,
    /// The name and the secret of the key that somebody wants to see.
    shown: Option<(String, String)>,
    path: String,
    key: String,
}

/// Lists keys, makes one, gives one another name, or removes one.
pub(crate) async fn respond(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let (resource, page) = (resource(visit), WantedPage::of(visit, PAGE_SIZE));
    let path = format!("{}/keys", visit.home());
    let mut fields = Fields::typed(visit.form());
    if visit.is_form {
        let outcome = match (fields.given("_remove"), fields.given("_rename")) {
            (Some(id), _) => visit.send("DELETE", &format!("{resource}/{}", checked_id(id)?), None).await?,
            (None, Some(id)) => {
                let body = json!({"name": fields.value("new_name")});
                visit.send("PATCH", &format!("{resource}/{}", checked_id(id)?), Some(&body)).await?
            }
            (None, None) => make(visit, &resource, &fields).await?,
        };
        match outcome {
            Ok(answer) => {
                // Only a new key is shown by itself.
                let new = answer.value["id"].as_str().filter(|_| fields.given("_rename").is_none());
                let shown = new.map(|id| format!("&shown={id}")).unwrap_or_default();
                return Ok(see_other(&format!("{path}?done=saved{shown}")));
            }
            Err(refusal) if fields.given("_rename").is_some() => {
                fields.refuse(visit.texts(), &refusal, &[("name", "new_name")]);
            }
            Err(refusal) => fields.refuse(visit.texts(), &refusal, &[]),
        }
    }
    let shown = match visit.request.value("shown") {
        Some(id) => {
            let key = visit.read(&format!("{resource}/{}", checked_id(id)?)).await?.value;
            Some((text(&key["name"]), text(&key["key"])))
        }
        None => None,
    };
    let query = format!("{}&fields-schema=id,name,scopes,created_at", page.query());
    let found = visit.read(&format!("{resource}?{query}")).await?;
    let mut rows: Vec<KeyRow> = found.value.as_array().into_iter().flatten().map(|key| row_of(visit, key)).collect();
    let sorting = Sorting::of_whole(visit, SORT_FIELDS, found.total == rows.len());
    if sorting.is_by("name") {
        sorting.sort(&mut rows, |row| row.name.to_lowercase());
    } else {
        sorting.sort(&mut rows, |row| row.id.clone());
    }
    let page = KeysPage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text("console-keys"), Section::Keys).await?,
        heads: sorting.heads(visit, (&path, ""), COLUMNS),
        rows,
        paging: page.paging(found.total, &path, ""),
        key: visit.shop.new_key(),
        fields,
        shown,
        path,
    };
    let status = if page.fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_answer(status, &page)
}

async fn make(visit: &Visit<'_>, resource: &str, fields: &Fields) -> Result<Outcome, Fault> {
    let scopes: Vec<&str> = if fields.is("customers", "true") { vec!["customers"] } else { Vec::new() };
    let body = json!({"name": fields.value("name"), "scopes": scopes});
    let conditions = Conditions { key: fields.given("_key"), tag: None };
    visit.send_if("POST", resource, Some(&body), conditions).await
}

fn row_of(visit: &Visit<'_>, key: &Value) -> KeyRow {
    KeyRow {
        id: text(&key["id"]),
        name: text(&key["name"]),
        has_customers: key["scopes"].as_array().is_some_and(|scopes| scopes.iter().any(|scope| scope == "customers")),
        made: day(visit.request.language, &key["created_at"]),
    }
}
