//! Mails.

use kassa_domain::Id;
use kassa_domain::mail::{Mail, MailState};

use super::house::{read_tag, read_time};
use super::{Column, Key as _, Mapped, columns};
use crate::cell::{Cell, Source, json};
use crate::error::StoreError;

impl Mapped for Mail {
    const TABLE: &'static str = "mails";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Fixed Text "email",
        Fixed Json "letter",
        Fixed Text "lang",
        Free Text "state",
        Free Int "attempts",
        Free Int "due_at",
        Free Text "error",
        Fixed Int "created_at",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([self.id.tag().to_i64().into(), self.to.as_str().into(), json(&self.letter)]);
        out.extend([self.lang.as_deref().into(), self.state.name().into()]);
        out.extend([i64::from(self.attempts).into(), self.due_at.ms().into()]);
        out.extend([self.error.as_deref().into(), self.created_at.ms().into()]);
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        let key = source.int()?;
        Ok(Self {
            id: Id::under(read_tag(source)?, key),
            to: source.parsed()?,
            letter: source.json()?,
            lang: source.text_or_null()?,
            state: read_state(&source.text()?)?,
            attempts: source.small()?,
            due_at: read_time(source)?,
            error: source.text_or_null()?,
            created_at: read_time(source)?,
        })
    }
}

fn read_state(text: &str) -> Result<MailState, StoreError> {
    match text {
        "waiting" => Ok(MailState::Waiting),
        "failed" => Ok(MailState::Failed),
        other => Err(StoreError::Corrupt(format!("the state {other} of a mail"))),
    }
}
