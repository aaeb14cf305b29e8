//! What lanes and jobs go by, answers that are kept, and mails.

use std::cmp::Ordering;

use kassa_domain::event::EventId;
use kassa_domain::idempotency::{IdempotencyRecord, IdempotencyRecordKey};
use kassa_domain::job::{Job, JobKind};
use kassa_domain::mail::{Mail, MailContent, MailQueue, MailState};
use kassa_domain::node::{InstallationSetting, InstallationSettingName, Node, SharedCounter, SharedCounterName};
use kassa_domain::order::{ExportFilter, OrderId};
use kassa_domain::{Id, ShardTag, Timestamp, View};
use kassa_store::queries::{DueMails, ExpiredIdempotencyRecords, JobsFilter, UnsentMailsFilter};

use crate::database::Database;
use crate::dice::{Dice, IDEMPOTENCY_RECORDS, MAILS};
use crate::kinds::kind;
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::{AccessPath, PlanCases};
use crate::samples::{self, at, id_in_event, party, user};

pub(crate) fn node(node: u16) -> Node {
    Node {
        number: node,
        last_id: 7 << 40,
        next_order_number: 100_005,
        order_numbers_end: 110_001,
        epoch: 3,
        batches: 5,
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
        charged_to: None,
    }
}

pub(crate) fn job(event: EventId, key: i64) -> Job {
    Job::new(id_in_event(event, key), Id::root(key % 3 + 1), JobKind::Resize { event, set: id_in_event(event, 9) })
}

/// A mail to the customer `n<key>@example.org`, due at once.
pub(crate) fn mail(key: i64) -> Mail {
    let user = user(key);
    Mail {
        id: Id::root(key),
        to: user.email,
        content: MailContent::ConfirmEmail { user: user.id },
        partner: None,
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
    let partner = Some(Id::root(7));
    Mail { id: id_in_event(event, key), content: letter, partner, lang, attempts: 3, error, ..mail(key) }
}

kind!(Node, nodes, |row, read_set| read_set.nodes.push(row.number), [samples::node(0), samples::node(1023)], |row| {
    Node {
        last_id: i64::MAX,
        next_order_number: 1,
        order_numbers_end: 0,
        epoch: i64::MAX,
        batches: 6,
        lease_till: at(-1),
        ..row
    }
});

kind!(SharedCounter, counters, |row, read_set| read_set.counters.push(row.name), [samples::counter()], |row| {
    SharedCounter { next: 5, ..row }
});

kind!(
    InstallationSetting,
    installation_settings,
    |row, read_set| read_set.installation_settings.push(row.name),
    [samples::installation_setting()],
    |row| InstallationSetting { value: String::new(), ..row }
);

kind!(
    IdempotencyRecord,
    idempotency_records,
    |row, read_set| read_set.idempotency_records.push(row.key),
    [samples::idempotency_record(party().id.tag(), 1), samples::idempotency_record(ShardTag::of_key(9), 2)],
    |row| IdempotencyRecord {
        request_digest: [255; 32],
        encrypted_response: Vec::new(),
        is_final: true,
        stored_at: at(99),
        charged_to: Some(Id::root(7)),
        ..row
    },
    {
        fn fill(_: &mut Dice, view: &mut View) {
            (1..=IDEMPOTENCY_RECORDS).for_each(|key| put_answer(&mut Dice::new(key.unsigned_abs()), key, view));
        }

        fn plan_cases(cases: &mut PlanCases) {
            let filter = ExpiredIdempotencyRecords { stored_until: Timestamp::from_ms(0) };
            cases.add(&filter, AccessPath::OrderedIndex, &["idempotency_records_stored_at"]);
        }
    }
);

kind!(
    Job,
    jobs,
    |row, read_set| read_set.jobs.push(row.id),
    [samples::job(party().id, 1), Job { organizer: None, kind: refund(None), ..samples::job(party().id, 2) }],
    |row| Job { kind: refund(Some(id_in_event(party().id, 5))), lease_node: Some(1023), lease_till: at(1), ..row },
    {
        fn plan_cases(cases: &mut PlanCases) {
            let filter = JobsFilter { after_turn: 3, after_key: 5 };
            cases.add(&filter, AccessPath::OrderedIndex, &["jobs_turns"]);
        }
    }
);

kind!(
    Mail,
    mails,
    |row, read_set| read_set.mails.push(row.id),
    [samples::mail(1), samples::full_mail(party().id, 2)],
    |row| Mail {
        state: MailState::Failed,
        attempts: u32::MAX,
        due_at: at(99),
        error: Some("454 4.7.0 \"later\"".to_owned()),
        ..row
    },
    {
        fn fill(_: &mut Dice, view: &mut View) {
            (1..=MAILS).for_each(|key| put_mail(&mut Dice::new(key.unsigned_abs()), key, view));
        }

        fn plan_cases(cases: &mut PlanCases) {
            let now = Timestamp::from_ms(0);
            let due = DueMails { now, queue: MailQueue::Awaited, after_turn: 3 };
            cases.add(&due, AccessPath::OrderedIndex, &["mails_turns"]);
            cases.add_filtered(&UnsentMailsFilter);
        }
    }
);

/// The work of a canceled event.
fn refund(after: Option<OrderId>) -> JobKind {
    JobKind::Refund { event: party().id, after }
}

fn put_answer(dice: &mut Dice, key: i64, view: &mut View) {
    view.idempotency_records.put(IdempotencyRecord {
        stored_at: dice.moment(),
        ..samples::idempotency_record(Dice::event_of(key).tag(), key)
    });
}

fn put_mail(dice: &mut Dice, key: i64, view: &mut View) {
    let mail = samples::mail(key);
    let filter = ExportFilter { partner: Id::root(1), created: None, status: None, events: None, with_customer: false };
    view.mails.put(Mail {
        content: if dice.flip() { MailContent::Export(filter) } else { mail.content },
        partner: dice.maybe(Dice::partner),
        attempts: dice.rarely(|_| 1).unwrap_or(0),
        due_at: dice.moment(),
        state: dice.mail_state(),
        ..mail
    });
}

impl ListModel for JobsFilter {
    fn includes(&self, job: &Job, _: &View) -> bool {
        (job.turn(), job.id.key()) > (self.after_turn, self.after_key)
    }

    fn compare(&self, one: &Job, other: &Job) -> Ordering {
        (one.turn(), one.id.key()).cmp(&(other.turn(), other.id.key()))
    }
}

pub(crate) async fn jobs_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<JobsFilter>(db, |dice| JobsFilter {
        after_turn: dice.rarely(Dice::partner).map_or(-1, Id::key),
        after_key: if dice.flip() { i64::MAX } else { dice.order().key() },
    })
    .await;
}

