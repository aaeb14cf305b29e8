//! What endpoints are described with, for the OpenAPI document: schemas, parameters, and the answers that several of them
//! have.

pub(crate) mod error_responses;
pub(crate) mod params;
pub(crate) mod schema;
