//! What a server says that was sold, read through the interface when nobody buys.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::buyers::{AnsweredOrder, PaymentAttempt};
use crate::client::{Client, items, text};
use crate::sale::Sale;
use crate::server::Server;

/// Orders of a page: the most that a list gives.
const PAGE: usize = 1_000;

/// All orders and tickets of a sale.
pub(crate) struct SalesSnapshot {
    /// By id.
    pub(crate) orders: BTreeMap<String, ListedOrder>,
    /// The status of each ticket.
    pub(crate) ticket_statuses: BTreeMap<String, &'static str>,
    amount: usize,
    amount_vacant: usize,
}

/// An order as the list shows it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ListedOrder {
    pub(crate) number: i64,
    pub(crate) status: String,
    pub(crate) tickets: Vec<String>,
}

impl SalesSnapshot {
    #[track_caller]
    pub(crate) fn read(server: &Server, sale: &Sale) -> Self {
        let client = sale.client(server);
        let set = client.get(&sale.set_path()).success_body();
        let mut tickets = BTreeMap::new();
        for status in ["vacant", "reserved", "sold", "blocked"] {
            for ticket in items(&client.get(&sale.tickets_path(status)).success_body()) {
                assert_eq!(ticket["status"], status);
                assert_eq!(ticket["barcode"].is_string(), status == "sold", "{ticket}");
                assert_eq!(tickets.insert(text(&ticket["id"]), status), None, "{ticket} is there twice");
            }
        }
        let count = |name: &str| usize::try_from(set[name].as_u64().unwrap()).unwrap();
        Self {
            orders: all_orders(&client, sale),
            ticket_statuses: tickets,
            amount: count("amount"),
            amount_vacant: count("amount_vacant"),
        }
    }

    pub(crate) fn count_tickets(&self, status: &str) -> usize {
        self.ticket_statuses.values().filter(|known| **known == status).count()
    }

    /// Every ticket that is held has its order, every order has its tickets and a number of its own, and
    /// the counters of the set are what a recount gives.
    #[track_caller]
    pub(crate) fn assert_consistent(&self) {
        let mut holders = BTreeMap::new();
        for (id, order) in &self.orders {
            let held_as = match order.status.as_str() {
                "executed" => "reserved",
                "done" => "sold",
                // It shows what it held.
                "expired" => continue,
                other => panic!("{id} is {other}"),
            };
            for ticket in &order.tickets {
                assert_eq!(
                    self.ticket_statuses.get(ticket),
                    Some(&held_as),
                    "{ticket} of {id}, which is {}",
                    order.status
                );
                assert_eq!(holders.insert(ticket, id), None, "{ticket} is in two orders, one of them {id}");
            }
        }
        let numbers: BTreeSet<i64> = self.orders.values().map(|order| order.number).collect();
        assert_eq!(numbers.len(), self.orders.len(), "two orders have one number");
        assert_eq!(
            holders.len(),
            self.count_tickets("reserved") + self.count_tickets("sold"),
            "a ticket is held by nobody"
        );
        assert_eq!(self.amount, self.ticket_statuses.len());
        assert_eq!(self.amount_vacant, self.count_tickets("vacant"));
    }

    /// Every order that was answered is there with the same tickets, and as far as was answered.
    #[track_caller]
    pub(crate) fn assert_contains_all<'a>(&self, answered: impl IntoIterator<Item = &'a AnsweredOrder>) {
        for bought in answered {
            let order = self.orders.get(&bought.id).unwrap_or_else(|| panic!("{bought:?} is lost"));
            assert_eq!((order.number, &order.tickets), (bought.number, &bought.tickets), "{bought:?}");
            match bought.payment {
                PaymentAttempt::NotAttempted => assert_eq!(order.status, "executed", "{bought:?}"),
                PaymentAttempt::Confirmed => assert_eq!(order.status, "done", "{bought:?}"),
                PaymentAttempt::Unanswered => {
                    assert!(["executed", "done"].contains(&order.status.as_str()), "{bought:?}");
                }
            }
        }
    }
}

#[track_caller]
fn all_orders(client: &Client, sale: &Sale) -> BTreeMap<String, ListedOrder> {
    let mut orders = BTreeMap::new();
    for page in 1.. {
        let path = format!("/v1/resources/orders?event={}&page={page}&page_size={PAGE}", sale.event);
        let answer = client.get(&path);
        let total: usize = answer.headers.get("total").unwrap().to_str().unwrap().parse().unwrap();
        let body = answer.success_body();
        for order in items(&body) {
            let known = orders.insert(text(&order["id"]), ListedOrder::new(order));
            assert_eq!(known, None, "{order} is there twice");
        }
        if items(&body).len() < PAGE {
            assert_eq!(orders.len(), total);
            break;
        }
    }
    orders
}

impl ListedOrder {
    fn new(order: &Value) -> Self {
        Self {
            number: order["number"].as_i64().unwrap(),
            status: text(&order["status"]),
            tickets: items(&order["tickets"]).iter().map(text).collect(),
        }
    }
}
