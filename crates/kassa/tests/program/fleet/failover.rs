//! The primary dies under load, and its standby takes over.

use std::time::Duration;

use crate::client::Client;
use crate::fleet::cluster::{PostgresCluster, serve};
use crate::fleet::configured_rounds;
use crate::fleet::load::{FleetLoad, orders_of};
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;
use crate::waiting::{now, wait_for};

/// Tickets for each round.
const TICKETS_PER_ROUND: usize = 5_000;
/// How long after the promotion nobody may buy. It is a second or two, and up to ten while the machine is busy; a server
/// that does not look for the new primary never sells again.
const RECOVERY_TIME_MAX: Duration = Duration::from_secs(30);

#[test]
fn a_standby_takes_over_and_no_answered_order_is_lost() {
    let (folder, rounds) = (tempfile::tempdir().unwrap(), configured_rounds(1));
    let mut primary = PostgresCluster::new();
    let mut standby = PostgresCluster::following(&primary);
    let server = Server::run(&mut serve(folder.path(), &[&primary, &standby]));
    let sale = Sale::open(&server, u32::try_from(TICKETS_PER_ROUND * rounds).unwrap());
    let (client, ops) = (sale.client(&server), Client::anonymous(&server.ops));
    let mut answered = Vec::new();
    for round in 1..=rounds {
        let sold = FleetLoad::run(&[&server], &sale, |load| {
            load.wait_for_sales(200);
            primary.kill();
            let killed = now();
            // Those who read are told at once, and so is who looks after the server.
            let answer = client.get(&sale.set_path());
            assert_eq!((answer.status, answer.headers.contains_key("Retry-After")), (503, true), "{answer:?}");
            assert_eq!((ops.get("/readyz").status, ops.get("/healthz").status), (503, 200));
            load.wait_for_retry_responses(1);
            eprintln!("round {round}: orders were refused {:?} after the accident", killed.elapsed());
            standby.promote();
            let promoted = now();
            load.wait_for_sales_within(RECOVERY_TIME_MAX, 1);
            eprintln!("round {round}: sold again {:?} after the promotion", promoted.elapsed());
            load.wait_for_sales(200);
        });
        answered.extend(sold);
        wait_for("it is ready again", || (ops.get("/readyz").status == 200).then_some(()));
        // What was dead is made anew, and follows.
        std::mem::swap(&mut primary, &mut standby);
        standby.follow(&primary);
        let snapshot = SalesSnapshot::read(&server, &sale);
        snapshot.assert_consistent();
        snapshot.assert_contains_all(orders_of(&answered));
        assert!(snapshot.count_tickets("vacant") > 0, "it was not in the middle");
    }
    eprintln!("{} orders were answered", answered.len());
    server.stop();
}
