//! The model test: an engine in memory and one on a database are given the same random commands, with
//! the same clock and the same random bits. They must answer alike and leave the same tables.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

use kassa_domain::event::EventStatus;
use kassa_domain::order::OrderTransition;
use kassa_domain::refund::{Culprit, RefundTransition};
use kassa_engine::Failure;
use kassa_simulation::play::actions::{
    Action, EventAction, OrderAction, PromocodeAction, PromocodeChoice, PromotionAction, RefundAction, SetAction,
    TicketChoice, action, setup_actions,
};
use kassa_simulation::play::{ActionResult, ActionRunner, KnownRows, SimServer};
use kassa_simulation::recount;
use kassa_store::Store;
use kassa_store::memory::Memory;
use kassa_store::postgres::scratch::TestDatabase;
use kassa_store::sqlite::Sqlite;
use proptest::prelude::*;

/// Sequences of commands that are tried: on PostgreSQL each takes about ten times as long.
const CASES: u32 = 96;
const CASES_ON_POSTGRES: u32 = 10;
/// Commands of one sequence, besides those that prepare it.
const ACTS: usize = 60;

async fn on_sqlite(acts: &[Action]) {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = Sqlite::open(&folder.path().join("kassa.db"), false).unwrap();
    play_on(acts, Store::Sqlite(sqlite)).await;
}

async fn on_postgres(acts: &[Action]) {
    let (postgres, _scratch) = TestDatabase::new().await;
    play_on(acts, Store::Postgres(postgres)).await;
}

async fn play(acts: &[Action]) {
    on_sqlite(acts).await;
    on_postgres(acts).await;
}

/// Plays the acts on both sides, and compares answers and tables.
async fn play_on(acts: &[Action], real: Store) {
    let memory = if real.has_sequencer() { Memory::with_sequencer() } else { Memory::default() };
    let model = SimServer::start(Store::Memory(memory)).await.unwrap();
    let real = SimServer::start(real).await.unwrap();
    for act in setup_actions().iter().chain(acts) {
        let known = KnownRows::load_all(&model).await.unwrap();
        let perform = async |server| shown(ActionRunner::new(server, &known).perform(act).await);
        let (expected, answer) = (perform(&model).await, perform(&real).await);
        assert_eq!(answer, expected, "{act:?}");
        let is_failure = ["Internal", "Unavailable", "Busy"].iter().any(|failure| answer.contains(failure));
        assert!(!is_failure, "{act:?}: {answer}");
    }
    let (expected, found) = (tables(&model).await, tables(&real).await);
    assert_eq!(found, expected, "the tables differ");
    assert_eq!(recount(&model).await.unwrap(), [""; 0]);
    model.engine.close().await;
    real.engine.close().await;
}

/// An answer as text; of an internal error without its number, which is new each time.
fn shown(answer: ActionResult) -> String {
    match answer {
        Err(Failure::Internal(_)) => "Internal".to_owned(),
        answer => without_batches(&format!("{answer:?}")),
    }
}

/// What commands share a batch is chance: so no batch is compared, neither its name in a row, nor the log, which the play
/// of the simulation checks.
fn without_batches(text: &str) -> String {
    let mut parts = text.split("changed_in: ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |shown, rest| {
        let of_batch = rest.strip_prefix("Some(").and_then(|batch| batch.split_once(')'));
        shown + of_batch.map_or(rest, |(_, behind)| behind)
    })
}

/// The rows of a server, but for those of the log, and the count of its batches.
async fn tables(server: &SimServer) -> Vec<String> {
    let is_of_log = |row: &String| {
        ["ChangeBatch ", "AudienceEntry ", "FeedHead ", "Node "].iter().any(|kind| row.starts_with(kind))
    };
    server.dump().await.unwrap().iter().filter(|row| !is_of_log(row)).map(|row| without_batches(row)).collect()
}

