//! Passwords that are set anew by mail.

use kassa_domain::View;
use kassa_domain::partner::PartnerId;
use kassa_domain::user::{Email, RequestPasswordReset, ResetPassword, User};

use crate::caller::CallerRef;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::mailed_token::TokenPurpose;
use crate::tenant::Tenant;

impl Engine {
    /// Sends a token to this address that sets a new password, if an account has it. Neither the answer nor its time
    /// tells whether one does: that is looked up when the mail leaves.
    pub async fn request_password_reset(&self, email: Email) -> Result<(), Failure> {
        self.execute(CallerRef::system_for(Tenant::Anonymous), RequestPasswordReset { email }, |_, ()| ()).await
    }

    /// A token that sets a new password, once and within an hour.
    pub fn password_reset_token(&self, user: &User) -> String {
        self.mailed_token(user, TokenPurpose::ResetPassword)
    }

    /// Sets the password of a token's account, ends all its sessions, and shows the user and its partners. It logs
    /// nobody in.
    pub async fn reset_password(&self, token: &str, password: String) -> Result<(User, Vec<PartnerId>), Failure> {
        let user = self.account_of_token(token, TokenPurpose::ResetPassword).await?;
        let new_password_hash = self.inner.passwords.hash(password).await?;
        let password_hash = user.password_hash().unwrap_or_default().to_owned();
        let command = ResetPassword { user: user.id, email: user.email, password_hash, new_password_hash };
        let shown = |view: &View, user: &User| (user.clone(), view.partners_of(user.id));
        let answer = self.execute(CallerRef::system_for(Tenant::Anonymous), command, shown).await?;
        self.invalidate_credentials();
        Ok(answer)
    }
}
