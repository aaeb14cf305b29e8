//! Deals under random terms: what the page of a deal shows is what orders under it are split into, to the cent.

use std::env;
use std::fmt::Write as _;

use kassa_domain::order::OrderId;
use kassa_domain::{Money, ReadSet};
use kassa_http::http::StatusCode;
use serde_json::{Value, json};

use super::{Browser, sale};
use crate::harness::Shop;

/// How many terms are tried, unless the environment says otherwise.
const TERMS: u64 = 100;
/// Names and prices of sets, besides that of the sale at 25.00.
const SETS: [(&str, &str); 4] = [("Circle", "33.35"), ("Gallery", "7.77"), ("Boxes", "1999.99"), ("Roof", "6.01")];

/// Numbers that look random, and are the same each time: `SplitMix64`.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    /// A percentage up to a limit with all its digits, or an amount up to another, in cents.
    fn share(&mut self, percent_max: u64, cents_max: u64) -> String {
        let of_whole = |number: u64, decimals: u64| {
            format!("{}.{:0width$}", number / decimals, number % decimals, width = if decimals == 100 { 2 } else { 4 })
        };
        match self.below(4) {
            0 => of_whole(self.below(cents_max), 100),
            1 => format!("{}%", self.below(percent_max)),
            _ => format!("{}%", of_whole(self.below(percent_max * 10_000), 10_000)),
        }
    }

    /// The fields of a form with terms under which nobody gets more than the customer pays.
    fn terms(&mut self) -> [(&'static str, String); 3] {
        let is_fee_on_top = if self.below(2) == 0 { "true" } else { "" };
        [("org", self.share(97, 580)), ("extra", self.share(40, 2_000)), ("pfc", is_fee_on_top.to_owned())]
    }
}

/// The cents of an amount as pages write it: `€1,999.99`, `€4`.
fn cents(text: &str) -> i64 {
    let plain = text.trim().replace(['€', ','], "");
    plain.parse::<Money>().unwrap_or_else(|_| panic!("{text} is no amount")).minor()
}

/// What a page shows of each set: its name, price, what the customer pays, and what organizer, agent and platform get.
fn splits_of(html: &str) -> Vec<(String, [i64; 5])> {
    let table = html.split_once("id=\"split\"").unwrap().1.split_once("</table>").unwrap().0;
    let rows = table.split("<tr><th scope=\"row\">").skip(1);
    rows.map(|row| {
        let name = row.split_once('<').unwrap().0.to_owned();
        let cells: Vec<i64> = row
            .split("<td ")
            .skip(1)
            .map(|cell| {
                let text = cell.split_once('>').unwrap().1;
                cents(text.split(['<', '>']).find(|part| part.contains('€')).unwrap())
            })
            .collect();
        (name, cells.try_into().unwrap())
    })
    .collect()
}

