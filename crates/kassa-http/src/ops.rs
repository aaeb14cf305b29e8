//! The operators' listener: whether the server lives and can work, what it counts of itself, and whether its books agree.

use std::fs;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::future::BoxFuture;
use kassa_domain::ReadSet;
use kassa_domain::node::InstallationSettingName;
use kassa_engine::metrics::MetricsText;
use kassa_engine::verify::{VerifyPace, VerifyReport};
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;

use crate::app::AppState;
use crate::error;
use crate::response::JSON_TYPE;
use crate::server::{self, ConnectionSettings, EvictionPolicy};

/// How Prometheus calls its text.
const METRICS_CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// `/healthz`: the process answers. `/readyz`: the database does, too, and every lane can write. `/metrics`: for
/// Prometheus. `/verify`: counts all again, as `kassa verify` does.
pub fn serve(
    listener: TcpListener,
    app: AppState,
    connections: ConnectionSettings,
    stop: BoxFuture<'static, ()>,
) -> BoxFuture<'static, ()> {
    let policy = EvictionPolicy::of(&app);
    Box::pin(server::serve(listener, service(app), connections, policy, stop))
}

fn service(app: AppState) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/verify", get(verify))
        .fallback(error::no_such_path)
        .method_not_allowed_fallback(error::no_such_method)
        .with_state(app)
}

/// 200 where each part is ready, and 503 otherwise; as JSON, which is, and why another is not.
async fn ready(State(app): State<AppState>) -> Response {
    let read_set =
        ReadSet { installation_settings: vec![InstallationSettingName::SecretFingerprint], ..ReadSet::default() };
    let database = app.engine.view(&read_set).await.err().map(|_| "it cannot be read; the log says why");
    let lanes =
        (!app.engine.can_write()).then_some("one cannot write: it has no number, or the database does not respond");
    ready_response(&[("database", database), ("lanes", lanes)])
}

/// Parts, each with why it is not ready.
fn ready_response(parts: &[(&str, Option<&str>)]) -> Response {
    let is_ready = parts.iter().all(|(_, fault)| fault.is_none());
    let part = |(name, fault): &(&str, Option<&str>)| {
        let state = fault.map_or_else(|| json!({ "ready": true }), |fault| json!({ "ready": false, "why": fault }));
        ((*name).to_owned(), state)
    };
    let parts: Map<String, Value> = parts.iter().map(part).collect();
    let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let body = json!({ "ready": is_ready, "parts": parts });
    (status, [(header::CONTENT_TYPE, JSON_TYPE)], body.to_string()).into_response()
}

async fn metrics(State(app): State<AppState>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, METRICS_CONTENT_TYPE)], metrics_text(&app).await)
}

/// All metrics of the server, as Prometheus reads them.
pub async fn metrics_text(app: &AppState) -> String {
    let mut text = MetricsText::default();
    app.engine.write_metrics(&mut text);
    if let Ok(feed) = app.engine.feed_state().await {
        feed.write_metrics(&mut text);
    }
    app.feed_readers.write_metrics(&mut text);
    app.availability_streams.write_metrics(&mut text);
    app.answers.write_metrics(&mut text);
    kassa_engine::traces::write_metrics(&mut text);
    if let Some(requests) = app.request_metrics.get() {
        requests.write(&mut text);
    }
    if let Some(bytes) = resident_bytes() {
        text.gauge("process_resident_memory_bytes", "Memory of the process that is not swapped out.");
        text.sample("process_resident_memory_bytes", &[], bytes);
    }
    text.finish()
}

/// As Linux says it.
fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().strip_suffix("kB")?;
    kib.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

/// 200 where all agrees, 500 and what does not; 503 where that could not be found out, and while it is done already. It
/// ends with the connection, also where the client closes only its own side of that.
async fn verify(State(app): State<AppState>) -> Response {
    let answer = |status: StatusCode, text: &'static str| (status, text).into_response();
    match app.engine.verify(VerifyPace::BESIDE_SALES).await {
        Ok(Some(verified)) => verify_response(&verified),
        Ok(None) => answer(StatusCode::SERVICE_UNAVAILABLE, "a verification is already running\n"),
        Err(_) => answer(StatusCode::SERVICE_UNAVAILABLE, "the database cannot be read; the log says why\n"),
    }
}

fn verify_response(verified: &VerifyReport) -> Response {
    let VerifyReport { rows, events, unsettled, findings } = verified;
    let status = if findings.is_empty() { StatusCode::OK } else { StatusCode::INTERNAL_SERVER_ERROR };
    let texts: Vec<String> = findings.items().iter().map(ToString::to_string).collect();
    let body = json!({
        "agrees": findings.is_empty(), "rows": rows, "events": events, "unsettled": unsettled,
        "count": findings.count(), "findings": texts,
    });
    (status, [(header::CONTENT_TYPE, JSON_TYPE)], body.to_string()).into_response()
}
