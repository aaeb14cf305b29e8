//! Lists that walk an index do so also where the database knows nothing of their rows yet.

use kassa_domain::Id;

use super::connection::{Connection, ListTrip};
use super::lint::connect;
use super::scratch::TestDatabase;
use crate::lists::{Filter, PageWindow, Statement, select_statement};
use crate::tables::{SeatsFilter, TicketsFilter};

/// Vacant seats of one set, of which there are no statistics.
const NEW_TICKETS: &str = "ALTER TABLE tickets SET (autovacuum_enabled = off); \
    INSERT INTO tickets (id, tag, event, set_id, number, sector, seat_row, row_order, seat_number, row_inventory, state, version) \
    SELECT g, 1, 1, 2, g, 'L', g / 100, lpad((g / 100)::text, 5, '0'), g % 100, g / 100, 0, 1 FROM generate_series(1, 20000) AS g";

/// How the server would read a page.
async fn plan<F: Filter>(connection: &Connection, filter: &F) -> String {
    let Statement { text, args } = select_statement(filter, PageWindow::first(2_000));
    let explain = Statement { text: format!("EXPLAIN {text}"), args };
    let trip = ListTrip::Whole { walks_index: filter.walks_index() };
    let answers = connection.run_unprepared(trip, &[explain]).await.unwrap();
    let lines = answers.iter().flat_map(|answer| &answer.rows).map(|row| row.get::<_, &str>(0).to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn tickets_that_are_new_are_not_sorted_for_each_page() {
    let (_postgres, scratch) = TestDatabase::new().await;
    let connection = connect(&scratch).await;
    connection.execute(NEW_TICKETS).await.unwrap();
    let (event, sets, states) = (Id::root(1), vec![Id::root(2)], [true, false, false, false]);
    let by_number = TicketsFilter { event, sets: sets.clone(), states, ids: None, after: 0, are_few: false };
    let sector = "L".to_owned();
    let by_seat = SeatsFilter { event, sector, sets, states, ids: None, after: None, are_few: false };
    assert!(by_number.walks_index() && by_seat.walks_index());
    for (plan, index) in
        [(plan(&connection, &by_number).await, "tickets_number"), (plan(&connection, &by_seat).await, "tickets_seat")]
    {
        assert!(plan.contains(&format!("Index Scan using {index}")) && !plan.contains("Sort"), "{plan}");
    }
    // Those that are few are sorted, and those that are named are looked up.
    let few = TicketsFilter { are_few: true, ..by_number.clone() };
    let named = TicketsFilter { ids: Some(vec![Id::root(1)]), ..by_number };
    assert!(!few.walks_index() && !named.walks_index());
}
