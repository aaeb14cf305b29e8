//! The model test: an engine in memory and one on a database are given the same random commands, with
//! the same clock and the same random bits. They must answer alike and leave the same tables.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

use kassa_domain::event::EventStatus;
use kassa_domain::order::Step;
use kassa_domain::refund::{Culprit, RefundStep};
use kassa_engine::Failure;
use kassa_simulation::play::acts::{
    Act, ChangeAct, Codes, EventAct, PromocodeAct, PromotionAct, RefundAct, SetAct, Wish, act, stage,
};
use kassa_simulation::play::{Answer, Known, Player, Server};
use kassa_simulation::recount;
use kassa_store::Store;
use kassa_store::memory::Memory;
use kassa_store::postgres::scratch::Scratch;
use kassa_store::sqlite::Sqlite;
use proptest::prelude::*;

/// Sequences of commands that are tried: on PostgreSQL each takes about ten times as long.
const CASES: u32 = 96;
const CASES_ON_POSTGRES: u32 = 10;
/// Commands of one sequence, besides those that set the stage.
const ACTS: usize = 60;

async fn on_sqlite(acts: &[Act]) {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = Sqlite::open(&folder.path().join("kassa.db"), false).unwrap();
    play_on(acts, Store::Sqlite(sqlite)).await;
}

async fn on_postgres(acts: &[Act]) {
    let (postgres, _scratch) = Scratch::new().await;
    play_on(acts, Store::Postgres(postgres)).await;
}

async fn play(acts: &[Act]) {
    on_sqlite(acts).await;
    on_postgres(acts).await;
}

/// Plays the acts on both sides, and compares answers and tables.
async fn play_on(acts: &[Act], real: Store) {
    let model = Server::start(Store::Memory(Memory::default())).await.unwrap();
    let real = Server::start(real).await.unwrap();
    for act in stage().iter().chain(acts) {
        let known = Known::all_of(&model).await.unwrap();
        let perform = async |server| shown(Player::new(server, &known).perform(act).await);
        let (expected, answer) = (perform(&model).await, perform(&real).await);
        assert_eq!(answer, expected, "{act:?}");
        let is_failure = ["Internal", "Unavailable", "Busy"].iter().any(|failure| answer.contains(failure));
        assert!(!is_failure, "{act:?}: {answer}");
    }
    let (expected, found) = (model.dump().await.unwrap(), real.dump().await.unwrap());
    assert_eq!(found, expected, "the tables differ");
    assert_eq!(recount(&model).await.unwrap(), [""; 0]);
    model.engine.close().await;
    real.engine.close().await;
}

/// An answer as text; of an internal error without its number, which is new each time.
fn shown(answer: Answer) -> String {
    match answer {
        Err(Failure::Internal(_)) => "Internal".to_owned(),
        answer => format!("{answer:?}"),
    }
}

