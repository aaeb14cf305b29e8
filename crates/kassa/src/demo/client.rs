//! The HTTP interface, asked in process: the same requests as over a socket.

use kassa_http::AppState;
use kassa_http::in_process::{InProcessClient, Request, Response};
use serde_json::{Value, json};

use crate::error::Fatal;

/// Somebody who sends requests.
#[derive(Clone)]
pub(super) struct DemoClient {
    service: InProcessClient,
    credential: Option<(&'static str, String)>,
}

impl DemoClient {
    /// Somebody without a credential.
    pub(super) fn new(app: AppState) -> Self {
        Self { service: InProcessClient::new(app), credential: None }
    }

    /// Somebody with an API key of a partner.
    pub(super) fn with_key(&self, key: &str) -> Self {
        Self { credential: Some(("authorization", format!("key {key}"))), ..self.clone() }
    }

    /// Somebody with the session of a user.
    pub(super) async fn log_in(&self, email: &str, password: &str) -> Result<Self, Fatal> {
        let body = json!({"email": email, "password": password});
        let answer = self.send("POST", "/v1/services/whoami", "application/json", body.to_string().into()).await?;
        let cookie = answer.headers().get("set-cookie").ok_or("a log-in has set no cookie")?.to_str()?;
        let session = cookie.split(';').next().unwrap_or(cookie).to_owned();
        Ok(Self { credential: Some(("cookie", session)), ..self.clone() })
    }

    pub(super) async fn get(&self, path: &str) -> Result<Value, Fatal> {
        let answer = self.send("GET", path, "application/json", Vec::new()).await?;
        Ok(serde_json::from_slice(answer.body())?)
    }

    pub(super) async fn post(&self, path: &str, body: Value) -> Result<Value, Fatal> {
        let answer = self.send("POST", path, "application/json", body.to_string().into()).await?;
        Ok(serde_json::from_slice(answer.body())?)
    }

    pub(super) async fn patch(&self, path: &str, body: Value) -> Result<Value, Fatal> {
        let answer = self.send("PATCH", path, "application/json", body.to_string().into()).await?;
        Ok(serde_json::from_slice(answer.body())?)
    }

    /// Uploads a file: the attachment.
    pub(super) async fn upload(&self, content_type: &str, file: Vec<u8>) -> Result<Value, Fatal> {
        let answer = self.send("POST", "/v1/resources/attachments", content_type, file).await?;
        Ok(serde_json::from_slice(answer.body())?)
    }

    /// A request that must succeed.
    async fn send(
        &self,
        method: &str,
        path: &str,
        content_type: &str,
        body: Vec<u8>,
    ) -> Result<Response<Vec<u8>>, Fatal> {
        let mut request = Request::builder().method(method).uri(path).header("content-type", content_type);
        if let Some((name, value)) = &self.credential {
            request = request.header(*name, value);
        }
        let answer = self.service.call(request.body(body)?).await?;
        if answer.status().is_success() {
            return Ok(answer);
        }
        let reason = String::from_utf8_lossy(answer.body());
        Err(format!("the demo could not be prepared: {method} {path}: {}: {reason}", answer.status()).into())
    }
}

/// A text of an answer.
pub(super) fn text_field(answer: &Value, field: &str) -> Result<String, Fatal> {
    let text = answer[field].as_str().ok_or_else(|| format!("an answer has no {field}: {answer}"))?;
    Ok(text.to_owned())
}
