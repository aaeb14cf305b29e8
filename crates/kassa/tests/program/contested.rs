//! More buyers than tickets.

use std::collections::BTreeSet;
use std::thread;

use serde_json::json;

use crate::books::Books;
use crate::crowd::{Bought, Payment, sell};
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::Tenant;

const AMOUNT: u32 = 1_000;

#[test]
fn contested_set_sells_out_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let sale = Sale::open(&server, AMOUNT);
    let mut bought = sell(&server, &sale, |_| ());
    bought.sort_by_key(|order| order.number);

    nobody_went_short_while_tickets_remained(&bought, &sale);
    is_sold_out(&server, &sale, &bought);
    server.stop();
}

#[test]
fn two_servers_on_one_database_sell_a_set_out_exactly() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), Tenant::new());
    let serve = |name: &str| {
        let mut command = tenant.serve(&folder.path().join(name));
        Server::run(command.env("KASSA_SECRET", "one secret that both servers share"))
    };
    let (one, other) = (serve("one"), serve("other"));
    let sale = Sale::open(&one, AMOUNT);
    let bought = thread::scope(|scope| {
        let there = scope.spawn(|| sell(&other, &sale, |_| ()));
        let mut bought = sell(&one, &sale, |_| ());
        bought.extend(there.join().unwrap());
        bought
    });
    for server in [&one, &other] {
        is_sold_out(server, &sale, &bought);
    }
    let numbers: BTreeSet<i64> = bought.iter().map(|order| order.number).collect();
    assert_eq!(numbers.len(), bought.len(), "two orders have one number");
    one.stop();
    other.stop();
}

/// Each ticket was sold once, and what the server shows is what was answered.
#[track_caller]
fn is_sold_out(server: &Server, sale: &Sale, bought: &[Bought]) {
    let tickets: BTreeSet<&String> = bought.iter().flat_map(|order| &order.tickets).collect();
    let total: usize = bought.iter().map(|order| order.tickets.len()).sum();
    assert_eq!((tickets.len(), total), (1_000, 1_000), "a ticket was sold twice, or not at all");
    assert!(bought.iter().all(|order| order.payment != Payment::Unanswered));

    let books = Books::read(server, sale);
    books.balance();
    books.hold_all(bought);
    assert_eq!(books.orders.len(), bought.len());
    assert_eq!((books.tickets.len(), books.count("vacant")), (1_000, 0));
}

/// Numbers are given in the order of the decisions. Replayed in that order, each order must have
/// got all that could be had at its turn: a buyer went short only when too few were left.
#[track_caller]
fn nobody_went_short_while_tickets_remained(bought: &[Bought], sale: &Sale) {
    let mut left = usize::try_from(AMOUNT).unwrap();
    for order in bought {
        let had = if order.wanted <= left {
            order.wanted
        } else if order.all_or_nothing {
            0
        } else {
            left
        };
        assert_eq!(order.tickets.len(), had, "{left} tickets were left for {order:?}");
        left -= had;
        if had == order.wanted {
            assert_eq!(order.details, json!([]), "{order:?}");
        } else {
            let detail = &order.details[0];
            assert_eq!((&detail["set"], &detail["wanted"]), (&json!(sale.set), &json!(order.wanted)), "{order:?}");
        }
    }
    assert_eq!(left, 0);
}
