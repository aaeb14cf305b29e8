//! An echo: the same HTTP stack, which parses a request as JSON and answers what it was told to,
//! with no work behind it. `kassa bench` measures the server beside it.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use parking_lot::RwLock;
use serde_json::Value;
use tokio::net::TcpListener;

use crate::response::JSON_TYPE;
use crate::server::{self, ConnectionSettings, EvictionPolicy};

/// Paths that are kept.
const PATHS_MAX: usize = 1_000;

type StoredBodies = Arc<RwLock<HashMap<String, Bytes>>>;

/// `PUT` of any path keeps the body; every other method answers it.
pub fn serve(listener: TcpListener, connections: ConnectionSettings) -> BoxFuture<'static, ()> {
    Box::pin(server::serve(listener, service(), connections, EvictionPolicy::default(), std::future::pending()))
}

fn service() -> Router {
    Router::new().fallback(handle).with_state(StoredBodies::default())
}

async fn handle(State(answers): State<StoredBodies>, method: Method, uri: Uri, body: Bytes) -> Response {
    if method == Method::PUT {
        let mut answers = answers.write();
        if answers.len() >= PATHS_MAX {
            return StatusCode::INSUFFICIENT_STORAGE.into_response();
        }
        answers.insert(uri.path().to_owned(), body);
        return StatusCode::NO_CONTENT.into_response();
    }
    if !body.is_empty() && serde_json::from_slice::<Value>(&body).is_err() {
        return StatusCode::BAD_REQUEST.into_response();
    }
    match answers.read().get(uri.path()) {
        Some(answer) => ([(CONTENT_TYPE, JSON_TYPE)], answer.clone()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
