//! `/console/{partner}/team`: who manages a partner, and as what.

use askama::Template;
use bytes::Bytes;
use kassa_domain::partner::Role;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use super::fault::Fault;
use super::fields::Fields;
use super::frame::{ConsoleFrame, Section};
use super::paging::Paging;
use super::sorting::{Head, SortField, SortedColumn, Sorting};
use super::times::day;
use super::visit::{Outcome, Visit, checked_id, page_answer};
use crate::answer::see_other;

/// Those of a page.
const PAGE_SIZE: u64 = 100;
/// What they are sorted by, where all of them are on the page.
const SORT_FIELDS: &[SortField] = &[SortField::text("role"), SortField::text("name")];
const COLUMNS: &[SortedColumn] = &[("team-member", Some("name"), false), ("team-role", Some("role"), false)];

/// Somebody of the team, or who is asked to be.
struct Member {
    user: String,
    name: String,
    /// What stands below the name: the e-mail, or that there is none to be shown.
    email: String,
    role: String,
    /// Of an invitation: what became of it.
    note: Option<String>,
    is_oneself: bool,
}

/// A role, and what it is for.
struct RoleChoice {
    name: &'static str,
    title: String,
    about: String,
}

#[derive(Template)]
#[template(path = "console/team.html")]
struct TeamPage<'a> {
    frame: ConsoleFrame<'a>,
    heads: Vec<Head>,
    members: Vec<Member>,
    paging: Paging,
    roles: Vec<RoleChoice>,
    /// Whether whoever looks may change the team.
    is_owner: bool,
    fields: Fields,
    history: String,
    path: String,
}

/// Lists the team, invites somebody, gives another role, or removes somebody.
pub(crate) async fn respond(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let resource = format!("/v2/resources/partners/{}/managers", visit.segment("partner"));
    let path = format!("{}/team", visit.home());
    let mut fields = Fields::typed(visit.form());
    if visit.is_form {
        match change(visit, &resource, &fields).await? {
            // Whoever has left sees no team any more.
            Ok(_) if fields.is("_leave", "true") => return Ok(see_other("/console?done=saved")),
            Ok(_) => return Ok(see_other(&format!("{path}?done=saved"))),
            Err(refusal) => fields.refuse(visit.texts(), &refusal, &[]),
        }
    }
    let page = Paging::wanted(visit);
    let list = format!("{resource}?page={page}&page_size={PAGE_SIZE}");
    let (user, team) = futures_util::future::try_join(visit.read("/v1/services/whoami"), visit.read(&list)).await?;
    let own = user.value["id"].as_str().unwrap_or_default();
    let mut members: Vec<Member> =
        team.value["data"].as_array().into_iter().flatten().map(|member| member_of(visit, member, own)).collect();
    let frame = ConsoleFrame::of_partner(visit, &visit.texts().text("console-team"), Section::Team).await?;
    let is_whole = team.value["total_count"].as_u64() == u64::try_from(members.len()).ok();
    let sorting = Sorting::of_whole(visit, SORT_FIELDS, is_whole);
    if sorting.is_by("name") {
        sorting.sort(&mut members, |member| member.name.to_lowercase());
    } else {
        sorting.sort(&mut members, |member| (member.note.is_some(), rank(&member.role)));
    }
    let page = TeamPage {
        heads: sorting.heads(visit, (&path, ""), COLUMNS),
        paging: Paging::of_v2(&team.value, &format!("{path}?page={{}}")),
        is_owner: frame.role == Some(Role::Owner),
        frame,
        roles: Role::ALL.map(|role| choice(visit, role)).into(),
        members,
        history: format!("{}/history", visit.home()),
        fields,
        path,
    };
    let status = if page.fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_answer(status, &page)
}

/// The place of a role among all, those who may do the most first.
fn rank(role: &str) -> usize {
    Role::ALL.iter().position(|other| other.name() == role).unwrap_or(Role::ALL.len())
}

async fn change(visit: &Visit<'_>, resource: &str, fields: &Fields) -> Result<Outcome, Fault> {
    if let Some(user) = fields.given("_remove") {
        return visit.send("DELETE", &format!("{resource}/{}", checked_id(user)?), None).await;
    }
    let role = json!(fields.given("role"));
    if let Some(user) = fields.given("_user") {
        let path = format!("{resource}/{}", checked_id(user)?);
        return visit.send("PATCH", &path, Some(&json!({"role": role}))).await;
    }
    let body = json!({"email": fields.value("email").trim(), "role": role});
    visit.send("POST", resource, Some(&body)).await
}

fn member_of(visit: &Visit<'_>, member: &Value, own: &str) -> Member {
    let text = |name: &str| member[name].as_str().unwrap_or_default().to_owned();
    let names = [text("first_name"), text("last_name")].join(" ").trim().to_owned();
    let (user, email) = (text("user"), text("email"));
    let until = day(visit.request.language, &member["expires_at"]);
    let note = match member["status"].as_str() {
        Some("invited") => Some(visit.texts().about("team-invited", &until)),
        Some("declined") => Some(visit.texts().text("team-declined")),
        _ => None,
    };
    let name = match (names.is_empty(), email.is_empty()) {
        (false, _) => names,
        (true, false) => email.clone(),
        (true, true) => visit.texts().text("team-unnamed"),
    };
    Member {
        email: if name == email { String::new() } else { email },
        name,
        role: text("role"),
        note,
        is_oneself: user == own,
        user,
    }
}

fn choice(visit: &Visit<'_>, role: Role) -> RoleChoice {
    // All keys in full, so that each is found by whoever looks for it.
    let (title, about) = match role {
        Role::Owner => ("team-role-owner", "team-about-owner"),
        Role::Manager => ("team-role-manager", "team-about-manager"),
        Role::Seller => ("team-role-seller", "team-about-seller"),
        Role::Accountant => ("team-role-accountant", "team-about-accountant"),
        Role::Reader => ("team-role-reader", "team-about-reader"),
    };
    RoleChoice { name: role.name(), title: visit.texts().text(title), about: visit.texts().text(about) }
}
