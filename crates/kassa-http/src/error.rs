//! Errors as clients see them:
//! `{"error": "HTTPBadRequest", "reason": "…", "code": "…", "details": […]}`.

use std::any::Any;

use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use kassa_domain::Refusal;
use kassa_domain::refusal::{SeatsRefusal, SingleSeat};
use kassa_engine::Failure;
use serde::Serialize;
use utoipa::ToSchema;

use crate::response::ApiResponse;

/// Seconds after which a client should try again when the service is busy.
const RETRY_AFTER_BUSY_S: u64 = 1;

/// Characters of a client's text that an error repeats.
const SHOWN_CHARS_MAX: usize = 200;
/// Fields and parameters that one error names.
pub(crate) const DETAILS_MAX: usize = 100;

/// An answer that is no success.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    code: &'static str,
    reason: String,
    details: Vec<ErrorDetail>,
    /// The text that a version with texts shows in place of its own, where the endpoint says so.
    text: Option<String>,
    /// What was decided, or came of a look at what the decision would be about. `None` where it comes from the form of
    /// the request, or from a failure.
    refusal: Option<Box<Refusal>>,
    /// When to try again, where that may help.
    retry_after_s: u64,
}

/// A field or parameter that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ErrorDetail)]
pub(crate) struct ErrorDetail {
    /// Where: a JSON path into the body such as `$.title.text`, or the name of a query parameter.
    pub(crate) field: String,
    /// What is wrong there.
    pub(crate) problem: String,
    /// The text that a version with texts shows in place of `problem`, where it differs.
    #[serde(skip)]
    pub(crate) text: Option<String>,
}

impl ErrorDetail {
    pub(crate) fn new(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { field: field.into(), problem: problem.into(), text: None }
    }

    /// The same, with this text after the name of the field where errors have texts.
    pub(crate) fn with_text(self, text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..self }
    }
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, reason: impl Into<String>) -> Self {
        let (reason, retry_after_s) = (reason.into(), RETRY_AFTER_BUSY_S);
        Self { status, code, reason, details: Vec::new(), text: None, refusal: None, retry_after_s }
    }

    /// Fields with bad values. The first [`DETAILS_MAX`] are named; whether there are more, the reason says.
    pub(crate) fn invalid(mut details: Vec<ErrorDetail>) -> Self {
        let reason = match details.as_slice() {
            [only] => format!("{}: {}", only.field, only.problem),
            all if all.len() > DETAILS_MAX => {
                format!("More than {DETAILS_MAX} fields have bad values; details names the first {DETAILS_MAX}")
            }
            _ => "Some fields have bad values; see details".to_owned(),
        };
        details.truncate(DETAILS_MAX);
        Self { details, ..Self::new(StatusCode::BAD_REQUEST, "invalid_fields", reason) }
    }

    /// The same, about these fields.
    pub(crate) fn with_details(self, details: Vec<ErrorDetail>) -> Self {
        Self { details, ..self }
    }

    /// The same, with this text where errors have texts.
    pub(crate) fn with_text(self, text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..self }
    }

    /// Too much of something.
    pub(crate) fn too_many_requests(wait_s: u64) -> Self {
        let reason = format!("Too many requests: try again in {wait_s} s");
        let error = Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", reason);
        let error = error.with_text(format!("That was too often; try again in {wait_s} s"));
        Self { retry_after_s: wait_s, ..error }
    }

    /// The refusal behind it; `None` where nothing was decided.
    pub(crate) fn refusal(&self) -> Option<&Refusal> {
        self.refusal.as_deref()
    }

    /// Whether it may be another answer soon.
    pub(crate) fn is_temporary(&self) -> bool {
        self.status == StatusCode::SERVICE_UNAVAILABLE
    }

    /// What is wrong, for programs.
    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    /// The text that its endpoint gives it.
    pub(crate) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The body, without texts.
    pub(crate) fn body(&self) -> ErrorBody<'_> {
        ErrorBody { error: class_name(self.status), reason: &self.reason, code: self.code, details: &self.details }
    }

    fn unavailable() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "The service is not available now; try again")
    }

    /// What a path names is not there.
    pub(crate) fn not_found(what: &'static str) -> Self {
        Refusal::NotFound(what).into()
    }
}

/// An error.
#[derive(Serialize, ToSchema)]
#[schema(as = Error)]
pub(crate) struct ErrorBody<'a> {
    /// The name of the status.
    pub(crate) error: &'static str,
    /// What is wrong, in a sentence for people. It may change.
    pub(crate) reason: &'a str,
    /// What is wrong, in a word for programs. It never changes.
    pub(crate) code: &'static str,
    /// The fields and parameters that are wrong; empty if the error is about none.
    pub(crate) details: &'a [ErrorDetail],
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut answer = ApiResponse::with_status(self.status, &self.body());
        if self.status == StatusCode::UNAUTHORIZED {
            answer = answer.with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("key"));
        }
        if matches!(self.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
            answer = answer.with_header(header::RETRY_AFTER, self.retry_after_s.into());
        }
        let mut response = answer.into_response();
        // Some paths say more of it; which one this is, only the layers around know.
        response.extensions_mut().insert(Self::clone(&self));
        response
    }
}

