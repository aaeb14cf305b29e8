//! `…/deals/{deal}`: a deal with the split of each price, and the answers that are this side's to give.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::json;

use super::split::{Split, splits, terms};
use super::{DEAL_FIELDS, id_of, state_text, terms_text, text};
use crate::answer::see_other;
use crate::console::fault::Fault;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::visit::{Visit, page_answer};

/// Answers that a form can give.
const ANSWERS: [&str; 4] = ["accepted", "declined", "revoked", "terminated"];

#[derive(Template)]
#[template(path = "console/deal.html")]
struct DealPage<'a> {
    frame: ConsoleFrame<'a>,
    back: String,
    event: String,
    organizer: String,
    agent: String,
    state: String,
    state_text: String,
    terms: String,
    is_fee_on_top: bool,
    message: String,
    splits: Vec<Split>,
    /// The answers that this side can give: the word, its text, and whether it ends the deal.
    answers: Vec<(&'static str, String, bool)>,
    /// Where the organizer answers a proposal with other terms.
    counter: Option<String>,
    failure: Option<String>,
}

/// Shows a deal, or answers it.
pub(crate) async fn show(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let (id, texts) = (visit.segment("deal"), visit.texts());
    let path = format!("/v1/resources/deals/{id}");
    let mut failure = None;
    if visit.is_form {
        let status =
            ANSWERS.into_iter().find(|answer| visit.form().value("answer") == Some(answer)).unwrap_or_default();
        match visit.send("PATCH", &path, Some(&json!({"status": status}))).await? {
            Ok(_) => return Ok(see_other(&format!("{}/deals/{id}?done=saved", visit.home()))),
            Err(refusal) => failure = Some(refusal.text(texts)),
        }
    }
    let deal = visit.read(&format!("{path}?fields-schema={DEAL_FIELDS}")).await?.value;
    let event = id_of(&deal["event"]);
    // An agent may see the event no more once the deal is over.
    let sets = match visit.send("GET", &format!("/v1/resources/events/{event}/sets"), None).await {
        Ok(answer) => answer.map(|answer| answer.value).unwrap_or_default(),
        Err(Fault::Page(crate::error::PageError::NotFound)) => serde_json::Value::Null,
        Err(fault) => return Err(fault),
    };
    let is_agent = id_of(&deal["subj"]) == visit.segment("partner");
    let status = text(&deal["status"]);
    let answers: &[(&str, &str, bool)] = match (status.as_str(), is_agent) {
        ("new", false) => &[("accepted", "deal-accept", false), ("declined", "deal-decline", true)],
        ("new", true) => &[("revoked", "deal-revoke", true)],
        ("accepted", _) => &[("terminated", "deal-terminate", true)],
        _ => &[],
    };
    let (title, home) = (text(&deal["title"]["text"]), visit.home());
    let counter = (status == "new" && !is_agent).then(|| format!("{home}/deals/new?event={event}&counter={id}"));
    let page = DealPage {
        frame: ConsoleFrame::of_partner(visit, &title, Section::Deals).await?,
        back: format!("{home}/deals"),
        event: title,
        organizer: text(&deal["obj"]["name"]),
        agent: text(&deal["subj"]["name"]),
        state_text: state_text(&status, texts),
        state: status,
        terms: terms_text(&deal["term"], texts),
        is_fee_on_top: deal["term"]["pfc"] == true,
        message: text(&deal["message"]),
        splits: terms(&deal["term"]).map(|terms| splits(visit, &sets, &terms)).unwrap_or_default(),
        answers: answers.iter().map(|(word, key, ends)| (*word, texts.text(key), *ends)).collect(),
        counter,
        failure,
    };
    let status = if page.failure.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_answer(status, &page)
}
