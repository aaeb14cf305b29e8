//! Requests as they go over the wire.

use std::fmt::Write as _;

use serde_json::Value;

/// Who asks.
#[derive(Clone, Debug)]
pub(crate) enum Credential {
    /// Nobody.
    None,
    /// A partner's program.
    Key(String),
    /// A user's session, as `name=value`.
    Cookie(String),
}

/// The bytes of a request to one of our servers.
pub(crate) fn kassa_request(method: &str, path: &str, credential: &Credential, body: Option<&Value>) -> Vec<u8> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let credential = match credential {
        Credential::None => None,
        Credential::Key(key) => Some(("Authorization", format!("key {key}"))),
        Credential::Cookie(cookie) => Some(("Cookie", cookie.clone())),
    };
    let content = (!body.is_empty()).then(|| ("Content-Type", "application/json".to_owned()));
    let headers = [("Host", "kassa.test".to_owned()), ("Accept", "application/json".to_owned())];
    let headers = headers.iter().chain(&credential).chain(&content);
    encode_request(method, path, headers.map(|(name, value)| (*name, value.as_str())), &body)
}

/// The bytes of any request.
pub(crate) fn encode_request<'a>(
    method: &str,
    path: &str,
    headers: impl IntoIterator<Item = (&'a str, &'a str)>,
    body: &str,
) -> Vec<u8> {
    let mut head = format!("{method} {path} HTTP/1.1\r\n");
    // Writing to a text never fails.
    for (name, value) in headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    if !body.is_empty() {
        let _ = write!(head, "Content-Length: {}\r\n", body.len());
    }
    head.push_str("\r\n");
    head.push_str(body);
    head.into_bytes()
}
