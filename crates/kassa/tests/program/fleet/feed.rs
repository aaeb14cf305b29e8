//! The feed of two servers with four lanes each, while both sell: a reader by cursor gets each change once.
//!
//! `KASSA_FEED_CHANGES` says how many changes are read; `--profile long` lets it take its time.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;

use serde_json::Value;
use ureq::http::Method;

use crate::buyers::request_order;
use crate::client::{Client, text};
use crate::feed_reader::FeedReader;
use crate::fleet::servers::{ServerFleet, lane_numbers};
use crate::sale::{Organizer, Sale};
use crate::verify::assert_no_mismatch;
use crate::waiting::SetOnDrop;

/// Changes, unless somebody says how many.
const CHANGES: usize = 4_000;
/// Events, which fall on all lanes of a server.
const EVENTS: usize = 16;
/// Buyers of each event at each server.
const BUYERS: usize = 2;
/// An order takes a ticket and gives it back: so many tickets serve any number of orders.
const TICKETS: u32 = 500;

/// What buyers were answered: their orders.
#[derive(Default)]
struct Sold(Mutex<HashSet<String>>);

impl Sold {
    fn orders(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap()
    }
}

/// What a reader was told.
#[derive(Default)]
struct Told {
    changes: HashSet<String>,
    /// The last version of each resource.
    versions: HashMap<String, i64>,
    /// How often each order was reserved, and how often it was canceled.
    orders: HashMap<String, [usize; 2]>,
    /// The place of the last one: of its batch, and in it.
    place: (u64, u64),
}

impl Told {
    /// Notes a page. Each change is new, is behind those before it, and has a version above the last of its resource.
    #[track_caller]
    fn note(&mut self, page: &[Value]) {
        for change in page {
            assert!(self.changes.insert(text(&change["id"])), "it was told twice: {change}");
            let place = place_of(&text(&change["cursor"]));
            assert!(place > self.place, "it stands before {:?}: {change}", self.place);
            self.place = place;
            let (resource, version) = (&change["resource"], change["resource"]["version"].as_i64().unwrap());
            let (id, kind) = (text(&resource["id"]), text(&change["type"]));
            let before = self.versions.insert(id.clone(), version);
            assert!(before.is_none_or(|before| before < version), "a version that is not above {before:?}: {change}");
            let step = ["order.reserved", "order.canceled"].iter().position(|step| *step == kind);
            if let Some(step) = step {
                self.orders.entry(id).or_default()[step] += 1;
            }
        }
    }
}

fn place_of(cursor: &str) -> (u64, u64) {
    let (batch, change) = cursor.split_once('-').unwrap();
    (batch.parse().unwrap(), change.parse().unwrap())
}

#[test]
fn a_reader_by_cursor_gets_each_change_of_two_servers_once() {
    let wanted = std::env::var("KASSA_FEED_CHANGES").map_or(CHANGES, |text| text.parse().unwrap());
    let servers = ServerFleet::start(2);
    let organizer = Organizer::register(&servers.all[0], "org@example.org");
    let sales: Vec<Sale> = (0..EVENTS).map(|_| Sale::of(&organizer, &servers.all[0], TICKETS)).collect();
    assert!(servers.all.iter().all(|server| lane_numbers(server).len() == 4), "each has four lanes");

    let (sold, is_over, done) = (Sold::default(), AtomicBool::new(false), AtomicUsize::new(0));
    let told: Vec<Told> = thread::scope(|scope| {
        let readers: Vec<_> = servers
            .all
            .iter()
            .map(|server| FeedReader::new(organizer.client(server), "types=order.*", "end"))
            .map(|mut reader| {
                // It stands at the end before the first order.
                reader.read(0);
                let is_over = &is_over;
                scope.spawn(move || read_all(reader, is_over))
            })
            .collect();
        let over = SetOnDrop(&is_over);
        thread::scope(|buyers| {
            for (server, sale) in servers.all.iter().flat_map(|server| sales.iter().map(move |sale| (server, sale))) {
                for _ in 0..BUYERS {
                    let (client, sold, done) = (sale.client(server), &sold, &done);
                    buyers.spawn(move || buy(&client, sale, wanted, sold, done));
                }
            }
        });
        drop(over);
        readers.into_iter().map(|reader| reader.join().unwrap()).collect()
    });

    let sold = sold.0.into_inner().unwrap();
    for told in &told {
        let missing = sold.iter().find(|order| told.orders.get(*order) != Some(&[1, 1]));
        assert_eq!(missing.map(|order| (order, told.orders.get(order))), None, "not told once, or not at all");
        assert_eq!(told.orders.len(), sold.len(), "nothing else was told");
    }
    assert_eq!(told[0].changes, told[1].changes);
    eprintln!("{} changes of {} orders, each told once at both servers", told[0].changes.len(), sold.len());
    assert_no_mismatch(&mut servers.verify());
    servers.stop();
}

/// Takes a ticket and gives it back, until there are as many changes as wanted.
#[track_caller]
fn buy(client: &Client, sale: &Sale, wanted: usize, sold: &Sold, done: &AtomicUsize) {
    while done.load(Ordering::Relaxed) < wanted {
        let order = request_order(client, sale, 1, true).unwrap().success_id();
        let canceled = client.send(&Method::DELETE, &format!("/v1/resources/orders/{order}"), None);
        canceled.unwrap().success_body();
        sold.orders().insert(order);
        done.fetch_add(2, Ordering::Relaxed);
    }
}

/// Reads until the sale is over and nothing more comes.
#[track_caller]
fn read_all(mut reader: FeedReader, is_over: &AtomicBool) -> Told {
    let mut told = Told::default();
    loop {
        // What is committed by now can be read by whoever asks afterwards, once it has its place.
        let was_over = is_over.load(Ordering::Relaxed);
        let (page, has_more) = reader.read(2);
        told.note(&page);
        if was_over && page.is_empty() && !has_more {
            return told;
        }
    }
}
