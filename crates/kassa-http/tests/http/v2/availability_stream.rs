//! Streams of what is left of an event.

use std::collections::HashSet;
use std::time::Duration;

use kassa_domain::context::RandomBits;
use kassa_engine::metrics::Limit;
use kassa_engine::random;
use kassa_http::ConnectionSettings;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::availability::{hall, left_for, path_of, unpacked};
use crate::client::Client;
use crate::events_stream::{EventStream, StreamEvent};
use crate::harness::{Event, MINUTE_MS, Order, Org, Set, Shop, text};

/// How long something that must come may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// What somebody knows who has read a stream from its beginning.
struct Follower {
    stream: EventStream,
    known: Value,
    kinds: Vec<String>,
}

async fn follow(client: &Client, event: &Event) -> Follower {
    let stream = client.stream(&format!("{}/stream", path_of(event))).await;
    let mut follower = Follower { stream, known: Value::Null, kinds: Vec::new() };
    assert!(follower.hear().await, "the first event comes");
    assert_eq!(follower.kinds, ["availability"], "the whole comes first");
    follower
}

impl Follower {
    /// Takes the next event; `false` at the end of the stream.
    async fn hear(&mut self) -> bool {
        let Some(StreamEvent { kind, data, id }) = self.stream.next().await else { return false };
        assert_eq!(id.len(), 16, "{id}");
        match kind.as_str() {
            "availability" => self.known = data,
            "change" => self.apply(&data),
            other => panic!("{other}"),
        }
        self.kinds.push(kind);
        true
    }

    fn apply(&mut self, change: &Value) {
        self.known["on_sale"] = change["on_sale"].clone();
        let sets = self.known["sets"].as_array_mut().unwrap();
        for change in change["sets"].as_array().unwrap() {
            let set = sets.iter_mut().find(|set| set["id"] == change["id"]).unwrap();
            (set["left"], set["on_sale"]) = (change["left"].clone(), change["on_sale"].clone());
            if let Some(free) = change.get("free") {
                set["free"] = free.clone();
            }
            for (places, is_free) in [("taken", false), ("freed", true)] {
                for place in change[places].as_array().into_iter().flatten() {
                    let mut bits = unpacked(&text(&set["free"]));
                    let bit = &mut bits[usize::try_from(place.as_u64().unwrap()).unwrap()];
                    assert_ne!(*bit, is_free, "what is told is new");
                    *bit = is_free;
                    set["free"] = json!(packed(&bits));
                }
            }
        }
    }

    /// Reads on until it knows what is told to whoever asks.
    async fn catch_up(&mut self, client: &Client, event: &Event) {
        let wanted = left_for(client, event).await;
        let begun = Instant::now();
        while self.known != wanted {
            assert!(begun.elapsed() < PATIENCE && self.hear().await, "{} is not {wanted}", self.known);
        }
    }
}

/// Bits as base64.
fn packed(bits: &[bool]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut highest_first: Vec<bool> = bits.chunks(8).flat_map(|byte| byte.iter().rev().copied()).collect();
    let bytes = highest_first.len() / 8;
    highest_first.resize(bytes.div_ceil(3) * 24, false);
    let digit = |bits: &[bool]| char::from(DIGITS[bits.iter().fold(0, |sum, bit| sum * 2 + usize::from(*bit))]);
    let mut text: String = highest_first.chunks(6).map(digit).collect();
    text.truncate((bytes * 8).div_ceil(6));
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}

/// What is sold at random.
struct Sale {
    shop: Shop,
    org: Org,
    event: Event,
    sets: [Set; 3],
    open: Vec<Order>,
    rows: u64,
    random: Box<dyn RandomBits>,
}

impl Sale {
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.random.next_u64() >> 33).unwrap() % bound
    }

    fn take_open(&mut self) -> Order {
        let at = self.below(self.open.len());
        self.open.swap_remove(at)
    }

    /// Something is sold, or given back; and the log of changes has it.
    async fn step(&mut self) {
        let (set, count, step) = (self.below(3), self.below(5) + 1, self.below(12));
        let set = self.sets[set].clone();
        match step {
            0..6 => {
                let body = json!({"event": self.event.id, "random": {&set.id: count}});
                let answer = self.org.post("orders", body).await;
                let order = answer.created();
                // Of a set that is sold out it has no tickets.
                if order["tickets"] != json!([]) {
                    self.open.push(Order::of(&self.org, &order));
                }
            }
            6..8 if !self.open.is_empty() => {
                let order = self.take_open();
                order.patch(json!({"customer": {"email": "ann@example.org"}, "payment": {"system": "api/BASE"}})).await;
                order.becomes("done").await;
            }
            8 if !self.open.is_empty() => {
                let order = self.take_open();
                order.becomes("canceled").await;
            }
            9 => {
                self.shop.expire_after_ms(16 * MINUTE_MS).await;
                self.open.clear();
            }
            10 => {
                let vacant = self.event.tickets().await;
                let vacant = vacant.iter().find(|ticket| ticket["status"] == "vacant" && ticket["set"] == set.id);
                set.patch(json!({"blocked": vacant.map(|ticket| &ticket["id"]).into_iter().collect::<Vec<_>>()})).await;
            }
            11 => {
                self.rows += 1;
                let seats = json!({"10": [[1, 3]], "2": [[7, 15], [20, 21]], "A": [[1, 10]], "Z": [[1, self.rows]]});
                self.sets[0].patch(json!({"seats": seats})).await;
            }
            _ => {}
        }
        self.shop.engine.place_batches().await.unwrap();
        self.shop.engine.follow_feed().await.unwrap();
    }
}

