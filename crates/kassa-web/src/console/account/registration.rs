//! `/console/register` makes an account; `/console/confirm`, which a mail leads to, confirms that its address is somebody's.

use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::json;

use super::{AccountPage, Form};
use crate::answer::see_other;
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::visit::{Visit, page_answer};

/// Makes an account, and signs in where it opens at once.
pub(crate) async fn register(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let mut fields = Fields::typed(visit.form());
    if !visit.is_form {
        return page_answer(StatusCode::OK, &AccountPage::new(visit, Form::Register, fields));
    }
    let account = json!({"email": fields.value("email"), "password": fields.value("password")});
    if let Err(refusal) = visit.send_openly("POST", "/v1/resources/users", &account).await? {
        fields.refuse(visit.texts(), &refusal, &[]);
        let page = AccountPage::new(visit, Form::Register, fields);
        return page_answer(StatusCode::UNPROCESSABLE_ENTITY, &page);
    }
    if visit.send_openly("POST", "/v1/services/whoami", &account).await?.is_ok() {
        return Ok(see_other("/console?done=created"));
    }
    // It opens with the link in the mail.
    let page = AccountPage { is_done: true, ..AccountPage::new(visit, Form::Register, fields) };
    page_answer(StatusCode::OK, &page)
}

/// Confirms an address by the token of a mail and the password of the registration.
pub(crate) async fn confirm(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let mut fields = Fields::typed(visit.form());
    if !visit.is_form {
        fields.set("token", visit.request.value("token").unwrap_or_default());
        return page_answer(StatusCode::OK, &AccountPage::new(visit, Form::Confirm, fields));
    }
    let body = json!({"token": fields.value("token"), "password": fields.value("password")});
    match visit.send_openly("POST", "/v1/services/confirm", &body).await? {
        Ok(_) => Ok(see_other("/console?done=confirmed")),
        Err(refusal) => {
            fields.refuse(visit.texts(), &refusal, &[]);
            let page = AccountPage::new(visit, Form::Confirm, fields);
            page_answer(StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
    }
}
