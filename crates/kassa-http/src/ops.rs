//! The operators' listener: whether the server lives, and whether it can work.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use kassa_domain::Needs;
use kassa_domain::node::FactName;

use crate::app::App;
use crate::error;

/// `/healthz`: the process answers. `/readyz`: the database does, too, and every lane can write.
pub fn service(app: App) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
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
