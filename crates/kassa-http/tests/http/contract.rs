//! Every answer that a test sees is held against the OpenAPI document: its operation, its status, its
//! headers and its body. So is the body of every request that was granted.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::Request;
use flate2::read::GzDecoder;
use http_body_util::BodyExt;
use jsonschema::Validator;
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tower::ServiceExt;

use crate::client::Answer;
use crate::harness::Shop;

static CONTRACTS: [OnceCell<Contract>; 2] = [OnceCell::const_new(), OnceCell::const_new()];
/// Where their documents are.
const DOCUMENTS: [&str; 2] = ["/openapi.json", "/v2/openapi.json"];

/// The OpenAPI document of a version, with what was seen of it.
pub(crate) struct Contract {
    pub(crate) document: Value,
    /// The same, in which no object has a field that it does not name: what the document leaves open
    /// for later versions does not happen in this one.
    closed: Value,
    validators: Mutex<HashMap<String, Arc<Validator>>>,
    seen: Mutex<BTreeSet<(String, String)>>,
}

impl Contract {
    /// That of version 1 in this process.
    pub(crate) async fn of(shop: &Shop) -> &'static Self {
        Self::at(shop, 0).await
    }

    /// Those of all versions.
    pub(crate) async fn all(shop: &Shop) -> [&'static Self; 2] {
        [Self::at(shop, 0).await, Self::at(shop, 1).await]
    }

    /// That of the version that a path is of.
    pub(crate) async fn for_path(shop: &Shop, path: &str) -> &'static Self {
        Self::at(shop, usize::from(path.trim_start_matches('/').starts_with("v2/"))).await
    }

    async fn at(shop: &Shop, version: usize) -> &'static Self {
        let read = || async {
            let request = Request::get(DOCUMENTS[version]).body(Body::empty()).unwrap();
            let response = shop.service.clone().oneshot(request).await.unwrap();
            let bytes = response.into_body().collect().await.unwrap().to_bytes();
            let document: Value = serde_json::from_slice(&bytes).unwrap();
            let mut closed = document.clone();
            close(&mut closed["components"]["schemas"]);
            Self { document, closed, validators: Mutex::default(), seen: Mutex::default() }
        };
        CONTRACTS[version].get_or_init(read).await
    }

    /// Holds the answer to a request with this body against the document.
    pub(crate) fn hold(&self, method: &str, path: &str, body: &[u8], answer: &Answer) -> Result<(), String> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let Some(operation) = self.operation(method, path) else { return Ok(()) };
        let id = operation["operationId"].as_str().unwrap();
        let (status, response) =
            self.response(operation, answer.status).ok_or_else(|| format!("{id} has no such status"))?;
        self.seen.lock().unwrap().insert((id.to_owned(), status));
        for (name, header) in response["headers"].as_object().into_iter().flatten() {
            if self.resolved(header)["required"] == true && !answer.headers.contains_key(name) {
                return Err(format!("the header {name} is missing"));
            }
        }
        if answer.status == 304 {
            return if answer.bytes.is_empty() { Ok(()) } else { Err("304 has no body".to_owned()) };
        }
        let content_type = answer.header("content-type").split(';').next().unwrap_or_default();
        let media = response["content"].get(content_type).ok_or_else(|| format!("no body is {content_type:?}"))?;
        let is_granted = answer.status < 300;
        // With a schema of fields, only a part is shown.
        if content_type == "application/json" && (!is_granted || !query.contains("fields")) {
            self.validate(&media["schema"], &self.closed, &unpacked(answer))?;
        }
        match operation["requestBody"]["content"].get("application/json") {
            // What could be said in the query, too, is not in a body that is missing.
            Some(media) if is_granted && !body.is_empty() => self
                .validate(&media["schema"], &self.document, body)
                .map_err(|problem| format!("{} was granted, though {problem}", text(body))),
            Some(_) | None => Ok(()),
        }
    }

    /// Method, path and operation of everything that the document describes.
    pub(crate) fn operations(&self) -> impl Iterator<Item = (&str, &str, &Value)> {
        let paths = self.document["paths"].as_object().unwrap().iter();
        paths.flat_map(|(path, operations)| {
            let operations = operations.as_object().unwrap().iter();
            operations.map(move |(method, operation)| (method.as_str(), path.as_str(), operation))
        })
    }

    /// The described operation of a request; none for what lies outside the document.
    fn operation(&self, method: &str, path: &str) -> Option<&Value> {
        let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        let fits = |wanted: &str, segment: &str| match wanted.split_once('}') {
            Some((_, ending)) => segment.ends_with(ending),
            None => segment == wanted,
        };
        let names = |template: &str| {
            let wanted: Vec<&str> = template.split('/').filter(|segment| !segment.is_empty()).collect();
            wanted.len() == segments.len()
                && wanted.iter().zip(&segments).all(|(wanted, segment)| fits(wanted, segment))
        };
        let paths = self.document["paths"].as_object().unwrap().iter();
        // A path that is written out goes before one with names; of a path and the same with an ending, the longer one
        // is meant.
        let fitting = paths.filter(|(path, _)| names(path));
        let (_, operations) = fitting.max_by_key(|(path, _)| (!path.contains('{'), path.len()))?;
        operations.get(method.to_ascii_lowercase())
    }

    fn response<'a>(&'a self, operation: &'a Value, status: u16) -> Option<(String, &'a Value)> {
        let status = if status >= 500 { "5XX".to_owned() } else { status.to_string() };
        let response = operation["responses"].get(&status)?;
        Some((status, self.resolved(response)))
    }

    pub(crate) fn resolved<'a>(&'a self, part: &'a Value) -> &'a Value {
        let Some(to) = part.get("$ref") else { return part };
        self.document.pointer(to.as_str().unwrap().strip_prefix('#').unwrap()).unwrap()
    }

    fn validate(&self, schema: &Value, document: &Value, body: &[u8]) -> Result<(), String> {
        let body: Value = serde_json::from_slice(body).map_err(|error| error.to_string())?;
        let key = format!("{schema} {}", std::ptr::from_ref(document).addr());
        let mut validators = self.validators.lock().unwrap();
        let build = || Arc::new(validator(schema, document));
        let validator = Arc::clone(validators.entry(key).or_insert_with(build));
        drop(validators);
        validator.validate(&body).map_err(|error| format!("{}: {error}", error.instance_path()))
    }

    /// The operations and statuses that were seen in this process.
    pub(crate) fn seen(&self) -> BTreeSet<(String, String)> {
        self.seen.lock().unwrap().clone()
    }
}

/// A validator of one schema of the document.
pub(crate) fn validator(schema: &Value, document: &Value) -> Validator {
    let mut root = json!({"components": {"schemas": document["components"]["schemas"]}});
    root.as_object_mut().unwrap().extend(schema.as_object().unwrap().clone());
    jsonschema::options().should_validate_formats(true).build(&root).unwrap()
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.contains_key("properties") && !fields.contains_key("additionalProperties") {
                fields.insert("additionalProperties".to_owned(), false.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn unpacked(answer: &Answer) -> Cow<'_, [u8]> {
    if answer.header("content-encoding") != "gzip" {
        return (&answer.bytes).into();
    }
    let mut plain = Vec::new();
    GzDecoder::new(answer.bytes.as_slice()).read_to_end(&mut plain).unwrap();
    plain.into()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().take(1_000).collect()
}
