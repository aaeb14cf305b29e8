//! Ids in paths. What is no id names nothing: 404.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use kassa_domain::Id;
use kassa_domain::id::Identified;

use crate::error::ApiError;

/// The `AT`-th id of the path: that of a `T`.
pub(crate) struct PathId<T: Identified, const AT: usize = 0>(pub(crate) Id<T::Kind>);

impl<T: Identified, S: Send + Sync, const AT: usize> FromRequestParts<S> for PathId<T, AT> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let PathText(text) = PathText::<AT>::from_request_parts(parts, state).await?;
        text.parse().map(Self).map_err(|_| not_found())
    }
}

/// The `AT`-th parameter of the path as it is.
pub(crate) struct PathText<const AT: usize = 0>(pub(crate) String);

impl<S: Send + Sync, const AT: usize> FromRequestParts<S> for PathText<AT> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let params = RawPathParams::from_request_parts(parts, state).await.map_err(|_| not_found())?;
        params.iter().nth(AT).map(|(_, text)| Self(text.to_owned())).ok_or_else(not_found)
    }
}

fn not_found() -> ApiError {
    ApiError::not_found("resource")
}
