//! Two servers with four lanes each sell as fast as they can, and a reader on each of them follows the feed by its cursor.
//!
//! `KASSA_FEED_CHANGES` says how many changes that are at least; `--profile long` lets it take its time, and
//! `KASSA_PROGRAM` names a release build.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use ureq::http::Method;

use crate::buyers::{SeededRandom, pay, request_order};
use crate::client::{Client, HttpResponse, text};
use crate::feed_reader::FeedReader;
use crate::fleet::servers::{ServerFleet, lane_numbers};
use crate::sale::{Organizer, Sale};
use crate::verify::{assert_no_mismatch, kassa_verify};
use crate::waiting::{SetOnDrop, now};

/// How many changes are read, unless somebody says.
const CHANGES: u64 = 4_000;
/// Events, so that all lanes have something to do.
const EVENTS: u32 = 16;
/// Buyers at a time, of each server.
const BUYERS: u32 = 8;
/// Changes for each ticket that is sold, or fewer: three orders of four are paid.
const CHANGES_PER_TICKET: u64 = 4;
/// How long a buyer waits who was told to come back.
const RETRY_DELAY: Duration = Duration::from_millis(50);
/// Of all orders and their tickets.
const WANTED: &str = "types=order.*,ticket.*";

#[test]
fn readers_on_two_servers_with_four_lanes_each_get_each_change_once_and_in_order() {
    let wanted = std::env::var("KASSA_FEED_CHANGES").map_or(CHANGES, |text| text.parse().unwrap());
    let servers = ServerFleet::start(2);
    for server in &servers.all {
        assert_eq!(lane_numbers(server).len(), 4);
    }
    let organizer = Organizer::register(&servers.all[0], "org@example.org");
    let amount = u32::try_from(wanted / CHANGES_PER_TICKET / u64::from(EVENTS)).unwrap() + 2 * BUYERS;
    let sales: Vec<Sale> = (0..EVENTS).map(|_| Sale::of(&organizer, &servers.all[0], amount)).collect();
    let (answered, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    let since = {
        let mut reader = FeedReader::new(organizer.client(&servers.all[0]), WANTED, "end");
        reader.read(0);
        reader.cursor
    };
    let start = now();
    let read: Vec<ReadChanges> = thread::scope(|scope| {
        // If anything fails, all end.
        let _over = SetOnDrop(&is_over);
        let readers: Vec<_> = servers
            .all
            .iter()
            .map(|server| {
                let reader = FeedReader::new(organizer.client(server), WANTED, &since);
                let is_over = &is_over;
                scope.spawn(move || ReadChanges::follow(reader, is_over))
            })
            .collect();
        let buyers: Vec<_> = (0..2 * BUYERS)
            .map(|seed| {
                let client = organizer.client(&servers.all[usize::try_from(seed % 2).unwrap()]);
                let (sales, answered) = (&sales, &answered);
                scope.spawn(move || buy(&client, sales, SeededRandom(seed), answered, wanted))
            })
            .collect();
        for buyer in buyers {
            buyer.join().unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
        eprintln!("{} changes were answered within {:?}", answered.load(Ordering::Relaxed), start.elapsed());
        readers.into_iter().map(|reader| reader.join().unwrap()).collect()
    });
    eprintln!("they were read on both servers within {:?}", start.elapsed());

    // Each order counts its changes in its row.
    let committed: u64 = servers.query("sum(revision)::text", "orders", "true").unwrap().parse().unwrap();
    assert!(committed >= answered.into_inner(), "changes are lost");
    for (at, read) in read.iter().enumerate() {
        assert_eq!(read.count, committed, "server {at}");
    }
    assert!(committed >= wanted && read[0].versions == read[1].versions);
    let dense = "last_place = (SELECT count(*) FROM change_batches WHERE place <= last_place)";
    let dense = dense.replace("change_batches", &format!("{}.change_batches", servers.name()));
    assert_eq!(servers.query("1::text", "feed_heads", &dense).as_deref(), Some("1"), "places have holes");
    let folder = tempfile::tempdir().unwrap();
    let mut verify = kassa_verify(folder.path());
    assert_no_mismatch(verify.env("KASSA_DATABASE", servers.url()));
    servers.stop();
}

/// Orders of all events, until enough changes were answered. Three of four are paid, the others are canceled. Where a
/// server has no time, what was asked for may have happened or not.
fn buy(client: &Client, sales: &[Sale], mut dice: SeededRandom, answered: &AtomicU64, wanted: u64) {
    while answered.load(Ordering::Relaxed) < wanted {
        let sale = &sales[dice.below(EVENTS)];
        let Some(order) = accepted(request_order(client, sale, 1, true).unwrap()) else { continue };
        assert_eq!(order["tickets"].as_array().unwrap().len(), 1, "an event is sold out");
        let id = text(&order["id"]);
        let (changes, answer) = if dice.below(4) > 0 {
            // It is reserved, gets its customer, is paid, and its tickets are issued.
            (4, pay(client, &id))
        } else {
            let path = format!("/v1/resources/orders/{id}");
            (2, client.send(&Method::PATCH, &path, Some(&json!({"status": "canceled"}))))
        };
        let is_accepted = accepted(answer.unwrap()).is_some();
        answered.fetch_add(if is_accepted { changes } else { 1 }, Ordering::Relaxed);
    }
}

/// The body of a success; `None` where somebody is told to come back, once it is time.
#[track_caller]
fn accepted(answer: HttpResponse) -> Option<Value> {
    if answer.status == 503 && answer.headers.contains_key("Retry-After") {
        thread::sleep(RETRY_DELAY);
        return None;
    }
    Some(answer.success_body())
}

/// What a reader was told.
struct ReadChanges {
    count: u64,
    /// The last version of each resource.
    versions: HashMap<String, u64>,
}

impl ReadChanges {
    /// Reads until the sale is over, and from then on to the end.
    fn follow(mut reader: FeedReader, is_over: &AtomicBool) -> Self {
        let (mut read, mut last) = (Self { count: 0, versions: HashMap::new() }, (0, 0));
        loop {
            // What is committed by now has its place in a moment: whoever waits is told.
            let is_last = is_over.load(Ordering::Relaxed);
            let (changes, has_more) = reader.read(10);
            for change in &changes {
                let place = place_of(change);
                assert!(last < place, "{place:?} was told after {last:?}");
                last = place;
                read.take(change);
            }
            if is_last && changes.is_empty() && !has_more {
                return read;
            }
        }
    }

    fn take(&mut self, change: &Value) {
        let resource = &change["resource"];
        let version = resource["version"].as_u64().unwrap();
        let before = self.versions.insert(text(&resource["id"]), version).unwrap_or(0);
        assert_eq!(version, before + 1, "a change is missing, or out of order: {change}");
        self.count += 1;
    }
}

/// Where a change is in the feed, as its id tells.
fn place_of(change: &Value) -> (u64, u64) {
    let id = text(&change["id"]);
    let (place, index) = id.strip_prefix("chg_").unwrap().split_once('-').unwrap();
    (place.parse().unwrap(), index.parse().unwrap())
}
