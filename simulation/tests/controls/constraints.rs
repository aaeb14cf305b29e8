//! Constraints of the tables: for each, a write that it refuses; without it the write succeeds, and is seen when
//! everything is counted again.

use std::path::Path;

use kassa_domain::event::EventStatus;
use kassa_domain::order::Step;
use kassa_domain::refund::Culprit;
use kassa_simulation::play::acts::{
    AccountAct, Act, ChangeAct, Codes, DealAct, EventAct, PromocodeAct, RefundAct, Wish, stage,
};
use kassa_simulation::play::{Known, Player, Server};
use kassa_simulation::recount;
use kassa_store::postgres::scratch::Scratch;
use kassa_store::sqlite::Sqlite;
use kassa_store::sqlite::scratch::Bare;
use kassa_store::{Store, StoreError};

/// A constraint, and the write of a mistaken program that it stops.
struct Control {
    constraint: &'static str,
    mistake: &'static str,
}

const fn control(constraint: &'static str, mistake: &'static str) -> Control {
    Control { constraint, mistake }
}

/// Every constraint there is, in the order of their names. The same words serve both databases.
const CONTROLS: &[Control] = &[
    control("api_keys(hash)", "UPDATE api_keys SET hash = (SELECT hash FROM api_keys ORDER BY id LIMIT 1)"),
    control("attachments(token)", "UPDATE attachments SET token = (SELECT min(token) FROM attachments)"),
    control("attachments.not_empty", "UPDATE attachments SET length = 0"),
    control(
        "benches(set_id, row_order)",
        "UPDATE benches SET seat_row = '9', row_order = \
            (SELECT row_order FROM benches WHERE seat_row = '9' ORDER BY id LIMIT 1)",
    ),
    control("benches.no_more_are_vacant_than_there_are", "UPDATE benches SET chairs = 0, longest = 0"),
    control("deals.known_status", "UPDATE deals SET status = 'forgotten'"),
    control("mails.known_state", "UPDATE mails SET state = 'forgotten'"),
    control("orders(number)", "UPDATE orders SET number = (SELECT min(number) FROM orders)"),
    control("orders.known_status", "UPDATE orders SET status = 'forgotten'"),
    control(
        "promocodes(event, folded_code)",
        "UPDATE promocodes SET code = (SELECT min(code) FROM promocodes), \
            folded_code = (SELECT min(folded_code) FROM promocodes)",
    ),
    control("promocodes.no_more_uses_than_there_are", "UPDATE promocodes SET reserved = amount + 1"),
    control("refund_requests.finished_when_decided", "UPDATE refund_requests SET finished_at = 1"),
    control("refund_requests.known_status", "UPDATE refund_requests SET status = 'forgotten'"),
    control(
        "refund_requests.nothing_is_taken",
        "UPDATE refund_requests SET value = -1, body = replace(body, '\"nominal\":', '\"nominal\":-')",
    ),
    control("sets.doomed_ones_are_nobodys", "UPDATE sets SET doomed = vacant + blocked + 1"),
    control(
        "sets.seats_are_made_of_a_layout",
        "UPDATE sets SET seats_made = seats, seats = NULL WHERE seats IS NOT NULL",
    ),
    control("sets.the_books_balance", "UPDATE sets SET sold = sold + 1"),
    control(
        "tickets(event, barcode)",
        "UPDATE tickets SET barcode = (SELECT min(barcode) FROM tickets) WHERE state = 2",
    ),
    control("tickets(event, number)", "UPDATE tickets SET number = 1"),
    control(
        "tickets(event, sector, row_order, seat_number)",
        "UPDATE tickets SET seat_number = 1 WHERE row_order IS NOT NULL",
    ),
    control("tickets.held_for_a_time", "UPDATE tickets SET held_till = NULL WHERE state = 1"),
    control("tickets.known_state", "UPDATE tickets SET state = 7 WHERE state = 0"),
    control("tickets.one_holder", "UPDATE tickets SET state = 0, held_till = NULL WHERE state = 1"),
    control("tickets.sold_before_refund", "UPDATE tickets SET refund = 1 WHERE state = 1"),
    control("tickets.sold_with_barcode", "UPDATE tickets SET barcode = NULL WHERE state = 2"),
    control("tickets.whole_seat", "UPDATE tickets SET seat_number = NULL WHERE row_order IS NOT NULL"),
    control("users(email)", "UPDATE users SET email = (SELECT min(email) FROM users)"),
];

/// What no act makes.
const ATTACHMENTS: &str = "INSERT INTO attachments \
    (id, author, content_type, length, md5, token, removed, created_at, updated_at, revision, version) VALUES \
    (1, 1, 'image/png', 1, '00000000000000000000000000000000', '00000000000000000000000000000001', 0, 1, 1, 1, 1), \
    (2, 1, 'image/png', 1, '00000000000000000000000000000000', '00000000000000000000000000000002', 0, 1, 1, 1, 1)";

