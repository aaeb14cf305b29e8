//! Who the caller is: from an API key or a session, through the cache of credentials.

use futures_util::future::BoxFuture;
use kassa_domain::actor::UserActor;
use kassa_domain::refusal::CredentialFault;
use kassa_domain::session::{ExtendSession, SessionHash};
use kassa_domain::{Actor, ReadSet, Refusal, Timestamp, View, permission};

use crate::credential_cache::{KeyHolder, SessionEntry};
use crate::engine::Engine;
use crate::failure::Failure;

impl Engine {
    /// Who has this API key: 32 lowercase hexadecimal digits.
    pub async fn actor_of_key(&self, token: &str) -> Result<Actor, Failure> {
        self.holder_of_key(token).await.map(|holder| Actor::Partner(holder.partner))
    }

    /// The same, and which key it is.
    pub async fn holder_of_key(&self, token: &str) -> Result<KeyHolder, Failure> {
        let hash = self.inner.secret.hash(token);
        if let Some(holder) = self.inner.credentials.keys.get(&hash) {
            return Ok(holder);
        }
        // A look-up is rare and its future is large: boxed, it does not enlarge the future of every request.
        self.look_up_key(hash).await
    }

    fn look_up_key(&self, hash: [u8; 32]) -> BoxFuture<'_, Result<KeyHolder, Failure>> {
        Box::pin(async move {
            let cache = &self.inner.credentials;
            let start = cache.begin_lookup(self.now());
            let view = self.view(&ReadSet { keys_by_hash: vec![hash], ..ReadSet::default() }).await?;
            let key = view
                .keys
                .rows()
                .find(|key| !key.removed)
                .ok_or(Refusal::CredentialInvalid(CredentialFault::UnknownKey))?;
            let holder = KeyHolder { partner: key.partner, key: key.id, has_customers: key.has_customers };
            let actor = Actor::Partner(key.partner);
            permission::admit(&actor, &self.view_of_actor(&actor).await?)?;
            cache.insert_if_fresh(start, &*self.inner.clock, |cache| cache.keys.insert(hash, holder));
            Ok(holder)
        })
    }

    /// Who is logged in with this session token, and whether that made the session last longer.
    pub async fn actor_of_session(&self, token: &str) -> Result<(UserActor, bool), Failure> {
        let hash = self.inner.secret.hash(token);
        let now = self.now();
        if let Some(entry) = self.inner.credentials.sessions.get(&hash).filter(|entry| entry.expires_at > now) {
            return Ok((entry.user, false));
        }
        self.look_up_session(hash, now).await
    }

    fn look_up_session(&self, hash: SessionHash, now: Timestamp) -> BoxFuture<'_, Result<(UserActor, bool), Failure>> {
        Box::pin(async move {
            let cache = &self.inner.credentials;
            let start = cache.begin_lookup(self.now());
            let view = self.view(&ReadSet { sessions: vec![hash], ..ReadSet::default() }).await?;
            let session = view.sessions.get(hash).filter(|session| session.expires_at > now);
            let session = session.ok_or(Refusal::CredentialInvalid(CredentialFault::SessionEnded))?.clone();
            let user = session.user;
            let view = self.view(&ReadSet { users: vec![user], partners_of: vec![user], ..ReadSet::default() }).await?;
            let found = view
                .users
                .get(user)
                .filter(|user| user.admits_session(&session))
                .ok_or(Refusal::CredentialInvalid(CredentialFault::SessionEnded))?;
            let user = UserActor {
                user,
                confirmed_emails: found.confirmed_emails().to_vec(),
                managed_partners: view.memberships_of(user),
                locked_partners: Vec::new(),
                has_second_factor: found.has_second_factor(),
                is_operator: found.operator_since.is_some(),
                inactive_partners: Vec::new(),
                acting_for: None,
            };
            let partners = self.view_of_actor(&Actor::User(user.clone())).await?;
            let user = permission::admit_session(&user, &partners)?.into_owned();
            let extended = session.is_extension_due(now) && self.extend_session(hash).await;
            let entry = SessionEntry { user: user.clone(), expires_at: session.expires_at };
            cache.insert_if_fresh(start, &*self.inner.clock, |cache| cache.sessions.insert(hash, entry));
            Ok((user, extended))
        })
    }

    /// The rows by which an actor is admitted.
    async fn view_of_actor(&self, actor: &Actor) -> Result<View, Failure> {
        let mut read_set = ReadSet::default();
        permission::add_actor_reads(actor, &mut read_set);
        self.view(&read_set).await
    }

    /// A lane that is busy is no reason to refuse a valid session: the next request tries again.
    async fn extend_session(&self, hash: SessionHash) -> bool {
        self.execute(&Actor::System, ExtendSession { hash }, |_, ()| ()).await.is_ok()
    }

    /// Drops all cached credentials: one was removed, or gives other rights now.
    pub fn invalidate_credentials(&self) {
        self.inner.credentials.invalidate_all();
    }
}
