//! A session as its user sees it. Nothing in it lets anybody act.

use kassa_domain::session::{Session, SessionId};

use crate::route::ResourceKind;
use crate::wire::{Time, WireField, wire_form};

wire_form! {
    /// A session of a user.
    #[derive(Debug)]
    #[schema(as = Session)]
    pub(crate) struct SessionBody {
        /// The id of the session: 32 hexadecimal digits. It is not the token.
        #[schema(value_type = String)]
        id: SessionId,
        /// When the user logged in; `null` if that is not known.
        created_at: Option<Time>,
        /// When it was last used, to the day.
        used_at: Time,
        /// When it ends, unless it is used before.
        expires_at: Time,
        /// Whether it is the one that asks.
        current: bool,
    }
}

pub(crate) static SESSION: ResourceKind = ResourceKind::new("session", SessionBody::KIND);

impl SessionBody {
    pub(crate) fn new(session: &Session, current: Option<SessionId>) -> Self {
        Self {
            id: session.id(),
            created_at: session.created_at.map(Time),
            used_at: Time(session.used_at()),
            expires_at: Time(session.expires_at),
            current: Some(session.id()) == current,
        }
    }
}
