//! What operations answer when they refuse, by families. The answers themselves stand once, in
//! `api_docs/frame.json`.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::{Ref, RefOr, Response};

type Responses = BTreeMap<String, RefOr<Response>>;

/// The name of the answer with each status.
const RESPONSE_NAMES: [(&str, &str); 9] = [
    ("400", "BadRequest"),
    ("401", "Unauthorized"),
    ("403", "Forbidden"),
    ("404", "NotFound"),
    ("409", "Conflict"),
    ("410", "Gone"),
    ("413", "TooLarge"),
    ("415", "UnsupportedMediaType"),
    ("429", "TooManyRequests"),
];

/// A list.
pub(crate) struct ListErrors;
/// A read by id, or a removal.
pub(crate) struct ReadErrors;
/// A registration, for which no credential is looked at.
pub(crate) struct RegisterErrors;
/// A reset of a password, for which nobody needs a credential.
pub(crate) struct ResetErrors;
/// A notice of another service, which is signed.
pub(crate) struct NoticeErrors;
/// A log-in.
pub(crate) struct LogInErrors;
/// A log-out.
pub(crate) struct LogOutErrors;
/// Something new that is not under anything else.
pub(crate) struct CreateErrors;
/// A change of what an id names, or something new under it.
pub(crate) struct ChangeErrors;
/// A change that came too late.
pub(crate) struct ConflictErrors;
/// The feed of changes.
pub(crate) struct FeedErrors;

impl IntoResponses for ListErrors {
    fn responses() -> Responses {
        with_statuses(&["400", "401", "403", "429"])
    }
}

impl IntoResponses for FeedErrors {
    fn responses() -> Responses {
        with_statuses(&["400", "401", "403", "410", "429"])
    }
}

impl IntoResponses for ReadErrors {
    fn responses() -> Responses {
        with_statuses(&["400", "401", "403", "404", "429"])
    }
}

impl IntoResponses for RegisterErrors {
    fn responses() -> Responses {
        with_statuses(&["400", "403", "413", "415", "429"])
    }
}

impl IntoResponses for ResetErrors {
    fn responses() -> Responses {
        with_statuses(&["400", "401", "413", "415", "429"])
    }
}

impl IntoResponses for NoticeErrors {
    fn responses() -> Responses {
        with_statuses(&["400", "401", "404", "413", "415"])
    }
}

impl IntoResponses for LogInErrors {
    fn responses() -> Responses {
        with_statuses(&["400", "401", "413", "415", "429"])
    }
}

impl IntoResponses for LogOutErrors {
    fn responses() -> Responses {
        with_statuses(&["400"])
    }
}

impl IntoResponses for CreateErrors {
    fn responses() -> Responses {
        with_statuses(&["400", "401", "403", "413", "415", "429"])
    }
}

impl IntoResponses for ChangeErrors {
    fn responses() -> Responses {
        with_statuses(&["400", "401", "403", "404", "413", "415", "429"])
    }
}

impl IntoResponses for ConflictErrors {
    fn responses() -> Responses {
        with_statuses(&["409"])
    }
}

fn with_statuses(statuses: &[&str]) -> Responses {
    let named = RESPONSE_NAMES.iter().filter(|(status, _)| statuses.contains(status));
    named.map(|(status, name)| ((*status).to_owned(), Ref::from_response_name(*name).into())).collect()
}
