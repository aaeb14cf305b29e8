//! Three servers sell one set, and end its holds.

use std::thread;

use serde_json::json;
use ureq::http::Method;

use crate::books::Books;
use crate::client::items;
use crate::contested::{AMOUNT, is_sold_out};
use crate::crowd::{Bought, Payment};
use crate::fleet::load::{Load, Sold, bought};
use crate::fleet::servers::{Servers, values};
use crate::patience::soon;
use crate::sale::Sale;

/// A time that is over.
const LONG_AGO: &str = "2026-01-01 00:00:00";

#[test]
fn three_servers_sell_a_set_out_exactly_and_end_each_hold_once() {
    let servers = Servers::three();
    let sale = Sale::open(&servers.all[0], AMOUNT);
    let sold = Load::run(&servers.refs(), &sale, |load| load.sells_out(3));
    nobody_went_short_while_tickets_remained(&sold);
    let first: Vec<Bought> = bought(&sold).cloned().collect();
    for server in &servers.all {
        is_sold_out(server, &sale, &first);
    }

    let held: Vec<&Bought> =
        first.iter().filter(|order| order.payment == Payment::Untried && !order.tickets.is_empty()).collect();
    end_holds(&servers, &sale, &held);
    let books = Books::read(&servers.all[0], &sale);
    books.balance();
    let freed: usize = held.iter().map(|order| order.tickets.len()).sum();
    assert_eq!((books.count("vacant"), books.count("reserved")), (freed, 0));

    let sold = Load::run(&servers.refs(), &sale, |load| load.sells_out(3));
    nobody_went_short_while_tickets_remained(&sold);
    assert_eq!(bought(&sold).map(|order| order.tickets.len()).sum::<usize>(), freed);
    for server in &servers.all {
        let books = Books::read(server, &sale);
        books.balance();
        books.hold_all(bought(&sold));
        assert_eq!((books.count("vacant"), books.count("reserved") > 0), (0, true));
    }
    servers.stop();
}

/// Whoever asks after the answer to a buyer who went short gets no more than could have been left for that one.
#[track_caller]
fn nobody_went_short_while_tickets_remained(sold: &[Sold]) {
    let short = sold.iter().filter(|sold| sold.bought.tickets.len() < sold.bought.wanted);
    for short in short {
        let left = if short.bought.all_or_nothing { short.bought.wanted - 1 } else { 0 };
        let later = sold.iter().filter(|other| other.asked > short.answered);
        let later: usize = later.map(|other| other.bought.tickets.len()).sum();
        assert!(later <= left, "{later} tickets were sold after {:?} had been told that there are none", short.bought);
    }
}

/// Their time is over, as far as their buyers are concerned. Each server finds them, and one ends each.
#[track_caller]
fn end_holds(servers: &Servers, sale: &Sale, held: &[&Bought]) {
    let clients = servers.clients(sale);
    thread::scope(|scope| {
        for (at, client) in clients.iter().enumerate() {
            let mine = held.iter().skip(at).step_by(clients.len());
            scope.spawn(move || {
                for order in mine {
                    let path = format!("/v2/resources/orders/{}", order.id);
                    client.send(&Method::PATCH, &path, Some(&json!({"expired_after": LONG_AGO}))).unwrap().ok();
                }
            });
        }
    });
    soon("holds have ended", || items(&clients[0].get(&sale.tickets_path("reserved")).ok()).is_empty().then_some(()));
    let ended = || servers.all.iter().flat_map(|server| values(server, "holds have ended", "expired=")).sum::<usize>();
    soon("they are told of", || (ended() >= held.len()).then_some(()));
    assert_eq!(ended(), held.len(), "a hold has ended twice");
}