/// The class names that clients of this interface know.
fn class_name(status: StatusCode) -> &'static str {
    match status.as_u16() {
        400 => "HTTPBadRequest",
        401 => "HTTPUnauthorized",
        403 => "HTTPForbidden",
        404 => "HTTPNotFound",
        405 => "HTTPMethodNotAllowed",
        406 => "HTTPNotAcceptable",
        409 => "HTTPConflict",
        410 => "HTTPGone",
        412 => "HTTPPreconditionFailed",
        413 => "HTTPRequestEntityTooLarge",
        415 => "HTTPUnsupportedMediaType",
        416 => "HTTPRequestRangeNotSatisfiable",
        422 => "HTTPUnprocessableEntity",
        429 => "HTTPTooManyRequests",
        503 => "HTTPServiceUnavailable",
        _ => "HTTPInternalServerError",
    }
}

impl From<Failure> for ApiError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refusal) => refusal.into(),
            Failure::Busy => Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "The service is busy; try again"),
            Failure::ReadTimeout => {
                let reason = "This takes too long to read; ask for less of it, or try again later";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "read_timeout", reason)
            }
            Failure::TooLarge => {
                let reason = "The answer would be too long; ask for a part of it";
                Self::new(StatusCode::BAD_REQUEST, "answer_too_large", reason)
            }
            Failure::TooManyHeavy => {
                let reason = "Too many of your large changes are waiting; try again when some of them are done";
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_large_changes", reason)
            }
            Failure::TooManyAnswers { wait_s } => {
                let reason = "Enough of your answers are kept under Idempotency-Keys for now; nothing was done";
                let error = Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_kept_answers", reason);
                Self { retry_after_s: wait_s, ..error }
            }
            Failure::Unavailable => Self::unavailable(),
            Failure::Internal(incident) => {
                let reason = format!("Internal error; please quote {incident}");
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", reason)
            }
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let error = Self::new(status_of(&refusal), refusal.code(), refusal.to_string());
        let details = if let Refusal::Seats(SeatsRefusal::SinglesLeft(seats)) = &refusal {
            seats.iter().take(DETAILS_MAX).map(single_seat_detail).collect()
        } else if let Refusal::Checkout(refusal) = &refusal {
            let fields = refusal.fields().iter().take(DETAILS_MAX);
            fields.map(|wrong| ErrorDetail::new(wrong.field.as_str(), wrong.problem)).collect()
        } else {
            wrong_field_of_event(&refusal).into_iter().collect()
        };
        Self { details, refusal: Some(Box::new(refusal)), ..error }
    }
}

/// A seat that an order would leave single, in its row.
fn single_seat_detail(seat: &SingleSeat) -> ErrorDetail {
    let SingleSeat { set, row, number } = seat;
    ErrorDetail::new(format!("$.seats.{set}.{row}"), format!("would leave seat {number} without a free neighbour"))
}

/// The field of an event that is wrong although a request may not name it, such as one that makes a draft public.
fn wrong_field_of_event(refusal: &Refusal) -> Option<ErrorDetail> {
    let (field, problem) = if matches!(refusal, Refusal::LifetimeRequired) {
        ("$.lifetime", "is required of a public event")
    } else if matches!(refusal, Refusal::VenueUnknown(_)) {
        ("$.venue", "must be a venue that exists and is not removed")
    } else if matches!(refusal, Refusal::MapUnknown(_)) {
        ("$.map", "must be a map of the event's venue")
    } else {
        return None;
    };
    Some(ErrorDetail::new(field, problem))
}

