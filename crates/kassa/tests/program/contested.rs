//! More buyers than tickets.

use std::collections::BTreeSet;

use serde_json::json;

use crate::books::Books;
use crate::crowd::{Bought, Payment, sell};
use crate::sale::Sale;
use crate::server::Server;

/// Tickets of the set.
pub(crate) const AMOUNT: u32 = 1_000;

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

/// Each ticket was sold once, and what the server shows is what was answered.
#[track_caller]
pub(crate) fn is_sold_out(server: &Server, sale: &Sale, bought: &[Bought]) {
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
