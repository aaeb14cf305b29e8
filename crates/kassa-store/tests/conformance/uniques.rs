//! What no two rows may share.

use kassa_domain::event::{Event, EventId};
use kassa_domain::promocode::Promocode;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::user::User;
use kassa_domain::{ReadSet, every_table};
use kassa_store::StoreError;
use kassa_store::rows::MappedRow as _;
use kassa_store::sqlite::Sqlite;
use kassa_store::sqlite::scratch::RawDatabase;

use crate::database::Database;
use crate::guards::write_error;
use crate::kinds::{SampleRow, UniquePair};
use crate::samples::{self, id_in_event, seat_of_event, sold_ticket};

fn party() -> Event {
    samples::event(1)
}

fn promocode(event: EventId, key: i64, code: &str) -> Promocode {
    Promocode { code: code.parse().unwrap(), ..samples::promocode(event, key) }
}

/// What no index can say of a database on several servers: of order numbers a lease of blocks does, and of places in the feed a lock.
const UNIQUE_BY_LEASE: [&str; 2] = ["order number", "place"];

/// The pairs of every table that an index of this database tells apart.
fn indexed_pairs(db: &Database) -> Vec<UniquePair> {
    let by_lease = |pair: &UniquePair| db.store.is_spread() && UNIQUE_BY_LEASE.contains(&pair.what);
    let pairs = unique_pairs();
    assert!(UNIQUE_BY_LEASE.iter().all(|what| pairs.iter().any(|pair| pair.what == *what)));
    pairs.into_iter().filter(|pair| !by_lease(pair)).collect()
}

/// The pairs of every table.
fn unique_pairs() -> Vec<UniquePair> {
    let mut pairs = Vec::new();
    macro_rules! collect {
        ($($field:ident: $row:ty,)*) => { $(pairs.extend(<$row>::unique_pairs());)* };
    }
    every_table!(collect);
    pairs
}

#[test]
fn every_unique_constraint_has_a_pair_of_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kassa.db");
    Sqlite::open(&path, false).unwrap();
    let constraints = RawDatabase::open(&path).unwrap().constraints().unwrap();
    // What is unique is shown as `table(columns)`, and a CHECK as `table.name`.
    let is_unique_in = |table: &str, constraint: &str| constraint.split_once('(').is_some_and(|(of, _)| of == table);
    let mut expected = Vec::new();
    let mut found = Vec::new();
    macro_rules! count {
        ($($field:ident: $row:ty,)*) => {
            $(
                let table = <$row>::TABLE;
                expected.push((table, constraints.iter().filter(|name| is_unique_in(table, name.as_str())).count()));
                found.push((table, <$row>::unique_pairs().len()));
            )*
        };
    }
    every_table!(count);
    assert!(expected.iter().any(|(_, constraints)| *constraints > 0), "{constraints:?}");
    assert_eq!(found, expected, "{constraints:?}");
}

pub(crate) async fn a_second_row_with_a_unique_value_is_refused_and_leaves_nothing(db: Database) {
    for UniquePair { what, first, second } in indexed_pairs(&db) {
        // Two of the pairs are about the same tickets.
        db.write(ReadSet { tickets: vec![sold_ticket(11, 1, "").id], ..ReadSet::default() }, first).await.unwrap();
        let error = write_error(&db, second).await;
        assert!(matches!(error, StoreError::Constraint(_)), "{what}: {error:?}");
    }
}

pub(crate) async fn two_new_rows_of_one_batch_cannot_share_a_unique_value(db: Database) {
    for UniquePair { what, first, second } in indexed_pairs(&db) {
        let both = write_error(&db, move |view| {
            first(view);
            second(view);
        });
        let error = both.await;
        assert!(matches!(error, StoreError::Constraint(_)), "{what}: {error:?}");
    }
}

pub(crate) async fn an_email_changes_hands_when_its_holder_makes_room(db: Database) {
    for (mover, holder) in [(1, 2), (3, 4)].into_iter().flat_map(|(one, other)| [(one, other), (other + 10, one + 10)])
    {
        let (mover, holder) = (samples::user(mover), samples::user(holder));
        let wanted = holder.email.clone();
        let displaced = User { email: format!("{}@displaced.invalid", holder.id).parse().unwrap(), ..holder.clone() };
        let arrived = User { email: wanted, ..mover.clone() };
        // Somebody new takes the address of the one that moved.
        let newcomer = User { id: kassa_domain::Id::root(arrived.id.key() + 100), ..mover.clone() };
        db.insert(|view| [&mover, &holder].into_iter().for_each(|user| view.users.put(user.clone()))).await;
        let rows = vec![arrived, displaced, newcomer];
        let after = rows.clone();
        let read_set = ReadSet { users: vec![mover.id, holder.id], ..ReadSet::default() };
        db.write(read_set, move |view| rows.iter().for_each(|user| view.users.put(user.clone()))).await.unwrap();
        for user in after {
            assert!(db.rows::<User>().await.contains(&user));
        }
    }
}

pub(crate) async fn what_is_unique_in_an_event_may_repeat_in_another(db: Database) {
    let set = samples::set(samples::event(2).id, 2);
    let state = TicketState::Sold { order: id_in_event(set.event, 5), barcode: "same".to_owned(), refund: None };
    let elsewhere = Ticket { state, number: 1, ..samples::ticket(&set, 12) };
    let here = sold_ticket(11, 1, "same");
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
        seat_of_event(11, 1, "7", 5),
        seat_of_event(12, 1, "7", 6),
        seat_of_event(13, 1, "07", 5),
        seat_of_event(14, 1, "8", 5),
        samples::seated_ticket(&in_sector(""), 15, "7", 5),
        samples::seated_ticket(&in_sector("l"), 16, "7", 5),
        samples::seated_ticket(&elsewhere, 17, "7", 5),
    ];
    db.insert(|view| chairs.iter().for_each(|chair| view.tickets.put(chair.clone()))).await;
    assert_eq!(db.rows::<Ticket>().await, chairs);
}

pub(crate) async fn a_chair_is_free_when_its_ticket_goes_in_the_same_batch(db: Database) {
    let [old, new] = [(11, 1), (12, 2)].map(|(key, set)| seat_of_event(key, set, "7", 5));
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
