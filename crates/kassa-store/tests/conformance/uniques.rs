//! What no two rows may share.

use kassa_domain::api_key::ApiKey;
use kassa_domain::attachment::{Attachment, Hex128};
use kassa_domain::event::{Event, EventId};
use kassa_domain::order::Order;
use kassa_domain::promocode::Promocode;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::user::User;
use kassa_domain::{ReadSet, View};
use kassa_store::StoreError;

use crate::database::Database;
use crate::guards::write_error;
use crate::samples::{self, id_in_event};

/// A pair of rows that share a value, and which.
struct Pair {
    what: &'static str,
    first: Box<dyn Fn(&mut View) + Send>,
    second: Box<dyn Fn(&mut View) + Send>,
}

impl Pair {
    fn new(
        what: &'static str,
        first: impl Fn(&mut View) + Send + 'static,
        second: impl Fn(&mut View) + Send + 'static,
    ) -> Self {
        Self { what, first: Box::new(first), second: Box::new(second) }
    }
}

fn party() -> Event {
    samples::event(1)
}

fn sold(key: i64, number: i64, barcode: &str) -> Ticket {
    let state = TicketState::Sold { order: id_in_event(party().id, 5), barcode: barcode.to_owned(), refund: None };
    Ticket { number, state, ..samples::ticket(&samples::set(party().id, 1), key) }
}

/// A seat of one of the sets of the event, all of which are in one sector.
fn chair(key: i64, set: i64, row: &str, number: u16) -> Ticket {
    samples::seated_ticket(&samples::seated_set(party().id, set), key, row, number)
}

fn promocode(event: EventId, key: i64, code: &str) -> Promocode {
    Promocode { code: code.parse().unwrap(), ..samples::promocode(event, key) }
}

fn pairs() -> [Pair; 9] {
    let user = |key, email: &str| User { email: email.parse().unwrap(), ..samples::user(key) };
    // Of two events, and so under two tags.
    let order = |event: i64, key| Order { number: 100_001, ..samples::order(samples::event(event).id, key) };
    [
        Pair::new(
            "e-mail",
            move |view| view.users.put(user(11, "ann@example.org")),
            move |view| view.users.put(user(12, "Ann@Example.org")),
        ),
        Pair::new(
            "hash of a key",
            |view| view.keys.put(ApiKey { secret_hash: [9; 32], ..samples::api_key(11, 1) }),
            |view| view.keys.put(ApiKey { secret_hash: [9; 32], removed: true, ..samples::api_key(12, 2) }),
        ),
        Pair::new(
            "token of an attachment",
            |view| view.attachments.put(samples::attachment(11, 1)),
            |view| {
                view.attachments.put(Attachment { token: Hex128(11_i128.to_be_bytes()), ..samples::attachment(12, 2) });
            },
        ),
        Pair::new(
            "ticket number of an event",
            |view| view.tickets.put(sold(11, 1, "one")),
            |view| view.tickets.put(sold(12, 1, "other")),
        ),
        Pair::new(
            "barcode of an event",
            |view| view.tickets.put(sold(11, 1, "same")),
            |view| view.tickets.put(sold(12, 2, "same")),
        ),
        Pair::new(
            "chair of an event",
            |view| view.tickets.put(chair(13, 1, "7", 5)),
            |view| view.tickets.put(chair(14, 2, "7", 5)),
        ),
        Pair::new(
            "row of a set",
            |view| {
                view.seat_row_inventories.put(samples::seat_row_inventory(&samples::set(party().id, 1), 15, "7", &[5]));
            },
            |view| {
                view.seat_row_inventories.put(samples::seat_row_inventory(&samples::set(party().id, 1), 16, "7", &[6]));
            },
        ),
        Pair::new(
            "code of an event",
            move |view| view.promocodes.put(promocode(party().id, 11, "Spring")),
            move |view| view.promocodes.put(promocode(party().id, 12, "SPRING")),
        ),
        Pair::new("order number", move |view| view.orders.put(order(1, 11)), move |view| view.orders.put(order(2, 12))),
    ]
}

pub(crate) async fn a_second_row_with_a_unique_value_is_refused_and_leaves_nothing(db: Database) {
    for Pair { what, first, second } in pairs() {
        // Two of the pairs are about the same tickets.
        db.write(ReadSet { tickets: vec![sold(11, 1, "").id], ..ReadSet::default() }, first).await.unwrap();
        let error = write_error(&db, second).await;
        assert!(matches!(error, StoreError::Constraint(_)), "{what}: {error:?}");
    }
}

