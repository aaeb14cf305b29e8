//! Requests under a key, and requests that expect something of a row.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use kassa_domain::idempotency::RECORD_RETENTION_MS;
use kassa_domain::partner::PartnerId;
use kassa_domain::precondition::{Precondition, ResourceRef};
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::user::User;
use kassa_domain::{Actor, Id, ReadSet, Refusal, ShardTag};
use kassa_engine::idempotency::{IdempotencyMatch, ResponseCodec, SavedResponse};
use kassa_engine::{Caller, Engine, Failure, RequestConditions};
use kassa_store::PageWindow;
use kassa_store::queries::ExpiredIdempotencyRecords;

use crate::harness::{Database, Gate, TestCommand, execute, start_call, user};
use crate::housekeeping::{metrics_of, start_housekeeping};

/// What a command came to, or what was kept of that.
type Answer = Result<i64, SavedResponse>;

const CODEC: ResponseCodec = ResponseCodec { encode: to_bytes, decode: |saved| Some(Box::new(Answer::Err(saved))) };

fn to_bytes(answer: &dyn Any) -> Option<Vec<u8>> {
    answer.downcast_ref::<Answer>()?.as_ref().ok().map(|number| number.to_be_bytes().to_vec())
}

/// Why a command was not decided now, or not granted.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NotDone {
    Replayed(SavedResponse),
    Failed(Failure),
}

impl From<Refusal> for NotDone {
    fn from(refusal: Refusal) -> Self {
        Self::Failed(refusal.into())
    }
}

fn caller() -> Actor {
    Actor::Partner(PartnerId::root(77))
}

/// Somebody who asks for this under a key.
fn caller_with_key(engine: &Engine, key: &str, request: &str) -> Caller {
    let once = engine
        .idempotent_request(&caller(), Some(ShardTag::of_key(5)), key, &[request.as_bytes()], true, CODEC)
        .unwrap();
    Caller::new(caller(), Some(Arc::new(RequestConditions { idempotency: Some(Arc::new(once)), precondition: None })))
}

async fn execute_as(engine: &Engine, asker: &Caller, command: TestCommand) -> Result<i64, NotDone> {
    let answer = engine.execute(asker, command, |_, outcome| Answer::Ok(*outcome)).await;
    answer.map_err(NotDone::Failed)?.map_err(NotDone::Replayed)
}

fn answered(number: i64) -> Result<i64, NotDone> {
    Err(NotDone::Replayed(SavedResponse { bytes: number.to_be_bytes().to_vec(), is_final: true }))
}

/// What is kept for a request.
async fn stored_answer(engine: &Engine, request: &str) -> Option<IdempotencyMatch> {
    let once = engine
        .idempotent_request(&caller(), Some(ShardTag::of_key(5)), "key", &[request.as_bytes()], true, CODEC)
        .unwrap();
    engine.idempotency_record(&once).await.unwrap()
}

pub(crate) async fn a_repeated_request_is_answered_and_not_decided(db: Database) {
    let engine = db.engine().await;
    let asker = caller_with_key(&engine, "key", "make");
    let made = execute_as(&engine, &asker, TestCommand::make_user(1)).await.unwrap();
    let before = db.transactions().await;
    assert_eq!(execute_as(&engine, &asker, TestCommand::make_user(2)).await, answered(made));
    let other = self::caller_with_key(&engine, "key", "make another");
    assert_eq!(execute_as(&engine, &other, TestCommand::make_user(2)).await, Err(Refusal::IdempotencyKeyReused.into()));
    assert_eq!((db.users(9).await, db.transactions().await), (vec![1], before), "nothing was decided");
    let another_key = self::caller_with_key(&engine, "another", "make");
    execute_as(&engine, &another_key, TestCommand::make_user(2)).await.unwrap();
    assert_eq!(db.users(9).await, [1, 2]);
}

pub(crate) async fn a_response_is_recorded_in_the_transaction_of_its_command(db: Database) {
    let engine = db.engine().await;
    let before = db.transactions().await;
    let made = execute_as(&engine, &caller_with_key(&engine, "key", "make"), TestCommand::make_user(1)).await.unwrap();
    assert_eq!(db.transactions().await, before + 1);
    // Whoever is told nothing, because the server has gone, hears it from the next.
    engine.close().await;
    let next = db.engine().await;
    let saved = SavedResponse { bytes: made.to_be_bytes().to_vec(), is_final: true };
    assert_eq!(stored_answer(&next, "make").await, Some(IdempotencyMatch::SameRequest(saved)));
    assert_eq!(stored_answer(&next, "something else").await, Some(IdempotencyMatch::DifferentRequest));
}