pub(crate) async fn a_snapshot_and_what_has_changed_are_what_is_left(shop: Shop) {
    let (org, event, sets) = hall(&shop).await;
    let anonymous = shop.anonymous();
    let mut follower = follow(&anonymous, &event).await;
    let mut sale = Sale {
        shop: shop.clone(),
        org,
        event: event.clone(),
        sets,
        open: Vec::new(),
        rows: 0,
        random: random::from_seed(5)(),
    };
    for _ in 0..24 {
        for _ in 0..=sale.below(3) {
            sale.step().await;
        }
        follower.catch_up(&anonymous, &event).await;
    }
    let kinds: HashSet<&str> = follower.kinds.iter().map(String::as_str).collect();
    assert_eq!(kinds, HashSet::from(["availability", "change"]), "{:?}", follower.kinds);
    // Who comes back is told the same, whatever came last.
    let again = anonymous.with("last-event-id", "0123456789abcdef");
    assert_eq!(follow(&again, &event).await.known, follower.known);
}

#[tokio::test]
async fn an_event_is_told_four_times_a_second_and_read_once_for_all() {
    let shop = Shop::memory().await;
    let (org, event, [stalls, ..]) = hall(&shop).await;
    let mut one = follow(&shop.anonymous(), &event).await;
    let (begun, mut orders) = (Instant::now(), 0);
    while begun.elapsed() < Duration::from_millis(1_500) {
        org.order(&event, stalls.random(1)).await.becomes("canceled").await;
        orders += 1;
    }
    org.order(&event, stalls.random(1)).await;
    one.catch_up(&org, &event).await;
    let most = begun.elapsed().as_millis() / 250 + 2;
    assert!(one.kinds.len() as u128 <= most, "{} events, {orders} orders", one.kinds.len());

    let before = shop.metric("kassa_availability_reads_total").await;
    let mut many = Vec::new();
    for _ in 0..60 {
        many.push(follow(&shop.anonymous(), &event).await);
    }
    assert_eq!(shop.metric("kassa_availability_readers").await, 61);
    assert_eq!(shop.metric("kassa_availability_events").await, 1);
    org.order(&event, stalls.random(2)).await;
    for follower in &mut many {
        follower.catch_up(&org, &event).await;
    }
    let reads = shop.metric("kassa_availability_reads_total").await - before;
    assert!((1..=3).contains(&reads), "{reads} reads");
    drop((one, many));
    let begun = Instant::now();
    while shop.metric("kassa_availability_events").await > 0 {
        assert!(begun.elapsed() < PATIENCE, "nobody follows it");
        tokio::task::yield_now().await;
    }
    // It begins anew.
    assert_eq!(follow(&org, &event).await.known, left_for(&org, &event).await);
}

#[tokio::test]
async fn a_stream_ends_for_those_who_see_the_event_no_longer() {
    let shop = Shop::memory().await;
    let (org, event, [stalls, ..]) = hall(&shop).await;
    let agent = shop.organizer("agent@example.org").await;
    let deal = org.post("deals", json!({"event": event.id, "subj": agent.id, "term": {"org": 90}})).await.ok();
    let [mut public, mut own, mut sold] =
        [follow(&shop.anonymous(), &event).await, follow(&org, &event).await, follow(&agent, &event).await];
    event.patch(json!({"status": "stand_by"})).await;
    assert!(!public.hear().await, "nothing more is told");
    for follower in [&mut own, &mut sold] {
        follower.catch_up(&org, &event).await;
    }
    org.patch(&format!("deals/{}", text(&deal["id"])), json!({"status": "terminated"})).await.ok();
    let stranger = shop.organizer("stranger@example.org").await;
    stranger.get(&format!("{}/stream", path_of(&event))).await.refused(404, "not_found");
    let chairs = org.get(&format!("{}/tickets", stalls.path)).await.ok();
    stalls.patch(json!({"blocked": [chairs[0]["id"]]})).await;
    own.catch_up(&org, &event).await;
    assert!(!sold.hear().await, "its deal is over");
}

