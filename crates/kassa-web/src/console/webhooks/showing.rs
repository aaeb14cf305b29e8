//! One webhook: how it does, its secret, what was sent to it, and what is done with it.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use super::form::{PATHS, changes_of, fields_of};
use super::{RESOURCE, state_of};
use crate::answer::see_other;
use crate::console::change_form::ChangeForm;
use crate::console::fault::{Fault, Refusal};
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::paging::Paging;
use crate::console::visit::{Conditions, Outcome, Visit, checked_id, moment, page_answer};
use crate::error::PageError;

/// Attempts of a page.
const PAGE_SIZE: u64 = 25;

/// A message that was sent, and what came of it.
struct AttemptRow {
    kind: String,
    change: String,
    at: String,
    is_accepted: bool,
    /// The status of the answer, or why there was none.
    answer: String,
    excerpt: String,
    duration_ms: u64,
}

#[derive(Template)]
#[template(path = "console/webhook.html")]
struct WebhookPage<'a> {
    frame: ConsoleFrame<'a>,
    url: String,
    state: &'static str,
    state_text: String,
    is_enabled: bool,
    /// What is known of how it does: a name and a value.
    facts: Vec<(String, String)>,
    secret: Option<String>,
    tested: Option<AttemptRow>,
    attempts: Vec<AttemptRow>,
    is_failed_only: bool,
    paging: Paging,
    /// Why what another form than that of the settings asks for is not done.
    failure: Option<String>,
    fields: Fields,
    tag: String,
    is_merged: bool,
    path: String,
    list: String,
}

/// Shows a webhook, or does something with it.
pub(crate) async fn show(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let resource = format!("{RESOURCE}/{}", checked_id(visit.segment("webhook"))?);
    let list = format!("{}/webhooks", visit.home());
    let path = format!("{list}/{}", visit.segment("webhook"));
    let mut refused = None;
    let mut tested = None;
    // Other forms of the page have nothing of the settings.
    let is_settings = visit.is_form && visit.form().value("_do").is_none();
    if visit.is_form {
        match act(visit, &resource).await? {
            Ok(Done::Tested(result)) => tested = Some(attempt_of(visit, &json!({"result": result}))),
            Ok(Done::Removed) => return Ok(see_other(&format!("{list}?done=saved"))),
            Ok(Done::Rotated) => return Ok(see_other(&format!("{path}?done=saved&shown=secret"))),
            Ok(Done::Changed) => return Ok(see_other(&format!("{path}?done=saved"))),
            Err(refusal) => refused = Some(refusal),
        }
    }
    let webhook = visit.read(&resource).await?;
    let data = &webhook.value["data"];
    if data["removed"] == true {
        return Err(PageError::NotFound.into());
    }
    let mut form = ChangeForm::begin(fields_of(data), &webhook.tag, visit.sent_form().filter(|_| is_settings));
    if let Some(refusal) = refused.as_ref().filter(|_| is_settings) {
        form.settle(refusal, visit.texts(), |fields| fields.refuse(visit.texts(), refusal, &PATHS));
    }
    let secret = match visit.request.value("shown") {
        Some("secret") => {
            let found = visit.read(&format!("{resource}/secret")).await?.value;
            Some(found["data"]["secret"].as_str().unwrap_or_default().to_owned())
        }
        _ => None,
    };
    let status = if refused.is_some() && !is_settings { StatusCode::UNPROCESSABLE_ENTITY } else { form.status() };
    let page = attempts_page(visit, &resource, &path).await?;
    let (state, state_text) = state_of(visit, data);
    let title = visit.texts().text("console-webhooks");
    let page = WebhookPage {
        frame: ConsoleFrame::of_partner(visit, &title, Section::Webhooks).await?,
        url: data["url"].as_str().unwrap_or_default().to_owned(),
        state,
        state_text,
        is_enabled: data["status"] == "enabled",
        facts: facts_of(visit, data),
        secret,
        tested,
        attempts: page.rows,
        is_failed_only: page.is_failed_only,
        paging: page.paging,
        failure: refused.as_ref().filter(|_| !is_settings).map(|refusal| refusal.text(visit.texts())),
        tag: form.tag(),
        is_merged: form.is_merged,
        fields: form.fields,
        path,
        list,
    };
    page_answer(status, &page)
}

