//! People, organizations and their credentials.

use kassa_domain::Id;
use kassa_domain::key::ApiKey;
use kassa_domain::partner::{Manager, Partner, PartnerId};
use kassa_domain::session::{Session, SessionHash};
use kassa_domain::user::{User, UserId};

use super::house::read_time;
use super::venues::folded;
use super::{Column, Key, Mapped, columns};
use crate::cell::{Cell, Source, json};
use crate::error::StoreError;

/// The names of a user and its e-mail, in small letters: what users are searched by, and sorted by.
/// No search goes across the line break.
pub(crate) fn folded_user(user: &User) -> String {
    let names: Vec<&str> = [&user.first_name, &user.last_name].into_iter().filter_map(Option::as_deref).collect();
    folded(&format!("{}\n{}", names.join(" "), user.email))
}

impl Mapped for User {
    const TABLE: &'static str = "users";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Free Text "email",
        Free Json "account",
        Free Text "first_name",
        Free Text "last_name",
        Free Text "folded",
        Fixed Int "created_at",
        Free Int "updated_at",
        Free Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.email.as_str().into(),
            json(&self.account),
            self.first_name.as_deref().into(),
            self.last_name.as_deref().into(),
            folded_user(self).into(),
            self.created_at.ms().into(),
            self.updated_at.ms().into(),
            self.revision.into(),
        ]);
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        let id = Id::root(source.int()?);
        let email = source.parsed()?;
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

    fn uniques(&self) -> Vec<String> {
        vec![self.email.to_string()]
    }
}

impl Key for SessionHash {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(self.as_slice().into());
    }
}

impl Mapped for Session {
    const TABLE: &'static str = "sessions";
    const COLUMNS: &'static [Column] = columns![
        Key Blob "hash",
        Fixed Int "user_id",
        // Its name is from when sessions noted the time of the log-in here.
        Fixed Int "created_at",
        Free Int "expires_at",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.hash.write(out);
        out.extend([self.user.key().into(), self.password_since.ms().into(), self.expires_at.ms().into()]);
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        Ok(Self {
            hash: source.hash()?,
            user: Id::root(source.int()?),
            password_since: read_time(source)?,
            expires_at: read_time(source)?,
        })
    }
}

impl Mapped for Partner {
    const TABLE: &'static str = "partners";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Free Text "name",
        Free Json "about",
        Free Int "removed",
        Fixed Int "user_id",
        Fixed Int "created_at",
        Free Int "updated_at",
        Free Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.name.as_str().into(),
            json(&self.about),
            self.removed.into(),
            self.user.map(Id::key).into(),
            self.created_at.ms().into(),
            self.updated_at.ms().into(),
            self.revision.into(),
        ]);
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        Ok(Self {
            id: Id::root(source.int()?),
            name: source.text()?,
            about: source.json()?,
            removed: source.flag()?,
            user: source.int_or_null()?.map(Id::root),
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }
}

impl Key for (PartnerId, UserId) {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.extend([self.0.key().into(), self.1.key().into()]);
    }
}

impl Mapped for Manager {
    const TABLE: &'static str = "managers";
    const COLUMNS: &'static [Column] = columns![
        Key Int "partner",
        Key Int "user_id",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.partner.write(out);
        self.user.write(out);
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        Ok(Self { partner: Id::root(source.int()?), user: Id::root(source.int()?) })
    }
}

impl Mapped for ApiKey {
    const TABLE: &'static str = "api_keys";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Fixed Int "partner",
        Free Text "name",
        Fixed Blob "hash",
        Fixed Blob "sealed",
        Free Int "removed",
        Fixed Int "created_at",
        Free Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.partner.key().into(),
            self.name.as_str().into(),
            self.hash.as_slice().into(),
            self.sealed.as_slice().into(),
            self.removed.into(),
            self.created_at.ms().into(),
            self.revision.into(),
        ]);
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        Ok(Self {
            id: Id::root(source.int()?),
            partner: Id::root(source.int()?),
            name: source.text()?,
            hash: source.hash()?,
            sealed: source.blob()?,
            removed: source.flag()?,
            created_at: read_time(source)?,
            revision: source.int()?,
        })
    }

    fn uniques(&self) -> Vec<String> {
        vec![format!("{:?}", self.hash)]
    }
}
