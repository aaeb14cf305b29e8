//! Tokens that go by mail: short texts that say whose address was proved, until when. Only this server's secret makes
//! one; another e-mail makes it void.

use kassa_domain::user::{User, UserId};
use kassa_domain::{ReadSet, Refusal, Timestamp, hex};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::secret::SIGNATURE_BYTES;

/// What a token is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenPurpose {
    /// To confirm an e-mail.
    ConfirmEmail,
    /// To set a new password.
    ResetPassword,
}

impl TokenPurpose {
    /// Signatures of one purpose are worth nothing for another.
    fn signature_purpose(self) -> &'static str {
        match self {
            Self::ConfirmEmail => "confirm e-mail",
            Self::ResetPassword => "reset password",
        }
    }

    /// How long a token is good, in milliseconds: seven days, and an hour.
    fn lifetime_ms(self) -> i64 {
        match self {
            Self::ConfirmEmail => 7 * 24 * 60 * 60 * 1_000,
            Self::ResetPassword => 60 * 60 * 1_000,
        }
    }
}

/// A token: 64 hexadecimal digits, for they go by mail and are copied by hand. What they prove is signed and not spelled
/// out.
struct MailedToken {
    user: UserId,
    expires_at: Timestamp,
    signature: [u8; SIGNATURE_BYTES],
}

impl MailedToken {
    fn to_text(&self) -> String {
        let (user, expires_at) = (self.user.key().to_be_bytes(), self.expires_at.ms().to_be_bytes());
        hex::encode(&[&user[..], &expires_at, &self.signature].concat())
    }

    fn parse(text: &str) -> Option<Self> {
        let bytes = hex::decode(text)?;
        let (user, rest) = bytes.split_first_chunk()?;
        let (expires_at, signature) = rest.split_first_chunk()?;
        Some(Self {
            user: UserId::root(i64::from_be_bytes(*user)),
            expires_at: Timestamp::from_ms(i64::from_be_bytes(*expires_at)),
            signature: signature.try_into().ok()?,
        })
    }
}

/// What a token proves: that the mail of this address was read. No part can be moved to another: none but the last has a
/// blank in it.
///
/// One that resets a password is for the password that was forgotten: with another it is used up. One that confirms an
/// e-mail is good for whatever password the account has, or else whoever registers the address once more would make the
/// owner's void. It opens none of them: who confirms gives the password, or sets one while nobody has proved anything.
fn signed_text(user: &User, purpose: TokenPurpose, expires_at: Timestamp) -> String {
    let address = format!("{} {} {}", user.id, expires_at.ms(), user.email);
    match purpose {
        TokenPurpose::ConfirmEmail => address,
        TokenPurpose::ResetPassword => format!("{address} {}", user.password_hash().unwrap_or_default()),
    }
}

impl Engine {
    pub(crate) fn mailed_token(&self, user: &User, purpose: TokenPurpose) -> String {
        let expires_at = self.now().plus_ms(purpose.lifetime_ms());
        let signature = self.secret().sign(&signed_text(user, purpose, expires_at), purpose.signature_purpose());
        MailedToken { user: user.id, expires_at, signature }.to_text()
    }

    /// The account of a token; [`Refusal::TokenInvalid`] if it was not made here, for this, is too old, or is void.
    pub(crate) async fn account_of_token(&self, token: &str, purpose: TokenPurpose) -> Result<User, Failure> {
        let token =
            MailedToken::parse(token).filter(|token| token.expires_at > self.now()).ok_or(Refusal::TokenInvalid)?;
        let view = self.view(&ReadSet { users: vec![token.user], ..ReadSet::default() }).await?;
        let proves = |user: &User| {
            let text = signed_text(user, purpose, token.expires_at);
            user.password_hash().is_some()
                && self.secret().verify_signature(&text, purpose.signature_purpose(), &token.signature)
        };
        Ok(view.users.into_row(token.user).filter(proves).ok_or(Refusal::TokenInvalid)?)
    }
}
