//! The sessions of a user, as it sees and ends them.

use kassa_domain::session::{EndSession, Session, SessionId, session_id};
use kassa_domain::user::{EndSessions, UserId};
use kassa_domain::{ReadSet, Refusal, permission};

use crate::caller::CallerRef;
use crate::engine::Engine;
use crate::failure::Failure;

impl Engine {
    /// The live sessions of a user, the one that was used last first: at most
    /// [`SESSIONS_SHOWN_MAX`](kassa_domain::view::SESSIONS_SHOWN_MAX). Whether the caller may see them, it has to say.
    pub async fn sessions_of(&self, user: UserId) -> Result<Vec<Session>, Failure> {
        let read_set = ReadSet { users: vec![user], sessions_of: vec![user], ..ReadSet::default() };
        let (view, now) = (self.view(&read_set).await?, self.now());
        let owner = view.users.get(user).ok_or(Refusal::NotFound("user"))?;
        let is_live = |session: &&Session| session.expires_at > now && owner.admits_session(session);
        let mut sessions: Vec<Session> = view.sessions.rows().filter(is_live).cloned().collect();
        sessions.sort_unstable_by_key(|session| std::cmp::Reverse((session.expires_at, session.hash)));
        Ok(sessions)
    }

    /// The name of the session with this token.
    pub fn session_id(&self, token: &str) -> SessionId {
        session_id(&self.secret().hash(token))
    }

    /// Ends one of the user's own sessions.
    pub async fn end_session<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        user: UserId,
        session: SessionId,
        render: impl Fn() -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let by = by.into();
        permission::write_user(by.actor, user)?;
        let read_set = ReadSet { sessions_of: vec![user], ..ReadSet::default() };
        let view = self.view(&read_set).await?;
        let found = view.sessions.rows().find(|found| found.id() == session);
        let hash = found.ok_or(Refusal::NotFound("session"))?.hash;
        let answer = self.execute(by, EndSession { hash }, move |_, ()| render()).await?;
        self.invalidate_credentials();
        Ok(answer)
    }

    /// Ends all of the user's own sessions.
    pub async fn end_sessions<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        user: UserId,
        render: impl Fn() -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let answer = self.execute(by, EndSessions { user }, move |_, ()| render()).await?;
        self.invalidate_credentials();
        Ok(answer)
    }
}
