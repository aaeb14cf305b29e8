//! `/v2/resources/changes`: changes as version 2 shows them. They are also the bodies of webhooks.

mod data;
mod facts;
pub(super) mod list;
mod messages;
mod model;
mod page;
mod request;
pub(super) mod stream;

pub use messages::ChangeMessages;
pub(in crate::v2) use model::{ChangeRef, MalformedChangeRef};
pub(in crate::v2) use request::type_pattern_schema;

use axum::http::StatusCode;
use kassa_engine::feed::FeedError;

use crate::error::{ApiError, ErrorDetail};

/// Why nothing can be read from the cursor on that stands in this field.
pub(in crate::v2) fn feed_error(error: FeedError, field: &str) -> ApiError {
    let details = vec![ErrorDetail::new(field, error.to_string())];
    match error {
        gone @ FeedError::Gone(_) => {
            ApiError::new(StatusCode::GONE, "changes_gone", gone.to_string()).with_details(details)
        }
        FeedError::Ahead(_) => ApiError::invalid(details),
        FeedError::Failure(failure) => failure.into(),
    }
}
