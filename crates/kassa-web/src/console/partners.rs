//! `/console`: which partner's console somebody opens; `/console/new` makes a partner.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use super::fault::Fault;
use super::fields::Fields;
use super::frame::ConsoleFrame;
use super::visit::{Conditions, Visit, page_answer};
use crate::answer::see_other;

/// A partner, or one that invites: its id and its name.
struct Named {
    id: String,
    name: String,
}

#[derive(Template)]
#[template(path = "console/home.html")]
struct HomePage<'a> {
    frame: ConsoleFrame<'a>,
    partners: Vec<Named>,
    invitations: Vec<Named>,
    /// Whether whoever looks is an operator of the platform.
    is_operator: bool,
}

#[derive(Template)]
#[template(path = "console/new_partner.html")]
struct NewPartnerPage<'a> {
    frame: ConsoleFrame<'a>,
    fields: Fields,
    key: String,
}

/// Leads to the console of the only partner that there is, or offers those that there are.
pub(crate) async fn home(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let user = visit.read("/v1/services/whoami").await?.value;
    let ids: Vec<&str> = user["partners"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let id = user["id"].as_str().unwrap_or_default();
    let invited = visit.read(&format!("/v1/resources/users/{id}/invitations")).await?.value;
    let pending: Vec<&str> = invited
        .as_array()
        .into_iter()
        .flatten()
        .filter(|invitation| invitation["status"] == "pending")
        .filter_map(|invitation| invitation["partner"].as_str().or_else(|| invitation["partner"]["id"].as_str()))
        .collect();
    let is_word = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let done = visit.request.value("done").filter(is_word).map(|word| format!("?done={word}")).unwrap_or_default();
    let is_operator = visit.send("GET", "/v2/platform/partners?page_size=1", None).await?.is_ok();
    match (ids.as_slice(), pending.is_empty() && !is_operator) {
        ([], true) => return Ok(see_other(&format!("/console/new{done}"))),
        ([only], true) => return Ok(see_other(&format!("/console/{only}{done}"))),
        _ => {}
    }
    let (partners, invitations) = (named(visit, &ids).await?, named(visit, &pending).await?);
    let frame = ConsoleFrame::signed_in(visit, &visit.texts().text("console-choose"), &user);
    page_answer(StatusCode::OK, &HomePage { frame, partners, invitations, is_operator })
}

async fn named(visit: &Visit<'_>, ids: &[&str]) -> Result<Vec<Named>, Fault> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let path = format!("/v1/resources/partners?fields-schema=id,name&ids={}", ids.join(","));
    let found = visit.read(&path).await?.value;
    let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let partners = found.as_array().into_iter().flatten();
    Ok(partners.map(|partner| Named { id: text(partner, "id"), name: text(partner, "name") }).collect())
}

/// Makes a partner, which its user manages.
pub(crate) async fn create(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let user = visit.read("/v1/services/whoami").await?.value;
    let mut fields = Fields::typed(visit.form());
    if visit.is_form {
        let roles: Vec<&str> = ["org", "agent"].into_iter().filter(|role| fields.is(role, "true")).collect();
        let body = json!({"name": fields.value("name"), "roles": roles});
        let conditions = Conditions { key: visit.form().value("_key"), tag: None };
        match visit.send_if("POST", "/v1/resources/partners", Some(&body), conditions).await? {
            Ok(made) => {
                let id = made.value["id"].as_str().unwrap_or_default();
                return Ok(see_other(&format!("/console/{id}?done=created")));
            }
            Err(refusal) => fields.refuse(visit.texts(), &refusal, &[]),
        }
    } else {
        fields.set("org", "true");
    }
    let status = if fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let frame = ConsoleFrame::signed_in(visit, &visit.texts().text("new-partner"), &user);
    page_answer(status, &NewPartnerPage { frame, fields, key: visit.shop.new_key() })
}

/// Accepts or declines an invitation.
pub(crate) async fn answer_invitation(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let user = visit.read("/v1/services/whoami").await?.value;
    let (user, partner) = (user["id"].as_str().unwrap_or_default(), visit.segment("invited"));
    let is_accepted = visit.form().value("answer") == Some("accepted");
    let body = json!({"status": if is_accepted { "accepted" } else { "declined" }});
    let path = format!("/v1/resources/users/{user}/invitations/{partner}");
    visit.send("PATCH", &path, Some(&body)).await?.map_err(Fault::from)?;
    Ok(see_other(&if is_accepted { format!("/console/{partner}") } else { "/console?done=declined".to_owned() }))
}
