//! Requests under a key, and requests that expect something of a row.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use kassa_domain::expectation::{Expectation, Subject};
use kassa_domain::once::KEPT_MS;
use kassa_domain::partner::PartnerId;
use kassa_domain::user::User;
use kassa_domain::{Actor, Id, Needs, Refusal, Tag};
use kassa_engine::housekeeping::Housekeeping;
use kassa_engine::mail::{Mailer, MemoryMailer, Post};
use kassa_engine::metrics::Text;
use kassa_engine::once::{Kept, Saved};
use kassa_engine::{Asker, Conditions, Engine, Failure};
use kassa_store::Slice;
use kassa_store::queries::OldAnswers;

use crate::house::{Database, Does, Gate, begin, give, user};

fn to_bytes(answer: &dyn Any) -> Option<Vec<u8>> {
    answer.downcast_ref::<i64>().map(|number| number.to_be_bytes().to_vec())
}

fn caller() -> Actor {
    Actor::Partner(PartnerId::root(77))
}

/// Somebody who asks for this under a key.
fn asker(engine: &Engine, key: &str, request: &str) -> Asker {
    let once = engine.once(&caller(), (Some(Tag::of(5)), key), &[request.as_bytes()], (true, to_bytes)).unwrap();
    Asker::new(caller(), Some(Arc::new(Conditions { once: Some(Arc::new(once)), expects: None })))
}

async fn ask(engine: &Engine, asker: &Asker, command: Does) -> Result<i64, Failure> {
    engine.execute(asker, command, |_, outcome| *outcome).await
}

fn answered(number: i64) -> Result<i64, Failure> {
    Err(Failure::Answered(Saved { bytes: number.to_be_bytes().to_vec(), is_final: true }))
}

/// What is kept for a request.
async fn kept(engine: &Engine, request: &str) -> Option<Kept> {
    let once = engine.once(&caller(), (Some(Tag::of(5)), "key"), &[request.as_bytes()], (true, to_bytes)).unwrap();
    engine.kept(&once).await.unwrap()
}

pub(crate) async fn what_is_asked_again_is_answered_and_not_decided(db: Database) {
    let engine = db.engine().await;
    let asker = asker(&engine, "key", "make");
    let made = ask(&engine, &asker, Does::make_user(1)).await.unwrap();
    let before = db.transactions().await;
    assert_eq!(ask(&engine, &asker, Does::make_user(2)).await, answered(made));
    let other = self::asker(&engine, "key", "make another");
    assert_eq!(ask(&engine, &other, Does::make_user(2)).await, Err(Refusal::KeyReused.into()));
    assert_eq!((db.users(9).await, db.transactions().await), (vec![1], before), "nothing was decided");
    let another_key = self::asker(&engine, "another", "make");
    ask(&engine, &another_key, Does::make_user(2)).await.unwrap();
    assert_eq!(db.users(9).await, [1, 2]);
}

pub(crate) async fn an_answer_is_kept_in_the_transaction_of_what_it_tells_of(db: Database) {
    let engine = db.engine().await;
    let before = db.transactions().await;
    let made = ask(&engine, &asker(&engine, "key", "make"), Does::make_user(1)).await.unwrap();
    assert_eq!(db.transactions().await, before + 1);
    // Whoever is told nothing, because the server has gone, hears it from the next.
    engine.close().await;
    let next = db.engine().await;
    let saved = Saved { bytes: made.to_be_bytes().to_vec(), is_final: true };
    assert_eq!(kept(&next, "make").await, Some(Kept::Same(saved)));
    assert_eq!(kept(&next, "something else").await, Some(Kept::Other));
}

pub(crate) async fn a_refusal_is_kept_by_itself_before_anybody_sees_it(db: Database) {
    let engine = db.engine().await;
    let asker = asker(&engine, "key", "make");
    let refused = || Does::new(|_, _| Err(Refusal::Forbidden));
    assert_eq!(ask(&engine, &asker, refused()).await, Err(Refusal::Forbidden.into()));
    assert_eq!(kept(&engine, "make").await, None);
    let once = engine.once(&caller(), (Some(Tag::of(5)), "key"), &[b"make"], (true, to_bytes)).unwrap();
    assert_eq!(engine.keep(&once, b"no", false).await, Ok(None));
    let no = Saved { bytes: b"no".to_vec(), is_final: true };
    assert_eq!(engine.keep(&once, b"never", true).await, Ok(Some(Kept::Same(no.clone()))), "the first one stands");
    assert_eq!(ask(&engine, &asker, Does::make_user(1)).await, Err(Failure::Answered(no)));
    assert_eq!(db.users(9).await, [0; 0]);
}

