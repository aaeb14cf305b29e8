//! Mails.

use kassa_domain::mail::{Mail, MailQueue, MailState};
use kassa_domain::{Id, Timestamp};

use crate::cell::json_cell;
use crate::error::StoreError;
use crate::lists::{Comparison, Conditions, Filter, Predicate, SortKey};
use crate::rows::{read_tag, read_time, table};

table! { Mail, "mails", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Immutable Text "email": to = source.parse()?, row.to.as_str();
    Immutable Json "content": content = source.json()?, json_cell(&row.content);
    Immutable Text "lang": lang = source.text_or_null()?, row.lang.as_deref();
    // Both are in the row otherwise, too: so lists find them.
    Mutable Int "queue": _ = source.int()?, row.queue().number();
    Immutable Int "partner": turn = source.int()?, row.turn();
    Mutable Text "state": state = read_mail_state(&source.text()?)?, row.state.name();
    Mutable Int "attempts": attempts = source.int_as()?, i64::from(row.attempts);
    Mutable Int "due_at": due_at = read_time(source)?, row.due_at.ms();
    Mutable Text "error": error = source.text_or_null()?, row.error.as_deref();
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
} => Mail {
    id: Id::with_tag(tag, key),
    to,
    content,
    partner: (turn != 0).then_some(Id::root(turn)),
    lang,
    state,
    attempts,
    due_at,
    error,
    created_at,
} }

fn read_mail_state(text: &str) -> Result<MailState, StoreError> {
    match text {
        "waiting" => Ok(MailState::Waiting),
        "failed" => Ok(MailState::Failed),
        other => Err(StoreError::Corrupt(format!("the state {other} of a mail"))),
    }
}

/// Mails of a queue that must be sent or given up, by the turns of their partners; of each partner, the longest due first.
#[derive(Clone, Copy, Debug)]
pub struct DueMails {
    /// The time.
    pub now: Timestamp,
    /// The queue.
    pub queue: MailQueue,
    /// Only those with a turn behind this one, a [`Mail::turn`]; -1 is before all.
    pub after_turn: i64,
}

impl Filter for DueMails {
    type Row = Mail;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("partner"), SortKey::Ascending("due_at"), SortKey::Ascending("id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::equal("queue", self.queue.number()));
        conditions.add(Predicate::compare("partner", Comparison::Above, self.after_turn));
        conditions.add(Predicate::compare("due_at", Comparison::AtMost, self.now.ms()));
    }
}

/// All mails that were not sent, newest first: for the operator.
#[derive(Clone, Copy, Debug)]
pub struct UnsentMailsFilter;

impl Filter for UnsentMailsFilter {
    type Row = Mail;

    fn conditions(&self, _: &mut Conditions) {}
}
