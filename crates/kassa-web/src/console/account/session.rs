//! `/console/sign-in` and `/console/sign-out`.

use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::json;

use super::{AccountPage, Form};
use crate::answer::see_other;
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::is_console;
use crate::console::visit::{Visit, page_answer};

/// Where somebody signs in who was about to see a page.
pub(crate) fn sign_in_path(next: &str) -> String {
    if next == "/console" { "/console/sign-in".to_owned() } else { format!("/console/sign-in?next={next}") }
}

/// Begins a session, and leads on.
pub(crate) async fn sign_in(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let mut fields = Fields::typed(visit.form());
    if !visit.is_form {
        fields.set("_next", visit.request.value("next").unwrap_or_default());
        return page_answer(StatusCode::OK, &AccountPage::new(visit, Form::SignIn, fields));
    }
    let mut body = json!({"email": fields.value("email"), "password": fields.value("password")});
    if let Some(code) = fields.given("code") {
        body["code"] = json!(code);
    }
    // Only a page of the console comes next, whatever the address said.
    let is_path = |next: &&str| is_console(next) && next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let next = fields.given("_next").filter(is_path);
    match visit.send_openly("POST", "/v1/services/whoami", &body).await? {
        Ok(_) => Ok(see_other(next.unwrap_or("/console"))),
        Err(refusal) => {
            let needs_code = refusal.code == "second_factor_required" || fields.given("code").is_some();
            fields.refuse(visit.texts(), &refusal, &[]);
            let page = AccountPage { needs_code, ..AccountPage::new(visit, Form::SignIn, fields) };
            page_answer(StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
    }
}

/// Ends the session.
pub(crate) async fn sign_out(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    visit.send("DELETE", "/v1/services/whoami", None).await?.map_err(Fault::from)?;
    Ok(see_other("/console/sign-in?done=signed-out"))
}