pub(crate) async fn an_answer_that_is_not_final_is_finished_once(db: Database) {
    let engine = db.engine().await;
    let once = || engine.once(&caller(), (None, "key"), &[b"make"], (false, to_bytes)).unwrap();
    let conditions = Conditions { once: Some(Arc::new(once())), expects: None };
    let made = ask(&engine, &Asker::new(caller(), Some(Arc::new(conditions))), Does::make_user(1)).await.unwrap();
    let raw = Saved { bytes: made.to_be_bytes().to_vec(), is_final: false };
    assert_eq!(engine.kept(&once()).await, Ok(Some(Kept::Same(raw.clone()))));
    assert_eq!(engine.keep(&once(), b"refused", false).await, Ok(Some(Kept::Same(raw))), "it was granted");
    assert_eq!(engine.keep(&once(), b"shaped", true).await, Ok(None));
    let shaped = Saved { bytes: b"shaped".to_vec(), is_final: true };
    assert_eq!(engine.keep(&once(), b"again", true).await, Ok(Some(Kept::Same(shaped))));
}

pub(crate) async fn nodes_that_are_asked_at_the_same_time_decide_once(db: Database) {
    let (one, other) = (db.engine().await, db.engine().await);
    for key in 1..=20 {
        let ask = |engine: &Engine| {
            let (engine, asker) = (engine.clone(), asker(engine, &format!("key {key}"), "make"));
            tokio::spawn(async move { ask(&engine, &asker, Does::make_user(key)).await })
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
    let asker = asker(&engine, "key", "make");
    let first = begin(ask(&engine, &asker, Does::make_user(1)));
    let second = begin(ask(&engine, &asker, Does::make_user(1)));
    gate.open();
    held.await.unwrap();
    let made = first.await.unwrap();
    assert_eq!(second.await, answered(made));
}

pub(crate) async fn answers_are_forgotten_after_a_day(db: Database) {
    let engine = db.engine().await;
    let asker = asker(&engine, "key", "make");
    let made = ask(&engine, &asker, Does::make_user(1)).await.unwrap();
    db.clock.advance_ms(KEPT_MS - 1);
    assert_eq!(engine.forget_answers().await, Ok(0));
    assert_eq!(ask(&engine, &asker, Does::make_user(2)).await, answered(made));
    db.clock.advance_ms(1);
    // Before it is forgotten, and when it is.
    ask(&engine, &asker, Does::make_user(2)).await.unwrap();
    db.clock.advance_ms(KEPT_MS);
    for number in 0..3 {
        let key = format!("key {number}");
        ask(&engine, &self::asker(&engine, &key, "make"), Does::make_user(10 + number)).await.unwrap();
    }
    assert_eq!(engine.forget_answers().await, Ok(1));
    db.clock.advance_ms(KEPT_MS);
    // Two nodes may do it at once. The first keeps its number by what it writes.
    give(&engine, Does::make_user(50)).await.unwrap();
    let other = db.engine().await;
    let (here, there) = tokio::join!(engine.forget_answers(), other.forget_answers());
    assert!(here.unwrap() + there.unwrap() >= 3);
    let left = engine.page(OldAnswers { till: engine.now() }, Slice::first(9)).await.unwrap();
    assert_eq!(left.rows, []);
}

/// By hand: the lane stands still, and nothing but the clock of the house moves.
#[tokio::test(start_paused = true)]
async fn answers_are_forgotten_together_and_hold_no_stop() {
    let db = Database::memory().await;
    let (engine, mut lanes) = Engine::start_by_hand(db.parts()).await.unwrap();
    for user in 1..=3 {
        let once = engine.once(&caller(), (Some(Tag::of(user)), "key"), &[], (true, to_bytes)).unwrap();
        let asker = Asker::new(caller(), Some(Arc::new(Conditions { once: Some(Arc::new(once)), expects: None })));
        let made = begin(ask(&engine, &asker, Does::make_user(user)));
        lanes[0].work().await;
        made.await.unwrap();
    }
    db.clock.advance_ms(KEPT_MS);
    let sender = "tickets@example.org".parse().unwrap();
    let mailer = Mailer::Memory(MemoryMailer::default());
    let housekeeping = Housekeeping::start(&engine, Post { mailer, sender, public_url: None, confirm_page: None });
    tokio::time::sleep(Duration::from_mins(10)).await;
    let mut metrics = Text::default();
    engine.write_metrics(&mut metrics);
    let metrics = metrics.finish();
    // One for each event, and the number of the lane.
    assert!(metrics.contains("kassa_queue_commands{lane=\"0\"} 4\n"), "{metrics}");
    tokio::time::timeout(Duration::from_secs(1), housekeeping.stop()).await.expect("it stops at once");
}

pub(crate) async fn what_an_answer_says_cannot_be_read_in_the_database(db: Database) {
    let engine = db.engine().await;
    let once = engine.once(&caller(), (None, "key"), &[b"a password"], (true, to_bytes)).unwrap();
    engine.keep(&once, b"a long answer", false).await.unwrap();
    let view = db.store.view(&Needs { answers: vec![once.key()], ..Needs::default() }).await.unwrap();
    let row = view.answers.get(once.key()).unwrap();
    assert!(!row.sealed.windows(4).any(|part| b"a long answer".windows(4).any(|word| word == part)));
    // What the digests are of cannot be tried out without the secret.
    let text = format!("{row:?}");
    assert!(!text.contains("password") && !text.contains("key\""), "{text}");
}

/// Somebody who expects user 1 to have one of these revisions.
fn expecting(revisions: &[i64]) -> Asker {
    let expects = Expectation { subject: Some(Subject::User(Id::root(1))), revisions: revisions.to_vec() };
    Asker::new(caller(), Some(Arc::new(Conditions { once: None, expects: Some(expects) })))
}

pub(crate) async fn what_is_not_as_expected_is_not_changed(db: Database) {
    let engine = db.engine().await;
    give(&engine, Does::make_user(1)).await.unwrap();
    let failed = Err(Failure::Refused(Refusal::PreconditionFailed));
    assert_eq!(ask(&engine, &expecting(&[1, 7]), Does::count_up(1)).await, Ok(2));
    for revisions in [&[1][..], &[], &[3]] {
        assert_eq!(ask(&engine, &expecting(revisions), Does::count_up(1)).await, failed, "{revisions:?}");
    }
    assert_eq!(db.user(Id::root(1)).await, Some(User { revision: 2, ..user(1) }));
    // Of two that have seen the same, one changes it.
    let (gate, held) = Gate::hold(&engine);
    let expects = expecting(&[2]);
    let calls = [1, 2].map(|_| begin(ask(&engine, &expects, Does::count_up(1))));
    gate.open();
    held.await.unwrap();
    let [first, second] = calls;
    assert_eq!((first.await, second.await), (Ok(3), failed.clone()));
    // Who may not do it is told that, and nothing of the row.
    let refuses = |refusal: Refusal| Does::new(move |_, _| Err(refusal.clone()));
    assert_eq!(ask(&engine, &expects, refuses(Refusal::Forbidden)).await, Err(Refusal::Forbidden.into()));
    assert_eq!(ask(&engine, &expects, refuses(Refusal::EmailTaken)).await, failed);
    assert_eq!(ask(&engine, &expecting(&[3]), refuses(Refusal::EmailTaken)).await, Err(Refusal::EmailTaken.into()));
}

pub(crate) async fn an_engine_that_is_shut_does_nothing(db: Database) {
    let engine = db.engine().await;
    let shut = engine.shut();
    assert_eq!(give(&shut, Does::make_user(1)).await, Err(Failure::Shut));
    assert_eq!(shut.view(&Needs::default()).await.err(), Some(Failure::Shut));
    assert_eq!(shut.page(OldAnswers { till: engine.now() }, Slice::first(1)).await.err(), Some(Failure::Shut));
    give(&engine, Does::make_user(2)).await.unwrap();
    assert_eq!(db.users(9).await, [2]);
}
