//! Answers that are kept in memory: never stale, and nobody's but their caller's.

use kassa_http::HttpConfig;
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::harness::{DAY_MS, Event, Org, Set, Shop, text};
use crate::prices::seasonal;
use crate::simple::deal;

const EVENTS_TO_SELL: &str = "/v1/services/simple/events";
/// Steps of a random history, and of one where each takes longer.
const STEPS: u64 = 50;
const STEPS_POSTGRES: u64 = 20;

/// As often as it takes until an answer is kept and given again: it is made, made once more and kept, and found.
const ASKED: usize = 3;

/// The same shop, where nothing is kept.
fn without_memory(shop: &Shop) -> Shop {
    shop.seen_with(HttpConfig { answer_cache_bytes: 0, ..HttpConfig::default() })
}

/// What of an answer must be the same whether it is kept or not.
fn said(answer: &Answer) -> (u16, String, Vec<(String, String)>) {
    let headers = ["etag", "total", "content-type", "cache-control", "vary", "x-partner"];
    let headers = headers.map(|name| (name.to_owned(), answer.header(name).to_owned()));
    (answer.status, String::from_utf8_lossy(&answer.bytes).into_owned(), headers.into())
}

/// Numbers that look random: those of a linear congruential generator.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// An organizer with two events, an agent of the first, and what they have ordered.
struct History {
    shop: Shop,
    /// Servers of the same database that write; the shop is one of them.
    servers: Vec<Shop>,
    org: Org,
    agent: Org,
    stranger: Org,
    sales: [(Event, Set); 2],
    deal: String,
    orders: Vec<String>,
    numbers: Numbers,
}

impl History {
    async fn begin(servers: Vec<Shop>, seed: u64) -> Self {
        let shop = servers[0].clone();
        let [org, agent, stranger] = [
            shop.organizer("org@a.example").await,
            shop.organizer("agent@a.example").await,
            shop.organizer("no@a.example").await,
        ];
        let mut sales = Vec::new();
        for title in ["One", "Two"] {
            let event = org.event(title).await;
            let set = event.set(30, "100.00").await;
            sales.push((event, set));
        }
        let sales: [(Event, Set); 2] = sales.try_into().unwrap_or_else(|_| panic!("two were made"));
        let deal = deal(&org, &sales[0].0.id, &agent.id, json!({"org": 90, "extra": "100.00", "pfc": false})).await;
        Self { shop, servers, org, agent, stranger, sales, deal, orders: Vec::new(), numbers: Numbers(seed) }
    }

    /// Something happens at one of the servers, or is refused.
    async fn step(&mut self) {
        let server = self.numbers.below(self.servers.len() as u64);
        let at = self.servers[usize::try_from(server).unwrap()].anonymous();
        let (org, agent) = (at.with_key(&self.org.token), at.with_key(&self.agent.token));
        let (event, set) = self.sales[usize::try_from(self.numbers.below(2)).unwrap()].clone();
        let number = self.numbers.below(1_000);
        let order = json!({"event": event.id, "random": {&set.id: 1 + number % 3}});
        match self.numbers.below(14) {
            0..=2 => self.made(&org.post("orders", order).await),
            3..=4 => self.made(&agent.post("orders", order).await),
            status @ (5 | 12) => {
                if let Some(order) = self.orders.last() {
                    let status = json!({"status": if status == 5 { "cancelled" } else { "done" }});
                    org.patch(order, status.clone()).await;
                    agent.patch(order, status).await;
                }
            }
            6 => drop(org.patch(&event.path, json!({"title": {"text": format!("Title {number}")}})).await),
            7 => {
                let status = if number.is_multiple_of(2) { "public" } else { "stand_by" };
                org.patch(&event.path, json!({"status": status})).await;
            }
            8 => drop(org.patch(&set.path, json!({"price": format!("{number}.50")})).await),
            9 => {
                let set = json!({"name": format!("Set {number}"), "amount": 2, "price": "7.00"});
                org.post(&format!("{}/sets", event.path), set).await;
            }
            10 => {
                let status = if number.is_multiple_of(2) { "terminated" } else { "accepted" };
                org.patch(&self.deal, json!({"status": status})).await;
            }
            11 => {
                let term = json!({"org": 80 + number % 20, "extra": "20.00", "pfc": false});
                let proposal = json!({"event": event.id, "subj": self.agent.id, "term": term});
                org.post("deals", proposal).await;
            }
            _ => drop(self.shop.expire_after_ms(i64::try_from(number).unwrap() * DAY_MS / 500).await),
        }
    }

    fn made(&mut self, answer: &Answer) {
        if answer.status == 201 {
            self.orders.push(format!("orders/{}", text(&answer.json()["id"])));
        }
    }

    /// Everything that is kept, as everybody sees it, is what would be made anew.
    async fn assert_current(&self, anew: &Shop) {
        let paths = self.sales.iter().flat_map(|(event, set)| {
            let availability = format!("/v2/resources/events/{}/availability", event.id);
            let layout = format!("{availability}/layout");
            [event.path.clone(), format!("{}/sets", event.path), set.path.clone(), availability, layout]
        });
        let paths = paths.chain(self.orders.iter().rev().take(2).cloned());
        let paths = paths.chain([EVENTS_TO_SELL, "events"].map(str::to_owned));
        for path in paths {
            let callers = [&self.org, &self.agent, &self.stranger].map(|org| Some(org.token.clone()));
            for token in callers.into_iter().chain([None]) {
                let of =
                    |shop: &Shop| token.as_ref().map_or(shop.anonymous(), |token| shop.anonymous().with_key(token));
                let (kept, fresh): (Client, Client) = (of(&self.shop), of(anew));
                let expected = said(&fresh.get(&path).await);
                for _ in 0..ASKED {
                    assert_eq!(said(&kept.get(&path).await), expected, "{path} for {token:?}");
                }
            }
        }
    }
}

