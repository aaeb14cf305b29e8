//! Mails.

use kassa_domain::Id;
use kassa_domain::mail::{Mail, MailState};

use super::system::{read_tag, read_time};
use super::{Column, MappedRow, RowKey as _, columns};
use crate::cell::{Cell, RowReader, json_cell};
use crate::error::StoreError;

impl MappedRow for Mail {
    const TABLE: &'static str = "mails";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Immutable Text "email",
        Immutable Json "content",
        Immutable Text "lang",
        Mutable Text "state",
        Mutable Int "attempts",
        Mutable Int "due_at",
        Mutable Text "error",
        Immutable Int "created_at",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([self.id.tag().to_i64().into(), self.to.as_str().into(), json_cell(&self.content)]);
        out.extend([self.lang.as_deref().into(), self.state.name().into()]);
        out.extend([i64::from(self.attempts).into(), self.due_at.ms().into()]);
        out.extend([self.error.as_deref().into(), self.created_at.ms().into()]);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let key = source.int()?;
        Ok(Self {
            id: Id::with_tag(read_tag(source)?, key),
            to: source.parse()?,
            content: source.json()?,
            lang: source.text_or_null()?,
            state: read_mail_state(&source.text()?)?,
            attempts: source.int_as()?,
            due_at: read_time(source)?,
            error: source.text_or_null()?,
            created_at: read_time(source)?,
        })
    }
}

fn read_mail_state(text: &str) -> Result<MailState, StoreError> {
    match text {
        "waiting" => Ok(MailState::Waiting),
        "failed" => Ok(MailState::Failed),
        other => Err(StoreError::Corrupt(format!("the state {other} of a mail"))),
    }
}