impl ListModel for UnsentMailsFilter {
    fn includes(&self, _: &Mail, _: &View) -> bool {
        true
    }
}

pub(crate) async fn mails_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<UnsentMailsFilter>(db, |_| UnsentMailsFilter).await;
}

impl ListModel for ExpiredIdempotencyRecords {
    fn includes(&self, record: &IdempotencyRecord, _: &View) -> bool {
        record.stored_at <= self.stored_until
    }

    fn compare(&self, one: &IdempotencyRecord, other: &IdempotencyRecord) -> Ordering {
        (one.stored_at, one.key.digest).cmp(&(other.stored_at, other.key.digest))
    }
}

pub(crate) async fn old_answers_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<ExpiredIdempotencyRecords>(db, |dice| ExpiredIdempotencyRecords {
        stored_until: dice.moment(),
    })
    .await;
}

impl ListModel for DueMails {
    fn includes(&self, mail: &Mail, _: &View) -> bool {
        mail.queue() == self.queue && mail.turn() > self.after_turn && mail.due_at <= self.now
    }

    fn compare(&self, one: &Mail, other: &Mail) -> Ordering {
        (one.turn(), one.due_at, one.id).cmp(&(other.turn(), other.due_at, other.id))
    }
}

pub(crate) async fn due_mails_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<DueMails>(db, |dice| DueMails {
        now: dice.rarely(Dice::moment).unwrap_or(at(2_000)),
        queue: MailQueue::ALL[usize::try_from(dice.below(4)).unwrap()],
        after_turn: dice.rarely(Dice::partner).map_or(-1, Id::key),
    })
    .await;
}