/// How often an answer was given that was kept, and how often another had changed meanwhile.
async fn found(shop: &Shop) -> [u64; 2] {
    let text = kassa_http::ops::metrics_text(&shop.app).await;
    ["kept", "changed"].map(|found| {
        let name = format!("kassa_answer_cache_total{{found=\"{found}\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&name)).unwrap().parse().unwrap()
    })
}

#[tokio::test]
async fn what_is_kept_is_what_would_be_made_anew_whatever_happens() {
    let [(one, another), (first, second)] = [Shop::two_on_sqlite().await, Shop::two_on_postgres().await];
    for (seed, servers, steps) in [
        (1, vec![Shop::memory().await], STEPS),
        (2, vec![Shop::sqlite().await], STEPS),
        (3, vec![one, another], STEPS),
        (4, vec![first, second], STEPS_POSTGRES),
    ] {
        let shop = servers[0].clone();
        let anew = without_memory(&shop);
        let mut history = History::begin(servers, seed).await;
        for _ in 0..steps {
            history.step().await;
            history.assert_current(&anew).await;
        }
        let [kept, changed] = found(&shop).await;
        assert!(kept > 10 * steps && changed > steps, "{kept} were kept, {changed} had changed");
        assert_eq!(found(&anew).await, [0, 0]);
    }
}

#[tokio::test]
async fn a_price_that_begins_by_itself_is_shown_from_then_on() {
    let shop = Shop::sqlite().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    seasonal(&event).await;
    let price = async || text(&shop.anonymous().get(&event.path).await.ok()["sets"][0]["price"]);
    let mut prices = Vec::new();
    for _ in 0..200 {
        prices.push(price().await);
        shop.pass_ms(DAY_MS);
        if prices.last() == Some(&"200.00".to_owned()) {
            break;
        }
    }
    assert_eq!((prices.first(), prices.last()), (Some(&"100.00".to_owned()), Some(&"200.00".to_owned())));
    let [kept, _] = found(&shop).await;
    assert!(kept > 10, "{kept} answers were kept while the price held");
}

/// Whoever was answered sees what was written, however many read meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_was_answered_reads_what_was_written() {
    assert_writes_are_read(&Shop::sqlite().await, 200).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_was_answered_reads_what_was_written_on_postgres() {
    assert_writes_are_read(&Shop::postgres().await, 50).await;
}

async fn assert_writes_are_read(shop: &Shop, writes: u32) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (reader, path) = (shop.anonymous(), event.path.clone());
            tokio::spawn(async move {
                for _ in 0..2 * writes {
                    reader.get(&path).await.ok();
                }
            })
        })
        .collect();
    for number in 0..writes {
        let title = format!("Title {number}");
        org.patch(&event.path, json!({"title": {"text": title}})).await.ok();
        let shown: Value = shop.anonymous().get(&event.path).await.ok();
        assert_eq!(shown["title"]["text"], title.as_str());
    }
    for reader in readers {
        reader.await.unwrap();
    }
}

/// Another program writes the same database: what it has written is seen by the next who asks.
#[tokio::test]
async fn what_another_program_has_written_is_seen_at_once() {
    assert_others_are_seen(Shop::two_on_sqlite().await).await;
}

#[tokio::test]
async fn what_another_server_has_written_is_seen_at_once_on_postgres() {
    assert_others_are_seen(Shop::two_on_postgres().await).await;
}

async fn assert_others_are_seen((shop, other): (Shop, Shop)) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    for number in 0..5 {
        for _ in 0..ASKED {
            shop.anonymous().get(&event.path).await.ok();
        }
        let title = format!("Title {number}");
        other.anonymous().with_key(&org.token).patch(&event.path, json!({"title": {"text": title}})).await.ok();
        assert_eq!(shop.anonymous().get(&event.path).await.ok()["title"]["text"], title.as_str());
    }
    assert!(found(&shop).await[0] >= 5);
}

#[tokio::test]
async fn what_is_kept_stays_within_its_memory() {
    const BYTES: usize = 64 * 1024;
    let shop = Shop::sqlite().await;
    let small = shop.seen_with(HttpConfig { answer_cache_bytes: BYTES, ..HttpConfig::default() });
    let org = shop.organizer("org@example.org").await;
    for number in 0..40 {
        let body = json!({"title": {"text": format!("{number}"), "desc": "d".repeat(5_000)}, "status": "stand_by"});
        let event = org.event_with(body).await;
        for _ in 0..ASKED {
            small.anonymous().with_key(&org.token).get(&event.path).await.ok();
        }
    }
    let text = kassa_http::ops::metrics_text(&small.app).await;
    let bytes = text.lines().find_map(|line| line.strip_prefix("kassa_answer_cache_bytes ")).unwrap();
    let bytes: usize = bytes.parse().unwrap();
    assert!((1..=BYTES).contains(&bytes), "{bytes} bytes");
}