pub(crate) async fn a_refusal_is_recorded_before_it_is_sent(db: Database) {
    let engine = db.engine().await;
    let asker = caller_with_key(&engine, "key", "make");
    let refused = || TestCommand::new(|_, _| Err(Refusal::Forbidden(ForbiddenReason::OperatorOnly)));
    assert_eq!(
        execute_as(&engine, &asker, refused()).await,
        Err(Refusal::Forbidden(ForbiddenReason::OperatorOnly).into())
    );
    assert_eq!(stored_answer(&engine, "make").await, None);
    let once = engine.idempotent_request(&caller(), Some(ShardTag::of_key(5)), "key", &[b"make"], true, CODEC).unwrap();
    assert_eq!(engine.record_response(&once, b"no", false).await, Ok(None));
    let no = SavedResponse { bytes: b"no".to_vec(), is_final: true };
    assert_eq!(
        engine.record_response(&once, b"never", true).await,
        Ok(Some(IdempotencyMatch::SameRequest(no.clone()))),
        "the first one stands"
    );
    assert_eq!(execute_as(&engine, &asker, TestCommand::make_user(1)).await, Err(NotDone::Replayed(no)));
    assert_eq!(db.users(9).await, [0; 0]);
}

pub(crate) async fn an_unfinished_response_is_completed_once(db: Database) {
    let engine = db.engine().await;
    let once = || engine.idempotent_request(&caller(), None, "key", &[b"make"], false, CODEC).unwrap();
    let conditions = RequestConditions { idempotency: Some(Arc::new(once())), precondition: None };
    let made = execute_as(&engine, &Caller::new(caller(), Some(Arc::new(conditions))), TestCommand::make_user(1))
        .await
        .unwrap();
    let raw = SavedResponse { bytes: made.to_be_bytes().to_vec(), is_final: false };
    assert_eq!(engine.idempotency_record(&once()).await, Ok(Some(IdempotencyMatch::SameRequest(raw.clone()))));
    assert_eq!(
        engine.record_response(&once(), b"refused", false).await,
        Ok(Some(IdempotencyMatch::SameRequest(raw))),
        "it was granted"
    );
    assert_eq!(engine.record_response(&once(), b"shaped", true).await, Ok(None));
    let shaped = SavedResponse { bytes: b"shaped".to_vec(), is_final: true };
    assert_eq!(engine.record_response(&once(), b"again", true).await, Ok(Some(IdempotencyMatch::SameRequest(shaped))));
}

pub(crate) async fn concurrent_requests_on_two_nodes_are_decided_once(db: Database) {
    let (one, other) = (db.engine().await, db.engine().await);
    for key in 1..=20 {
        let ask = |engine: &Engine| {
            let (engine, asker) = (engine.clone(), caller_with_key(engine, &format!("key {key}"), "make"));
            tokio::spawn(async move { execute_as(&engine, &asker, TestCommand::make_user(key)).await })
        };
        let (first, second) = (ask(&one), ask(&other));
        let answers = [first.await.unwrap(), second.await.unwrap()];
        let made = answers.iter().find_map(|answer| answer.as_ref().ok()).copied();
        let made = made.unwrap_or_else(|| panic!("{key}: {answers:?}"));
        assert!(answers.contains(&answered(made)), "{key}: {answers:?}");
    }
    assert_eq!(db.users(30).await.len(), 20);
}

pub(crate) async fn requests_of_one_batch_are_decided_once(db: Database) {
    let engine = db.engine().await;
    let (gate, held) = Gate::hold(&engine);
    let asker = caller_with_key(&engine, "key", "make");
    let first = start_call(execute_as(&engine, &asker, TestCommand::make_user(1)));
    let second = start_call(execute_as(&engine, &asker, TestCommand::make_user(1)));
    gate.open();
    held.await.unwrap();
    let made = first.await.unwrap();
    assert_eq!(second.await, answered(made));
}

pub(crate) async fn idempotency_records_are_purged_after_a_day(db: Database) {
    let engine = db.engine().await;
    let asker = caller_with_key(&engine, "key", "make");
    let made = execute_as(&engine, &asker, TestCommand::make_user(1)).await.unwrap();
    db.clock.advance_ms(RECORD_RETENTION_MS - 1);
    assert_eq!(engine.purge_idempotency_records().await, Ok(0));
    assert_eq!(execute_as(&engine, &asker, TestCommand::make_user(2)).await, answered(made));
    db.clock.advance_ms(1);
    // Before it is forgotten, and when it is.
    execute_as(&engine, &asker, TestCommand::make_user(2)).await.unwrap();
    db.clock.advance_ms(RECORD_RETENTION_MS);
    for number in 0..3 {
        let key = format!("key {number}");
        execute_as(&engine, &self::caller_with_key(&engine, &key, "make"), TestCommand::make_user(10 + number))
            .await
            .unwrap();
    }
    assert_eq!(engine.purge_idempotency_records().await, Ok(1));
    db.clock.advance_ms(RECORD_RETENTION_MS);
    // Two nodes may do it at once. The first keeps its number by what it writes.
    execute(&engine, TestCommand::make_user(50)).await.unwrap();
    let other = db.engine().await;
    let (here, there) = tokio::join!(engine.purge_idempotency_records(), other.purge_idempotency_records());
    assert!(here.unwrap() + there.unwrap() >= 3);
    let left =
        engine.page(ExpiredIdempotencyRecords { stored_until: engine.now() }, PageWindow::first(9)).await.unwrap();
    assert_eq!(left.rows, []);
}