/// Two rows at least of whatever has a constraint.
fn story() -> Vec<Act> {
    let sale = |code| Act::Sale {
        event: 0,
        agent: None,
        wish: Wish::Random(vec![(0, 2), (2, 1)]),
        codes: Some(Codes { named: vec![code], leaves_out: false }),
        email: Some(2),
    };
    let pay = |order| Act::Change { order, act: ChangeAct::Step(Step::Done) };
    let code = |code| PromocodeAct::Create { event: 0, code, set: None, percent: 5, min: 0, amount: Some(9) };
    let key = || Act::Account(AccountAct::CreateKey { partner: 0 });
    let hall = EventAct::AddHall { event: 0, chairs: 0b0000_0001_0100_0000, price: 100 };
    let deal = DealAct::Make { event: 0, agent: 1, offered: true, org: 80, extra: 10, pfc: false };
    let mut acts = stage();
    acts.extend([
        Act::Account(AccountAct::Register { email: 1 }),
        Act::Account(AccountAct::CreatePartner { user: 1 }),
        Act::Deal(deal),
        key(),
        key(),
        Act::Event(hall),
        Act::Promocode(code(1)),
        sale(0),
        sale(1),
        sale(1),
        pay(0),
        pay(1),
        Act::Refund(RefundAct::Ask { order: 0, culprit: Culprit::Org, places: vec![0], keeps: false }),
        Act::Event(EventAct::Status { event: 0, status: EventStatus::StandBy }),
    ]);
    acts
}

/// Makes rows, and ends: only rows are left.
async fn play(server: &Server) {
    for act in story() {
        let known = Known::all_of(server).await.unwrap();
        let answer = Player::new(server, &known).perform(&act).await;
        answer.unwrap_or_else(|failure| panic!("{act:?}: {failure}"));
    }
    server.engine.close().await;
}

/// The accident is seen: what is counted again does not agree, or cannot be read at all.
async fn must_be_seen(control: &Control, server: &Server) {
    let found = recount(server).await;
    assert_ne!(found, Ok(Vec::new()), "nothing is seen without {}", control.constraint);
}

fn must_be_refused(control: &Control, done: &Result<(), StoreError>) {
    assert!(matches!(done, Err(StoreError::Constraint(_))), "{}: {done:?}", control.constraint);
}

async fn on_sqlite(control: &Control, path: &Path) {
    let server = Server::start(Store::Sqlite(Sqlite::open(path, false).unwrap())).await.unwrap();
    play(&server).await;
    let bare = Bare::open(path).unwrap();
    bare.order(ATTACHMENTS).unwrap();
    assert_eq!(recount(&server).await, Ok(Vec::new()), "before {}", control.constraint);
    must_be_refused(control, &bare.order(control.mistake));
    bare.take_away(control.constraint).unwrap();
    assert_eq!(recount(&server).await, Ok(Vec::new()), "only the constraint goes: {}", control.constraint);
    bare.order(control.mistake).unwrap_or_else(|error| panic!("{}: {error}", control.constraint));
    must_be_seen(control, &server).await;
}

fn names(controls: &[Control]) -> Vec<&str> {
    controls.iter().map(|control| control.constraint).collect()
}

#[tokio::test]
async fn each_constraint_of_sqlite_stops_a_mistake_that_is_seen_without_it() {
    for control in CONTROLS {
        let folder = tempfile::tempdir().unwrap();
        on_sqlite(control, &folder.path().join("kassa.db")).await;
    }
}

#[tokio::test]
async fn each_constraint_of_postgres_stops_a_mistake_that_is_seen_without_it() {
    let (postgres, scratch) = Scratch::of_its_own().await;
    let server = Server::start(Store::Postgres(postgres)).await.unwrap();
    play(&server).await;
    scratch.order(ATTACHMENTS).await.unwrap();
    for control in CONTROLS {
        assert_eq!(recount(&server).await, Ok(Vec::new()), "before {}", control.constraint);
        must_be_refused(control, &scratch.order(control.mistake).await);
        let table = control.constraint.split(['.', '(']).next().unwrap();
        scratch.order(&format!("CREATE TABLE kept AS SELECT * FROM {table}")).await.unwrap();
        let puts_back = scratch.take_away(control.constraint).await;
        scratch.order(control.mistake).await.unwrap_or_else(|error| panic!("{}: {error}", control.constraint));
        must_be_seen(control, &server).await;
        let undo = format!("DELETE FROM {table}; INSERT INTO {table} SELECT * FROM kept; DROP TABLE kept; {puts_back}");
        scratch.order(&undo).await.unwrap();
    }
    scratch.remove().await;
}

#[tokio::test]
async fn every_constraint_has_a_control() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kassa.db");
    drop(Sqlite::open(&path, false).unwrap());
    assert_eq!(Bare::open(&path).unwrap().constraints().unwrap(), names(CONTROLS));
    let (_, scratch) = Scratch::of_its_own().await;
    assert_eq!(scratch.constraints().await, names(CONTROLS));
    scratch.remove().await;
}
