//! Requests as clients send them, answers as they see them, and their shape without what differs
//! from run to run.

use std::net::IpAddr;

use axum::body::{Body, Bytes};
use axum::http::request::Builder;
use axum::http::{HeaderMap, Method, Request, header};
use http_body_util::BodyExt;
use kassa_domain::ticket::with_check_digit;
use kassa_http::{ApiService, PeerAddress};
use serde_json::{Map, Value};
use tower::ServiceExt;

use crate::contract::{Contract, text};
use crate::harness::Shop;

/// Somebody who sends requests, always with the same headers.
#[derive(Clone)]
pub(crate) struct Client {
    shop: Shop,
    headers: Vec<(&'static str, String)>,
    peer: Option<IpAddr>,
}

impl Client {
    pub(crate) fn new(shop: Shop) -> Self {
        Self { shop, headers: Vec::new(), peer: None }
    }

    /// The same with a header.
    pub(crate) fn with(&self, name: &'static str, value: impl Into<String>) -> Self {
        let mut client = self.clone();
        client.headers.push((name, value.into()));
        client
    }

    pub(crate) fn with_key(&self, token: &str) -> Self {
        self.with("authorization", format!("key {token}"))
    }

    pub(crate) fn with_cookie(&self, token: &str) -> Self {
        self.with("cookie", format!("auth_tkt={token}"))
    }

    pub(crate) fn for_partner(&self, partner: &str) -> Self {
        self.with("x-partner", partner)
    }

    /// The same from this address. Others are asked by the program itself.
    pub(crate) fn at_address(&self, address: &str) -> Self {
        Self { peer: Some(address.parse().unwrap()), ..self.clone() }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None, Vec::new()).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, None, Vec::new()).await
    }

    /// A removal that needs a body.
    pub(crate) async fn delete_with(&self, path: &str, body: Value) -> Answer {
        self.json("DELETE", path, &body).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.json("POST", path, &body).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Answer {
        self.json("PUT", path, &body).await
    }

    pub(crate) async fn patch(&self, path: &str, body: Value) -> Answer {
        self.json("PATCH", path, &body).await
    }

    pub(crate) async fn json(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.send(method, path, Some("application/json"), body.to_string().into_bytes()).await
    }

    /// What all requests to a path have in common.
    pub(crate) fn request(&self, method: &str, path: &str) -> Builder {
        let mut request = Request::builder().method(Method::from_bytes(method.as_bytes()).unwrap()).uri(path);
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        request
    }

    /// Where it comes from; `None` for the program itself.
    pub(crate) fn peer(&self) -> Option<PeerAddress> {
        self.peer.map(PeerAddress)
    }

    pub(crate) fn service(&self) -> ApiService {
        self.shop.service.clone()
    }

    /// Paths that do not begin with a slash are below `/v1/resources`.
    pub(crate) async fn send(&self, method: &str, path: &str, content_type: Option<&str>, body: Vec<u8>) -> Answer {
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/v1/resources/{path}") };
        let mut request = self.request(method, &path);
        if let Some(content_type) = content_type {
            request = request.header(header::CONTENT_TYPE, content_type);
        }
        let sent = Bytes::from(body);
        let mut request = request.body(Body::from(sent.clone())).unwrap();
        if let Some(peer) = self.peer {
            request.extensions_mut().insert(PeerAddress(peer));
        }
        let response = self.service().oneshot(request).await.unwrap();
        let (parts, mut body) = response.into_parts();
        let bytes = if parts.headers.get(header::CONTENT_TYPE).is_some_and(|is| is == "text/event-stream") {
            // It would go on.
            let first = body.frame().await.map(|frame| frame.unwrap().into_data().unwrap());
            first.unwrap_or_default().to_vec()
        } else {
            body.collect().await.unwrap().to_bytes().to_vec()
        };
        let has_texts = path.trim_start_matches('/').starts_with("v2/resources/");
        let answer = Answer { status: parts.status.as_u16(), headers: parts.headers, bytes, has_texts };
        answer.is_tame();
        let contract = Contract::for_path(&self.shop, &path).await;
        let held = contract.hold(method, &path, &sent, &answer);
        held.unwrap_or_else(|problem| panic!("{method} {path} {}: {problem}: {}", answer.status, text(&answer.bytes)));
        answer
    }
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
    /// Whether an error has texts, as those of resources in version 2 have.
    pub(crate) has_texts: bool,
}

impl Answer {
    /// Browsers take nothing in it for a page, and it leads nowhere else.
    #[track_caller]
    fn is_tame(&self) {
        let said = ["x-content-type-options", "x-frame-options", "referrer-policy"].map(|name| self.header(name));
        assert_eq!(said, ["nosniff", "DENY", "no-referrer"], "{self:?}");
        let policy = self.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; "), "{self:?}");
        assert!(!(300..400).contains(&self.status) || self.status == 304, "{self:?}");
        assert!(!self.headers.contains_key("location"), "{self:?}");
    }

