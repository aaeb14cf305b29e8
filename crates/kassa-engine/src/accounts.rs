//! Accounts, sessions and keys: what needs passwords or secrets besides a command.

use futures_util::future::BoxFuture;
use kassa_domain::api_key::{ApiKey, CreateApiKey, UpdateApiKey};
use kassa_domain::partner::{PartnerId, UpdatePartner};
use kassa_domain::refusal::CredentialFault;
use kassa_domain::session::{EndSession, StartSession};
use kassa_domain::user::{EarlierRegistration, Email, RegisterUser, SetPassword, UpdateUser, User, UserId};
use kassa_domain::{Actor, Command, Patch, ReadSet, Refusal, View};

use crate::caller::CallerRef;
use crate::engine::{Engine, STALE_RETRIES_MAX};
use crate::failure::Failure;
use crate::tenant::Tenant;

const KEY_PURPOSE: &str = "api key";

/// A registration, with the password as it was given.
#[derive(Clone)]
pub struct Registration {
    /// The address.
    pub email: Email,
    /// The password.
    pub password: String,
    /// First name.
    pub first_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
}

/// A change of one's own data, with passwords as they were given.
#[derive(Clone, Default)]
pub struct UserUpdate {
    /// First name.
    pub first_name: Patch<String>,
    /// Last name.
    pub last_name: Patch<String>,
    /// A new address.
    pub email: Option<Email>,
    /// A new password.
    pub password: Option<String>,
    /// The present one.
    pub current_password: Option<String>,
    /// The token of the session that asks for it, which a new password does not end.
    pub session_token: Option<String>,
}

/// An API key that is wanted.
#[derive(Clone, Debug)]
pub struct NewApiKey {
    /// Whose.
    pub partner: PartnerId,
    /// Its label.
    pub name: String,
    /// Whether the feed shows it the data of customers.
    pub has_customers: bool,
}

impl NewApiKey {
    /// One without scopes.
    pub fn without_scopes(partner: PartnerId, name: &str) -> Self {
        Self { partner, name: name.to_owned(), has_customers: false }
    }
}

