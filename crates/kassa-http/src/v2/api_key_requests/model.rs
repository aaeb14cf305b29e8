//! A request that came with an API key, as v2 shows it.

use serde::Serialize;
use utoipa::ToSchema;

use super::super::pagination::{PageRequest, list_answer};
use crate::request_log::{LoggedRequest, RequestPage};
use crate::wire::{EmptyBody, TimeV2};

/// A request that was answered.
#[derive(Serialize, ToSchema)]
#[schema(as = KeyRequest)]
pub(super) struct KeyRequestBody<'a> {
    /// When it was answered.
    at: TimeV2,
    /// Its method.
    #[schema(example = "GET")]
    method: &'static str,
    /// Its path, without the query: at most 160 bytes of it.
    #[schema(example = "/v2/resources/orders/65b06b247b33e06d72292534")]
    path: &'a str,
    /// The status of the answer.
    #[schema(example = 200)]
    status: u16,
    /// How long the answer took, up to its head.
    #[schema(example = 4)]
    duration_ms: u32,
}

impl<'a> KeyRequestBody<'a> {
    fn new(request: &'a LoggedRequest) -> Self {
        Self {
            at: TimeV2(request.at),
            method: request.method(),
            path: &request.path,
            status: request.status(),
            duration_ms: request.duration_ms(),
        }
    }
}

list_answer! {
    /// Requests of a key.
    pub(super) struct KeyRequestListResponse<'a> as KeyRequestsAnswer {
        /// The requests of this page.
        data: Vec<KeyRequestBody<'a>>,
        /// Always empty.
        refs: EmptyBody,
    }
}

impl<'a> KeyRequestListResponse<'a> {
    pub(super) fn new(found: &'a RequestPage, wanted: PageRequest) -> Self {
        let data = found.requests.iter().map(KeyRequestBody::new).collect();
        Self::page(wanted, found.total, data, EmptyBody {})
    }
}
