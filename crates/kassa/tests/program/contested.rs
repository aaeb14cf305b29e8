//! More buyers than tickets.

use std::collections::BTreeSet;

use serde_json::json;

use crate::buyers::{AnsweredOrder, PaymentAttempt, sell_out};
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;

/// Tickets of the set.
pub(crate) const TICKETS: u32 = 1_000;

#[test]
fn contested_set_sells_out_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let sale = Sale::open(&server, TICKETS);
    let mut bought = sell_out(&server, &sale, |_| ());
    bought.sort_by_key(|order| order.number);

    assert_nobody_went_short(&bought, &sale);
    assert_sold_out_exactly(&server, &sale, &bought);
    server.stop();
}

/// Each ticket was sold once, and what the server shows is what was answered.
#[track_caller]
pub(crate) fn assert_sold_out_exactly(server: &Server, sale: &Sale, bought: &[AnsweredOrder]) {
    let tickets: BTreeSet<&String> = bought.iter().flat_map(|order| &order.tickets).collect();
    let total: usize = bought.iter().map(|order| order.tickets.len()).sum();
    assert_eq!((tickets.len(), total), (1_000, 1_000), "a ticket was sold twice, or not at all");
    assert!(bought.iter().all(|order| order.payment != PaymentAttempt::Unanswered));

    let snapshot = SalesSnapshot::read(server, sale);
    snapshot.assert_consistent();
    snapshot.assert_contains_all(bought);
    assert_eq!(snapshot.orders.len(), bought.len());
    assert_eq!((snapshot.ticket_statuses.len(), snapshot.count_tickets("vacant")), (1_000, 0));
}

/// Numbers are given in the order of the decisions. Replayed in that order, each order must have
/// got all that could be had at its turn: a buyer went short only when too few were left.
#[track_caller]
fn assert_nobody_went_short(bought: &[AnsweredOrder], sale: &Sale) {
    let mut left = usize::try_from(TICKETS).unwrap();
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
