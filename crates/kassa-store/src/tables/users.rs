//! Users and their sessions.

use kassa_domain::session::{Session, SessionHash};
use kassa_domain::user::User;
use kassa_domain::{Id, Timestamp};

use crate::cell::{Cell, json_cell};
use crate::lists::{Comparison, Conditions, Filter, Predicate, SortKey};
use crate::rows::{RowKey, fold_case, read_time, read_time_or_null, suspension, table};

/// The names of a user and its e-mail, in small letters: what users are searched by, and sorted by.
/// No search goes across the line break.
pub(crate) fn user_search_text(user: &User) -> String {
    let names: Vec<&str> = [&user.first_name, &user.last_name].into_iter().filter_map(Option::as_deref).collect();
    fold_case(&format!("{}\n{}", names.join(" "), user.email))
}

table! { User, "users", |row, source| {
    Key Int "id": id = Id::root(source.int()?), row.id.key();
    Mutable Text "email": email = source.parse()?, row.email.as_str();
    Mutable Json "account": account = source.json()?, json_cell(&row.account);
    Mutable Json "second_factor": second_factor = source.json_or_null()?, row.second_factor.as_ref().map(json_cell);
    Mutable Int "confirm_by": confirm_by = read_time_or_null(source)?, row.confirm_by.map(Timestamp::ms);
    Mutable Text "first_name": first_name = source.text_or_null()?, row.first_name.as_deref();
    Mutable Text "last_name": last_name = source.text_or_null()?, row.last_name.as_deref();
    Mutable Text "search_text": _search_text = source.text()?, user_search_text(row);
    Mutable Int "suspended_at": suspended_at = read_time_or_null(source)?,
        row.suspension.as_ref().map(|suspension| suspension.since.ms());
    Mutable Text "suspension_reason": reason = source.text_or_null()?,
        row.suspension.as_ref().and_then(|suspension| suspension.reason.as_deref());
    Mutable Int "operator_since": operator_since = read_time_or_null(source)?, row.operator_since.map(Timestamp::ms);
    Mutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision;
} => User {
        id, email, account, second_factor, confirm_by, first_name, last_name, operator_since,
        suspension: suspension(suspended_at, reason), created_at, updated_at, revision
    },
    unique vec![row.email.to_string()]
}

impl RowKey for SessionHash {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(self.as_slice().into());
    }
}

table! { Session, "sessions", |row, source| {
    Key Blob "hash": hash = source.hash()?, row.hash.as_slice();
    Immutable Int "user_id": user = Id::root(source.int()?), row.user.key();
    Immutable Int "password_since": password_since = read_time(source)?, row.password_since.ms();
    Immutable Int "created_at": created_at = read_time_or_null(source)?, row.created_at.map(Timestamp::ms);
    Mutable Int "expires_at": expires_at = read_time(source)?, row.expires_at.ms();
} => Session { hash, user, password_since, created_at, expires_at } }

/// All users, newest first: for the operator.
#[derive(Clone, Copy, Debug)]
pub struct UsersFilter;

impl Filter for UsersFilter {
    type Row = User;

    fn conditions(&self, _: &mut Conditions) {}
}

/// Sessions that have lapsed, those that did first.
#[derive(Clone, Copy, Debug)]
pub struct LapsedSessions {
    /// Until when.
    pub until: Timestamp,
}

impl Filter for LapsedSessions {
    type Row = Session;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("expires_at"), SortKey::Ascending("hash")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::compare("expires_at", Comparison::AtMost, self.until.ms()));
    }
}

/// Registrations that were not confirmed in time, the longest due first.
#[derive(Clone, Copy, Debug)]
pub struct LapsedRegistrations {
    /// The time.
    pub now: Timestamp,
}

impl Filter for LapsedRegistrations {
    type Row = User;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("confirm_by"), SortKey::Ascending("id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::compare("confirm_by", Comparison::AtMost, self.now.ms()));
    }
}
