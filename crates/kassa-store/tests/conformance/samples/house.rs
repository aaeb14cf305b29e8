//! Rows of the house: what lanes and jobs go by, answers that are kept, and mails.

use kassa_domain::event::EventId;
use kassa_domain::job::{Job, Work};
use kassa_domain::mail::{Letter, Mail, MailState};
use kassa_domain::node::{Counter, CounterName, Fact, FactName, Node};
use kassa_domain::once::{AnswerKey, KeptAnswer};
use kassa_domain::{Id, Tag};

use super::{at, on, user};

pub(crate) fn node(node: u16) -> Node {
    Node { node, id_mark: 7 << 40, number_next: 100_005, number_end: 110_001, epoch: 3, lease_till: at(9) }
}

pub(crate) fn counter() -> Counter {
    Counter { name: CounterName::OrderNumber, next: 110_001 }
}

pub(crate) fn fact() -> Fact {
    Fact { name: FactName::SecretFingerprint, value: "0123abcd".to_owned() }
}

/// An answer to a command of an event, or of whatever has this tag.
pub(crate) fn answer(tag: Tag, key: i64) -> KeptAnswer {
    let mut digest = [7; 32];
    digest[..8].copy_from_slice(&key.to_be_bytes());
    let key = AnswerKey { tag, digest };
    KeptAnswer { key, request: [1; 32], sealed: b"\0sealed\xff".to_vec(), is_final: false, kept_at: at(0) }
}

pub(crate) fn job(event: EventId, key: i64) -> Job {
    Job::new(on(event, key), Work::Resize { event, set: on(event, 9) })
}

/// A mail to the customer `n<key>@example.org`, due at once.
pub(crate) fn mail(key: i64) -> Mail {
    let user = user(key);
    Mail {
        id: Id::root(key),
        to: user.email,
        letter: Letter::ConfirmEmail { user: user.id },
        lang: None,
        state: MailState::Waiting,
        attempts: 0,
        due_at: at(key),
        error: None,
        created_at: at(key),
    }
}

pub(crate) fn full_mail(event: EventId, key: i64) -> Mail {
    let letter = Letter::Tickets { event, order: on(event, 5) };
    let (lang, error) = (Some("ru".to_owned()), Some("нет связи".to_owned()));
    Mail { id: on(event, key), letter, lang, attempts: 3, error, ..mail(key) }
}
