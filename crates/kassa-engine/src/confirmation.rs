//! Confirmation of e-mails.

use kassa_domain::partner::PartnerId;
use kassa_domain::user::{ConfirmEmail, User};
use kassa_domain::{Actor, Refusal, View};

use crate::caller::Caller;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::mailed_token::TokenPurpose;

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
    /// Only this server's secret makes it.
    pub fn confirmation_token(&self, user: &User) -> String {
        self.mailed_token(user, TokenPurpose::ConfirmEmail)
    }

    /// The account whose e-mail a token confirms.
    pub async fn account_to_confirm(&self, token: &str) -> Result<User, Failure> {
        self.account_of_token(token, TokenPurpose::ConfirmEmail).await
    }

    /// Confirms the e-mail of an account whose mail was read, and shows the user and its partners. It logs nobody in.
    pub async fn confirm_email<R: Send + 'static>(
        &self,
        caller: &Caller,
        account: User,
        password: ConfirmationPassword,
        render: impl Fn(&User, Vec<PartnerId>) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let (password_hash, new_password_hash) = match password {
            ConfirmationPassword::Registered(given) => (Some(self.registered_hash(&account, given).await?), None),
            ConfirmationPassword::New(new) => (None, Some(self.inner.passwords.hash(new).await?)),
        };
        let command = ConfirmEmail { user: account.id, email: account.email, password_hash, new_password_hash };
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

    /// The stored hash that a password fits with which an e-mail was registered: the account's, or the one that waits.
    async fn registered_hash(&self, account: &User, given: String) -> Result<String, Failure> {
        for hash in account.registered_password_hashes() {
            if self.inner.passwords.verify(given.clone(), Some(hash.to_owned())).await? {
                return Ok(hash.to_owned());
            }
        }
        Err(Refusal::CurrentPasswordWrong.into())
    }

    /// Confirms the present e-mail of a user as it was shown to the operator, and no later registration of it; with a
    /// password to set, if whoever registered it may be somebody else.
    pub async fn confirm_email_as_operator(&self, user: &User, new_password: Option<String>) -> Result<User, Failure> {
        let new_password_hash = match new_password {
            Some(password) => Some(self.inner.passwords.hash(password).await?),
            None => None,
        };
        let password_hash = user.password_hash().map(str::to_owned);
        let command = ConfirmEmail { user: user.id, email: user.email.clone(), password_hash, new_password_hash };
        let user = self.execute(&Actor::Operator, command, |_, user| user.clone()).await?;
        self.invalidate_credentials();
        Ok(user)
    }
}
