//! Somebody who uses the interface, one request after the other.

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::connection::{Connection, HttpResponse};
use crate::error::BenchError;
use crate::request::{Credential, kassa_request};

/// The password of everybody.
const PASSWORD: &str = "correct horse";

/// A connection, and who asks over it.
pub(crate) struct ApiClient {
    connection: Connection,
    pub(crate) credential: Credential,
}

impl ApiClient {
    pub(crate) async fn open(address: SocketAddr, credential: Credential) -> Result<Self, BenchError> {
        Ok(Self { connection: Connection::open(address).await?, credential })
    }

    /// Makes a session of a user that has just been made.
    pub(crate) async fn register(address: SocketAddr, email: &str) -> Result<Self, BenchError> {
        let mut api = Self::open(address, Credential::None).await?;
        api.post("/v1/resources/users", &json!({"email": email, "password": PASSWORD})).await?;
        Self::log_in(address, email).await
    }

    /// Makes a session of a user that was made by [`ApiClient::register`] before.
    pub(crate) async fn log_in(address: SocketAddr, email: &str) -> Result<Self, BenchError> {
        let mut api = Self::open(address, Credential::None).await?;
        let user = json!({"email": email, "password": PASSWORD});
        let answer = api.send("POST", "/v1/services/whoami", Some(&user)).await?;
        let cookie = answer.cookie.ok_or("a log-in has set no cookie")?;
        api.credential = Credential::Cookie(cookie);
        Ok(api)
    }

    pub(crate) async fn get(&mut self, path: &str) -> Result<Value, BenchError> {
        Ok(serde_json::from_slice(self.send("GET", path, None).await?.body)?)
    }

    pub(crate) async fn post(&mut self, path: &str, body: &Value) -> Result<Value, BenchError> {
        Ok(serde_json::from_slice(self.send("POST", path, Some(body)).await?.body)?)
    }

    /// Tells the echo what to answer on a path.
    pub(crate) async fn set_echo_response(&mut self, path: &str, answer: &[u8]) -> Result<(), BenchError> {
        let mut bytes = format!("PUT {path} HTTP/1.1\r\nHost: kassa.test\r\nContent-Length: {}\r\n\r\n", answer.len());
        bytes.push_str(std::str::from_utf8(answer)?);
        require_success(&self.connection.send(bytes.as_bytes()).await?)
    }

    /// A request that must succeed.
    pub(crate) async fn send(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<HttpResponse<'_>, BenchError> {
        let answer = self.connection.send(&kassa_request(method, path, &self.credential, body)).await?;
        require_success(&answer).map_err(|error| format!("{method} {path}: {error}"))?;
        Ok(answer)
    }
}

/// Sees that an answer is of success.
pub(crate) fn require_success(answer: &HttpResponse<'_>) -> Result<(), BenchError> {
    if (200..300).contains(&answer.status) {
        return Ok(());
    }
    Err(format!("{}: {}", answer.status, String::from_utf8_lossy(answer.body)).into())
}

/// The id in an answer.
pub(crate) fn response_id(answer: &Value) -> Result<String, BenchError> {
    Ok(answer["id"].as_str().ok_or("an answer has no id")?.to_owned())
}
