//! `/console/platform`: what operators of the platform see and do.

use askama::Template;
use bytes::Bytes;
use futures_util::future::{try_join, try_join4};
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use super::fault::Fault;
use super::fields::Fields;
use super::frame::{ConsoleFrame, Section};
use super::paging::Paging;
use super::sorting::{Head, SortField, SortedColumn, Sorting};
use super::visit::{Visit, checked_id, moment, page_answer};
use crate::answer::see_other;
use crate::form::encoded;

const STATE: &str = "/v2/platform/state";
const PARTNERS: &str = "/v2/platform/partners";
const PATH: &str = "/console/platform";
/// What partners are sorted by.
const SORT_FIELDS: &[SortField] = &[
    SortField::amount("created_at"),
    SortField::text("name"),
    SortField::amount("events"),
    SortField::amount("tickets"),
];
const COLUMNS: &[SortedColumn] = &[
    ("name", Some("name"), false),
    ("state", None, false),
    ("key-made", Some("created_at"), false),
    ("console-events", Some("events"), true),
    ("tickets", Some("tickets"), true),
];

/// Rows of a list as texts, and how many there are in all.
struct Listing {
    rows: Vec<Vec<String>>,
    total: u64,
}

struct Setting {
    name: String,
    /// `None` of secrets.
    value: Option<String>,
    /// Whether somebody has set it.
    is_set: bool,
}

#[derive(Template)]
#[template(path = "console/platform.html")]
struct StatePage<'a> {
    frame: ConsoleFrame<'a>,
    version: String,
    started_at: String,
    commission: String,
    can_write: bool,
    writers: Listing,
    mails: Listing,
    jobs: Listing,
    webhooks: Listing,
    settings: Vec<Setting>,
    is_verifying: bool,
    verified: Option<VerifiedView>,
}

/// What the last recount has found.
struct VerifiedView {
    at: String,
    rows: String,
    count: u64,
    findings: Vec<String>,
}

/// A partner as operators see it in the list.
struct PartnerRow {
    path: String,
    name: String,
    id: String,
    /// `active`, `suspended` or `removed`.
    state: &'static str,
    made: String,
    events: String,
    tickets: String,
}

#[derive(Template)]
#[template(path = "console/platform_partners.html")]
struct PartnersPage<'a> {
    frame: ConsoleFrame<'a>,
    heads: Vec<Head>,
    rows: Vec<PartnerRow>,
    search: String,
    only_suspended: bool,
    total: u64,
    paging: Paging,
}

/// What a partner stores of a kind.
struct UsageRow {
    kind: String,
    used: String,
    quota: String,
    percent: u64,
}

#[derive(Template)]
#[template(path = "console/platform_partner.html")]
struct PartnerPage<'a> {
    frame: ConsoleFrame<'a>,
    subject: String,
    subject_id: String,
    state: &'static str,
    since: String,
    reason: String,
    made: String,
    usage: Vec<UsageRow>,
    fields: Fields,
    path: String,
}

/// Shows version, writers, what waits, the last recount and the settings; begins a recount.
pub(crate) async fn state(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    if visit.is_form {
        visit.send("POST", "/v2/platform/verification", Some(&json!({}))).await?.map_err(Fault::from)?;
        return Ok(see_other(PATH));
    }
    let (state, mails, jobs, webhooks) = try_join4(
        visit.read(STATE),
        visit.read("/v2/platform/mails"),
        visit.read("/v2/platform/jobs"),
        visit.read("/v2/platform/webhooks"),
    )
    .await?;
    let state = &state.value["data"];
    let last = Some(&state["verification"]["last"]).filter(|last| !last.is_null());
    let setting = |setting: &Value| Setting {
        name: text(setting, "name"),
        value: setting["value"].as_str().map(str::to_owned),
        is_set: setting["source"] != "default",
    };
    let frame = ConsoleFrame::of_platform(visit, &visit.texts().text("platform-state"), Section::Platform).await?;
    let page = StatePage {
        version: text(state, "version"),
        started_at: moment(&state["started_at"]),
        commission: text(state, "commission"),
        can_write: state["can_write"] == true,
        writers: listing(visit, &state["writers"], &["number", "epoch", "batches", "lease_till", "active"]),
        mails: listed(visit, &mails.value, &["kind", "to", "state", "attempts", "error", "created_at"]),
        jobs: listed(visit, &jobs.value, &["kind", "event", "set", "node"]),
        webhooks: listed(visit, &webhooks.value, &["url", "partner", "failures", "failing_since", "disabled_reason"]),
        settings: state["settings"].as_array().into_iter().flatten().map(setting).collect(),
        is_verifying: state["verification"]["running"] == true,
        verified: last.map(verified),
        frame,
    };
    page_answer(StatusCode::OK, &page)
}

fn verified(last: &Value) -> VerifiedView {
    let findings = last["findings"].as_array().into_iter().flatten().filter_map(Value::as_str);
    VerifiedView {
        at: moment(&last["at"]),
        rows: last["rows"].to_string(),
        count: last["count"].as_u64().unwrap_or_default(),
        findings: findings.map(str::to_owned).collect(),
    }
}

