//! `/console/account`: who is signed in, by what, and where else.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use crate::answer::see_other;
use crate::console::fault::{Fault, Refusal};
use crate::console::fields::Fields;
use crate::console::frame::ConsoleFrame;
use crate::console::times::day;
use crate::console::visit::{ApiAnswer, Visit, checked_id, page_answer};
use crate::error::PageError;
use crate::qr::{QrPicture, qr_of};

/// A part of the page, with a form of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Name,
    Email,
    Password,
    BeginFactor,
    ConfirmFactor,
    RemoveFactor,
    EndSession,
    EndSessions,
}

/// A session of the user.
struct SessionRow {
    id: String,
    begun: String,
    used: String,
    is_current: bool,
}

/// A second factor that was begun, and is shown until it is confirmed.
struct Enrolment {
    secret: String,
    url: String,
    picture: Option<QrPicture>,
}

#[derive(Template)]
#[template(path = "console/settings.html")]
struct SettingsPage<'a> {
    frame: ConsoleFrame<'a>,
    /// The part whose form was refused.
    refused: Option<Part>,
    fields: Fields,
    email: String,
    enrolment: Option<Enrolment>,
    /// What replaces codes, once.
    recovery_codes: Vec<String>,
    sessions: Vec<SessionRow>,
}

/// What the page shows besides what is always there.
#[derive(Default)]
struct Said {
    refused: Option<(Part, Refusal)>,
    enrolment: Option<Enrolment>,
    recovery_codes: Vec<String>,
}

/// Shows the account, or changes it.
pub(crate) async fn settings(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let user = visit.read("/v1/services/whoami").await?.value;
    let text = |name: &str| user[name].as_str().unwrap_or_default().to_owned();
    let resource = format!("/v1/resources/users/{}", text("id"));
    let mut fields = Fields::typed(visit.form());
    let mut said = Said::default();
    if visit.is_form {
        let part = part_of(&fields)?;
        match act(visit, part, &resource, &fields).await? {
            Err(refusal) => said.refused = Some((part, refusal)),
            Ok(answer) => match shown_after(part, &answer.value) {
                Some(shown) => said = shown,
                None if part == Part::EndSessions => return Ok(see_other("/console/sign-in?done=signed-out")),
                None => return Ok(see_other("/console/account?done=saved")),
            },
        }
    }
    if said.refused.as_ref().is_some_and(|(part, _)| *part == Part::ConfirmFactor) {
        said.enrolment = Enrolment::of(fields.value("_secret"), fields.value("_url"));
    }
    if let Some((_, refusal)) = &said.refused {
        fields.refuse(visit.texts(), refusal, &[]);
    } else {
        fields = Fields::default();
        for name in ["first_name", "last_name"] {
            fields.set(name, &text(name));
        }
    }
    let sessions = visit.read(&format!("{resource}/sessions")).await?.value;
    let page = SettingsPage {
        frame: ConsoleFrame::signed_in(visit, &visit.texts().text("account"), &user),
        refused: said.refused.map(|(part, _)| part),
        fields,
        email: text("email"),
        enrolment: said.enrolment,
        recovery_codes: said.recovery_codes,
        sessions: sessions.as_array().into_iter().flatten().map(|session| session_of(visit, session)).collect(),
    };
    let status = if page.refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_answer(status, &page)
}

fn part_of(fields: &Fields) -> Result<Part, PageError> {
    match fields.given("_do") {
        Some("name") => Ok(Part::Name),
        Some("email") => Ok(Part::Email),
        Some("password") => Ok(Part::Password),
        Some("factor") => Ok(Part::BeginFactor),
        Some("factor-code") => Ok(Part::ConfirmFactor),
        Some("factor-off") => Ok(Part::RemoveFactor),
        Some("session") => Ok(Part::EndSession),
        Some("sessions") => Ok(Part::EndSessions),
        _ => Err(PageError::NotFound),
    }
}

async fn act(
    visit: &Visit<'_>,
    part: Part,
    resource: &str,
    fields: &Fields,
) -> Result<Result<ApiAnswer, Refusal>, Fault> {
    let factor = format!("{resource}/second_factor");
    let password = fields.value("current_password");
    let (method, path, body) = match part {
        Part::Name => {
            let names = json!({"first_name": fields.given("first_name"), "last_name": fields.given("last_name")});
            ("PATCH", resource.to_owned(), names)
        }
        Part::Email => {
            let body = json!({"email": fields.value("email").trim(), "current_password": password});
            ("PATCH", resource.to_owned(), body)
        }
        Part::Password => {
            let body = json!({"password": fields.value("password"), "current_password": password});
            ("PATCH", resource.to_owned(), body)
        }
        Part::BeginFactor => ("POST", factor, json!({"current_password": password})),
        Part::ConfirmFactor => ("POST", format!("{factor}/confirm"), json!({"code": fields.value("code").trim()})),
        Part::RemoveFactor => {
            ("DELETE", factor, json!({"current_password": password, "code": fields.value("code").trim()}))
        }
        Part::EndSession => {
            let id = checked_id(fields.value("session"))?;
            ("DELETE", format!("{resource}/sessions/{id}"), Value::Null)
        }
        Part::EndSessions => ("DELETE", format!("{resource}/sessions"), Value::Null),
    };
    visit.send(method, &path, Some(&body).filter(|body| !body.is_null())).await
}

/// What is shown once, and therefore without a way to elsewhere.
fn shown_after(part: Part, answer: &Value) -> Option<Said> {
    match part {
        Part::BeginFactor => {
            let text = |name: &str| answer[name].as_str().unwrap_or_default();
            Some(Said { enrolment: Enrolment::of(text("secret"), text("url")), ..Said::default() })
        }
        Part::ConfirmFactor => {
            let codes = answer["recovery_codes"].as_array().into_iter().flatten().filter_map(Value::as_str);
            Some(Said { recovery_codes: codes.map(str::to_owned).collect(), ..Said::default() })
        }
        Part::Name | Part::Email | Part::Password | Part::RemoveFactor | Part::EndSession | Part::EndSessions => None,
    }
}

impl Enrolment {
    /// Of what was answered, or came back with a form.
    fn of(secret: &str, url: &str) -> Option<Self> {
        let is_whole = !secret.is_empty() && url.starts_with("otpauth://");
        is_whole.then(|| Self { secret: secret.to_owned(), url: url.to_owned(), picture: qr_of(url) })
    }
}

fn session_of(visit: &Visit<'_>, session: &Value) -> SessionRow {
    let day = |name: &str| day(visit.request.language, &session[name]);
    SessionRow {
        id: session["id"].as_str().unwrap_or_default().to_owned(),
        begun: day("created_at"),
        used: day("used_at"),
        is_current: session["current"] == true,
    }
}
