//! Shards that move while what is in them is sold, on a database of several servers.

use crate::fleet::load::{FleetLoad, orders_of};
use crate::fleet::servers::ServerFleet;
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::verify::assert_no_mismatch;

/// More than are sold meanwhile.
const TICKETS: u32 = 10_000;
/// To the other server and back, three times.
const MOVES: usize = 6;

#[test]
#[ignore = "it needs a database that Citus spreads over servers: ./check citus"]
fn an_event_is_sold_exactly_while_it_moves_from_server_to_server() {
    let servers = ServerFleet::start(2);
    let sale = Sale::open(&servers.all[0], TICKETS);
    let mut places = vec![servers.place_of_only_event()];
    let sold = FleetLoad::run(&servers.all_servers(), &sale, |load| {
        for _ in 0..MOVES {
            load.wait_for_sales_of_each(&[0, 1], 50);
            servers.move_only_event();
            places.push(servers.place_of_only_event());
        }
        load.wait_for_sales_of_each(&[0, 1], 50);
    });
    assert!(places.windows(2).all(|pair| pair[0] != pair[1]), "it has not moved: {places:?}");
    for server in &servers.all {
        let snapshot = SalesSnapshot::read(server, &sale);
        snapshot.assert_consistent();
        snapshot.assert_contains_all(orders_of(&sold));
    }
    assert_no_mismatch(&mut servers.verify());
    servers.stop();
}
