//! The operators' listener: whether the server lives and can work, what it counts of itself, and whether its books agree.

use std::fs;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use kassa_domain::Needs;
use kassa_domain::node::FactName;
use kassa_engine::metrics::Text;
use kassa_engine::verify::{Pace, Verified};
use serde_json::json;

use crate::answer::JSON;
use crate::app::App;
use crate::error;

/// How Prometheus calls its text.
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";
/// How much of the time all is read, in percent: sales go first.
const SHARE: u32 = 25;

/// `/healthz`: the process answers. `/readyz`: the database does, too, and every lane can write. `/metrics`: for
/// Prometheus. `/verify`: counts all again, as `kassa verify` does.
pub fn service(app: App) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/verify", get(verify))
        .fallback(error::no_such_path)
        .method_not_allowed_fallback(error::no_such_method)
        .with_state(app)
}

async fn ready(State(app): State<App>) -> (StatusCode, &'static str) {
    let needs = Needs { facts: vec![FactName::SecretFingerprint], ..Needs::default() };
    match app.engine.view(&needs).await {
        Ok(_) if app.engine.can_write() => (StatusCode::OK, "ok\n"),
        Ok(_) => (StatusCode::SERVICE_UNAVAILABLE, "a lane cannot write now\n"),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the database is not available\n"),
    }
}

async fn metrics(State(app): State<App>) -> impl IntoResponse {
    let mut text = Text::default();
    app.engine.write_metrics(&mut text);
    if let Some(requests) = app.requests.get() {
        requests.write(&mut text);
    }
    if let Some(bytes) = resident_bytes() {
        text.gauge("process_resident_memory_bytes", "Memory of the process that is not swapped out.");
        text.sample("process_resident_memory_bytes", &[], bytes);
    }
    ([(header::CONTENT_TYPE, METRICS)], text.finish())
}

/// As Linux says it.
fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().strip_suffix("kB")?;
    kib.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

/// 200 where all agrees, 500 and what does not; 503 where that could not be found out, and while it is done already. It
/// ends with the connection, also where the client closes only its own side of that.
async fn verify(State(app): State<App>) -> Response {
    let told = |status: StatusCode, text: &'static str| (status, text).into_response();
    match app.engine.verify(Pace::percent(SHARE)).await {
        Ok(Some(verified)) => shown(&verified),
        Ok(None) => told(StatusCode::SERVICE_UNAVAILABLE, "it is being done already\n"),
        Err(_) => told(StatusCode::SERVICE_UNAVAILABLE, "the database is not available\n"),
    }
}

fn shown(verified: &Verified) -> Response {
    let Verified { rows, events, unsettled, findings } = verified;
    let status = if findings.is_empty() { StatusCode::OK } else { StatusCode::INTERNAL_SERVER_ERROR };
    let told: Vec<String> = findings.told().iter().map(ToString::to_string).collect();
    let body = json!({
        "agrees": findings.is_empty(), "rows": rows, "events": events, "unsettled": unsettled,
        "count": findings.count(), "findings": told,
    });
    (status, [(header::CONTENT_TYPE, JSON)], body.to_string()).into_response()
}