fn block_on(future: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_sides_answer_alike_and_leave_the_same_tables(acts in prop::collection::vec(action(), ACTS)) {
        block_on(on_sqlite(&acts));
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: CASES_ON_POSTGRES, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn both_sides_answer_alike_and_leave_the_same_tables_on_postgres(acts in prop::collection::vec(action(), ACTS)) {
        block_on(on_postgres(&acts));
    }
}

#[test]
fn a_resize_by_a_job_leaves_the_same_tables() {
    let sale = |choice, email| Action::Sale {
        event: 0,
        agent: None,
        choice: TicketChoice::Random(choice),
        codes: None,
        email,
    };
    let acts = [
        Action::Event(EventAction::AddSet { event: 0, amount: 10_020, price: 100 }),
        Action::RunJobs,
        sale(vec![(0, 2), (3, 3)], Some(1)),
        Action::Set { set: 3, act: SetAction::Resize { amount: 12 } },
        Action::RunJobs,
        sale(vec![(3, 20)], None),
    ];
    block_on(play(&acts));
}

#[test]
fn late_payment_leaves_the_same_tables() {
    let sale = |count| Action::Sale {
        event: 0,
        agent: None,
        choice: TicketChoice::Random(vec![(0, count)]),
        codes: None,
        email: Some(2),
    };
    let step = |order, step| Action::ChangeOrder { order, act: OrderAction::Transition(step) };
    let acts = [
        sale(4),
        Action::AdvanceClock { minutes: 15 },
        Action::ExpireDue,
        // Others leave one of the eight tickets: too few, until one of them gives up.
        sale(4),
        sale(3),
        step(0, OrderTransition::Paid),
        step(2, OrderTransition::Canceled),
        step(0, OrderTransition::Paid),
        step(1, OrderTransition::AwaitingPayment),
        Action::AdvanceClock { minutes: 31 },
        Action::ExpireDue,
        step(1, OrderTransition::Paid),
    ];
    block_on(play(&acts));
}

#[test]
fn uses_of_promocodes_leave_the_same_tables() {
    let codes = || PromocodeChoice { codes: vec![0, 1], skips_unusable: true };
    let sale = || Action::Sale {
        event: 0,
        agent: None,
        choice: TicketChoice::Random(vec![(0, 1)]),
        codes: Some(codes()),
        email: Some(2),
    };
    let change = |order, act| Action::ChangeOrder { order, act };
    let acts = [
        Action::Promocode(PromocodeAction::Create {
            event: 0,
            code: 1,
            set: Some(1),
            percent: 50,
            min: 2,
            amount: None,
        }),
        // Two uses for three orders, until one of them expires and its money comes late.
        sale(),
        sale(),
        sale(),
        change(0, OrderAction::Transition(OrderTransition::Paid)),
        Action::AdvanceClock { minutes: 15 },
        Action::ExpireDue,
        sale(),
        change(1, OrderAction::Transition(OrderTransition::Paid)),
        Action::Promocode(PromocodeAction::Update { promocode: 0, amount: Some(1), minutes: 0 }),
        Action::Promocode(PromocodeAction::Update { promocode: 0, amount: Some(3), minutes: 0 }),
        change(1, OrderAction::Transition(OrderTransition::Paid)),
        change(3, OrderAction::SetPromocodes(PromocodeChoice { codes: Vec::new(), skips_unusable: false })),
    ];
    block_on(play(&acts));
}

#[test]
fn promotion_grants_leave_the_same_tables() {
    let sale = |count, codes| Action::Sale {
        event: 0,
        agent: None,
        choice: TicketChoice::Random(vec![(0, count)]),
        codes,
        email: None,
    };
    let create = |set, minutes, levels: &[(u32, u32)]| {
        Action::Promotion(PromotionAction::Create { event: 0, set, by_sum: false, minutes, levels: levels.to_vec() })
    };
    let change = |order, act| Action::ChangeOrder { order, act };
    let tickets =
        |count| OrderAction::SetTickets { choice: TicketChoice::Random(vec![(0, count)]), all_or_nothing: false };
    let acts = [
        sale(1, Some(PromocodeChoice { codes: vec![0], skips_unusable: false })),
        create(None, 20, &[(2, 10), (3, 40)]),
        create(Some(0), 30, &[(1, 1)]),
        sale(2, Some(PromocodeChoice { codes: vec![0], skips_unusable: true })),
        sale(2, None),
        change(0, tickets(3)),
        Action::Promotion(PromotionAction::Update { promotion: 0, minutes: 5, levels: Some(vec![(1, 90)]) }),
        change(1, tickets(3)),
        Action::AdvanceClock { minutes: 6 },
        change(1, tickets(2)),
        change(0, OrderAction::Transition(OrderTransition::Paid)),
        Action::Promotion(PromotionAction::Remove { promotion: 0 }),
        Action::AdvanceClock { minutes: 15 },
        Action::ExpireDue,
        change(1, OrderAction::Transition(OrderTransition::Paid)),
        create(Some(1), 30, &[(1, 1)]),
    ];
    block_on(play(&acts));
}

#[test]
fn refunds_and_a_cancellation_leave_the_same_tables() {
    let sale = |count| Action::Sale {
        event: 0,
        agent: None,
        choice: TicketChoice::Random(vec![(0, count)]),
        codes: None,
        email: Some(2),
    };
    let done = |order| Action::ChangeOrder { order, act: OrderAction::Transition(OrderTransition::Paid) };
    let ask = |order, culprit, places: &[usize]| {
        Action::Refund(RefundAction::Request { order, culprit, places: places.to_vec(), keeps: false })
    };
    let decide = |request, step| Action::Refund(RefundAction::Decide { request, step });
    let acts = [
        Action::Event(EventAction::SetRefundPolicy { event: 0, kept: 33, days_before: 0, after_start: true }),
        sale(3),
        sale(2),
        sale(1),
        done(0),
        done(1),
        done(2),
        ask(0, Culprit::Customer, &[0, 1]),
        // One of them is in a request already.
        ask(0, Culprit::Organizer, &[1, 2]),
        ask(1, Culprit::Organizer, &[0, 1]),
        decide(0, RefundTransition::InProgress),
        decide(0, RefundTransition::Approved),
        ask(2, Culprit::Customer, &[0]),
        decide(1, RefundTransition::Rejected),
        sale(4),
        done(3),
        Action::Event(EventAction::SetStatus { event: 0, status: EventStatus::Canceled }),
        Action::RunJobs,
        decide(2, RefundTransition::Approved),
        decide(3, RefundTransition::Approved),
        decide(4, RefundTransition::Approved),
        decide(5, RefundTransition::Approved),
    ];
    block_on(play(&acts));
}

#[test]
fn a_set_named_twice_keeps_its_counters_right() {
    let choice = TicketChoice::SameSet(vec![1, 3]);
    block_on(play(&[Action::Sale { event: 0, agent: None, choice, codes: None, email: None }]));
}
