//! Why a credential is refused.

use crate::model::suspension::Inactivity;

/// What is wrong with a credential. Nothing of it tells which e-mails or keys exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CredentialFault {
    /// The header is of another scheme, or has no key of 32 digits.
    #[error("The Authorization header must be: key, a space, and the 32 hexadecimal digits of an API key")]
    MalformedHeader,
    /// No partner has this key, or not any more.
    #[error("This API key does not exist, or was removed")]
    UnknownKey,
    /// The partner of the key may not act.
    #[error("The partner of this API key is {0}")]
    PartnerInactive(Inactivity),
    /// The operator has suspended the user.
    #[error("This account is suspended")]
    UserSuspended,
    /// The session of the cookie has expired or was ended, or there was none.
    #[error("The session has ended: log in again")]
    SessionEnded,
    /// Nobody has this password with this e-mail.
    #[error("The e-mail or the password is wrong")]
    WrongPassword,
    /// The code of the second factor is wrong, or was used before.
    #[error("The code is wrong, or was used already: wait for the next one")]
    WrongSecondFactor,
    /// A key stands for a partner, where a person is asked for.
    #[error("This needs the session of a user: an API key stands for a partner")]
    UserRequired,
}
