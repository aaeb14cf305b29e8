//! Invitations.

use kassa_domain::invitation::{Invitation, InvitationKey, InvitationStatus};
use kassa_domain::{Id, Timestamp};

use super::partners::read_role;
use crate::cell::Cell;
use crate::error::StoreError;
use crate::lists::{Comparison, Conditions, Filter, Predicate, SortKey};
use crate::rows::{RowKey, read_time, table};

/// In the place of the partner, where the operator invites; in that of its founder, where the operator made it.
const OPERATOR: i64 = 0;

fn partner_key(key: InvitationKey) -> i64 {
    key.partner.map_or(OPERATOR, Id::key)
}

impl RowKey for InvitationKey {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.extend([partner_key(*self).into(), self.user.key().into()]);
    }
}

fn status_text(status: InvitationStatus) -> &'static str {
    match status {
        InvitationStatus::Pending => "pending",
        InvitationStatus::Accepted => "accepted",
        InvitationStatus::Declined => "declined",
        InvitationStatus::Revoked => "revoked",
    }
}

fn read_status(text: &str) -> Result<InvitationStatus, StoreError> {
    match text {
        "pending" => Ok(InvitationStatus::Pending),
        "accepted" => Ok(InvitationStatus::Accepted),
        "declined" => Ok(InvitationStatus::Declined),
        "revoked" => Ok(InvitationStatus::Revoked),
        other => Err(StoreError::Corrupt(format!("the status {other} of an invitation"))),
    }
}

table! { Invitation, "invitations", |row, source| {
    Key Int "partner": partner = source.int()?, partner_key(row.key);
    Key Int "user_id": user = Id::root(source.int()?), row.key.user.key();
    Immutable Int "founder": founder = source.int()?, row.founder.map_or(OPERATOR, Id::key);
    Mutable Text "email": email = source.parse()?, row.email.as_str();
    Mutable Text "status": status = read_status(&source.text()?)?, status_text(row.status);
    Mutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "expires_at": expires_at = read_time(source)?, row.expires_at.ms();
    Mutable Text "role": role = read_role(&source.text()?)?, row.role.name();
    Mutable Int "is_email_known": is_email_known = source.flag()?, row.is_email_known;
} => Invitation {
    key: InvitationKey { partner: (partner != OPERATOR).then(|| Id::root(partner)), user },
    founder: (founder != OPERATOR).then(|| Id::root(founder)),
    email,
    is_email_known,
    role,
    status,
    created_at,
    expires_at,
} }

/// Invitations that have lapsed, the longest ago first.
#[derive(Clone, Copy, Debug)]
pub struct ExpiredInvitations {
    /// The time.
    pub now: Timestamp,
}

impl Filter for ExpiredInvitations {
    type Row = Invitation;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("expires_at"), SortKey::Ascending("partner"), SortKey::Ascending("user_id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::compare("expires_at", Comparison::AtMost, self.now.ms()));
    }
}
