//! `…/events/{event}/promotions`, `…/new-promotion` and `…/promotions/{promotion}`: discounts that need no code.

mod form;
mod levels;
mod showing;

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::Value;

use self::levels::LevelRow;
pub(super) use self::showing::PromotionRow;
use super::{Loaded, event_path, load, resource};
use crate::answer::see_other;
use crate::console::change_form::ChangeForm;
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::paging::{Paging, WantedPage};
use crate::console::visit::{Conditions, Visit, checked_id, page_answer};

/// Promotions of a page.
const PAGE_SIZE: u64 = 20;

#[derive(Template)]
#[template(path = "console/promotions.html")]
struct PromotionsPage<'a> {
    frame: ConsoleFrame<'a>,
    event_title: String,
    rows: Vec<PromotionRow>,
    has_removed: bool,
    paging: Paging,
    path: String,
    back: String,
}

#[derive(Template)]
#[template(path = "console/promotion.html")]
struct PromotionPage<'a> {
    frame: ConsoleFrame<'a>,
    title: String,
    event_title: String,
    /// What it is now; none before it is made.
    now: Option<PromotionRow>,
    is_removed: bool,
    fields: Fields,
    levels: Vec<LevelRow>,
    /// Ids and names.
    sets: Vec<(String, String)>,
    /// What the zone of its times is called.
    zone: String,
    key: String,
    tag: String,
    back: String,
    is_merged: bool,
}

/// The newest promotions of an event, and how many there are.
pub(super) async fn newest(
    visit: &Visit<'_>,
    event: &Loaded,
    query: &str,
) -> Result<(Vec<PromotionRow>, usize), Fault> {
    let found = visit.read(&format!("{}/promotions?{query}", resource(&event.data.id))).await?;
    let rows = found.value.as_array().into_iter().flatten().map(|it| showing::row_of(visit, event, it)).collect();
    Ok((rows, found.total))
}

/// Lists the promotions of an event.
pub(crate) async fn list(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let event = load(visit, visit.segment("event")).await?;
    let has_removed = visit.request.value("removed") == Some("true");
    let more = if has_removed { "&removed=true" } else { "" };
    let page = WantedPage::of(visit, PAGE_SIZE);
    let (rows, total) = newest(visit, &event, &format!("{}{more}", page.query())).await?;
    let path = format!("{}/promotions", event_path(visit, &event.data.id));
    let page = PromotionsPage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text("promotions"), Section::Events).await?,
        event_title: event.data.title.text.clone(),
        rows,
        has_removed,
        paging: page.paging(total, &path, more),
        back: event_path(visit, &event.data.id),
        path,
    };
    page_answer(StatusCode::OK, &page)
}

/// Makes a promotion.
pub(super) async fn create(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    let texts = visit.texts();
    let mut fields = Fields::typed(visit.form());
    if visit.is_form {
        let body = form::body_of(&mut fields, event, (true, texts));
        if !fields.has_wrong() {
            let conditions = Conditions { key: visit.form().value("_key"), tag: None };
            let path = format!("{}/promotions", resource(&event.data.id));
            match visit.send_if("POST", &path, Some(&body), conditions).await? {
                Ok(_) => return Ok(see_other(&done_path(visit, event, "created"))),
                Err(refusal) => form::refuse(&mut fields, &refusal, texts),
            }
        }
    }
    let status = if fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = page(visit, event, fields, &texts.text("new-promotion")).await?;
    page_answer(status, &PromotionPage { key: visit.shop.new_key(), ..page })
}

/// Changes a promotion, unless somebody else has changed it meanwhile; or ends it.
pub(crate) async fn show(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let event = load(visit, visit.segment("event")).await?;
    let path = format!("{}/promotions/{}", resource(&event.data.id), checked_id(visit.segment("promotion"))?);
    let promotion = visit.read(&path).await?;
    let now = form::fields_of(&promotion.value, &event);
    // What ends it has none of its fields.
    let is_removal = visit.form().value("_do") == Some("remove");
    let mut form = ChangeForm::begin(now, &promotion.tag, visit.sent_form().filter(|_| !is_removal));
    if visit.is_form {
        let body = form::body_of(&mut form.fields, &event, (false, visit.texts()));
        let (method, body) = if is_removal { ("DELETE", None) } else { ("PATCH", Some(&body)) };
        if is_removal || !form.fields.has_wrong() {
            match visit.send_if(method, &path, body, form.conditions()).await? {
                Ok(_) => {
                    let done = if is_removal { "ended" } else { "saved" };
                    return Ok(see_other(&done_path(visit, &event, done)));
                }
                Err(refusal) => {
                    form.settle(&refusal, visit.texts(), |fields| form::refuse(fields, &refusal, visit.texts()));
                }
            }
        }
    }
    let (status, tag, is_merged) = (form.status(), form.tag(), form.is_merged);
    let page = page(visit, &event, form.fields, &visit.texts().text("promotion")).await?;
    let row = showing::row_of(visit, &event, &promotion.value);
    let is_removed = promotion.value["removed"] == Value::Bool(true);
    page_answer(status, &PromotionPage { tag, now: Some(row), is_removed, is_merged, ..page })
}

fn done_path(visit: &Visit<'_>, event: &Loaded, done: &str) -> String {
    format!("{}/promotions?done={done}", event_path(visit, &event.data.id))
}

async fn page<'a>(visit: &Visit<'a>, event: &Loaded, fields: Fields, title: &str) -> Result<PromotionPage<'a>, Fault> {
    Ok(PromotionPage {
        frame: ConsoleFrame::of_partner(visit, title, Section::Events).await?,
        title: title.to_owned(),
        event_title: event.data.title.text.clone(),
        now: None,
        is_removed: false,
        levels: levels::rows(&fields),
        fields,
        sets: event.data.sets.iter().map(|set| (set.id.clone(), set.name.clone())).collect(),
        zone: event.zone().iana_name().unwrap_or("UTC").replace('_', " "),
        key: String::new(),
        tag: String::new(),
        back: format!("{}/promotions", event_path(visit, &event.data.id)),
        is_merged: false,
    })
}
