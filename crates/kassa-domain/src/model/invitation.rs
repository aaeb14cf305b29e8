//! Invitations: nobody manages a partner who has not agreed to it.

use super::role::Role;
use super::row::{Row, RowKey};
use crate::values::email::Email;
use crate::values::resource_ids::{PartnerId, UserId};
use crate::values::time::Timestamp;

/// How long an invitation can be answered: 30 days.
pub const INVITATION_LIFETIME_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// Invitations to one user that have not lapsed, from all partners that one other has made. It bounds who invites: what
/// others do leaves as much room.
pub const INVITATIONS_OF_FOUNDER_MAX: u32 = 3;

/// What became of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationStatus {
    /// Not answered.
    Pending,
    /// The user manages the partner, or did.
    Accepted,
    /// The user said no, and may think better of it.
    Declined,
    /// The partner took it back.
    Revoked,
}

/// What names an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InvitationKey {
    /// The partner that invites; `None` where the operator does, to register.
    pub partner: Option<PartnerId>,
    /// The user who is invited; the record of an e-mail, where that has no account.
    pub user: UserId,
}

/// An invitation to manage a partner; from the operator, to register. It is kept until it lapses, whatever becomes of
/// it: until then nobody is sent another one by the same partner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Who invites whom.
    pub key: InvitationKey,
    /// The user that made the partner; `None` where the operator did, or invites.
    pub founder: Option<UserId>,
    /// The address that it went to: who proves to have it may accept.
    pub email: Email,
    /// Whether the partner has named that address itself, and not the user by its id: then it is shown it.
    pub is_email_known: bool,
    /// What the user is to the partner once it accepts.
    pub role: Role,
    /// What became of it.
    pub status: InvitationStatus,
    /// When it was sent.
    pub created_at: Timestamp,
    /// When it lapses.
    pub expires_at: Timestamp,
}

impl Invitation {
    /// To be the owner, of an address that nobody has named, unless that is changed.
    pub(crate) fn new(key: InvitationKey, founder: Option<UserId>, email: Email, now: Timestamp) -> Self {
        let expires_at = now.plus_ms(INVITATION_LIFETIME_MS);
        let (role, status) = (Role::Owner, InvitationStatus::Pending);
        Self { key, founder, email, is_email_known: false, role, status, created_at: now, expires_at }
    }

    /// Whether it has lapsed by `now`.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at <= now
    }

    /// Whether it counts against those that can be sent at `now`: until it lapses, also if it was declined or taken back.
    pub(crate) fn uses_up_a_mail(&self, now: Timestamp) -> bool {
        self.status != InvitationStatus::Accepted && !self.is_expired(now)
    }

    /// Whether it waits for an answer at `now`.
    pub fn is_pending(&self, now: Timestamp) -> bool {
        self.status == InvitationStatus::Pending && !self.is_expired(now)
    }

    /// Whether the user manages the partner once it accepts at `now`, and does not yet.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.is_answerable(now) && self.status != InvitationStatus::Accepted
    }

    /// Whether the user can answer it at `now`.
    pub fn is_answerable(&self, now: Timestamp) -> bool {
        !self.is_expired(now) && self.status != InvitationStatus::Revoked
    }
}

impl RowKey for InvitationKey {}

impl Row for Invitation {
    type Key = InvitationKey;

    fn key(&self) -> InvitationKey {
        self.key
    }
}
