//! Requests to servers that clients name: where they go, and where they never do.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod forbidden;
mod limits;
mod receiver;

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use kassa_engine::outgoing::{NameLookup, OutgoingAnswer, OutgoingError, OutgoingHttp, OutgoingRules};
use reqwest::header::HeaderMap;

/// Names resolve to these, one after the other; then to the last of them. Without any, they do not resolve.
pub(crate) struct Names {
    answers: Vec<Vec<IpAddr>>,
    asked: AtomicUsize,
}

impl Names {
    pub(crate) fn new(answers: Vec<Vec<IpAddr>>) -> Arc<Self> {
        Arc::new(Self { answers, asked: AtomicUsize::new(0) })
    }
}

impl NameLookup for Names {
    fn lookup(&self, _: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let at = self.asked.fetch_add(1, Ordering::SeqCst).min(self.answers.len().saturating_sub(1));
        let found = self.answers.get(at).cloned().ok_or_else(|| io::Error::other("no such name"));
        async move { found }.boxed()
    }
}

/// A client with such names, to which these targets are allowed.
pub(crate) fn client(allowed: &[&str], certificate: Option<&str>, names: Arc<Names>) -> OutgoingHttp {
    let rules = OutgoingRules::new(allowed.iter().map(|target| target.parse().unwrap()));
    let names: Arc<dyn NameLookup> = names;
    OutgoingHttp::with_lookup(rules, certificate.map(str::as_bytes), &names).unwrap()
}

pub(crate) async fn post(client: &OutgoingHttp, url: &str) -> Result<OutgoingAnswer, OutgoingError> {
    client.post_json(url, HeaderMap::new(), Bytes::from_static(b"{}")).await
}
