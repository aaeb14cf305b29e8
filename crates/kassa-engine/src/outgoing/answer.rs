//! What comes back of a request.

use std::error::Error;
use std::io;

use jiff::fmt::rfc2822::DateTimeParser;
use kassa_domain::Timestamp;
use reqwest::Response;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use tokio::time::Instant;

use super::resolver::{AddressForbidden, NameUnknown};
use super::target::TargetFault;

/// The most bytes of an answer that are read.
const ANSWER_BYTES_MAX: usize = 16 * 1024;
/// The bytes of an answer that are kept.
const EXCERPT_BYTES_MAX: usize = 1024;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingAnswer {
    /// Its status.
    pub status: u16,
    /// The first kilobyte of its body, as text; what is not UTF-8 is replaced.
    pub excerpt: String,
    /// When it asks to be tried again, if it says so.
    pub retry_after: Option<RetryAfter>,
}

/// When to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    /// After so many seconds.
    Seconds(u32),
    /// At a point in time.
    At(Timestamp),
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutgoingError {
    /// No request is sent to such a URL.
    #[error("{0}")]
    Target(TargetFault),
    /// The name does not resolve.
    #[error("the name does not resolve")]
    Name,
    /// The name resolves to an address that is not of the internet.
    #[error("the name resolves to an address that is not of the internet")]
    Address,
    /// There is no connection.
    #[error("no connection could be made")]
    Connect,
    /// The certificate is not one that is trusted, or there is no TLS.
    #[error("no TLS connection could be made: the certificate must be valid for the name")]
    Tls,
    /// It took too long.
    #[error("there was no answer within 15 seconds, or no connection within 5")]
    Timeout,
    /// The answer is not one of HTTP, or the connection ended before it.
    #[error("the connection ended without an answer")]
    Protocol,
}

impl OutgoingError {
    pub(super) fn of(error: &reqwest::Error) -> Self {
        let mut next = error.source();
        while let Some(cause) = next {
            if cause.is::<AddressForbidden>() {
                return Self::Address;
            }
            if cause.is::<NameUnknown>() {
                return Self::Name;
            }
            if cause.is::<rustls::Error>() || is_tls_failure(cause) {
                return Self::Tls;
            }
            next = cause.source();
        }
        if error.is_timeout() {
            Self::Timeout
        } else if error.is_connect() {
            Self::Connect
        } else {
            Self::Protocol
        }
    }
}

/// TLS wraps its errors into those of input and output, and these into each other.
fn is_tls_failure(cause: &(dyn Error + 'static)) -> bool {
    let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    inner.is_some_and(|inner| inner.is::<rustls::Error>() || is_tls_failure(inner))
}

/// Reads what there is of a body until the deadline, up to a limit: the status alone says whether the request was taken.
pub(super) async fn read(mut response: Response, deadline: Instant) -> OutgoingAnswer {
    let (status, retry_after) = (response.status().as_u16(), read_retry_after(response.headers()));
    let (mut excerpt, mut read) = (Vec::new(), 0);
    while read <= ANSWER_BYTES_MAX
        && let Ok(Ok(Some(chunk))) = tokio::time::timeout_at(deadline, response.chunk()).await
    {
        read += chunk.len();
        let room = EXCERPT_BYTES_MAX - excerpt.len();
        excerpt.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }
    OutgoingAnswer { status, excerpt: text_of(&excerpt), retry_after }
}

/// Text that every database takes.
fn text_of(bytes: &[u8]) -> String {
    // A character that the limit has cut is left out.
    let end = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        Ok(_) | Err(_) => bytes.len(),
    };
    String::from_utf8_lossy(&bytes[..end]).replace('\0', "\u{fffd}")
}

fn read_retry_after(headers: &HeaderMap) -> Option<RetryAfter> {
    static DATES: DateTimeParser = DateTimeParser::new();
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(RetryAfter::Seconds(text.parse().unwrap_or(u32::MAX)));
    }
    let at = DATES.parse_timestamp(text).ok()?;
    Some(RetryAfter::At(Timestamp::from_ms(at.as_millisecond())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let read = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, text.parse().unwrap());
            read_retry_after(&headers)
        };
        assert_eq!(read("120"), Some(RetryAfter::Seconds(120)));
        assert_eq!(read("99999999999"), Some(RetryAfter::Seconds(u32::MAX)));
        let date = RetryAfter::At(Timestamp::from_ms(784_111_777_000));
        assert_eq!(read("Sun, 06 Nov 1994 08:49:37 GMT"), Some(date));
        for wrong in ["", "-1", "soon", "1.5"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_excerpt_is_text_without_halves_of_characters() {
        assert_eq!(text_of("gr\u{fc}n".as_bytes()), "gr\u{fc}n");
        assert_eq!(text_of(&"gr\u{fc}".as_bytes()[..3]), "gr");
        assert_eq!(text_of(b"a\xffb\0c"), "a\u{fffd}b\u{fffd}c");
    }
}
