//! The works that are measured, one file each.

mod availability;
mod big_database;
mod changes;
mod console;
mod crowds;
mod delayed;
mod orders;
mod pages;
mod postgres;
mod postgres_reads;
mod purchases;
mod reads;
mod seats;
mod selection;
mod spread;

use std::iter;
use std::net::SocketAddr;

use crate::api_client::ApiClient;
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::load::{self, LoadPace, LoadResult};
use crate::request::{Credential, kassa_request};
use crate::scripts::RepeatScript;

pub(crate) use selection::measure;

/// Requests that the echo is asked in turn, each with what it answers.
struct EchoBaseline {
    requests: Vec<Vec<u8>>,
}

impl EchoBaseline {
    /// Teaches the echo what the server answered to the same request.
    async fn prepare(bench: &BenchContext, exchanges: &[RecordedExchange]) -> Result<Self, BenchError> {
        let mut requests = Vec::new();
        let mut echo = ApiClient::open(bench.echo.address, Credential::None).await?;
        for exchange in exchanges {
            echo.set_echo_response(&exchange.path, &exchange.answer).await?;
            requests.push(kassa_request(exchange.method, &exchange.path, &exchange.credential, exchange.body.as_ref()));
        }
        Ok(Self { requests })
    }

    /// Asks it over as many connections as the server is asked.
    async fn measure(&self, bench: &BenchContext, pace: LoadPace) -> Result<LoadResult, BenchError> {
        let scripts = iter::repeat_n(RepeatScript::new(self.requests.clone()), bench.connections).collect();
        Ok(load::run_load(bench.echo.address, scripts, pace, bench.duration).await?.0)
    }
}

/// A request and its answer.
struct RecordedExchange {
    method: &'static str,
    path: String,
    credential: Credential,
    body: Option<serde_json::Value>,
    answer: Vec<u8>,
}

impl RecordedExchange {
    /// Asks the server once.
    async fn record(
        bench: &BenchContext,
        method: &'static str,
        path: &str,
        credential: &Credential,
        body: Option<serde_json::Value>,
    ) -> Result<Self, BenchError> {
        Self::record_at(bench.resolve_address(), method, path, credential, body).await
    }

    /// Asks a server once.
    async fn record_at(
        address: SocketAddr,
        method: &'static str,
        path: &str,
        credential: &Credential,
        body: Option<serde_json::Value>,
    ) -> Result<Self, BenchError> {
        let mut api = ApiClient::open(address, credential.clone()).await?;
        let answer = api.send(method, path, body.as_ref()).await?.body.to_vec();
        Ok(Self { method, path: path.to_owned(), credential: credential.clone(), body, answer })
    }
}
