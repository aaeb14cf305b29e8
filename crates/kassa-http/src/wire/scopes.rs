//! What keys and webhooks are told besides what all are: `["customers"]`, or nothing.

use utoipa::openapi::{RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::{FromJson, List, parse_word};
use crate::openapi::schema;

/// The scope with which changes have the data of customers.
const CUSTOMERS: &str = "customers";
/// The longest list of scopes in a request.
const SCOPES_MAX: usize = 10;

/// Scopes in a request: the names that are known, in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScopesInput {
    /// Whether [`CUSTOMERS`] is among them.
    pub(crate) has_customers: bool,
}

struct ScopeWord;

impl FromJson for ScopeWord {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        parse_word(&[(CUSTOMERS, ())], json).map(|()| Self)
    }

    fn json_schema() -> RefOr<Schema> {
        schema::words([CUSTOMERS]).into()
    }
}

impl FromJson for ScopesInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let List(words) = List::<ScopeWord, SCOPES_MAX>::from_json(json)?;
        Ok(Self { has_customers: !words.is_empty() })
    }

    fn json_schema() -> RefOr<Schema> {
        List::<ScopeWord, SCOPES_MAX>::json_schema()
    }
}

/// Scopes as answers show them.
pub(crate) fn scope_names(has_customers: bool) -> Vec<&'static str> {
    if has_customers { vec![CUSTOMERS] } else { Vec::new() }
}

/// Scopes in an answer.
pub(crate) fn scopes_schema(about: &'static str) -> RefOr<Schema> {
    schema::list(schema::words([CUSTOMERS])).description(Some(about)).into()
}
