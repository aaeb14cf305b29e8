//! `/v1/services/whoami`: the session of a user.

pub(super) mod end;
pub(super) mod show;
pub(super) mod start;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use kassa_domain::session::SESSION_DAYS;

use crate::app::App;
use crate::caller::COOKIE;

/// The header that sets the session cookie; an empty token clears it.
fn set_cookie(app: &App, headers: &HeaderMap, token: &str) -> (HeaderName, HeaderValue) {
    let forwarded = headers.get("x-forwarded-proto").is_some_and(|proto| proto == "https");
    let tls = forwarded || app.config.public_url.as_ref().is_some_and(|url| url.scheme() == "https");
    let secure = if tls { "; Secure" } else { "" };
    let age = if token.is_empty() {
        "Max-Age=0; Expires=Wed, 31 Dec 1997 23:59:59 GMT".to_owned()
    } else {
        format!("Max-Age={}", SESSION_DAYS * 24 * 60 * 60)
    };
    let text = format!("{COOKIE}={token}; Path=/; {age}; HttpOnly; SameSite=Lax{secure}");
    // Tokens are hexadecimal digits: always a valid header.
    (header::SET_COOKIE, HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("")))
}
