//! Accounts, partners, keys and sessions.

use kassa_domain::api_key::{CreateApiKey, UpdateApiKey};
use kassa_domain::partner::{
    CreatePartner, ManagerRef, PartnerPatch, PartnerProfilePatch, ShopPatch, TransferAccount, UpdatePartner,
};
use kassa_domain::payment::PaymentProvider;
use kassa_domain::session::{EndSession, StartSession};
use kassa_domain::user::{ConfirmEmail, Email, RegisterUser};
use kassa_domain::{Actor, Patch};

use super::ActionRunner;
use crate::play::action_result::{ActionReport, ActionResult};
use crate::play::actions::AccountAction;

impl ActionRunner<'_> {
    pub(super) async fn account(&self, act: &AccountAction) -> ActionResult {
        let (boss, known) = (Actor::Operator, self.known);
        match act {
            AccountAction::Register { email } => {
                let password = format!("hash {email}");
                let email = address(*email);
                let earlier = self.server.engine.earlier_registration(&email).await?;
                let (first_name, last_name) = (None, None);
                let command = RegisterUser { email, password_hash: password, first_name, last_name, earlier };
                self.execute(Actor::Anonymous, command).await
            }
            AccountAction::Confirm { user } => {
                let Some(user) = known.user(*user) else { return Ok(ActionReport::Nothing) };
                let command = ConfirmEmail {
                    user: user.id,
                    email: user.email.clone(),
                    password_hash: None,
                    new_password_hash: None,
                };
                self.execute(boss, command).await
            }
            AccountAction::CreatePartner { user } => {
                let Some(manager) = known.user(*user).map(|user| user.id) else { return Ok(ActionReport::Nothing) };
                let profile = PartnerProfilePatch { shop: Patch::Set(open_shop()), ..PartnerProfilePatch::default() };
                let patch = PartnerPatch { name: Patch::Set("Partner".to_owned()), profile, ..PartnerPatch::default() };
                self.execute(boss, CreatePartner { manager, patch }).await
            }
            AccountAction::SetManagers { partner, users } => {
                let Some(partner) = known.partner(*partner) else { return Ok(ActionReport::Nothing) };
                let users =
                    Some(users.iter().filter_map(|user| Some(ManagerRef::User(known.user(*user)?.id))).collect());
                let command = UpdatePartner { partner, patch: PartnerPatch::default(), users };
                self.execute(boss, command).await
            }
            AccountAction::CreateKey { partner } => {
                let Some(partner) = known.partner(*partner) else { return Ok(ActionReport::Nothing) };
                // No password has this hash.
                let random = self.server.engine.random_hex(16).into_bytes();
                let hash = std::array::from_fn(|at| random[at]);
                let command = CreateApiKey {
                    partner,
                    name: String::new(),
                    secret_hash: hash,
                    encrypted_secret: vec![1],
                    has_customers: false,
                };
                self.execute(boss, command).await
            }
            AccountAction::RemoveKey { key } => {
                let Some(key) = known.key(*key) else { return Ok(ActionReport::Nothing) };
                let command = UpdateApiKey { partner: key.partner, key: key.id, name: None, remove: true };
                self.execute(boss, command).await
            }
            AccountAction::LogIn { user, hash } => {
                let Some(user) = known.user(*user) else { return Ok(ActionReport::Nothing) };
                let password = user.password_hash().unwrap_or("none").to_owned();
                let log_in =
                    StartSession { user: user.id, password_hash: password, hash: [*hash; 32], second_factor: None };
                self.execute(Actor::System, EndSession { hash: [*hash; 32] }).await?;
                self.execute(Actor::System, log_in).await
            }
            AccountAction::LogOut { hash } => self.execute(Actor::System, EndSession { hash: [*hash; 32] }).await,
        }
    }
}

/// The nth address.
#[expect(clippy::expect_used, reason = "this is an address")]
pub(super) fn address(at: usize) -> Email {
    format!("n{at}@example.org").parse().expect("an address")
}

/// It sells to people, and takes their money in every way that needs nobody else.
#[expect(clippy::expect_used, reason = "this is a number of an account")]
fn open_shop() -> ShopPatch {
    let iban = "DE02120300000000202051".parse().expect("an account");
    let account = TransferAccount { iban, holder: "Partner".to_owned(), bic: None, days: 2 };
    ShopPatch {
        is_open: Patch::Set(true),
        payments: Patch::Set(vec![PaymentProvider::Test, PaymentProvider::Transfer, PaymentProvider::Door]),
        transfer: Patch::Set(account),
        ..ShopPatch::default()
    }
}
