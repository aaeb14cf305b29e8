//! Server-sent events as their readers take them apart.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::HeaderMap;
use futures_util::StreamExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::client::Client;

/// How long something that must come may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StreamEvent {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) data: Value,
}

/// A stream that is being read.
pub(crate) struct EventStream {
    pub(crate) headers: HeaderMap,
    body: BodyDataStream,
    text: String,
}

impl Client {
    /// Begins to read a stream that is granted.
    pub(crate) async fn stream(&self, path: &str) -> EventStream {
        let mut request = self.request("GET", path).body(Body::empty()).unwrap();
        if let Some(peer) = self.peer() {
            request.extensions_mut().insert(peer);
        }
        let response = self.service().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let (parts, body) = response.into_parts();
        EventStream { headers: parts.headers, body: body.into_data_stream(), text: String::new() }
    }
}

impl EventStream {
    /// The next event; `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<StreamEvent> {
        tokio::time::timeout(PATIENCE, self.read()).await.unwrap()
    }

    /// The next change.
    pub(crate) async fn next_change(&mut self) -> StreamEvent {
        loop {
            let event = self.next().await.unwrap();
            if event.kind != "cursor" {
                return event;
            }
        }
    }

    async fn read(&mut self) -> Option<StreamEvent> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (parsed(event), rest.to_owned());
                self.text = rest;
                return Some(event);
            }
            let piece = self.piece().await?;
            // A comment says nothing.
            self.text.push_str(piece.trim_start_matches(":\n"));
        }
    }

    /// What comes next, as it comes.
    pub(crate) async fn piece(&mut self) -> Option<String> {
        let piece = self.body.next().await?.unwrap();
        Some(String::from_utf8(piece.to_vec()).unwrap())
    }
}

fn parsed(text: &str) -> StreamEvent {
    let line = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        value.unwrap_or_else(|| panic!("no {name} in {text:?}")).to_owned()
    };
    StreamEvent { id: line("id"), kind: line("event"), data: serde_json::from_str(&line("data")).unwrap() }
}
