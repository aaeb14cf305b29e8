//! A database that goes away under load, and comes back.

use crate::books::Books;
use crate::fleet::cluster::{Cluster, serve};
use crate::fleet::load::{Load, bought};
use crate::fleet::rounds;
use crate::sale::Sale;
use crate::server::Server;
use crate::verify::{all_agrees, kassa_verify};

#[test]
fn a_database_that_is_killed_and_started_again_is_sold_on_without_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let mut cluster = Cluster::new();
    let server = Server::run(&mut serve(folder.path(), &[&cluster]));
    let sale = Sale::open(&server, 20_000);
    let sold = Load::run(&[&server], &sale, |load| {
        for _ in 0..rounds(2) {
            load.sells(100);
            cluster.kill();
            load.is_refused(20);
            cluster.start();
            load.sells(100);
        }
    });
    let books = Books::read(&server, &sale);
    books.balance();
    books.hold_all(bought(&sold));
    let mut verify = kassa_verify(folder.path());
    all_agrees(verify.env("KASSA_DATABASE", cluster.url("postgres")));
    server.stop();
}