fn block_on(future: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_sides_answer_alike_and_leave_the_same_tables(acts in prop::collection::vec(act(), ACTS)) {
        block_on(on_sqlite(&acts));
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: CASES_ON_POSTGRES, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn both_sides_answer_alike_and_leave_the_same_tables_on_postgres(acts in prop::collection::vec(act(), ACTS)) {
        block_on(on_postgres(&acts));
    }
}

#[test]
fn a_resize_by_a_job_leaves_the_same_tables() {
    let sale = |wish, email| Act::Sale { event: 0, agent: None, wish: Wish::Random(wish), codes: None, email };
    let acts = [
        Act::Event(EventAct::AddSet { event: 0, amount: 10_020, price: 100 }),
        Act::RunJobs,
        sale(vec![(0, 2), (3, 3)], Some(1)),
        Act::Set { set: 3, act: SetAct::Resize { amount: 12 } },
        Act::RunJobs,
        sale(vec![(3, 20)], None),
    ];
    block_on(play(&acts));
}

#[test]
fn late_money_leaves_the_same_tables() {
    let sale =
        |count| Act::Sale { event: 0, agent: None, wish: Wish::Random(vec![(0, count)]), codes: None, email: Some(2) };
    let step = |order, step| Act::Change { order, act: ChangeAct::Step(step) };
    let acts = [
        sale(4),
        Act::Wait { minutes: 15 },
        Act::Expire,
        // Others leave one of the eight tickets: too few, until one of them gives up.
        sale(4),
        sale(3),
        step(0, Step::Done),
        step(2, Step::Canceled),
        step(0, Step::Done),
        step(1, Step::InProgress),
        Act::Wait { minutes: 31 },
        Act::Expire,
        step(1, Step::Done),
    ];
    block_on(play(&acts));
}

#[test]
fn uses_of_promocodes_leave_the_same_tables() {
    let codes = || Codes { named: vec![0, 1], leaves_out: true };
    let sale =
        || Act::Sale { event: 0, agent: None, wish: Wish::Random(vec![(0, 1)]), codes: Some(codes()), email: Some(2) };
    let change = |order, act| Act::Change { order, act };
    let acts = [
        Act::Promocode(PromocodeAct::Create { event: 0, code: 1, set: Some(1), percent: 50, min: 2, amount: None }),
        // Two uses for three orders, until one of them expires and its money comes late.
        sale(),
        sale(),
        sale(),
        change(0, ChangeAct::Step(Step::Done)),
        Act::Wait { minutes: 15 },
        Act::Expire,
        sale(),
        change(1, ChangeAct::Step(Step::Done)),
        Act::Promocode(PromocodeAct::Amend { promocode: 0, amount: Some(1), minutes: 0 }),
        Act::Promocode(PromocodeAct::Amend { promocode: 0, amount: Some(3), minutes: 0 }),
        change(1, ChangeAct::Step(Step::Done)),
        change(3, ChangeAct::Codes(Codes { named: Vec::new(), leaves_out: false })),
    ];
    block_on(play(&acts));
}

#[test]
fn promises_of_promotions_leave_the_same_tables() {
    let sale =
        |count, codes| Act::Sale { event: 0, agent: None, wish: Wish::Random(vec![(0, count)]), codes, email: None };
    let create = |set, minutes, levels: &[(u32, u32)]| {
        Act::Promotion(PromotionAct::Create { event: 0, set, by_sum: false, minutes, levels: levels.to_vec() })
    };
    let change = |order, act| Act::Change { order, act };
    let tickets = |count| ChangeAct::Tickets { wish: Wish::Random(vec![(0, count)]), all_or_nothing: false };
    let acts = [
        sale(1, Some(Codes { named: vec![0], leaves_out: false })),
        create(None, 20, &[(2, 10), (3, 40)]),
        create(Some(0), 30, &[(1, 1)]),
        sale(2, Some(Codes { named: vec![0], leaves_out: true })),
        sale(2, None),
        change(0, tickets(3)),
        Act::Promotion(PromotionAct::Amend { promotion: 0, minutes: 5, levels: Some(vec![(1, 90)]) }),
        change(1, tickets(3)),
        Act::Wait { minutes: 6 },
        change(1, tickets(2)),
        change(0, ChangeAct::Step(Step::Done)),
        Act::Promotion(PromotionAct::Remove { promotion: 0 }),
        Act::Wait { minutes: 15 },
        Act::Expire,
        change(1, ChangeAct::Step(Step::Done)),
        create(Some(1), 30, &[(1, 1)]),
    ];
    block_on(play(&acts));
}

#[test]
fn refunds_and_a_cancellation_leave_the_same_tables() {
    let sale =
        |count| Act::Sale { event: 0, agent: None, wish: Wish::Random(vec![(0, count)]), codes: None, email: Some(2) };
    let done = |order| Act::Change { order, act: ChangeAct::Step(Step::Done) };
    let ask = |order, culprit, places: &[usize]| {
        Act::Refund(RefundAct::Ask { order, culprit, places: places.to_vec(), keeps: false })
    };
    let decide = |request, step| Act::Refund(RefundAct::Decide { request, step });
    let acts = [
        Act::Event(EventAct::Policy { event: 0, kept: 33, days_before: 0, after_start: true }),
        sale(3),
        sale(2),
        sale(1),
        done(0),
        done(1),
        done(2),
        ask(0, Culprit::User, &[0, 1]),
        // One of them is in a request already.
        ask(0, Culprit::Org, &[1, 2]),
        ask(1, Culprit::Org, &[0, 1]),
        decide(0, RefundStep::InProgress),
        decide(0, RefundStep::Approved),
        ask(2, Culprit::User, &[0]),
        decide(1, RefundStep::Rejected),
        sale(4),
        done(3),
        Act::Event(EventAct::Status { event: 0, status: EventStatus::Canceled }),
        Act::RunJobs,
        decide(2, RefundStep::Approved),
        decide(3, RefundStep::Approved),
        decide(4, RefundStep::Approved),
        decide(5, RefundStep::Approved),
    ];
    block_on(play(&acts));
}

#[test]
fn a_set_that_is_named_twice_does_not_spoil_its_books() {
    let wish = Wish::SameSet(vec![1, 3]);
    block_on(play(&[Act::Sale { event: 0, agent: None, wish, codes: None, email: None }]));
}
