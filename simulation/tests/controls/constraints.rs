//! Constraints of the tables: for each, a write that it refuses; without it the write succeeds, and is seen when
//! everything is counted again.

use std::path::Path;

use kassa_domain::event::EventStatus;
use kassa_domain::order::OrderTransition;
use kassa_domain::refund::Culprit;
use kassa_simulation::play::actions::{
    AccountAction, Action, DealAction, EventAction, OrderAction, PromocodeAction, PromocodeChoice, RefundAction,
    TicketChoice, setup_actions,
};
use kassa_simulation::play::{ActionRunner, KnownRows, SimServer};
use kassa_simulation::recount;
use kassa_store::postgres::scratch::TestDatabase;
use kassa_store::sqlite::Sqlite;
use kassa_store::sqlite::scratch::RawDatabase;
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
    control("change_batches(place)", "UPDATE change_batches SET place = 1"),
    control("deals.known_status", "UPDATE deals SET status = 'forgotten'"),
    control(
        "feed_heads.oldest_is_not_ahead",
        "INSERT INTO feed_heads (name, last_place, oldest_place, purged_until, version) VALUES ('other', 0, 9, 0, 1)",
    ),
    control(
        "invitations.known_status",
        "INSERT INTO invitations (partner, user_id, founder, email, status, created_at, expires_at, version) \
            VALUES (0, 1, 0, 'ann@example.org', 'forgotten', 0, 0, 1)",
    ),
    control("mails.known_state", "UPDATE mails SET state = 'forgotten'"),
    control("orders(number)", "UPDATE orders SET number = (SELECT min(number) FROM orders)"),
    control("orders.known_status", "UPDATE orders SET status = 'forgotten'"),
    control("partners.usage_not_negative", "UPDATE partners SET used_events = -1"),
    control("partners.webhooks_not_negative", "UPDATE partners SET used_webhooks = -1"),
    control("payments(reference)", "UPDATE payments SET reference = 'RF18539007547034'"),
    control("payments.known_status", "UPDATE payments SET status = 'forgotten'"),
    control("payments.money_adds_up", "UPDATE payments SET used = 1"),
    control(
        "promocodes(event, folded_code)",
        "UPDATE promocodes SET code = (SELECT min(code) FROM promocodes), \
            folded_code = (SELECT min(folded_code) FROM promocodes)",
    ),
    control("promocodes.uses_within_amount", "UPDATE promocodes SET reserved = amount + 1"),
    control("refund_requests.finished_when_decided", "UPDATE refund_requests SET finished_at = 1"),
    control("refund_requests.known_status", "UPDATE refund_requests SET status = 'forgotten'"),
    control(
        "refund_requests.value_not_negative",
        "UPDATE refund_requests SET value = -1, body = replace(body, '\"nominal\":', '\"nominal\":-')",
    ),
    control(
        "seat_row_inventories(set_id, row_order)",
        "UPDATE seat_row_inventories SET seat_row = '9', row_order = \
            (SELECT row_order FROM seat_row_inventories WHERE seat_row = '9' ORDER BY id LIMIT 1)",
    ),
    control(
        "seat_row_inventories.vacant_run_fits_the_row",
        "UPDATE seat_row_inventories SET seats = 0, longest_vacant_run = 0",
    ),
    control("sets.counts_add_up", "UPDATE sets SET sold = sold + 1"),
    control(
        "sets.created_seats_need_a_layout",
        "UPDATE sets SET existing_seat_layout = seat_layout, seat_layout = NULL WHERE seat_layout IS NOT NULL",
    ),
    control("sets.pending_removal_is_not_in_orders", "UPDATE sets SET pending_removal = vacant + blocked + 1"),
    control(
        "tickets(event, barcode)",
        "UPDATE tickets SET barcode = (SELECT min(barcode) FROM tickets) WHERE state = 2",
    ),
    control("tickets(event, number)", "UPDATE tickets SET number = 1"),
    control(
        "tickets(event, sector, row_order, seat_number)",
        "UPDATE tickets SET seat_number = 1 WHERE row_order IS NOT NULL",
    ),
    control("tickets.held_has_deadline", "UPDATE tickets SET held_till = NULL WHERE state = 1"),
    control("tickets.known_state", "UPDATE tickets SET state = 7 WHERE state = 0"),
    control("tickets.one_holder", "UPDATE tickets SET state = 0, held_till = NULL WHERE state = 1"),
    control("tickets.seat_is_complete", "UPDATE tickets SET seat_number = NULL WHERE row_order IS NOT NULL"),
    control("tickets.sold_before_refund", "UPDATE tickets SET refund = 1 WHERE state = 1"),
    control("tickets.sold_with_barcode", "UPDATE tickets SET barcode = NULL WHERE state = 2"),
    control("users(email)", "UPDATE users SET email = (SELECT min(email) FROM users)"),
];

/// What no act makes.
const ATTACHMENTS: &str = "INSERT INTO attachments \
    (id, author, content_type, length, md5, token, removed, created_at, updated_at, revision, version) VALUES \
    (1, 1, 'image/png', 1, '00000000000000000000000000000000', '00000000000000000000000000000001', 0, 1, 1, 1, 1), \
    (2, 1, 'image/png', 1, '00000000000000000000000000000000', '00000000000000000000000000000002', 0, 1, 1, 1, 1)";

