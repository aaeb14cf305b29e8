//! `/console/forgotten` has a link mailed, which leads to `/console/password`.

use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::json;

use super::{AccountPage, Form};
use crate::answer::see_other;
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::visit::{Visit, page_answer};

/// Asks for a link. The answer is the same whether there is such an account or not.
pub(crate) async fn forgotten(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let mut fields = Fields::typed(visit.form());
    if !visit.is_form {
        return page_answer(StatusCode::OK, &AccountPage::new(visit, Form::Forgotten, fields));
    }
    let body = json!({"email": fields.value("email")});
    match visit.send_openly("POST", "/v1/services/password_reset", &body).await? {
        Ok(_) => {
            let page = AccountPage { is_done: true, ..AccountPage::new(visit, Form::Forgotten, fields) };
            page_answer(StatusCode::OK, &page)
        }
        Err(refusal) => {
            fields.refuse(visit.texts(), &refusal, &[]);
            let page = AccountPage::new(visit, Form::Forgotten, fields);
            page_answer(StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
    }
}

/// Sets a new password by the token of a mail.
pub(crate) async fn password(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let mut fields = Fields::typed(visit.form());
    if !visit.is_form {
        fields.set("token", visit.request.value("token").unwrap_or_default());
        return page_answer(StatusCode::OK, &AccountPage::new(visit, Form::Password, fields));
    }
    let body = json!({"token": fields.value("token"), "password": fields.value("password")});
    match visit.send_openly("POST", "/v1/services/password_reset/confirm", &body).await? {
        Ok(_) => Ok(see_other("/console/sign-in?done=password")),
        Err(refusal) => {
            fields.refuse(visit.texts(), &refusal, &[]);
            let page = AccountPage::new(visit, Form::Password, fields);
            page_answer(StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
    }
}