/// With a manual lane: nothing runs but housekeeping and its timers.
#[tokio::test(start_paused = true)]
async fn purges_run_concurrently_and_do_not_delay_shutdown() {
    let db = Database::memory().await;
    let (engine, mut lanes) = Engine::start_manual(db.parts()).await.unwrap();
    for user in 1..=3 {
        let once = engine.idempotent_request(&caller(), Some(ShardTag::of_key(user)), "key", &[], true, CODEC).unwrap();
        let asker = Caller::new(
            caller(),
            Some(Arc::new(RequestConditions { idempotency: Some(Arc::new(once)), precondition: None })),
        );
        let made = start_call(execute_as(&engine, &asker, TestCommand::make_user(user)));
        lanes[0].run_batch().await;
        made.await.unwrap();
    }
    db.clock.advance_ms(RECORD_RETENTION_MS);
    let housekeeping = start_housekeeping(&engine);
    tokio::time::sleep(Duration::from_mins(10)).await;
    let metrics = metrics_of(&engine);
    // One for each event, the number of the lane, and the sums of sales.
    assert!(metrics.contains("kassa_queue_commands{lane=\"0\"} 5\n"), "{metrics}");
    tokio::time::timeout(Duration::from_secs(1), housekeeping.stop()).await.expect("it stops at once");
}

pub(crate) async fn recorded_responses_are_encrypted_at_rest(db: Database) {
    let engine = db.engine().await;
    let once = engine.idempotent_request(&caller(), None, "key", &[b"a password"], true, CODEC).unwrap();
    engine.record_response(&once, b"a long answer", false).await.unwrap();
    let view = db.store.view(&ReadSet { idempotency_records: vec![once.key()], ..ReadSet::default() }).await.unwrap();
    let row = view.idempotency_records.get(once.key()).unwrap();
    assert!(!row.encrypted_response.windows(4).any(|part| b"a long answer".windows(4).any(|word| word == part)));
    // What the digests are of cannot be tried out without the secret.
    let text = format!("{row:?}");
    assert!(!text.contains("password") && !text.contains("key\""), "{text}");
}

/// Somebody who expects user 1 to have one of these revisions.
fn caller_expecting(revisions: &[i64]) -> Caller {
    let expects = Precondition { resource: Some(ResourceRef::User(Id::root(1))), revisions: revisions.to_vec() };
    Caller::new(caller(), Some(Arc::new(RequestConditions { idempotency: None, precondition: Some(expects) })))
}

pub(crate) async fn a_failed_precondition_changes_nothing(db: Database) {
    let engine = db.engine().await;
    execute(&engine, TestCommand::make_user(1)).await.unwrap();
    let failed = Err(Refusal::PreconditionFailed.into());
    assert_eq!(execute_as(&engine, &caller_expecting(&[1, 7]), TestCommand::count_up(1)).await, Ok(2));
    for revisions in [&[1][..], &[], &[3]] {
        assert_eq!(
            execute_as(&engine, &caller_expecting(revisions), TestCommand::count_up(1)).await,
            failed,
            "{revisions:?}"
        );
    }
    assert_eq!(db.user(Id::root(1)).await, Some(User { revision: 2, ..user(1) }));
    // Of two that have seen the same, one changes it.
    let (gate, held) = Gate::hold(&engine);
    let expects = caller_expecting(&[2]);
    let calls = [1, 2].map(|_| start_call(execute_as(&engine, &expects, TestCommand::count_up(1))));
    gate.open();
    held.await.unwrap();
    let [first, second] = calls;
    assert_eq!((first.await, second.await), (Ok(3), failed.clone()));
    // Who may not do it is told that, and nothing of the row.
    let refuses = |refusal: Refusal| TestCommand::new(move |_, _| Err(refusal.clone()));
    assert_eq!(
        execute_as(&engine, &expects, refuses(Refusal::Forbidden(ForbiddenReason::OperatorOnly))).await,
        Err(Refusal::Forbidden(ForbiddenReason::OperatorOnly).into())
    );
    assert_eq!(execute_as(&engine, &expects, refuses(Refusal::EmailTaken)).await, failed);
    assert_eq!(
        execute_as(&engine, &caller_expecting(&[3]), refuses(Refusal::EmailTaken)).await,
        Err(Refusal::EmailTaken.into())
    );
}
