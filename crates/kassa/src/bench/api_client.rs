//! Somebody who uses the interface, one request after the other.

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::connection::{Connection, HttpResponse};
use super::request::{Credential, kassa_request};
use crate::installation::Fatal;

/// A connection, and who asks over it.
pub(super) struct ApiClient {
    connection: Connection,
    pub(super) credential: Credential,
}

impl ApiClient {
    pub(super) async fn open(address: SocketAddr, credential: Credential) -> Result<Self, Fatal> {
        Ok(Self { connection: Connection::open(address).await?, credential })
    }

    /// Makes a session of a user that has just been made.
    pub(super) async fn register(address: SocketAddr, email: &str) -> Result<Self, Fatal> {
        let mut api = Self::open(address, Credential::None).await?;
        let user = json!({"email": email, "password": "correct horse"});
        api.post("/v1/resources/users", &user).await?;
        let answer = api.send("POST", "/v1/services/whoami", Some(&user)).await?;
        let cookie = answer.cookie.ok_or("a log-in has set no cookie")?;
        api.credential = Credential::Cookie(cookie);
        Ok(api)
    }

    pub(super) async fn get(&mut self, path: &str) -> Result<Value, Fatal> {
        Ok(serde_json::from_slice(self.send("GET", path, None).await?.body)?)
    }

    pub(super) async fn post(&mut self, path: &str, body: &Value) -> Result<Value, Fatal> {
        Ok(serde_json::from_slice(self.send("POST", path, Some(body)).await?.body)?)
    }

    /// Tells the echo what to answer on a path.
    pub(super) async fn set_echo_response(&mut self, path: &str, answer: &[u8]) -> Result<(), Fatal> {
        let mut bytes = format!("PUT {path} HTTP/1.1\r\nHost: kassa.test\r\nContent-Length: {}\r\n\r\n", answer.len());
        bytes.push_str(std::str::from_utf8(answer)?);
        require_success(&self.connection.send(bytes.as_bytes()).await?)
    }

    /// A request that must succeed.
    pub(super) async fn send(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<HttpResponse<'_>, Fatal> {
        let answer = self.connection.send(&kassa_request(method, path, &self.credential, body)).await?;
        require_success(&answer).map_err(|error| format!("{method} {path}: {error}"))?;
        Ok(answer)
    }
}

/// Sees that an answer is of success.
pub(super) fn require_success(answer: &HttpResponse<'_>) -> Result<(), Fatal> {
    if (200..300).contains(&answer.status) {
        return Ok(());
    }
    Err(format!("{}: {}", answer.status, String::from_utf8_lossy(answer.body)).into())
}

/// The id in an answer.
pub(super) fn response_id(answer: &Value) -> Result<String, Fatal> {
    Ok(answer["id"].as_str().ok_or("an answer has no id")?.to_owned())
}