/// Finds partners by a part of their names, or by an id.
pub(crate) async fn partners(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let (search, only_suspended) =
        (visit.request.value("q").unwrap_or_default(), visit.request.value("suspended").is_some());
    let (page, sorting) = (Paging::wanted(visit), Sorting::wanted(visit, SORT_FIELDS));
    let narrowed = |search_name: &str| {
        let search = encoded(search);
        let suspended = if only_suspended { "&suspended=true" } else { "" };
        format!("&{search_name}={search}{suspended}")
    };
    let resource = format!("{PARTNERS}?page={page}&sort={}{}", sorting.parameter(), narrowed("search"));
    let title = visit.texts().text("platform-partners");
    let (found, frame) =
        try_join(visit.read(&resource), ConsoleFrame::of_platform(visit, &title, Section::PlatformPartners)).await?;
    let found = found.value;
    let (path, kept) = (format!("{PATH}/partners"), narrowed("q"));
    let row = |partner: &Value| {
        let id = text(partner, "id");
        PartnerRow {
            path: format!("{PATH}/partners/{id}"),
            name: text(partner, "name"),
            id,
            state: state_of(partner),
            made: moment(&partner["created_at"]),
            events: shown(&partner["usage"]["events"]["used"]),
            tickets: shown(&partner["usage"]["tickets"]["used"]),
        }
    };
    let page = PartnersPage {
        rows: found["data"].as_array().into_iter().flatten().map(row).collect(),
        search: search.to_owned(),
        only_suspended,
        total: found["total_count"].as_u64().unwrap_or_default(),
        heads: sorting.heads(visit, (&path, &kept), COLUMNS),
        paging: Paging::of_v2(&found, &format!("{path}?page={{}}{kept}{}", sorting.kept())),
        frame,
    };
    page_answer(StatusCode::OK, &page)
}

/// Shows what a partner stores; suspends or restores it.
pub(crate) async fn partner(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let id = checked_id(visit.segment("subject"))?;
    let (resource, path) = (format!("{PARTNERS}/{id}"), format!("{PATH}/partners/{id}"));
    let mut fields = Fields::typed(visit.form());
    if visit.is_form {
        let stop = format!("{resource}/suspension");
        let done = if fields.is("_restore", "true") {
            visit.send("DELETE", &stop, None).await?
        } else {
            let reason = fields.value("reason").trim();
            visit.send("POST", &stop, Some(&json!({"reason": (!reason.is_empty()).then_some(reason)}))).await?
        };
        match done {
            Ok(_) => return Ok(see_other(&format!("{path}?done=saved"))),
            Err(refusal) => fields.refuse(visit.texts(), &refusal, &[]),
        }
    }
    let found = visit.read(&resource).await?.value["data"].clone();
    let name = text(&found, "name");
    let usage = |(kind, amounts): (&String, &Value)| {
        let [used, quota] = ["used", "quota"].map(|name| amounts[name].as_u64().unwrap_or_default());
        let percent = used.saturating_mul(100).checked_div(quota).unwrap_or_default().min(100);
        UsageRow { kind: kind.replace('_', " "), used: used.to_string(), quota: quota.to_string(), percent }
    };
    let page = PartnerPage {
        frame: ConsoleFrame::of_platform(visit, &name, Section::PlatformPartners).await?,
        subject_id: id.to_owned(),
        state: state_of(&found),
        since: moment(&found["suspension"]["since"]),
        reason: text(&found["suspension"], "reason"),
        made: moment(&found["created_at"]),
        usage: found["usage"].as_object().into_iter().flatten().map(usage).collect(),
        subject: name,
        fields,
        path,
    };
    let status = if page.fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_answer(status, &page)
}

fn state_of(partner: &Value) -> &'static str {
    match (&partner["suspension"], &partner["removed"]) {
        (Value::Null, Value::Bool(true)) => "removed",
        (Value::Null, _) => "active",
        _ => "suspended",
    }
}

/// A page of a list: of each item these fields.
fn listed(visit: &Visit<'_>, answer: &Value, names: &[&str]) -> Listing {
    let total = answer["total_count"].as_u64().unwrap_or_default();
    Listing { total, ..listing(visit, &answer["data"], names) }
}

fn listing(visit: &Visit<'_>, items: &Value, names: &[&str]) -> Listing {
    let cell = |value: &Value| match value.as_bool() {
        Some(true) => visit.texts().text("platform-yes"),
        Some(false) => visit.texts().text("platform-no"),
        None => shown(value),
    };
    let row = |item: &Value| names.iter().map(|name| cell(&item[*name])).collect();
    let rows: Vec<Vec<String>> = items.as_array().into_iter().flatten().map(row).collect();
    Listing { total: rows.len() as u64, rows }
}

/// A value as a text; a dash, if there is none.
fn shown(value: &Value) -> String {
    if value.is_null() {
        return "–".to_owned();
    }
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}
