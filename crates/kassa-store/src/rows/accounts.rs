//! People, organizations and their credentials.

use kassa_domain::Id;
use kassa_domain::api_key::ApiKey;
use kassa_domain::partner::{Partner, PartnerId, PartnerManager};
use kassa_domain::session::{Session, SessionHash};
use kassa_domain::user::{User, UserId};

use super::system::read_time;
use super::venues::fold_case;
use super::{RowKey, table};
use crate::cell::{Cell, json_cell};

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
    Mutable Text "first_name": first_name = source.text_or_null()?, row.first_name.as_deref();
    Mutable Text "last_name": last_name = source.text_or_null()?, row.last_name.as_deref();
    Mutable Text "search_text": _search_text = source.text()?, user_search_text(row);
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision;
} => User { id, email, account, first_name, last_name, created_at, updated_at, revision } }

impl RowKey for SessionHash {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(self.as_slice().into());
    }
}

table! { Session, "sessions", |row, source| {
    Key Blob "hash": hash = source.hash()?, row.hash.as_slice();
    Immutable Int "user_id": user = Id::root(source.int()?), row.user.key();
    Immutable Int "password_since": password_since = read_time(source)?, row.password_since.ms();
    Mutable Int "expires_at": expires_at = read_time(source)?, row.expires_at.ms();
} => Session { hash, user, password_since, expires_at } }

table! { Partner, "partners", |row, source| {
    Key Int "id": id = Id::root(source.int()?), row.id.key();
    Mutable Text "name": name = source.text()?, row.name.as_str();
    Mutable Json "about": profile = source.json()?, json_cell(&row.profile);
    Mutable Int "removed": removed = source.flag()?, row.removed;
    Immutable Int "user_id": user = source.int_or_null()?.map(Id::root), row.user.map(Id::key);
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision;
} => Partner { id, name, profile, removed, user, created_at, updated_at, revision } }

impl RowKey for (PartnerId, UserId) {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.extend([self.0.key().into(), self.1.key().into()]);
    }
}

table! { PartnerManager, "managers", |row, source| {
    Key Int "partner": partner = Id::root(source.int()?), row.partner.key();
    Key Int "user_id": user = Id::root(source.int()?), row.user.key();
} => PartnerManager { partner, user } }

table! { ApiKey, "api_keys", |row, source| {
    Key Int "id": id = Id::root(source.int()?), row.id.key();
    Immutable Int "partner": partner = Id::root(source.int()?), row.partner.key();
    Mutable Text "name": name = source.text()?, row.name.as_str();
    Immutable Blob "hash": secret_hash = source.hash()?, row.secret_hash.as_slice();
    Immutable Blob "encrypted_secret": encrypted_secret = source.blob()?, row.encrypted_secret.as_slice();
    Mutable Int "removed": removed = source.flag()?, row.removed;
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision;
} => ApiKey { id, partner, name, secret_hash, encrypted_secret, removed, created_at, revision } }
