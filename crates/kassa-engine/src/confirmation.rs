//! Confirmation of e-mails.

use kassa_domain::partner::PartnerId;
use kassa_domain::user::{ConfirmEmail, User};
use kassa_domain::{Actor, Refusal, View};

use crate::caller::Caller;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::mailed_token::{ProvedAccount, TokenPurpose};

/// The password with which an e-mail is confirmed, as it was given. The mail alone opens nothing: it may have been to
/// a registration that a stranger made.
#[derive(Clone)]
pub enum ConfirmationPassword {
    /// The one that was registered.
    Registered(String),
    /// One in place of that, which ends all sessions.
    New(String),
}

impl Engine {
    /// A token that confirms the user's present e-mail: it proves that its bearer has read the mail that it was in.
    /// Only this server's secret makes it, and a new password makes it void.
    pub fn confirmation_token(&self, user: &User) -> String {
        self.mailed_token(user, TokenPurpose::ConfirmEmail)
    }

    /// The account whose e-mail a token confirms.
    pub async fn account_to_confirm(&self, token: &str) -> Result<ProvedAccount, Failure> {
        self.account_of_token(token, TokenPurpose::ConfirmEmail).await
    }

    /// Confirms an e-mail, and shows the user and its partners. It logs nobody in.
    pub async fn confirm_email<R: Send + 'static>(
        &self,
        caller: &Caller,
        account: ProvedAccount,
        password: ConfirmationPassword,
        render: impl Fn(&User, Vec<PartnerId>) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let ProvedAccount { user, password_hash } = account;
        let new_password_hash = match password {
            ConfirmationPassword::Registered(given) => {
                if !self.inner.passwords.verify(given, Some(password_hash.clone())).await? {
                    return Err(Refusal::CurrentPasswordWrong.into());
                }
                None
            }
            ConfirmationPassword::New(new) => Some(self.inner.passwords.hash(new).await?),
        };
        let command =
            ConfirmEmail { user: user.id, email: user.email, password_hash: Some(password_hash), new_password_hash };
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

    /// Confirms the present e-mail of a user, as the operator; with a password to set, if whoever registered it may be
    /// somebody else.
    pub async fn confirm_email_as_operator(&self, user: &User, new_password: Option<String>) -> Result<User, Failure> {
        let new_password_hash = match new_password {
            Some(password) => Some(self.inner.passwords.hash(password).await?),
            None => None,
        };
        let command = ConfirmEmail { user: user.id, email: user.email.clone(), password_hash: None, new_password_hash };
        let user = self.execute(&Actor::Operator, command, |_, user| user.clone()).await?;
        self.invalidate_credentials();
        Ok(user)
    }
}