/// The status of every refusal: the one place where domain meets HTTP.
#[expect(clippy::too_many_lines, reason = "one line for each refusal")]
fn status_of(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::CredentialRequired
        | Refusal::CredentialInvalid(_)
        | Refusal::EmailUnconfirmed
        | Refusal::SecondFactorRequired => StatusCode::UNAUTHORIZED,
        Refusal::Forbidden(_)
        | Refusal::PartnerNotManaged
        | Refusal::PartnerRequiresSecondFactor
        | Refusal::PartnerInactive(_)
        | Refusal::RegistrationClosed
        | Refusal::RegistrationByInvitation
        | Refusal::CrossSite => StatusCode::FORBIDDEN,
        Refusal::NotFound(_) => StatusCode::NOT_FOUND,
        Refusal::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
        Refusal::IdempotencyKeyReused => StatusCode::UNPROCESSABLE_ENTITY,
        Refusal::TicketsGone | Refusal::PromocodeGone | Refusal::EventOver => StatusCode::CONFLICT,
        Refusal::Stale => StatusCode::SERVICE_UNAVAILABLE,
        Refusal::PartnerRequired
        | Refusal::EmailTaken
        | Refusal::TokenInvalid
        | Refusal::CurrentPasswordRequired
        | Refusal::CurrentPasswordWrong
        | Refusal::SecondFactorCodeWrong
        | Refusal::SecondFactorActive
        | Refusal::UserUnknown(_)
        | Refusal::LastManager
        | Refusal::InvitationAccepted
        | Refusal::TooMany { .. }
        | Refusal::QuotaExceeded { .. }
        | Refusal::EventUnknown(_)
        | Refusal::VenueUnknown(_)
        | Refusal::AttachmentUnknown(_)
        | Refusal::AttachmentNotImage(_)
        | Refusal::AttachmentNotPdf(_)
        | Refusal::AttachmentInUse { .. }
        | Refusal::MapUnknown(_)
        | Refusal::MapInUse
        | Refusal::VenueInUse
        | Refusal::CityUnknown(_)
        | Refusal::CountryUnknown(_)
        | Refusal::CityNotInCountry(..)
        | Refusal::HasOrders
        | Refusal::EventCanceled
        | Refusal::EventNotFinished
        | Refusal::LifetimeRequired
        | Refusal::RulesOverlap
        | Refusal::RuleEmpty
        | Refusal::RuleSold
        | Refusal::AmountBelowSold
        | Refusal::SetBusy
        | Refusal::TicketNotVacant(_)
        | Refusal::Seats(_)
        | Refusal::PromocodeTaken
        | Refusal::AmountBelowUses
        | Refusal::PromotionOverlap
        | Refusal::PromotionLevels(_)
        | Refusal::PromotionRunning
        | Refusal::EventNotOnSale
        | Refusal::TermsExceedPrice
        | Refusal::ExportAddress(_)
        | Refusal::AgentRequired
        | Refusal::NothingToSell
        | Refusal::OwnEventNeedsNoDeal
        | Refusal::PartnerUnknown(_)
        | Refusal::DealTransition { .. }
        | Refusal::DealNotFinished
        | Refusal::DealUnknown
        | Refusal::TicketUnknown(_)
        | Refusal::SetUnknown(_)
        | Refusal::DuplicateTicket(_)
        | Refusal::DuplicateSet(_)
        | Refusal::TicketsLimit(_)
        | Refusal::TicketsFixed
        | Refusal::UnpaidLimit(_)
        | Refusal::OrderFinal(_)
        | Refusal::OrderTransition { .. }
        | Refusal::OrderEmpty
        | Refusal::OrderUnknown(_)
        | Refusal::TicketNotInOrder(_)
        | Refusal::HoldFixed
        | Refusal::HoldTooLong(_)
        | Refusal::CustomerEmailRequired
        | Refusal::Checkout(_)
        | Refusal::PromocodeUnknown(_)
        | Refusal::PromocodeNotApplicable(_)
        | Refusal::PromocodeTooFewTickets { .. }
        | Refusal::PromocodeTooManyTickets { .. }
        | Refusal::PromocodeUsedUp(_)
        | Refusal::InvitationForbidden
        | Refusal::PaymentNotOffered
        | Refusal::PaymentTooLate
        | Refusal::PaymentAmount
        | Refusal::PaymentByProvider
        | Refusal::PaymentDecided(_)
        | Refusal::Refund(_) => StatusCode::BAD_REQUEST,
    }
}

pub(crate) async fn no_such_path(uri: Uri) -> ApiError {
    let reason = format!("There is nothing at {}", shorten(uri.path()));
    ApiError::new(StatusCode::NOT_FOUND, "no_such_path", reason)
}

pub(crate) async fn no_such_method(method: Method, uri: Uri) -> ApiError {
    let reason = format!("{} is not possible at {}", shorten(method.as_str()), shorten(uri.path()));
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", reason)
}

/// The beginning of a client's text, as an error repeats it.
pub(crate) fn shorten(text: &str) -> &str {
    text.char_indices().nth(SHOWN_CHARS_MAX).map_or(text, |(end, _)| &text[..end])
}

/// The answer in place of a handler that panicked.
#[expect(clippy::needless_pass_by_value, reason = "what catches it hands it over so")]
pub(crate) fn panic_response(panic: Box<dyn Any + Send + 'static>) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a handler panicked");
    ApiError::from(Failure::internal(text)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_only_so_many_fields_and_says_if_there_are_more() {
        let error = |count: usize| ApiError::invalid(vec![ErrorDetail::new("$.x", "is bad"); count]);
        for (count, told, says_more) in [(1, 1, false), (100, 100, false), (101, 100, true), (500, 100, true)] {
            let error = error(count);
            assert_eq!((error.details.len(), error.reason.starts_with("More than 100 ")), (told, says_more), "{count}");
        }
    }

    #[test]
    fn an_error_repeats_the_beginning_of_a_text() {
        assert_eq!(shorten("a"), "a");
        let long = "é".repeat(SHOWN_CHARS_MAX + 1);
        assert_eq!(shorten(&long).chars().count(), SHOWN_CHARS_MAX);
    }
}
