//! Mails.

use kassa_domain::Id;
use kassa_domain::mail::{Mail, MailState};

use super::system::{read_tag, read_time};
use super::table;
use crate::cell::json_cell;
use crate::error::StoreError;

table! { Mail, "mails", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Immutable Text "email": to = source.parse()?, row.to.as_str();
    Immutable Json "content": content = source.json()?, json_cell(&row.content);
    Immutable Text "lang": lang = source.text_or_null()?, row.lang.as_deref();
    Mutable Text "state": state = read_mail_state(&source.text()?)?, row.state.name();
    Mutable Int "attempts": attempts = source.int_as()?, i64::from(row.attempts);
    Mutable Int "due_at": due_at = read_time(source)?, row.due_at.ms();
    Mutable Text "error": error = source.text_or_null()?, row.error.as_deref();
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
} => Mail { id: Id::with_tag(tag, key), to, content, lang, state, attempts, due_at, error, created_at } }

fn read_mail_state(text: &str) -> Result<MailState, StoreError> {
    match text {
        "waiting" => Ok(MailState::Waiting),
        "failed" => Ok(MailState::Failed),
        other => Err(StoreError::Corrupt(format!("the state {other} of a mail"))),
    }
}
