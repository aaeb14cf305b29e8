//! People, organizations and their credentials.

use kassa_domain::Id;
use kassa_domain::api_key::ApiKey;
use kassa_domain::partner::{Partner, PartnerId, PartnerManager};
use kassa_domain::session::{Session, SessionHash};
use kassa_domain::user::{User, UserId};

use super::system::read_time;
use super::venues::fold_case;
use super::{Column, MappedRow, RowKey, columns};
use crate::cell::{Cell, RowReader, json_cell};
use crate::error::StoreError;

/// The names of a user and its e-mail, in small letters: what users are searched by, and sorted by.
/// No search goes across the line break.
pub(crate) fn user_search_text(user: &User) -> String {
    let names: Vec<&str> = [&user.first_name, &user.last_name].into_iter().filter_map(Option::as_deref).collect();
    fold_case(&format!("{}\n{}", names.join(" "), user.email))
}

impl MappedRow for User {
    const TABLE: &'static str = "users";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Mutable Text "email",
        Mutable Json "account",
        Mutable Text "first_name",
        Mutable Text "last_name",
        Mutable Text "search_text",
        Immutable Int "created_at",
        Mutable Int "updated_at",
        Mutable Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.email.as_str().into(),
            json_cell(&self.account),
            self.first_name.as_deref().into(),
            self.last_name.as_deref().into(),
            user_search_text(self).into(),
            self.created_at.ms().into(),
            self.updated_at.ms().into(),
            self.revision.into(),
        ]);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let id = Id::root(source.int()?);
        let email = source.parse()?;
        let account = source.json()?;
        let first_name = source.text_or_null()?;
        let last_name = source.text_or_null()?;
        let _folded = source.text()?;
        Ok(Self {
            id,
            email,
            account,
            first_name,
            last_name,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }
}

impl RowKey for SessionHash {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(self.as_slice().into());
    }
}

impl MappedRow for Session {
    const TABLE: &'static str = "sessions";
    const COLUMNS: &'static [Column] = columns![
        Key Blob "hash",
        Immutable Int "user_id",
        Immutable Int "password_since",
        Mutable Int "expires_at",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.hash.write(out);
        out.extend([self.user.key().into(), self.password_since.ms().into(), self.expires_at.ms().into()]);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        Ok(Self {
            hash: source.hash()?,
            user: Id::root(source.int()?),
            password_since: read_time(source)?,
            expires_at: read_time(source)?,
        })
    }
}

impl MappedRow for Partner {
    const TABLE: &'static str = "partners";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Mutable Text "name",
        Mutable Json "about",
        Mutable Int "removed",
        Immutable Int "user_id",
        Immutable Int "created_at",
        Mutable Int "updated_at",
        Mutable Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.name.as_str().into(),
            json_cell(&self.profile),
            self.removed.into(),
            self.user.map(Id::key).into(),
            self.created_at.ms().into(),
            self.updated_at.ms().into(),
            self.revision.into(),
        ]);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        Ok(Self {
            id: Id::root(source.int()?),
            name: source.text()?,
            profile: source.json()?,
            removed: source.flag()?,
            user: source.int_or_null()?.map(Id::root),
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }
}

impl RowKey for (PartnerId, UserId) {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.extend([self.0.key().into(), self.1.key().into()]);
    }
}

impl MappedRow for PartnerManager {
    const TABLE: &'static str = "managers";
    const COLUMNS: &'static [Column] = columns![
        Key Int "partner",
        Key Int "user_id",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.partner.write(out);
        self.user.write(out);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        Ok(Self { partner: Id::root(source.int()?), user: Id::root(source.int()?) })
    }
}

impl MappedRow for ApiKey {
    const TABLE: &'static str = "api_keys";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Immutable Int "partner",
        Mutable Text "name",
        Immutable Blob "hash",
        Immutable Blob "encrypted_secret",
        Mutable Int "removed",
        Immutable Int "created_at",
        Mutable Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.partner.key().into(),
            self.name.as_str().into(),
            self.secret_hash.as_slice().into(),
            self.encrypted_secret.as_slice().into(),
            self.removed.into(),
            self.created_at.ms().into(),
            self.revision.into(),
        ]);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        Ok(Self {
            id: Id::root(source.int()?),
            partner: Id::root(source.int()?),
            name: source.text()?,
            secret_hash: source.hash()?,
            encrypted_secret: source.blob()?,
            removed: source.flag()?,
            created_at: read_time(source)?,
            revision: source.int()?,
        })
    }
}
