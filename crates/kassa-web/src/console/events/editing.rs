//! `…/events/new` and `…/events/{event}/edit`: the form of an event. Of two who save the same event, the second is shown what
//! the first has written, and loses nothing.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};

use super::asking::{self, QuestionRow, rows};
use super::form::{NAMES, body_of, fields_of};
use super::translating::{self, TranslationRow};
use super::{Loaded, copying, event_path, load, resource};
use crate::answer::see_other;
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::places::{Place, make_described, places_of, zone_at};
use crate::console::visit::{Conditions, Visit, page_answer};
use crate::pages::order::RefundPolicyData;

#[derive(Template)]
#[template(path = "console/event_form.html")]
struct EventFormPage<'a> {
    frame: ConsoleFrame<'a>,
    title: String,
    fields: Fields,
    places: Vec<Place>,
    questions: Vec<QuestionRow>,
    translations: Vec<TranslationRow>,
    /// Under which key it, or its place, is made once.
    key: String,
    /// The entity tag of what is changed.
    tag: String,
    /// The id of the event whose copy it becomes.
    copied: String,
    /// What happens with tickets that are given back, where the event says nothing of its own.
    usual_returns: String,
    /// Where the form came from.
    back: String,
    /// Whether somebody else has saved it meanwhile.
    is_merged: bool,
}

impl EventFormPage<'_> {
    /// Whether any further language has texts.
    fn is_translated(&self) -> bool {
        self.translations.iter().any(|row| row.is_given(&self.fields))
    }
}

/// Makes an event: of nothing, or as a copy.
pub(crate) async fn create(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let source = visit.form().value("_copy").or_else(|| visit.request.value("copy")).unwrap_or_default();
    let source = if source.is_empty() { None } else { Some(load(visit, source).await?) };
    let mut fields = if visit.is_form { Fields::typed(visit.form()) } else { new_fields(source.as_ref()) };
    if visit.is_form {
        make_described(visit, &mut fields).await?;
        let zone = zone_at(visit, fields.value("venue")).await?;
        let body = body_of(&mut fields, &zone, visit.texts());
        if !fields.has_wrong() {
            let conditions = Conditions { key: visit.form().value("_key"), tag: None };
            match visit.send_if("POST", "/v1/resources/events", Some(&body), conditions).await? {
                Ok(made) => {
                    let id = made.value["id"].as_str().unwrap_or_default().to_owned();
                    let Some(source) = &source else {
                        return Ok(see_other(&format!("{}?done=created", event_path(visit, &id))));
                    };
                    let left_out = match copying::copy_offer(visit, source, &id).await? {
                        0 => String::new(),
                        count => format!("&left_out={count}"),
                    };
                    return Ok(see_other(&format!("{}?done=copied{left_out}", event_path(visit, &id))));
                }
                Err(refusal) => fields.refuse(visit.texts(), &refusal, &NAMES),
            }
        }
    }
    let text = visit.texts().text(if source.is_some() { "copy-event" } else { "new-event" });
    let page = EventFormPage {
        frame: ConsoleFrame::of_partner(visit, &text, Section::Events).await?,
        title: text,
        places: places_of(visit, source.as_ref().map(|event| &event.value["venue"])).await?,
        questions: rows(&fields),
        translations: translating::rows(&fields),
        usual_returns: usual_returns(visit).await?,
        key: visit.shop.new_key(),
        tag: String::new(),
        copied: source.map(|event| event.data.id).unwrap_or_default(),
        back: format!("{}/events", visit.home()),
        is_merged: false,
        fields,
    };
    page_answer(status_of(&page.fields), &page)
}

/// A copy has all but the time.
fn new_fields(source: Option<&Loaded>) -> Fields {
    let Some(source) = source else { return Fields::default() };
    let from = fields_of(source);
    let mut fields = Fields::default();
    for name in ["title", "desc", "venue", "age_rating", "tickets_limit", "hold_minutes", "policy"] {
        fields.set(name, from.value(name));
    }
    for name in ["kept_percent", "days_before", "after_start", "buyer_name", "buyer_phone"] {
        fields.set(name, from.value(name));
    }
    for (name, value) in asking::fields_of(&source.value).into_iter().chain(translating::fields_of(&source.value)) {
        fields.set(&name, &value);
    }
    fields
}

/// Changes an event, unless somebody else has changed it meanwhile.
pub(super) async fn edit(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    let mut fields = if visit.is_form { Fields::typed(visit.form()) } else { fields_of(event) };
    let (mut is_merged, back) = (false, event_path(visit, &event.data.id));
    if visit.is_form {
        make_described(visit, &mut fields).await?;
        let is_there = fields.is("venue", event.venue_id());
        let zone = if is_there { event.zone() } else { zone_at(visit, fields.value("venue")).await? };
        let body = body_of(&mut fields, &zone, visit.texts());
        if !fields.has_wrong() {
            let tag = visit.form().value("_tag");
            let conditions = Conditions { key: None, tag };
            match visit.send_if("PATCH", &resource(&event.data.id), Some(&body), conditions).await? {
                Ok(_) => return Ok(see_other(&format!("{back}?done=saved"))),
                Err(refusal) if refusal.status == StatusCode::PRECONDITION_FAILED => {
                    fields.merge(&fields_of(event));
                    is_merged = true;
                }
                Err(refusal) => fields.refuse(visit.texts(), &refusal, &NAMES),
            }
        }
    }
    let title = visit.texts().text("edit-event");
    // Whoever has to look again looks at what there is now; whoever mistyped still changes what was there then.
    let typed_tag = visit.form().value("_tag").filter(|_| !is_merged);
    let page = EventFormPage {
        frame: ConsoleFrame::of_partner(visit, &event.data.title.text, Section::Events).await?,
        title,
        places: places_of(visit, Some(&event.value["venue"])).await?,
        questions: rows(&fields),
        translations: translating::rows(&fields),
        usual_returns: usual_returns(visit).await?,
        // A place is made once, too.
        key: visit.shop.new_key(),
        tag: typed_tag.unwrap_or(&event.tag).to_owned(),
        copied: String::new(),
        back,
        is_merged,
        fields,
    };
    let status = if is_merged { StatusCode::CONFLICT } else { status_of(&page.fields) };
    page_answer(status, &page)
}

/// What the partner says of tickets that are given back, in words; what holds for everybody where it says nothing.
async fn usual_returns(visit: &Visit<'_>) -> Result<String, Fault> {
    let path = format!("/v1/resources/partners/{}?fields-schema=refund_policy", visit.segment("partner"));
    let partner = visit.read(&path).await?.value;
    let policy: Option<RefundPolicyData> = serde_json::from_value(partner["refund_policy"].clone()).unwrap_or_default();
    Ok(policy.unwrap_or_default().terms().in_words(visit.texts()))
}

fn status_of(fields: &Fields) -> StatusCode {
    if fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }
}