/// Payments that have failed, of orders that never had any.
const PAYMENTS: &str = "INSERT INTO payments \
    (id, tag, order_id, event, organizer, vendor, provider, status, amount, received, used, returned, reference, due_at, \
    polls, body, created_at, updated_at, revision, version) \
    SELECT id + 1, tag, id, event, organizer, vendor, 'door', 'failed', 1, 0, 0, 0, \
    CASE number WHEN (SELECT min(number) FROM orders) THEN 'RF18539007547034' ELSE 'RF2510' END, 1, 0, '{}', 1, 1, 1, 1 \
    FROM orders WHERE number <= (SELECT min(number) FROM orders) + 1";

/// Two rows at least of whatever has a constraint.
fn setup_story() -> Vec<Action> {
    let sale = |code| Action::Sale {
        event: 0,
        agent: None,
        choice: TicketChoice::Random(vec![(0, 2), (2, 1)]),
        codes: Some(PromocodeChoice { codes: vec![code], skips_unusable: false }),
        email: Some(2),
    };
    let pay = |order| Action::ChangeOrder { order, act: OrderAction::Transition(OrderTransition::Paid) };
    let code = |code| PromocodeAction::Create { event: 0, code, set: None, percent: 5, min: 0, amount: Some(9) };
    let key = || Action::Account(AccountAction::CreateKey { partner: 0 });
    let hall = EventAction::AddHall { event: 0, chairs: 0b0000_0001_0100_0000, price: 100 };
    let deal = DealAction::Create { event: 0, agent: 1, offered: true, org: 80, extra: 10, pfc: false };
    let mut acts = setup_actions();
    acts.extend([
        Action::Account(AccountAction::Register { email: 1 }),
        Action::Account(AccountAction::CreatePartner { user: 1 }),
        Action::Deal(deal),
        key(),
        key(),
        Action::Event(hall),
        Action::Promocode(code(1)),
        sale(0),
        sale(1),
        sale(1),
        pay(0),
        pay(1),
        Action::Refund(RefundAction::Request { order: 0, culprit: Culprit::Organizer, places: vec![0], keeps: false }),
        Action::Event(EventAction::SetStatus { event: 0, status: EventStatus::StandBy }),
    ]);
    acts
}

/// Makes rows, and ends: only rows are left.
async fn play(server: &SimServer) {
    for act in setup_story() {
        let known = KnownRows::load_all(server).await.unwrap();
        let answer = ActionRunner::new(server, &known).perform(&act).await;
        answer.unwrap_or_else(|failure| panic!("{act:?}: {failure}"));
    }
    server.engine.close().await;
}

/// The accident is seen: what is counted again does not agree, or cannot be read at all.
async fn assert_detected(control: &Control, server: &SimServer) {
    let found = recount(server).await;
    assert_ne!(found, Ok(Vec::new()), "nothing is seen without {}", control.constraint);
}

fn assert_refused(control: &Control, done: &Result<(), StoreError>) {
    assert!(matches!(done, Err(StoreError::Constraint(_))), "{}: {done:?}", control.constraint);
}

async fn on_sqlite(control: &Control, path: &Path) {
    let server = SimServer::start(Store::Sqlite(Sqlite::open(path, false).unwrap())).await.unwrap();
    play(&server).await;
    let bare = RawDatabase::open(path).unwrap();
    bare.execute(ATTACHMENTS).unwrap();
    bare.execute(PAYMENTS).unwrap();
    assert_eq!(recount(&server).await, Ok(Vec::new()), "before {}", control.constraint);
    assert_refused(control, &bare.execute(control.mistake));
    bare.drop_constraint(control.constraint).unwrap();
    assert_eq!(recount(&server).await, Ok(Vec::new()), "only the constraint goes: {}", control.constraint);
    bare.execute(control.mistake).unwrap_or_else(|error| panic!("{}: {error}", control.constraint));
    assert_detected(control, &server).await;
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
    let (postgres, scratch) = TestDatabase::new_dedicated().await;
    let server = SimServer::start(Store::Postgres(postgres)).await.unwrap();
    play(&server).await;
    scratch.execute(ATTACHMENTS).await.unwrap();
    scratch.execute(PAYMENTS).await.unwrap();
    for control in CONTROLS {
        assert_eq!(recount(&server).await, Ok(Vec::new()), "before {}", control.constraint);
        assert_refused(control, &scratch.execute(control.mistake).await);
        let table = control.constraint.split(['.', '(']).next().unwrap();
        scratch.execute(&format!("CREATE TABLE kept AS SELECT * FROM {table}")).await.unwrap();
        let puts_back = scratch.drop_constraint(control.constraint).await;
        scratch.execute(control.mistake).await.unwrap_or_else(|error| panic!("{}: {error}", control.constraint));
        assert_detected(control, &server).await;
        let undo = format!("DELETE FROM {table}; INSERT INTO {table} SELECT * FROM kept; DROP TABLE kept; {puts_back}");
        scratch.execute(&undo).await.unwrap();
    }
    scratch.remove().await;
}

#[tokio::test]
async fn every_constraint_has_a_control() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kassa.db");
    drop(Sqlite::open(&path, false).unwrap());
    assert_eq!(RawDatabase::open(&path).unwrap().constraints().unwrap(), names(CONTROLS));
    let (_, scratch) = TestDatabase::new_dedicated().await;
    assert_eq!(scratch.constraints().await, names(CONTROLS));
    scratch.remove().await;
}
