//! The works that are measured, one file each.

pub(super) mod growth;
pub(super) mod orders;
pub(super) mod postgres;
pub(super) mod purchases;
pub(super) mod reads;
pub(super) mod seats;

use std::iter;

use super::Bench;
use super::api::Api;
use super::load::{self, Measured, Pace};
use super::request::{Credential, request};
use super::script::Again;
use crate::installation::Fatal;

/// Requests that the echo is asked in turn, each with what it answers.
struct Echoed {
    requests: Vec<Vec<u8>>,
}

impl Echoed {
    /// Teaches the echo what the server answered to the same request.
    async fn learn(bench: &Bench, exchanges: &[Exchange]) -> Result<Self, Fatal> {
        let mut requests = Vec::new();
        let mut echo = Api::open(bench.echo.address, Credential::None).await?;
        for exchange in exchanges {
            echo.teach(&exchange.path, &exchange.answer).await?;
            requests.push(request(exchange.method, &exchange.path, &exchange.credential, exchange.body.as_ref()));
        }
        Ok(Self { requests })
    }

    /// Asks it over as many connections as the server is asked.
    async fn measure(&self, bench: &Bench, pace: Pace) -> Result<Measured, Fatal> {
        let scripts = iter::repeat_n(Again::new(self.requests.clone()), bench.connections).collect();
        Ok(load::run(bench.echo.address, scripts, pace, bench.duration).await?.0)
    }
}

/// A request and its answer.
struct Exchange {
    method: &'static str,
    path: String,
    credential: Credential,
    body: Option<serde_json::Value>,
    answer: Vec<u8>,
}

impl Exchange {
    /// Asks the server once.
    async fn with(
        bench: &Bench,
        method: &'static str,
        path: &str,
        credential: &Credential,
        body: Option<serde_json::Value>,
    ) -> Result<Self, Fatal> {
        let mut api = Api::open(bench.address(), credential.clone()).await?;
        let answer = api.send(method, path, body.as_ref()).await?.body.to_vec();
        Ok(Self { method, path: path.to_owned(), credential: credential.clone(), body, answer })
    }
}
