//! The session cookie.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use kassa_domain::session::SESSION_DAYS;

use crate::app::AppState;
use crate::base_url;

/// Its name.
const SESSION_COOKIE: &str = "auth_tkt";

/// The header that sets it; an empty token clears it.
pub(crate) fn set_cookie_header(app: &AppState, headers: &HeaderMap, token: &str) -> (HeaderName, HeaderValue) {
    let tls = base_url::client_scheme(headers) == "https"
        || app.config.public_url.as_ref().is_some_and(|url| url.scheme() == "https");
    let secure = if tls { "; Secure" } else { "" };
    let age = if token.is_empty() {
        "Max-Age=0; Expires=Wed, 31 Dec 1997 23:59:59 GMT".to_owned()
    } else {
        format!("Max-Age={}", SESSION_DAYS * 24 * 60 * 60)
    };
    let text = format!("{SESSION_COOKIE}={token}; Path=/; {age}; HttpOnly; SameSite=Lax{secure}");
    // Tokens are hexadecimal digits: always a valid header.
    (header::SET_COOKIE, HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("")))
}

/// The token that came with a request. Clients may quote it, and echo the attributes it came with.
pub(crate) fn session_token(headers: &HeaderMap) -> Option<String> {
    // Bytes that are no text belong to a token that is none of ours, or to somebody else's cookie.
    let texts = headers.get_all(header::COOKIE).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
    texts.into_iter().find_map(|text| {
        text.split(';').find_map(|pair| {
            let (name, value) = pair.split_once('=')?;
            (name.trim() == SESSION_COOKIE).then(|| value.trim().trim_matches('"').to_owned())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_read_leniently() {
        let cases =
            [("auth_tkt=abc", "abc"), ("a=b; auth_tkt=\"abc\"; Domain=.x.org; Path=/", "abc"), ("auth_tkt=", "")];
        for (text, expected) in cases {
            let headers = HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_static(text))]);
            assert_eq!(session_token(&headers).as_deref(), Some(expected), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_header_does_harm(
            bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..60),
            others in "([a-z]{1,4}=[a-z\"]{0,4}; ?){0,3}",
            wanted in "[0-9a-f]{1,64}",
        ) {
            if let Ok(value) = HeaderValue::from_bytes(&bytes) {
                let _ = session_token(&HeaderMap::from_iter([(header::COOKIE, value)]));
            }
            let value = HeaderValue::try_from(format!("{others}{SESSION_COOKIE}={wanted}")).unwrap();
            proptest::prop_assert_eq!(session_token(&HeaderMap::from_iter([(header::COOKIE, value)])), Some(wanted));
        }
    }
}
