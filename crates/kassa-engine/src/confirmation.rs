//! Confirmation of e-mails: short tokens that say whose address was proved, until when.

use kassa_domain::partner::PartnerId;
use kassa_domain::user::{ConfirmEmail, User, UserId};
use kassa_domain::{Actor, ReadSet, Refusal, Timestamp, View, hex};

use crate::caller::Caller;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::secret::SIGNATURE_BYTES;

const SIGNATURE_PURPOSE: &str = "confirm e-mail";
/// How long a token is good: seven days.
const TOKEN_LIFETIME_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// A token: 64 hexadecimal digits, for they go by mail and are copied by hand. What they prove (the
/// address, and the password that it was registered with) is signed and not spelled out.
struct ConfirmationToken {
    user: UserId,
    expires_at: Timestamp,
    signature: [u8; SIGNATURE_BYTES],
}

impl ConfirmationToken {
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

/// What a token proves. No part can be moved to another: none but the last has a blank in it.
fn signed_text(user: &User, expires_at: Timestamp) -> String {
    format!("{} {} {} {}", user.id, expires_at.ms(), user.email, user.password_hash().unwrap_or_default())
}

impl Engine {
    /// A token that confirms the user's present e-mail: it proves that its bearer has read the mail that it was in.
    /// Only this server's secret makes it, and a new password makes it void.
    pub fn confirmation_token(&self, user: &User) -> String {
        let expires_at = Timestamp::from_ms(self.now().ms() + TOKEN_LIFETIME_MS);
        let signature = self.secret().sign(&signed_text(user, expires_at), SIGNATURE_PURPOSE);
        ConfirmationToken { user: user.id, expires_at, signature }.to_text()
    }

    /// Confirms an e-mail with its token, and shows the user and its partners. A token can be used again.
    pub async fn confirm_email<R: Send + 'static>(
        &self,
        caller: &Caller,
        token: &str,
        render: impl Fn(&User, Vec<PartnerId>) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let token = ConfirmationToken::parse(token)
            .filter(|token| token.expires_at > self.now())
            .ok_or(Refusal::TokenInvalid)?;
        let view = self.view(&ReadSet { users: vec![token.user], ..ReadSet::default() }).await?;
        let proves = |user: &&User| {
            self.secret().verify_signature(&signed_text(user, token.expires_at), SIGNATURE_PURPOSE, &token.signature)
        };
        let user = view.users.get(token.user).filter(proves).ok_or(Refusal::TokenInvalid)?;
        let password = user.password_hash().ok_or(Refusal::TokenInvalid)?.to_owned();
        let command = ConfirmEmail { user: user.id, email: user.email.clone(), password_hash: Some(password) };
        let render = move |view: &View, user: &User| render(user, view.partners_of(user.id));
        match self.execute(caller.on_behalf_of(&Actor::System), command, render).await {
            Ok(confirmed) => {
                // What a session may see follows the addresses that its user has proved.
                self.invalidate_credentials();
                Ok(confirmed)
            }
            // The user has moved on to another address meanwhile.
            Err(Failure::Refused(Refusal::NotFound(_))) => Err(Refusal::TokenInvalid.into()),
            Err(failure) => Err(failure),
        }
    }
}
