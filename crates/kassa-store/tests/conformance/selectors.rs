//! Each selector of a read set gives exactly what it says. Those of one table are in `tables/`.

use kassa_domain::{Id, ReadSet};

use crate::database::{Database, keys};
use crate::samples::{self, HERE, event_id, given_a_catalogue, id_in_event, set_of, ticket_keys};

pub(crate) async fn rows_by_key_are_those_that_are_named(db: Database) {
    db.insert(|view| (1..=5).for_each(|key| view.users.put(samples::user(key)))).await;
    let users = vec![Id::root(4), Id::root(2), Id::root(99), Id::root(-1)];
    let view = db.view(ReadSet { users, ..ReadSet::default() }).await;
    assert_eq!(keys(view.users.rows()), [Id::root(2), Id::root(4)]);
    assert_eq!(view.users.version(Id::root(99)), None, "what is not there has no version");
}

pub(crate) async fn a_row_that_is_named_twice_is_there_once(db: Database) {
    given_a_catalogue(&db).await;
    let read_set = ReadSet {
        tickets: vec![id_in_event(event_id(HERE), 101), id_in_event(event_id(HERE), 101)],
        tickets_held_by: vec![
            id_in_event(event_id(HERE), 6),
            id_in_event(event_id(HERE), 5),
            id_in_event(event_id(HERE), 5),
        ],
        sets_of: vec![event_id(HERE), event_id(HERE)],
        ..ReadSet::default()
    };
    let view = db.view(read_set).await;
    assert_eq!(ticket_keys(&view), [101, 102, 111, 112, 121, 122]);
    assert_eq!(view.sets.rows().count(), 2);
}

pub(crate) async fn a_batch_sees_what_a_view_sees(db: Database) {
    given_a_catalogue(&db).await;
    let read_set = ReadSet {
        tickets: vec![id_in_event(event_id(HERE), 100)],
        tickets_held_by: vec![id_in_event(event_id(HERE), 5)],
        blocked_tickets_of: vec![set_of(HERE, 12).id],
        vacant: vec![(set_of(HERE, 11).id, 9)],
        ..ReadSet::default()
    };
    let seen = ticket_keys(&db.view(read_set.clone()).await);
    assert_eq!(seen, [100, 101, 102, 110, 121, 122, 123]);
    db.write(read_set, |view| assert_eq!(ticket_keys(view), seen)).await.unwrap();
}
