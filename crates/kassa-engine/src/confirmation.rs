//! Confirmation of e-mails: tokens that say by themselves whose address was proved, until when.

use kassa_domain::partner::PartnerId;
use kassa_domain::user::{ConfirmEmail, Email, User, UserId};
use kassa_domain::{Actor, Refusal, Timestamp, View};

use crate::secret::{hex, unhex};
use crate::{Engine, Failure};

const PURPOSE: &str = "confirm e-mail";
/// How long a token is good: seven days.
const TOKEN_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// What a token says.
struct Proof {
    user: UserId,
    expires_at: Timestamp,
    email: Email,
}

impl Proof {
    fn to_text(&self) -> String {
        format!("{} {} {}", self.user, self.expires_at.ms(), self.email)
    }

    fn read(text: &str) -> Option<Self> {
        let mut words = text.splitn(3, ' ');
        let user = words.next()?.parse().ok()?;
        let expires_at = Timestamp::from_ms(words.next()?.parse().ok()?);
        Some(Self { user, expires_at, email: words.next()?.parse().ok()? })
    }
}

impl Engine {
    /// A token that confirms the user's present e-mail: whoever has it has read the mail that it
    /// went by. Only this server's secret makes and reads it.
    pub fn confirm_token(&self, user: &User) -> Result<String, Failure> {
        let expires_at = Timestamp::from_ms(self.now().ms() + TOKEN_MS);
        let proof = Proof { user: user.id, expires_at, email: user.email.clone() };
        let sealed = self.secret().seal(&proof.to_text(), PURPOSE, self.nonce());
        sealed.map(|sealed| hex(&sealed)).ok_or_else(|| Failure::internal("a token could not be sealed"))
    }

    /// Confirms an e-mail with its token: the user, and its partners. A token can be used again.
    pub async fn confirm(&self, token: &str) -> Result<(User, Vec<PartnerId>), Failure> {
        let text = unhex(token).and_then(|sealed| self.secret().open(&sealed, PURPOSE));
        let proof = text.as_deref().and_then(Proof::read).filter(|proof| proof.expires_at > self.now());
        let Proof { user, email, .. } = proof.ok_or(Refusal::TokenInvalid)?;
        let partners = |view: &View, user: &User| (user.clone(), view.partners_of(user.id));
        match self.execute(&Actor::System, ConfirmEmail { user, email }, partners).await {
            Ok(confirmed) => {
                // What a session may see follows the addresses that its user has proved.
                self.forget_credentials();
                Ok(confirmed)
            }
            // The user has moved on to another address, or never had an account.
            Err(Failure::Refused(Refusal::NotFound(_))) => Err(Refusal::TokenInvalid.into()),
            Err(failure) => Err(failure),
        }
    }
}
