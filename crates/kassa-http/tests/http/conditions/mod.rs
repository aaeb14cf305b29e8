//! Requests with conditions: keys under which they are answered once, and tags of resources.

pub(crate) mod once;
pub(crate) mod routes;
pub(crate) mod tags;

use crate::client::{Answer, Client};

const KEY: &str = "idempotency-key";

/// The same caller, who gives a key.
pub(crate) fn under(client: &Client, key: &str) -> Client {
    client.with(KEY, key)
}

/// Whether the answer was given before.
pub(crate) fn is_replayed(answer: &Answer) -> bool {
    answer.header("idempotent-replayed") == "true"
}

/// That an answer is another one, given again: status, headers and body.
#[track_caller]
pub(crate) fn is_the_same(again: &Answer, first: &Answer) {
    assert!(is_replayed(again) && !is_replayed(first), "{again:?}");
    let mut headers = again.headers.clone();
    headers.remove("idempotent-replayed");
    assert_eq!((again.status, &headers), (first.status, &first.headers));
    assert_eq!(String::from_utf8_lossy(&again.bytes), String::from_utf8_lossy(&first.bytes));
}