pub(crate) async fn two_new_rows_of_one_batch_cannot_share_a_unique_value(db: Database) {
    for Pair { what, first, second } in pairs() {
        let both = write_error(&db, move |view| {
            first(view);
            second(view);
        });
        let error = both.await;
        assert!(matches!(error, StoreError::Constraint(_)), "{what}: {error:?}");
    }
}

pub(crate) async fn what_is_unique_in_an_event_may_repeat_in_another(db: Database) {
    let set = samples::set(samples::event(2).id, 2);
    let state = TicketState::Sold { order: id_in_event(set.event, 5), barcode: "same".to_owned(), refund: None };
    let elsewhere = Ticket { state, number: 1, ..samples::ticket(&set, 12) };
    let here = sold(11, 1, "same");
    let codes = [promocode(party().id, 21, "Spring"), promocode(set.event, 22, "Spring")];
    db.insert(|view| {
        view.tickets.put(here.clone());
        view.tickets.put(elsewhere.clone());
        for code in &codes {
            view.promocodes.put(code.clone());
        }
    })
    .await;
    assert_eq!(db.rows::<Ticket>().await, [here.clone(), elsewhere.clone()]);
    assert_eq!(db.rows::<Promocode>().await, codes);
}

pub(crate) async fn chairs_with_another_row_number_sector_or_event_are_others(db: Database) {
    let in_sector = |sector: &str| TicketSet { sector: sector.to_owned(), ..samples::seated_set(party().id, 2) };
    let elsewhere = samples::seated_set(samples::event(2).id, 2);
    let chairs = [
        chair(11, 1, "7", 5),
        chair(12, 1, "7", 6),
        chair(13, 1, "07", 5),
        chair(14, 1, "8", 5),
        samples::seated_ticket(&in_sector(""), 15, "7", 5),
        samples::seated_ticket(&in_sector("l"), 16, "7", 5),
        samples::seated_ticket(&elsewhere, 17, "7", 5),
    ];
    db.insert(|view| chairs.iter().for_each(|chair| view.tickets.put(chair.clone()))).await;
    assert_eq!(db.rows::<Ticket>().await, chairs);
}

pub(crate) async fn a_chair_is_free_when_its_ticket_goes_in_the_same_batch(db: Database) {
    let [old, new] = [(11, 1), (12, 2)].map(|(key, set)| chair(key, set, "7", 5));
    db.insert(|view| view.tickets.put(old.clone())).await;
    let read_set = ReadSet { tickets: vec![old.id], ..ReadSet::default() };
    let batch = db.write(read_set, |view| {
        view.tickets.remove(old.id);
        view.tickets.put(new.clone());
    });
    batch.await.unwrap();
    assert_eq!(db.rows::<Ticket>().await, std::slice::from_ref(&new));
}

fn ann_and_bob() -> [User; 2] {
    [11, 12].map(samples::user)
}

async fn given(db: &Database, users: &[User]) -> ReadSet {
    db.insert(|view| users.iter().for_each(|user| view.users.put(user.clone()))).await;
    ReadSet { users: users.iter().map(|user| user.id).collect(), ..ReadSet::default() }
}

pub(crate) async fn a_unique_value_is_free_when_its_row_goes_in_the_same_batch(db: Database) {
    let [ann, bob] = ann_and_bob();
    let read_set = given(&db, &[ann.clone(), bob.clone()]).await;
    let ann = User { email: bob.email.clone(), ..ann };
    let new = User { email: samples::user(11).email, ..samples::user(13) };
    let batch = db.write(read_set, |view| {
        view.users.put(ann.clone());
        view.users.remove(bob.id);
    });
    batch.await.unwrap();
    db.insert(|view| view.users.put(new.clone())).await;
    assert_eq!(db.rows::<User>().await, [ann.clone(), new.clone()]);
}

pub(crate) async fn a_unique_value_is_free_once_its_row_has_another(db: Database) {
    let [ann, bob] = ann_and_bob();
    let read_set = given(&db, std::slice::from_ref(&ann)).await;
    let moved = User { email: "elsewhere@example.org".parse().unwrap(), ..ann.clone() };
    db.write(read_set, |view| view.users.put(moved.clone())).await.unwrap();
    let bob = User { email: ann.email.clone(), ..bob };
    db.insert(|view| view.users.put(bob.clone())).await;
    assert_eq!(db.rows::<User>().await, [moved.clone(), bob.clone()]);
}
