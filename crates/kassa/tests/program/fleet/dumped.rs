//! Backups of a database on a server, by the tools of that.

use std::sync::atomic::Ordering;

use crate::books::Books;
use crate::crowd::sell;
use crate::fleet::cluster::{Cluster, serve};
use crate::patience::soon;
use crate::program::kassa_serve;
use crate::sale::Sale;
use crate::server::Server;
use crate::verify::{all_agrees, kassa_verify};

#[test]
fn a_dump_that_is_made_while_a_crowd_buys_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = Cluster::new();
    let server = Server::run(&mut serve(folder.path(), &[&cluster]));
    let sale = Sale::open(&server, 20_000);
    let process = server.process_id();
    let mut before = 0;
    let bought = sell(&server, &sale, |answered| {
        soon("orders are answered", || (answered.load(Ordering::Relaxed) >= 200).then_some(()));
        before = answered.load(Ordering::Relaxed);
        cluster.dump_into("again");
        let after = answered.load(Ordering::Relaxed);
        soon("orders are answered", || (answered.load(Ordering::Relaxed) > after).then_some(()));
        process.kill();
    });
    server.killed();

    let on_it = |command: &mut std::process::Command| {
        command.env("KASSA_DATABASE", cluster.url("again"));
    };
    let mut verify = kassa_verify(folder.path());
    on_it(&mut verify);
    all_agrees(&mut verify);
    let mut again = kassa_serve(folder.path());
    on_it(&mut again);
    let server = Server::run(&mut again);
    let books = Books::read(&server, &sale);
    books.balance();
    assert!((before..bought.len()).contains(&books.orders.len()), "{before} {} {}", books.orders.len(), bought.len());
    server.stop();
}
