//! A server that is killed in the middle of the sale.

use std::process::Command;
use std::sync::atomic::Ordering;

use crate::books::Books;
use crate::crowd::sell;
use crate::patience::soon;
use crate::program::kassa_serve;
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::Tenant;

/// Times that the server is killed.
const ROUNDS: usize = 3;
/// Orders that are answered before it is.
const ANSWERED: usize = 200;

#[test]
fn kill_9_in_the_middle_loses_no_answered_order() {
    let folder = tempfile::tempdir().unwrap();
    loses_no_answered_order(|| kassa_serve(folder.path()));
}

#[test]
fn kill_9_in_the_middle_loses_no_answered_order_on_postgres() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), Tenant::new());
    loses_no_answered_order(|| tenant.serve(folder.path()));
}

fn loses_no_answered_order(serve: impl Fn() -> Command) {
    let mut server = Server::run(&mut serve());
    let sale = Sale::open(&server, 3_000);
    sale.block(&server, 10);
    let mut answered = Vec::new();
    for _ in 0..ROUNDS {
        let process = server.process_id();
        let bought = sell(&server, &sale, |count| {
            soon("orders are answered", || (count.load(Ordering::Relaxed) >= ANSWERED).then_some(()));
            process.kill();
        });
        server.killed();
        answered.extend(bought);

        server = Server::run(&mut serve());
        let books = Books::read(&server, &sale);
        books.hold_all(&answered);
        books.balance();
        assert_eq!((books.tickets.len(), books.count("blocked")), (3_000, 10));
        assert!(books.count("vacant") > 0, "it was not killed in the middle");
    }
    let rest = sell(&server, &sale, |_| ());
    let books = Books::read(&server, &sale);
    books.balance();
    books.hold_all(answered.iter().chain(&rest));
    assert_eq!(books.count("vacant"), 0);
    server.stop();
}
