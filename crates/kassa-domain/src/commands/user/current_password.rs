//! What needs the current password.

use crate::model::user::User;
use crate::refusal::Refusal;

impl User {
    /// Refuses unless the password that was verified before the batch is still the user's.
    pub(super) fn require_verified_password(&self, verified_hash: Option<&str>) -> Result<(), Refusal> {
        match verified_hash {
            None => Err(Refusal::CurrentPasswordRequired),
            Some(hash) if self.password_hash() != Some(hash) => Err(Refusal::CurrentPasswordWrong),
            Some(_) => Ok(()),
        }
    }
}