/// What was done.
enum Done {
    Changed,
    Rotated,
    Removed,
    /// What came of a test.
    Tested(Value),
}

async fn act(visit: &Visit<'_>, resource: &str) -> Result<Result<Done, Refusal>, Fault> {
    let fields = Fields::typed(visit.form());
    let enable = |status: &str| json!({"status": status});
    let outcome: Outcome = match fields.given("_do").unwrap_or_default() {
        "test" => {
            let answer = visit.send("POST", &format!("{resource}/test"), None).await?;
            return Ok(answer.map(|answer| Done::Tested(answer.value["data"].clone())));
        }
        "rotate" => {
            let answer = visit.send("POST", &format!("{resource}/secret"), None).await?;
            return Ok(answer.map(|_| Done::Rotated));
        }
        "remove" => return Ok(visit.send("DELETE", resource, None).await?.map(|_| Done::Removed)),
        "enable" => visit.send("PATCH", resource, Some(&enable("enabled"))).await?,
        "disable" => visit.send("PATCH", resource, Some(&enable("disabled"))).await?,
        "replay" => {
            let body = match fields.given("change") {
                Some(change) => json!({"ids": [change]}),
                None => json!({"failed_since": fields.value("since")}),
            };
            visit.send("POST", &format!("{resource}/replay"), Some(&body)).await?
        }
        _ => {
            let conditions = Conditions { key: None, tag: fields.given("_tag") };
            visit.send_if("PATCH", resource, Some(&changes_of(&fields)), conditions).await?
        }
    };
    Ok(outcome.map(|_| Done::Changed))
}

struct AttemptsPage {
    rows: Vec<AttemptRow>,
    is_failed_only: bool,
    paging: Paging,
}

async fn attempts_page(visit: &Visit<'_>, resource: &str, path: &str) -> Result<AttemptsPage, Fault> {
    let number = Paging::wanted(visit);
    let is_failed_only = visit.request.value("failed") == Some("true");
    let failed = if is_failed_only { "&failed=true" } else { "" };
    let wanted = format!("{resource}/attempts?page={number}&page_size={PAGE_SIZE}{failed}");
    let found = visit.read(&wanted).await?.value;
    Ok(AttemptsPage {
        rows: found["data"].as_array().into_iter().flatten().map(|it| attempt_of(visit, it)).collect(),
        is_failed_only,
        paging: Paging::of_v2(&found, &format!("{path}?page={{}}{failed}#attempts")),
    })
}

fn attempt_of(visit: &Visit<'_>, attempt: &Value) -> AttemptRow {
    let result = &attempt["result"];
    let answer = match (result["status"].as_u64(), result["error"].as_str()) {
        (Some(status), _) => status.to_string(),
        (None, error) => visit.texts().text(failure_text(error.unwrap_or_default())),
    };
    AttemptRow {
        kind: attempt["type"].as_str().unwrap_or_default().to_owned(),
        change: attempt["change"].as_str().unwrap_or_default().to_owned(),
        at: moment(&attempt["sent_at"]),
        is_accepted: result["accepted"] == true,
        answer,
        excerpt: result["answer"].as_str().unwrap_or_default().to_owned(),
        duration_ms: result["duration_ms"].as_u64().unwrap_or_default(),
    }
}

/// Why nobody answered.
fn failure_text(error: &str) -> &'static str {
    match error {
        "url_forbidden" => "webhook-url-forbidden",
        "name_unknown" => "webhook-name-unknown",
        "address_forbidden" => "webhook-address-forbidden",
        "not_connected" => "webhook-not-connected",
        "tls_failed" => "webhook-tls-failed",
        "timed_out" => "webhook-timed-out",
        _ => "webhook-broken",
    }
}

fn facts_of(visit: &Visit<'_>, webhook: &Value) -> Vec<(String, String)> {
    let all = [
        ("webhook-last-success", moment(&webhook["last_success_at"])),
        ("webhook-last-attempt", moment(&webhook["last_attempt_at"])),
        ("webhook-failing-since", moment(&webhook["failing_since"])),
        ("webhook-cursor", webhook["cursor"].as_str().unwrap_or_default().to_owned()),
    ];
    let said = all.into_iter().filter(|(_, value)| !value.is_empty());
    said.map(|(key, value)| (visit.texts().text(key), value)).collect()
}