/// A sale with sets at several prices, an agent, and what was said to both.
struct Negotiation<'s> {
    shop: &'s Shop,
    organizer: (Browser<'s>, String),
    agent: (Browser<'s>, String),
    event: String,
    /// Ids of the sets by their names.
    sets: Value,
}

impl<'s> Negotiation<'s> {
    async fn begin(shop: &'s Shop) -> Self {
        let (ann, path, _) = sale(shop).await;
        let (home, event) = path.split_once("/events/").map(|(home, id)| (home.to_owned(), id.to_owned())).unwrap();
        for (name, price) in SETS {
            let form = [("name", name), ("amount", "10"), ("price", price)];
            ann.send(&format!("{path}/new-set"), &form).await.leads_to();
        }
        let listed = shop.get(&format!("/v1/resources/events/{event}/sets")).await;
        let sets: Value = serde_json::from_slice(&listed.bytes).unwrap();
        let agent = Browser::with_partner(shop, "eve@example.org", "City Tickets").await;
        Self { shop, organizer: (ann, home), agent, event, sets }
    }

    /// The path of a deal's page, for the side with this home, after a form has made it.
    async fn offer(
        &self,
        (browser, home): &(Browser<'_>, String),
        more: &[(&str, &str)],
        terms: &[(&'static str, String); 3],
    ) -> String {
        let terms = terms.iter().map(|(name, value)| (*name, value.as_str()));
        let form: Vec<(&str, &str)> =
            terms.chain([("event", self.event.as_str())]).chain(more.iter().copied()).collect();
        let made = browser.send(&format!("{home}/deals/new"), &form).await;
        made.leads_to().split('?').next().unwrap().rsplit('/').next().unwrap().to_owned()
    }

    /// The agent proposes, the organizer accepts, or counters with other terms, and what is in force is the deal.
    async fn agree(&self, numbers: &mut Numbers) -> String {
        let proposal = self.offer(&self.agent, &[], &numbers.terms()).await;
        let (ann, home) = &self.organizer;
        if numbers.below(2) == 0 {
            let page = format!("{home}/deals/{proposal}");
            // Those that are no worse than the organizer's usual terms are in force at once.
            let answered = ann.send(&page, &[("answer", "accepted")]).await;
            assert_eq!(answered.status, StatusCode::SEE_OTHER, "{}", answered.text());
            return proposal;
        }
        let counter = format!("{home}/deals/new?event={}&counter={proposal}", self.event);
        let agent = self.agent.1.rsplit('/').next().unwrap();
        ann.get(&counter).await.assert_has(&[&format!("value=\"{agent}\"")]);
        let deal = self.offer(&self.organizer, &[("subj", agent), ("counter", &proposal)], &numbers.terms()).await;
        let (eve, agency) = &self.agent;
        eve.get(&format!("{agency}/deals/{proposal}")).await.assert_has(&["Declined"]);
        deal
    }

    /// An order of the agent's of a ticket of each set, with the split of each as it is kept; it is given up again.
    async fn order(&self) -> (Value, Vec<(String, [i64; 5])>) {
        let (eve, agency) = &self.agent;
        let cookie = eve.session.borrow().clone();
        let headers = [
            ("cookie", cookie.as_str()),
            ("x-partner", agency.rsplit('/').next().unwrap()),
            ("content-type", "application/json"),
            ("sec-fetch-site", "same-origin"),
        ];
        let sets = self.sets.as_array().unwrap();
        let each: Value = sets
            .iter()
            .map(|set| (set["id"].as_str().unwrap().to_owned(), json!(1)))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let body = json!({"event": self.event, "random": each}).to_string();
        let made = self.shop.send("POST", "/v2/resources/orders", &headers, &body).await;
        let made: Value = serde_json::from_slice(&made.bytes).unwrap();
        let id: OrderId = made["data"]["id"].as_str().unwrap_or_else(|| panic!("{made}")).parse().unwrap();
        let view = self.shop.engine.view(&ReadSet { orders: vec![id], ..ReadSet::default() }).await.unwrap();
        let name =
            |set: &str| sets.iter().find(|other| other["id"] == set).unwrap()["name"].as_str().unwrap().to_owned();
        let kept = view.orders.get(id).unwrap().lines.iter().map(|line| {
            let price = line.price;
            let sums = [price.price, price.full(), price.organizer, price.agent(), price.platform].map(Money::minor);
            (name(&line.set.to_string()), sums)
        });
        let kept = kept.collect();
        let path = format!("/v2/resources/orders/{id}");
        let gone = self.shop.send("PATCH", &path, &headers, "{\"status\": \"cancelled\"}").await;
        assert_eq!(gone.status, StatusCode::OK, "{}", gone.text());
        (made, kept)
    }
}

#[tokio::test]
async fn the_split_that_a_deal_shows_is_that_of_its_orders() {
    let shop = Shop::open().await;
    let negotiation = Negotiation::begin(&shop).await;
    let wanted = env::var("KASSA_SPLIT_TERMS").ok().map_or(TERMS, |text| text.parse().unwrap());
    let mut numbers = Numbers(7);
    for number in 0..wanted {
        let deal = negotiation.agree(&mut numbers).await;
        let mut said = String::new();
        let mut pages = Vec::new();
        for (browser, home) in [&negotiation.agent, &negotiation.organizer] {
            let page = browser.get(&format!("{home}/deals/{deal}")).await;
            page.assert_has(&["In force"]);
            write!(said, "terms {number}: {}", page.text()).unwrap();
            let mut shown = splits_of(page.html());
            shown.sort();
            pages.push(shown);
        }
        let (order, mut kept) = negotiation.order().await;
        kept.sort();
        assert_eq!(kept.len(), 1 + SETS.len());
        assert_eq!(pages, [kept.clone(), kept.clone()], "{said}");
        for (_, [_, full, organizer, agent, platform]) in &kept {
            assert_eq!(organizer + agent + platform, *full, "nothing is lost");
        }
        let full: i64 = kept.iter().map(|(_, sums)| sums[1]).sum();
        assert_eq!(order["data"]["values"]["full"], Money::from_minor(full).to_string(), "{said}");
        shop.pass_ms(60_000);
    }
}
