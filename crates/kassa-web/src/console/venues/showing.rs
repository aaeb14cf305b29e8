//! `…/venues/new` and `…/venues/{venue}`: the form of a place, and its removal.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::json;

use super::form::{NAMES, body_of, fields_of};
use super::{RESOURCE, VENUE_FIELDS};
use crate::answer::see_other;
use crate::console::change_form::ChangeForm;
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::visit::{ApiAnswer, Conditions, Outcome, Visit, checked_id, page_answer};
use crate::error::PageError;

#[derive(Template)]
#[template(path = "console/venue.html")]
struct VenuePage<'a> {
    frame: ConsoleFrame<'a>,
    title: String,
    fields: Fields,
    key: String,
    tag: String,
    back: String,
    /// The zone of its city; empty without one.
    zone: String,
    is_removed: bool,
    is_merged: bool,
}

/// Makes a place.
pub(crate) async fn create(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let mut fields = Fields::typed(visit.form());
    let back = format!("{}/venues", visit.home());
    if visit.is_form {
        let body = body_of(visit, &mut fields).await?;
        if !fields.has_wrong() {
            let conditions = Conditions { key: visit.form().value("_key"), tag: None };
            match visit.send_if("POST", RESOURCE, Some(&body), conditions).await? {
                Ok(_) => return Ok(see_other(&format!("{back}?done=created"))),
                Err(refusal) => fields.refuse(visit.texts(), &refusal, &NAMES),
            }
        }
    }
    let status = if fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let title = visit.texts().text("new-venue");
    let page = VenuePage {
        frame: ConsoleFrame::of_partner(visit, &title, Section::Venues).await?,
        title,
        fields,
        key: visit.shop.new_key(),
        tag: String::new(),
        back,
        zone: String::new(),
        is_removed: false,
        is_merged: false,
    };
    page_answer(status, &page)
}

/// Changes a place, unless somebody else has changed it meanwhile; removes it, or brings it back.
pub(crate) async fn show(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let path = format!("{RESOURCE}/{}", checked_id(visit.segment("venue"))?);
    let venue = visit.read(&format!("{path}?fields-schema={VENUE_FIELDS}")).await?;
    if venue.value["org"]["id"].as_str() != Some(visit.segment("partner")) {
        return Err(PageError::NotFound.into());
    }
    let now = fields_of(visit, &venue.value);
    let what = visit.form().value("_do").unwrap_or_default();
    // What removes a place or brings it back has none of its fields.
    let mut form = ChangeForm::begin(now, &venue.tag, visit.sent_form().filter(|_| what.is_empty()));
    let back = format!("{}/venues", visit.home());
    if visit.is_form {
        match act(visit, &path, what, &mut form).await? {
            None => {}
            Some(Ok(_)) => {
                let done = if what == "remove" { "removed" } else { "saved" };
                return Ok(see_other(&format!("{back}?done={done}")));
            }
            Some(Err(refusal)) => {
                form.settle(&refusal, visit.texts(), |fields| fields.refuse(visit.texts(), &refusal, &NAMES));
            }
        }
    }
    page_answer(form.status(), &page(visit, &venue, form, back).await?)
}

async fn page<'a>(
    visit: &Visit<'a>,
    venue: &ApiAnswer,
    form: ChangeForm,
    back: String,
) -> Result<VenuePage<'a>, Fault> {
    let title = venue.value["name"].as_str().unwrap_or_default();
    Ok(VenuePage {
        frame: ConsoleFrame::of_partner(visit, title, Section::Venues).await?,
        title: title.to_owned(),
        key: String::new(),
        tag: form.tag(),
        back,
        zone: venue.value["city"]["timezone"].as_str().unwrap_or_default().replace('_', " "),
        is_removed: venue.value["removed"] == true,
        is_merged: form.is_merged,
        fields: form.fields,
    })
}

/// Does what a form asks for; nothing where its fields are wrong.
async fn act(visit: &Visit<'_>, path: &str, what: &str, form: &mut ChangeForm) -> Result<Option<Outcome>, Fault> {
    match what {
        "remove" => return visit.send("DELETE", path, None).await.map(Some),
        "restore" => return visit.send("PATCH", path, Some(&json!({"removed": false}))).await.map(Some),
        _ => {}
    }
    let body = body_of(visit, &mut form.fields).await?;
    if form.fields.has_wrong() {
        return Ok(None);
    }
    visit.send_if("PATCH", path, Some(&body), form.conditions()).await.map(Some)
}
