//! What operations answer when they refuse, by families. The answers themselves stand once, in
//! `frame.json`.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::{Ref, RefOr, Response};

type Responses = BTreeMap<String, RefOr<Response>>;

/// The name of the answer with each status.
const NAMES: [(&str, &str); 8] = [
    ("400", "BadRequest"),
    ("401", "Unauthorized"),
    ("403", "Forbidden"),
    ("404", "NotFound"),
    ("409", "Conflict"),
    ("413", "TooLarge"),
    ("415", "UnsupportedMediaType"),
    ("429", "TooManyRequests"),
];

/// A list.
pub(crate) struct List;
/// A read by id, or a removal.
pub(crate) struct Read;
/// A registration, for which no credential is looked at.
pub(crate) struct Register;
/// A log-in.
pub(crate) struct LogIn;
/// A log-out.
pub(crate) struct LogOut;
/// Something new that is not under anything else.
pub(crate) struct Create;
/// A change of what an id names, or something new under it.
pub(crate) struct Change;
/// A change that came too late.
pub(crate) struct Late;

impl IntoResponses for List {
    fn responses() -> Responses {
        with(&["400", "401", "403", "429"])
    }
}

impl IntoResponses for Read {
    fn responses() -> Responses {
        with(&["400", "401", "403", "404", "429"])
    }
}

impl IntoResponses for Register {
    fn responses() -> Responses {
        with(&["400", "413", "415", "429"])
    }
}

impl IntoResponses for LogIn {
    fn responses() -> Responses {
        with(&["400", "401", "413", "415", "429"])
    }
}

impl IntoResponses for LogOut {
    fn responses() -> Responses {
        with(&["400"])
    }
}

impl IntoResponses for Create {
    fn responses() -> Responses {
        with(&["400", "401", "403", "413", "415", "429"])
    }
}

impl IntoResponses for Change {
    fn responses() -> Responses {
        with(&["400", "401", "403", "404", "413", "415", "429"])
    }
}

impl IntoResponses for Late {
    fn responses() -> Responses {
        with(&["409"])
    }
}

fn with(statuses: &[&str]) -> Responses {
    let named = NAMES.iter().filter(|(status, _)| statuses.contains(status));
    named.map(|(status, name)| ((*status).to_owned(), Ref::from_response_name(*name).into())).collect()
}
