//! Requests as they go over the wire.

use std::fmt::Write as _;

use serde_json::Value;

/// Who asks.
#[derive(Clone, Debug)]
pub(super) enum Credential {
    /// Nobody.
    None,
    /// A partner's program.
    Key(String),
    /// A user's session, as `name=value`.
    Cookie(String),
}

/// The bytes of a request.
pub(super) fn request(method: &str, path: &str, credential: &Credential, body: Option<&Value>) -> Vec<u8> {
    let mut head = format!("{method} {path} HTTP/1.1\r\nHost: kassa.test\r\nAccept: application/json\r\n");
    // Writing to a text never fails.
    let _ = match credential {
        Credential::None => Ok(()),
        Credential::Key(key) => write!(head, "Authorization: key {key}\r\n"),
        Credential::Cookie(cookie) => write!(head, "Cookie: {cookie}\r\n"),
    };
    let body = body.map(Value::to_string).unwrap_or_default();
    if !body.is_empty() {
        let _ = write!(head, "Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    }
    head.push_str("\r\n");
    head.push_str(&body);
    head.into_bytes()
}
