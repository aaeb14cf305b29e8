//! Accounts, partners, keys and sessions.

use kassa_domain::key::{CreateKey, UpdateKey};
use kassa_domain::partner::{CreatePartner, PartnerPatch, UpdatePartner};
use kassa_domain::session::{EndSession, StartSession};
use kassa_domain::user::{ConfirmEmail, Email, RegisterUser};
use kassa_domain::{Actor, Patch};

use super::Player;
use crate::play::acts::AccountAct;
use crate::play::answer::{Answer, Report};

impl Player<'_> {
    pub(super) async fn account(&self, act: &AccountAct) -> Answer {
        let (boss, known) = (Actor::Operator, self.known);
        match act {
            AccountAct::Register { email } => {
                let password = format!("hash {email}");
                let command = RegisterUser { email: address(*email), password, first_name: None, last_name: None };
                self.give(Actor::Anonymous, command).await
            }
            AccountAct::Confirm { user } => {
                let Some(user) = known.user(*user) else { return Ok(Report::Nothing) };
                let command = ConfirmEmail { user: user.id, email: user.email.clone(), password: None };
                self.give(boss, command).await
            }
            AccountAct::CreatePartner { user } => {
                let Some(manager) = known.user(*user).map(|user| user.id) else { return Ok(Report::Nothing) };
                let patch = PartnerPatch { name: Patch::Set("Partner".to_owned()), ..PartnerPatch::default() };
                self.give(boss, CreatePartner { manager, patch }).await
            }
            AccountAct::Managers { partner, users } => {
                let Some(partner) = known.partner(*partner) else { return Ok(Report::Nothing) };
                let users = Some(users.iter().filter_map(|user| Some(known.user(*user)?.id)).collect());
                let command = UpdatePartner { partner, patch: PartnerPatch::default(), users };
                self.give(boss, command).await
            }
            AccountAct::CreateKey { partner } => {
                let Some(partner) = known.partner(*partner) else { return Ok(Report::Nothing) };
                // The house makes hashes that nobody has.
                let random = self.server.engine.random_hex(16).into_bytes();
                let hash = std::array::from_fn(|at| random[at]);
                let command = CreateKey { partner, name: String::new(), hash, sealed: vec![1] };
                self.give(boss, command).await
            }
            AccountAct::RemoveKey { key } => {
                let Some(key) = known.key(*key) else { return Ok(Report::Nothing) };
                let command = UpdateKey { partner: key.partner, key: key.id, name: None, remove: true };
                self.give(boss, command).await
            }
            AccountAct::LogIn { user, hash } => {
                let Some(user) = known.user(*user) else { return Ok(Report::Nothing) };
                let password = user.password().unwrap_or("none").to_owned();
                let log_in = StartSession { user: user.id, password, hash: [*hash; 32] };
                self.give(Actor::System, EndSession { hash: [*hash; 32] }).await?;
                self.give(Actor::System, log_in).await
            }
            AccountAct::LogOut { hash } => self.give(Actor::System, EndSession { hash: [*hash; 32] }).await,
        }
    }
}

/// The nth address.
#[expect(clippy::expect_used, reason = "this is an address")]
pub(super) fn address(at: usize) -> Email {
    format!("n{at}@example.org").parse().expect("an address")
}