impl Engine {
    /// Registers an account.
    pub fn register<'a>(
        &'a self,
        actor: &'a Actor,
        registration: Registration,
    ) -> BoxFuture<'a, Result<User, Failure>> {
        Box::pin(async move {
            let Registration { email, password, first_name, last_name } = registration;
            let password_hash = self.inner.passwords.hash(password).await?;
            for _ in 0..STALE_RETRIES_MAX {
                let earlier = self.earlier_registration(&email).await?;
                let ends_sessions = earlier.is_some();
                let command = RegisterUser {
                    email: email.clone(),
                    password_hash: password_hash.clone(),
                    first_name: first_name.clone(),
                    last_name: last_name.clone(),
                    earlier,
                };
                match self.execute(actor, command, |_, user| user.clone()).await {
                    // Somebody else has the address now, or has proved another one.
                    Err(Failure::Refused(Refusal::Stale)) => {}
                    result => {
                        if ends_sessions {
                            self.invalidate_credentials();
                        }
                        return result;
                    }
                }
            }
            Err(Failure::Busy)
        })
    }

    /// Who has an address that somebody registers.
    pub async fn earlier_registration(&self, email: &Email) -> Result<Option<EarlierRegistration>, Failure> {
        let view = self.view(&ReadSet { users_by_email: vec![email.clone()], ..ReadSet::default() }).await?;
        Ok(view.user_by_email(email).map(EarlierRegistration::from))
    }

    /// Changes one's own data.
    pub async fn update_user<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        user: UserId,
        change: UserUpdate,
        render: impl Fn(&View, &User) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let by = by.into();
        kassa_domain::permission::write_user(by.actor, user)?;
        let verified = match change.current_password {
            Some(given) if change.email.is_some() || change.password.is_some() => {
                self.verify_current_password(by, user, Some(given)).await?.1
            }
            Some(_) | None => None,
        };
        let password = match change.password {
            Some(password) => Some(self.inner.passwords.hash(password).await?),
            None => None,
        };
        let UserUpdate { first_name, last_name, email, .. } = change;
        let session = change.session_token.map(|token| self.inner.secret.hash(&token));
        let command = UpdateUser {
            user,
            first_name,
            last_name,
            email,
            new_password_hash: password,
            verified_password_hash: verified,
            session,
        };
        let answer = self.execute(by, command, render).await?;
        self.invalidate_credentials();
        Ok(answer)
    }

    /// The caller's own record, and the stored hash that the given password was found to fit; `None` if none was given.
    pub(crate) async fn verify_current_password(
        &self,
        by: CallerRef<'_>,
        user: UserId,
        given: Option<String>,
    ) -> Result<(User, Option<String>), Failure> {
        kassa_domain::permission::write_user(by.actor, user)?;
        let read_set = ReadSet { users: vec![user], ..ReadSet::default() };
        let (view, held) = self.view_with_precondition(by, read_set).await?;
        if !held {
            // Said before anything is said of the password, as of a command.
            return Err(Refusal::PreconditionFailed.into());
        }
        let found = view.users.into_row(user).ok_or(Refusal::NotFound("user"))?;
        let Some(given) = given else { return Ok((found, None)) };
        let hash = found.password_hash().map(str::to_owned);
        if !self.inner.passwords.verify(given, hash.clone()).await? {
            return Err(Refusal::CurrentPasswordWrong.into());
        }
        Ok((found, hash))
    }

    /// Sets a password, as the operator.
    pub fn set_password(&self, user: UserId, password: String) -> BoxFuture<'_, Result<User, Failure>> {
        Box::pin(async move {
            let password = self.inner.passwords.hash(password).await?;
            let user = self
                .execute(&Actor::Operator, SetPassword { user, password_hash: password }, |_, user| user.clone())
                .await?;
            self.invalidate_credentials();
            Ok(user)
        })
    }

    /// Logs in: the user, its partners, and the token of a new session. An account with a second factor needs a `code`.
    pub async fn log_in(
        &self,
        email: &Email,
        password: String,
        code: Option<&str>,
    ) -> Result<(User, Vec<PartnerId>, String), Failure> {
        let view = self.view(&ReadSet { users_by_email: vec![email.clone()], ..ReadSet::default() }).await?;
        let found = view.user_by_email(email).cloned();
        let hash = found.as_ref().and_then(User::password_hash).map(str::to_owned);
        let fits = self.inner.passwords.verify(password.clone(), hash.clone()).await?;
        let (Some(user), Some(password_hash), true) = (&found, hash, fits) else {
            if let Some(waiting) = found.as_ref().and_then(User::waiting_password_hash)
                && self.inner.passwords.verify(password, Some(waiting.to_owned())).await?
            {
                return Err(Refusal::EmailUnconfirmed.into());
            }
            return Err(Refusal::from(CredentialFault::WrongPassword).into());
        };
        let second_factor = code.map(|code| self.second_factor_proof(user, code)).transpose()?;
        let token = self.random_hex(32);
        let hash = self.inner.secret.hash(&token);
        let command = StartSession { user: user.id, password_hash, hash, second_factor };
        let partners = |view: &View, user: &User| (user.clone(), view.partners_of(user.id));
        let by = CallerRef::system_for(Tenant::User(command.user));
        let (user, partners) = self.execute(by, command, partners).await?;
        Ok((user, partners, token))
    }

    /// Ends a session, if there is one.
    pub fn log_out<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let hash = self.inner.secret.hash(token);
            self.execute(CallerRef::system_for(Tenant::Anonymous), EndSession { hash }, |_, ()| ()).await?;
            self.invalidate_credentials();
            Ok(())
        })
    }

    /// Makes an API key, and shows it with its token, which can be read back with [`Engine::api_key_token`].
    pub async fn create_key<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        new: NewApiKey,
        render: impl Fn(&ApiKey, &str) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let token = self.random_hex(16);
        let sealed = self.inner.secret.seal(token.as_bytes(), KEY_PURPOSE, self.nonce());
        let sealed = sealed.ok_or_else(|| Failure::internal("a key could not be sealed"))?;
        let NewApiKey { partner, name, has_customers } = new;
        let secret_hash = self.inner.secret.hash(&token);
        let command = CreateApiKey { partner, name, secret_hash, encrypted_secret: sealed, has_customers };
        self.execute(by, command, move |_, key| render(key, &token)).await
    }

    /// Renames or removes an API key. A removed one is dead at once.
    pub async fn update_key<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        command: UpdateApiKey,
        render: impl Fn(&ApiKey) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let removes = command.remove;
        let answer = self.execute(by, command, move |_, key| render(key)).await?;
        if removes {
            self.invalidate_credentials();
        }
        Ok(answer)
    }

    /// The token of an API key.
    pub fn api_key_token(&self, key: &ApiKey) -> Result<String, Failure> {
        let token = self.inner.secret.open(&key.encrypted_secret, KEY_PURPOSE);
        let token = token.and_then(|token| String::from_utf8(token).ok());
        token.ok_or_else(|| Failure::internal("a key could not be opened with this secret"))
    }

    /// Changes a partner; who manages it, and whether it is removed, takes effect at once.
    pub async fn update_partner<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        command: UpdatePartner,
        render: impl Fn(&View, &kassa_domain::partner::Partner) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let changes_rights = command.users.is_some()
            || command.patch.removed != Patch::Keep
            || command.patch.profile.require_second_factor.is_given();
        let answer = self.execute(by, command, render).await?;
        if changes_rights {
            self.invalidate_credentials();
        }
        Ok(answer)
    }

    /// Changes who manages a partner: sessions have other rights from the next request on.
    pub async fn change_team<C: Command, R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        command: C,
        render: impl Fn(&View, &C::Outcome) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let answer = self.execute(by, command, render).await?;
        self.invalidate_credentials();
        Ok(answer)
    }

    /// Changes who may act, for an operator: suspends or restores a partner or a user, or makes a user an operator.
    /// Nothing more is written for it from then on; other
    /// servers may answer its reads for [`REVOCATION_DELAY_MAX`](crate::REVOCATION_DELAY_MAX).
    pub async fn change_access<C>(&self, actor: &Actor, command: C) -> Result<C::Outcome, Failure>
    where
        C: Command<Outcome: Clone>,
    {
        let changed = self.execute(actor, command, |_, row| row.clone()).await?;
        self.invalidate_credentials();
        Ok(changed)
    }
}
