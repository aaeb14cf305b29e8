//! Why a page cannot be shown.

use kassa_http::http::StatusCode;

/// Why a page cannot be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageError {
    /// There is no such thing, or it is not for everybody.
    NotFound,
    /// It is about an event that was called off.
    Canceled,
    /// The page does not take this method.
    WrongMethod,
    /// The server is busy: after so many seconds it may not be.
    Busy {
        /// Seconds.
        retry_after: u32,
    },
    /// A form that no page has sent.
    TooLarge,
    /// A form from a page of another server.
    CrossSite,
    /// A page of another site names the shop by a token that opens nothing.
    BadToken,
    /// The seller does not sell to people now.
    ShopClosed,
    /// A mistake of the program, which the log tells.
    Internal,
}

impl PageError {
    /// The status of its page.
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Canceled => StatusCode::GONE,
            Self::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Self::Busy { .. } => StatusCode::SERVICE_UNAVAILABLE,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::CrossSite | Self::BadToken | Self::ShopClosed => StatusCode::FORBIDDEN,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What is said of an answer with a status.
    pub(crate) fn of_status(status: StatusCode) -> Self {
        match status {
            StatusCode::NOT_FOUND | StatusCode::GONE => Self::NotFound,
            StatusCode::METHOD_NOT_ALLOWED => Self::WrongMethod,
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
                Self::Busy { retry_after: RETRY_AFTER_S }
            }
            StatusCode::PAYLOAD_TOO_LARGE => Self::TooLarge,
            _ => Self::Internal,
        }
    }

    /// The keys of its texts: what has happened, and what to do.
    pub(crate) fn texts(self) -> [&'static str; 2] {
        match self {
            Self::NotFound => ["error-not-found", "error-not-found-hint"],
            Self::Canceled => ["error-canceled", "error-canceled-hint"],
            Self::WrongMethod => ["error-method", "error-method-hint"],
            Self::Busy { .. } => ["error-busy", "error-busy-hint"],
            Self::TooLarge => ["error-too-large", "error-too-large-hint"],
            Self::CrossSite => ["error-cross-site", "error-cross-site-hint"],
            Self::BadToken => ["error-token", "error-token-hint"],
            Self::ShopClosed => ["error-shop-closed", "error-shop-closed-hint"],
            Self::Internal => ["error-internal", "error-internal-hint"],
        }
    }
}

/// When somebody may ask again whom nobody told, in seconds.
pub(crate) const RETRY_AFTER_S: u32 = 2;
