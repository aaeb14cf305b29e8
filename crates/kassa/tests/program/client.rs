//! A client: one connection, kept alive.

use serde_json::Value;
use ureq::Agent;
use ureq::http::{HeaderMap, Method, Request};

use crate::waiting::WAIT_TIMEOUT;

/// A caller of a server, one request at a time.
#[derive(Clone)]
pub(crate) struct Client {
    agent: Agent,
    url: String,
    credential: Option<(&'static str, String)>,
    /// The idempotency key of its requests.
    idempotency_key: Option<String>,
}

/// An answer of the server, of whatever status.
#[derive(Debug)]
pub(crate) struct HttpResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Client {
    /// Somebody without a credential.
    pub(crate) fn anonymous(url: &str) -> Self {
        let config = Agent::config_builder().http_status_as_error(false).timeout_global(Some(WAIT_TIMEOUT)).proxy(None);
        Self { agent: config.build().into(), url: url.to_owned(), credential: None, idempotency_key: None }
    }

    /// Somebody with an API key.
    pub(crate) fn with_key(url: &str, key: &str) -> Self {
        Self { credential: Some(("Authorization", format!("key {key}"))), ..Self::anonymous(url) }
    }

    /// Somebody with the link of an order.
    pub(crate) fn with_link(url: &str, token: &str) -> Self {
        Self { credential: Some(("Authorization", format!("order {token}"))), ..Self::anonymous(url) }
    }

    /// Somebody with the cookie that an answer to a log-in has set.
    #[track_caller]
    pub(crate) fn with_cookie_of(url: &str, answer: &HttpResponse) -> Self {
        let cookie = answer.headers.get("set-cookie").unwrap().to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        Self { credential: Some(("Cookie", cookie)), ..Self::anonymous(url) }
    }

    /// The same caller, who gives an idempotency key.
    pub(crate) fn with_idempotency_key(&self, key: &str) -> Self {
        Self { idempotency_key: Some(key.to_owned()), ..self.clone() }
    }

    /// A request and its answer, or why there was none.
    pub(crate) fn send(&self, method: &Method, path: &str, body: Option<&Value>) -> Result<HttpResponse, ureq::Error> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.url));
        if let Some((name, value)) = &self.credential {
            request = request.header(*name, value);
        }
        if let Some(key) = &self.idempotency_key {
            request = request.header("Idempotency-Key", key);
        }
        let mut response = match body {
            Some(body) => self.agent.run(request.header("Content-Type", "application/json").body(body.to_string())?)?,
            None => self.agent.run(request.body(())?)?,
        };
        let text = String::from_utf8_lossy(&response.body_mut().read_to_vec()?).into_owned();
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Ok(HttpResponse { status: response.status().as_u16(), headers: response.headers().clone(), body })
    }

    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> HttpResponse {
        self.send(&Method::GET, path, None).unwrap()
    }

    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: &Value) -> HttpResponse {
        self.send(&Method::POST, path, Some(body)).unwrap()
    }

    #[track_caller]
    pub(crate) fn patch(&self, path: &str, body: &Value) -> HttpResponse {
        self.send(&Method::PATCH, path, Some(body)).unwrap()
    }
}

impl HttpResponse {
    /// The body of a success.
    #[track_caller]
    pub(crate) fn success_body(self) -> Value {
        assert!((200..300).contains(&self.status), "{self:?}");
        self.body
    }

    /// The id in the body of a success.
    #[track_caller]
    pub(crate) fn success_id(self) -> String {
        text(&self.success_body()["id"])
    }
}

/// A text of JSON.
#[track_caller]
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// The items of a list in JSON.
#[track_caller]
pub(crate) fn items(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}