#[tokio::test]
async fn prices_that_begin_are_told_without_a_change() {
    let shop = Shop::memory().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let rules = json!([{"start": "2026-01-01T00:05:00Z", "price": "10.00"}]);
    event.set_with(json!({"name": "Early", "amount": 5, "rules": rules})).await;
    event.set(1, "10.00").await;
    shop.pass_ms(5 * MINUTE_MS - 300);
    let mut follower = follow(&org, &event).await;
    assert_eq!(follower.known["sets"][0]["on_sale"], false);
    shop.pass_ms(300);
    assert!(follower.hear().await);
    assert_eq!((&follower.known["sets"][0]["on_sale"], follower.kinds.len()), (&json!(true), 2));
}

#[tokio::test]
async fn an_address_has_half_of_all_places() {
    let shop = Shop::memory().await;
    let (org, event, _) = hall(&shop).await;
    let path = format!("{}/stream", path_of(&event));
    let (here, elsewhere) = (shop.anonymous().at_address("192.0.2.1"), shop.anonymous().at_address("192.0.2.2"));
    let mut streams = Vec::new();
    for _ in 0..6_000 {
        streams.push(here.stream(&path).await);
    }
    let refused = here.get(&path).await;
    assert_eq!(refused.header("retry-after"), "10");
    refused.refused(429, "too_many_requests");
    assert_eq!(shop.engine.limit_hits().get(Limit::AvailabilityStreams), 1);
    elsewhere.stream(&path).await;
    org.at_address("192.0.2.1").stream(&path).await;
    streams.pop();
    here.stream(&path).await;
}

#[tokio::test]
async fn an_address_is_the_first_to_follow_a_quarter_of_all_events() {
    let shop = Shop::memory().await;
    let org = shop.organizer("org@example.org").await;
    let (here, elsewhere) = (shop.anonymous().at_address("192.0.2.1"), shop.anonymous().at_address("192.0.2.2"));
    let mut streams = Vec::new();
    for _ in 0..500 {
        streams.push(here.stream(&format!("{}/stream", path_of(&org.event("One of many").await))).await);
    }
    let path = format!("{}/stream", path_of(&org.event("Another").await));
    here.get(&path).await.refused(503, "busy");
    let _first = elsewhere.stream(&path).await;
    // Whoever comes second takes no place among the events.
    here.stream(&path).await;
    streams.pop();
}

#[tokio::test]
async fn streams_end_when_the_server_stops() {
    let shop = Shop::memory().await;
    let (_, event, _) = hall(&shop).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (sender, asked) = oneshot::channel::<()>();
    let settings = ConnectionSettings::new(10, true);
    let asked = Box::pin(async { asked.await.unwrap() });
    let server = tokio::spawn(kassa_http::serve(listener, shop.app.clone(), settings, asked));
    let request = format!("GET {}/stream HTTP/1.1\r\nHost: kassa\r\nAccept-Encoding: gzip\r\n\r\n", path_of(&event));
    client.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    while !text.contains("event: availability\ndata: {") {
        let mut bytes = [0; 4096];
        let length = tokio::time::timeout(PATIENCE, client.read(&mut bytes)).await.unwrap().unwrap();
        text.push_str(std::str::from_utf8(&bytes[..length]).unwrap());
    }
    for header in ["content-type: text/event-stream\r\n", "cache-control: no-store\r\n", "x-accel-buffering: no\r\n"] {
        assert!(text.contains(header), "{text}");
    }
    assert!(!text.contains("content-encoding"), "{text}");
    sender.send(()).unwrap();
    let mut rest = Vec::new();
    tokio::time::timeout(PATIENCE, client.read_to_end(&mut rest)).await.unwrap().unwrap();
    tokio::time::timeout(PATIENCE, server).await.unwrap().unwrap();
}

impl Shop {
    /// The sample of a metric without labels.
    async fn metric(&self, name: &str) -> i64 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let settings = ConnectionSettings::new(1, true);
        let server = tokio::spawn(kassa_http::ops::serve(
            listener,
            self.app.clone(),
            settings,
            Box::pin(std::future::pending()),
        ));
        client.write_all(b"GET /metrics HTTP/1.1\r\nHost: kassa\r\nConnection: close\r\n\r\n").await.unwrap();
        let mut text = String::new();
        client.read_to_string(&mut text).await.unwrap();
        server.abort();
        let sample = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).unwrap();
        sample.trim().parse().unwrap()
    }
}
