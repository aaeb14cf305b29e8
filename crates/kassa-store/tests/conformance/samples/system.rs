//! Rows of the house: what lanes and jobs go by, answers that are kept, and mails.

use kassa_domain::event::EventId;
use kassa_domain::idempotency::{IdempotencyRecord, IdempotencyRecordKey};
use kassa_domain::job::{Job, JobKind};
use kassa_domain::mail::{Mail, MailContent, MailState};
use kassa_domain::node::{InstallationSetting, InstallationSettingName, Node, SharedCounter, SharedCounterName};
use kassa_domain::{Id, ShardTag};

use super::{at, id_in_event, user};

pub(crate) fn node(node: u16) -> Node {
    Node {
        number: node,
        last_id: 7 << 40,
        next_order_number: 100_005,
        order_numbers_end: 110_001,
        epoch: 3,
        lease_till: at(9),
    }
}

pub(crate) fn counter() -> SharedCounter {
    SharedCounter { name: SharedCounterName::OrderNumber, next: 110_001 }
}

pub(crate) fn installation_setting() -> InstallationSetting {
    InstallationSetting { name: InstallationSettingName::SecretFingerprint, value: "0123abcd".to_owned() }
}

/// An answer to a command of an event, or of whatever has this tag.
pub(crate) fn idempotency_record(tag: ShardTag, key: i64) -> IdempotencyRecord {
    let mut digest = [7; 32];
    digest[..8].copy_from_slice(&key.to_be_bytes());
    let key = IdempotencyRecordKey { tag, digest };
    IdempotencyRecord {
        key,
        request_digest: [1; 32],
        encrypted_response: b"\0sealed\xff".to_vec(),
        is_final: false,
        stored_at: at(0),
    }
}

pub(crate) fn job(event: EventId, key: i64) -> Job {
    Job::new(id_in_event(event, key), JobKind::Resize { event, set: id_in_event(event, 9) })
}

/// A mail to the customer `n<key>@example.org`, due at once.
pub(crate) fn mail(key: i64) -> Mail {
    let user = user(key);
    Mail {
        id: Id::root(key),
        to: user.email,
        content: MailContent::ConfirmEmail { user: user.id },
        lang: None,
        state: MailState::Waiting,
        attempts: 0,
        due_at: at(key),
        error: None,
        created_at: at(key),
    }
}

pub(crate) fn full_mail(event: EventId, key: i64) -> Mail {
    let letter = MailContent::Tickets { event, order: id_in_event(event, 5) };
    let (lang, error) = (Some("ru".to_owned()), Some("нет связи".to_owned()));
    Mail { id: id_in_event(event, key), content: letter, lang, attempts: 3, error, ..mail(key) }
}
