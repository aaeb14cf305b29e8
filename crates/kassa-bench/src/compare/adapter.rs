//! Adapters: how another server is asked for the same, as a file says it (`bench/README.md`, "Adapters").

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::placeholders::PlaceholderValues;
use crate::connection::HttpResponse;
use crate::error::BenchError;
use crate::request::encode_request;

/// The adapter to our own server.
pub(super) const KASSA_ADAPTER: &str = include_str!("../../../../bench/adapters/kassa.json");
/// Tickets of a sale that is not to sell out.
const TICKETS_DEFAULT: u32 = 500_000;

/// A server's order endpoint, and the way to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Adapter {
    /// What the server is called in the table.
    pub(super) name: String,
    /// Values of the environment: placeholder by placeholder the name of the variable.
    #[serde(default)]
    pub(super) environment: BTreeMap<String, String>,
    /// Asked once, before anything is sold.
    #[serde(default)]
    pub(super) setup: Vec<RequestTemplate>,
    /// Asked for each sale: puts `{tickets}` tickets on sale.
    #[serde(default)]
    pub(super) sale: Vec<RequestTemplate>,
    /// Asked by all buyers, again and again.
    pub(super) order: RequestTemplate,
    /// The tickets of an order.
    #[serde(default = "one")]
    pub(super) tickets_per_order: u32,
    /// How many tickets are put on sale where they are not to sell out.
    #[serde(default = "plenty")]
    pub(super) tickets: u32,
    /// The answer to an order that has got its tickets; any success if it is not said.
    #[serde(default)]
    pub(super) accepted: ResponsePattern,
    /// The answer to an order that came too late; it is looked for before the other. A server that never
    /// says so sells no contested tickets.
    pub(super) sold_out: Option<ResponsePattern>,
}

/// A request with placeholders.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestTemplate {
    method: String,
    path: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// A body of JSON.
    json: Option<Value>,
    /// Any other body; its headers say what it is.
    text: Option<String>,
    /// What must come; any success if it is not said.
    #[serde(default)]
    pub(super) expect: ResponsePattern,
    /// Values of the answer: placeholder by placeholder a JSON pointer, or `cookie`.
    #[serde(default)]
    pub(super) take: BTreeMap<String, String>,
    /// Asked again until the answer has these values: by JSON pointers.
    #[serde(default)]
    pub(super) until: BTreeMap<String, Value>,
}

/// By what an answer is known.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResponsePattern {
    /// Its status; any success if it is not said.
    status: Option<u16>,
    /// What its body has somewhere.
    contains: Option<String>,
}

fn one() -> u32 {
    1
}

fn plenty() -> u32 {
    TICKETS_DEFAULT
}

impl Adapter {
    /// Reads one, and takes the values of its variables.
    pub(super) fn read(text: &str) -> Result<(Self, PlaceholderValues), BenchError> {
        let adapter: Self = serde_json::from_str(text)?;
        if adapter.tickets_per_order == 0 {
            return Err("tickets_per_order must be at least 1".into());
        }
        let mut values = PlaceholderValues::default();
        for (placeholder, variable) in &adapter.environment {
            let value = std::env::var(variable).map_err(|error| format!("{variable}: {error}"))?;
            values.set(placeholder, value);
        }
        Ok((adapter, values))
    }
}

impl RequestTemplate {
    /// The bytes that go to a host. `below` is what all paths begin with.
    pub(super) fn render(&self, host: &str, below: &str, values: &PlaceholderValues) -> Result<Vec<u8>, BenchError> {
        let body = match (&self.json, &self.text) {
            (Some(json), None) => values.fill_json(json)?.to_string(),
            (None, Some(text)) => values.fill(text)?,
            (None, None) => String::new(),
            (Some(_), Some(_)) => return Err(format!("{}: a body is json or text", self.path).into()),
        };
        let mut headers = vec![("Host".to_owned(), host.to_owned())];
        if self.json.is_some() {
            headers.push(("Content-Type".to_owned(), "application/json".to_owned()));
        }
        for (name, value) in &self.headers {
            headers.push((name.clone(), values.fill(value)?));
        }
        let path = format!("{below}{}", values.fill(&self.path)?);
        let headers = headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Ok(encode_request(&self.method, &path, headers, &body))
    }
}

impl ResponsePattern {
    /// Whether an answer bears it.
    pub(super) fn matches(&self, answer: &HttpResponse<'_>) -> bool {
        let status = self.status.map_or((200..300).contains(&answer.status), |status| status == answer.status);
        status && self.contains.as_ref().is_none_or(|text| body_contains(answer.body, text.as_bytes()))
    }
}

fn body_contains(body: &[u8], text: &[u8]) -> bool {
    text.is_empty() || body.windows(text.len()).any(|window| window == text)
}

#[cfg(test)]
mod tests {
    use super::{Adapter, KASSA_ADAPTER, ResponsePattern};
    use crate::connection::HttpResponse;

    fn marked(mark: &str, status: u16, body: &str) -> bool {
        let mark: ResponsePattern = serde_json::from_str(mark).unwrap();
        mark.matches(&HttpResponse { status, total: None, cookie: None, body: body.as_bytes() })
    }

    #[test]
    fn an_answer_is_known_by_its_status_and_by_what_it_says() {
        assert!(marked("{}", 204, "") && !marked("{}", 409, ""));
        assert!(marked(r#"{"status": 409}"#, 409, "sold out") && !marked(r#"{"status": 409}"#, 200, ""));
        let says = r#"{"contains": "\"got\":0"}"#;
        assert!(marked(says, 201, r#"{"got":0}"#) && !marked(says, 201, r#"{"got":2}"#));
        assert!(!marked(says, 400, r#"{"got":0}"#), "a refusal is not of success");
    }

    #[test]
    fn our_own_adapter_is_one() {
        let (adapter, _) = Adapter::read(KASSA_ADAPTER).unwrap();
        assert_eq!((adapter.name.as_str(), adapter.sold_out.is_some()), ("Kassa", true));
    }

    #[test]
    fn what_no_adapter_says_is_refused() {
        let order = r#""order": {"method": "POST", "path": "/orders"}"#;
        assert!(Adapter::read(&format!(r#"{{"name": "other", {order}}}"#)).is_ok());
        for wrong in [r#""sale_out": {}"#, r#""tickets_per_order": 0"#, r#""environment": {"key": "NOT_SET_ANYWHERE"}"#]
        {
            assert!(Adapter::read(&format!(r#"{{"name": "other", {order}, {wrong}}}"#)).is_err(), "{wrong}");
        }
    }
}
