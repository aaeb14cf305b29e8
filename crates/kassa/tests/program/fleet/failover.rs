//! The primary dies under load, and its standby takes over.

use std::time::Duration;

use crate::books::Books;
use crate::client::Client;
use crate::fleet::cluster::{Cluster, serve};
use crate::fleet::load::{Load, bought};
use crate::fleet::rounds;
use crate::patience::{now, soon};
use crate::sale::Sale;
use crate::server::Server;

/// Tickets for each round.
const AMOUNT: usize = 5_000;
/// How long after the promotion nobody may buy.
const RECOVERY_MAX: Duration = Duration::from_secs(10);

#[test]
fn a_standby_takes_over_and_no_answered_order_is_lost() {
    let (folder, rounds) = (tempfile::tempdir().unwrap(), rounds(1));
    let mut primary = Cluster::new();
    let mut standby = Cluster::following(&primary);
    let server = Server::run(&mut serve(folder.path(), &[&primary, &standby]));
    let sale = Sale::open(&server, u32::try_from(AMOUNT * rounds).unwrap());
    let (client, ops) = (sale.client(&server), Client::anonymous(&server.ops));
    let mut answered = Vec::new();
    for round in 1..=rounds {
        let sold = Load::run(&[&server], &sale, |load| {
            load.sells(200);
            primary.kill();
            let killed = now();
            // Those who read are told at once, and so is who looks after the server.
            let answer = client.get(&sale.set_path());
            assert_eq!((answer.status, answer.headers.contains_key("Retry-After")), (503, true), "{answer:?}");
            assert_eq!((ops.get("/readyz").status, ops.get("/healthz").status), (503, 200));
            load.is_refused(1);
            eprintln!("round {round}: orders were refused {:?} after the accident", killed.elapsed());
            standby.promote();
            let promoted = now();
            load.sells_within(RECOVERY_MAX, 1);
            eprintln!("round {round}: sold again {:?} after the promotion", promoted.elapsed());
            load.sells(200);
        });
        answered.extend(sold);
        soon("it is ready again", || (ops.get("/readyz").status == 200).then_some(()));
        // What was dead is made anew, and follows.
        std::mem::swap(&mut primary, &mut standby);
        standby.follow(&primary);
        let books = Books::read(&server, &sale);
        books.balance();
        books.hold_all(bought(&answered));
        assert!(books.count("vacant") > 0, "it was not in the middle");
    }
    eprintln!("{} orders were answered", answered.len());
    server.stop();
}