    /// The value of a header; empty when it is not there.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body; every body is JSON and says so.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), "application/json; charset=UTF-8");
        let text = String::from_utf8_lossy(&self.bytes);
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error}: {text:?}"))
    }

    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        self.is(200)
    }

    #[track_caller]
    pub(crate) fn created(self) -> Value {
        self.is(201)
    }

    #[track_caller]
    fn is(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.bytes));
        self.json()
    }

    /// An error of the documented shape; its `details`.
    #[track_caller]
    pub(crate) fn refused(self, status: u16, code: &str) -> Value {
        let body = self.error();
        assert_eq!((self.status, body["code"].as_str()), (status, Some(code)), "{body}");
        body["details"].clone()
    }

    /// The texts of an error of version 2.
    #[track_caller]
    pub(crate) fn told(self, status: u16, code: &str) -> Vec<String> {
        let body = self.error();
        assert_eq!((self.status, body["code"].as_str()), (status, Some(code)), "{body}");
        body["errors"].as_array().unwrap().iter().map(crate::harness::text).collect()
    }

    /// An error of the documented shape, with texts or without.
    #[track_caller]
    pub(crate) fn refused_in_any_version(&self, status: u16, code: &str) {
        let body = self.error();
        assert_eq!((self.status, body["code"].as_str()), (status, Some(code)), "{body}");
    }

    /// An error of the documented shape, whichever.
    #[track_caller]
    pub(crate) fn error(&self) -> Value {
        let body = self.json();
        let class = match self.status {
            400 => "HTTPBadRequest",
            401 => "HTTPUnauthorized",
            403 => "HTTPForbidden",
            404 => "HTTPNotFound",
            405 => "HTTPMethodNotAllowed",
            409 => "HTTPConflict",
            410 => "HTTPGone",
            412 => "HTTPPreconditionFailed",
            413 => "HTTPRequestEntityTooLarge",
            415 => "HTTPUnsupportedMediaType",
            422 => "HTTPUnprocessableEntity",
            429 => "HTTPTooManyRequests",
            503 => "HTTPServiceUnavailable",
            other => panic!("{other} is no documented error: {body}"),
        };
        let keys: Vec<&String> = body.as_object().unwrap().keys().collect();
        let texts = self.has_texts.then_some("errors");
        let expected: Vec<&str> = ["code", "details", "error"].into_iter().chain(texts).chain(["reason"]).collect();
        assert_eq!(keys, expected, "{body}");
        if self.has_texts {
            let texts = body["errors"].as_array().unwrap();
            assert!(!texts.is_empty() && texts.iter().all(|text| !text.as_str().unwrap().is_empty()), "{body}");
        }
        assert_eq!(body["error"], class, "{body}");
        assert!(body["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{body}");
        let code = body["code"].as_str().unwrap_or_default();
        assert!(!code.is_empty() && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{body}");
        for detail in body["details"].as_array().unwrap() {
            let keys: Vec<&String> = detail.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["field", "problem"], "{body}");
        }
        body
    }

    /// The token of the session cookie that it sets.
    #[track_caller]
    pub(crate) fn session_token(&self) -> String {
        let cookie = self.header("set-cookie");
        let token = cookie.strip_prefix("auth_tkt=").and_then(|rest| rest.split(';').next());
        token.unwrap_or_else(|| panic!("no session: {self:?}")).to_owned()
    }

    /// How many things its list has in all.
    #[track_caller]
    pub(crate) fn total(&self) -> usize {
        self.header("total").parse().unwrap()
    }
}

/// The ids of a list.
#[track_caller]
pub(crate) fn ids(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

/// The JSON with what differs from run to run replaced, once it is found to have its form. Times
/// stay: the clock stands.
pub(crate) fn shape(value: &Value) -> String {
    serde_json::to_string_pretty(&redacted("", value)).unwrap()
}

fn redacted(name: &str, value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| {
                let value = redacted(key, value);
                (if is_id(key) { "[id]".to_owned() } else { key.clone() }, value)
            };
            Value::Object(fields.iter().map(field).collect::<Map<String, Value>>())
        }
        Value::Array(items) => Value::Array(items.iter().map(|item| redacted(name, item)).collect()),
        Value::String(text) => redacted_text(name, text).into(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn redacted_text(name: &str, text: &str) -> String {
    if name == "serial" {
        assert!(text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()), "{text}");
        return "[serial]".to_owned();
    }
    if name == "barcode" {
        assert!(text.len() == 16 && with_check_digit(&text[..15]) == text, "{text}");
        return "[barcode]".to_owned();
    }
    if name == "key" {
        assert!(text.len() == 32 && is_hex(text), "{text}");
        return "[key]".to_owned();
    }
    if is_id(text) { "[id]".to_owned() } else { text.to_owned() }
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// 24 hexadecimal digits, whose first eight are a second of 2026.
fn is_id(text: &str) -> bool {
    let second = text.get(..8).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    text.len() == 24 && is_hex(text) && second.is_some_and(|second| (1_767_225_600..1_798_761_600).contains(&second))
}
