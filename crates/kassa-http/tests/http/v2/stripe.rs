//! Payments by Stripe, against a stand-in that follows Stripe's documented answers.

mod fake;

use hmac::{Hmac, KeyInit as _, Mac as _};
use kassa_engine::stripe::StripeApi;
use serde_json::{Value, json};
use sha2::Sha256;

use super::payments::{begin, money, order_of, seen, status};
use super::stripe_accounts::{ACCOUNT, SECRET_KEY, WEBHOOK_SECRET};
use super::{at, given};
use crate::client::{Answer, Client};
use crate::harness::{DAY_MS, Event, Org, Set, Shop, text};
use fake::{FakeStripe, Trouble};

const START_S: i64 = 1_767_225_600;

/// A shop that takes cards, and Stripe.
struct CardShop {
    shop: Shop,
    stripe: FakeStripe,
    org: Org,
    event: Event,
    set: Set,
}

impl CardShop {
    async fn open() -> Self {
        Self::selling_in("EUR").await
    }

    async fn selling_in(currency: &str) -> Self {
        let (shop, stripe) = (Shop::open().await, FakeStripe::start().await);
        stripe.set_time(START_S);
        shop.engine.use_stripe(StripeApi::new(stripe.url.parse().unwrap(), currency.parse().unwrap()).unwrap());
        let (org, event, set) = given(&shop).await;
        org.patch(&org.path(), json!({"shop": {"open": true, "payments": ["STRIPE", "DOOR"]}})).await.ok();
        org.post(ACCOUNT, json!({"secret_key": SECRET_KEY, "webhook_secret": WEBHOOK_SECRET})).await.ok();
        Self { shop, stripe, org, event, set }
    }

    /// An order whose payment has begun.
    async fn begun(&self, tickets: u32) -> (Value, Client, Value) {
        let (order, buyer) = order_of(&self.shop, &self.org, &self.event, &self.set, tickets).await;
        let payment = begin(&buyer, &order, "STRIPE").await;
        (order, buyer, payment)
    }

    /// An order whose customer stands before the page of Stripe, and the id of that.
    async fn at_stripe(&self, tickets: u32) -> (Value, Client, Value, String) {
        let (order, buyer, payment) = self.begun(tickets).await;
        let opened = checkout(&buyer, &order, &payment).await.ok()["data"].clone();
        let url = text(&opened["next"]["url"]);
        (order, buyer, payment, url.rsplit('/').next().unwrap().to_owned())
    }

    async fn look_after_ms(&self, ms: i64) {
        self.shop.pass_ms(ms);
        self.stripe.set_time(self.shop.engine.now().ms() / 1_000);
        self.shop.engine.look_at_payments().await.unwrap();
    }

    /// Stripe says that there is news.
    async fn notice(&self, object: &Value, secret: &str, sent_at: i64) -> Answer {
        let body = json!({"id": "evt_1", "type": "checkout.session.completed", "data": {"object": object}}).to_string();
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(format!("{sent_at}.{body}").as_bytes());
        let signature = kassa_domain::hex::encode(&mac.finalize().into_bytes());
        let stripe = self.shop.anonymous().with("stripe-signature", format!("t={sent_at},v1={signature},v0=ab"));
        let path = format!("/v2/services/stripe_notices/{}", self.org.id);
        stripe.send("POST", &path, Some("application/json; charset=utf-8"), body.into_bytes()).await
    }
}

async fn checkout(client: &Client, order: &Value, payment: &Value) -> Answer {
    let path = format!("{}/payments/{}/checkout", at(order), text(&payment["id"]));
    client.post(&path, json!({})).await
}

#[tokio::test]
async fn a_card_pays_on_a_page_of_stripe() {
    let cards = CardShop::open().await;
    let (order, buyer, payment) = cards.begun(2).await;
    assert_eq!(payment["due_at"], "2026-01-01 00:35:00");
    let (token, id) = (text(&order["access"]["token"]), text(&payment["id"]));
    let page = text(&payment["next"]["url"]);
    assert!(page.ends_with(&format!("/pay/stripe/{token}/{id}")), "{page}");
    let opened = checkout(&buyer, &order, &payment).await.ok()["data"].clone();
    assert!(text(&opened["next"]["url"]).starts_with("https://checkout.stripe.example/"), "{opened}");
    assert_eq!(checkout(&buyer, &order, &payment).await.ok()["data"], opened, "it is the same page");
    let made = cards.stripe.made();
    assert_eq!(made.len(), 1);
    let said = |field: &str| made[0].fields[field].as_str();
    assert_eq!((said("mode"), said("client_reference_id")), ("payment", id.as_str()));
    assert_eq!(said("line_items[0][price_data][unit_amount]"), "20000");
    assert_eq!(said("line_items[0][price_data][currency]"), "eur");
    assert_eq!(said("success_url"), page);
    assert!(said("cancel_url").ends_with(&format!("/order/{token}")));
    assert_eq!(said("expires_at"), (START_S + 35 * 60).to_string(), "as long as the tickets are held");
    assert_eq!(made[0].authorization, format!("Bearer {SECRET_KEY}"));
    assert!(made[0].key.starts_with(&id));
    cards.stripe.pay(&text(&opened["next"]["url"]));
    let paid = checkout(&buyer, &order, &payment).await.ok()["data"].clone();
    assert_eq!((money(&paid), &paid["next"]), (["paid", "200.00", "200.00", "0.00"], &Value::Null));
    let done = buyer.get(&at(&order)).await.ok();
    assert_eq!((&done["data"]["status"], &done["data"]["payment"]["system"]), (&json!("done"), &Value::Null));
    checkout(&cards.shop.anonymous(), &order, &payment).await.refused(401, "credential_required");
}

#[tokio::test]
async fn a_notice_only_names_a_payment() {
    let cards = CardShop::open().await;
    let (order, buyer, payment, session) = cards.at_stripe(1).await;
    let object = json!({"client_reference_id": payment["id"], "payment_status": "paid", "amount_total": 10_000});
    cards.notice(&object, "whsec_somebody_elses_secret", START_S).await.refused(400, "stripe_signature");
    cards.notice(&object, WEBHOOK_SECRET, START_S - 301).await.refused(400, "stripe_signature");
    cards.notice(&object, WEBHOOK_SECRET, START_S).await.ok();
    cards.look_after_ms(1).await;
    assert_eq!(money(&seen(&buyer, &order, &payment).await)[0], "pending", "a notice is not believed");
    cards.stripe.pay(&session);
    for _ in 0..2 {
        cards.notice(&object, WEBHOOK_SECRET, START_S).await.ok();
    }
    cards.look_after_ms(1).await;
    assert_eq!(money(&seen(&buyer, &order, &payment).await), ["paid", "100.00", "100.00", "0.00"]);
    assert_eq!(status(&buyer, &order).await, "done");
    let history = cards.org.get(&format!("{}/history", at(&order))).await.ok();
    let paid = history["data"].as_array().unwrap().iter().find(|change| change["type"] == "order.paid").unwrap();
    assert_eq!((&paid["actor"]["type"], &paid["actor"]["job"]), (&json!("system"), &json!("settle_payments")));
    // Those that are not ours would come again for days.
    cards.notice(&json!({"client_reference_id": "000000000000000000000001"}), WEBHOOK_SECRET, START_S).await.ok();
    cards.notice(&json!({"metadata": {}}), WEBHOOK_SECRET, START_S).await.ok();
    cards.notice(&object, WEBHOOK_SECRET, START_S).await.ok();
    cards.look_after_ms(1).await;
    assert_eq!(money(&seen(&buyer, &order, &payment).await), ["paid", "100.00", "100.00", "0.00"]);
}

#[tokio::test]
async fn what_is_no_answer_settles_nothing_and_is_asked_for_again() {
    let cards = CardShop::open().await;
    let (order, buyer, payment) = cards.begun(1).await;
    for trouble in [Trouble::Status(500), Trouble::Status(429), Trouble::Broken, Trouble::OtherReference] {
        cards.stripe.trouble_once(trouble);
        checkout(&buyer, &order, &payment).await.refused(503, "payment_provider_unavailable");
    }
    cards.stripe.trouble_once(Trouble::Status(402));
    checkout(&buyer, &order, &payment).await.refused(503, "payment_provider_unavailable");
    let opened = checkout(&buyer, &order, &payment).await.ok()["data"].clone();
    assert_eq!(cards.stripe.sessions(), 1, "one key is one page");
    cards.stripe.pay(&text(&opened["next"]["url"]));
    let object = json!({"client_reference_id": payment["id"]});
    for trouble in [
        Trouble::Status(500),
        Trouble::Status(429),
        Trouble::Broken,
        Trouble::Cut,
        Trouble::OtherReference,
        Trouble::OtherCurrency,
    ] {
        cards.stripe.trouble_once(trouble);
        cards.notice(&object, WEBHOOK_SECRET, START_S).await.ok();
        cards.look_after_ms(1).await;
        assert_eq!(money(&seen(&buyer, &order, &payment).await)[0], "pending", "{trouble:?}");
    }
    cards.look_after_ms(30_000).await;
    assert_eq!(money(&seen(&buyer, &order, &payment).await), ["paid", "100.00", "100.00", "0.00"]);
}

#[tokio::test]
async fn money_that_goes_back_goes_back_once() {
    let cards = CardShop::open().await;
    let (order, buyer, payment, session) = cards.at_stripe(2).await;
    cards.stripe.pay(&session);
    checkout(&buyer, &order, &payment).await.ok();
    let tickets = buyer.get(&at(&order)).await.ok()["data"]["tickets"].clone();
    let ask = json!({"order": order["data"]["id"], "culprit": "org", "tickets": [tickets[0]["id"]]});
    let asked = buyer.post("/v2/resources/refund_requests", ask).await.ok();
    let request = format!("/v2/resources/refund_requests/{}", text(&asked["data"]["id"]));
    cards.org.patch(&request, json!({"status": "approved"})).await.ok();
    // Stripe sends it, but nobody hears so; and it takes its time.
    cards.stripe.hold_refunds(true);
    cards.stripe.lose_answers(1);
    cards.look_after_ms(0).await;
    assert_eq!(money(&seen(&buyer, &order, &payment).await), ["returning", "200.00", "100.00", "0.00"]);
    // A day later it knows the key no more.
    cards.stripe.forget_keys();
    cards.look_after_ms(DAY_MS).await;
    assert_eq!(cards.stripe.refunded(), [10_000]);
    assert_eq!(money(&seen(&buyer, &order, &payment).await)[0], "returning", "it is on its way");
    cards.stripe.hold_refunds(false);
    cards.look_after_ms(DAY_MS).await;
    assert_eq!(money(&seen(&buyer, &order, &payment).await), ["paid", "200.00", "100.00", "100.00"]);
    cards.look_after_ms(DAY_MS).await;
    assert_eq!(cards.stripe.refunded(), [10_000], "it is sent once");
}

#[tokio::test]
async fn who_pays_in_another_way_meanwhile_gets_the_money_back() {
    let cards = CardShop::open().await;
    let (order, buyer, _, session) = cards.at_stripe(1).await;
    begin(&buyer, &order, "DOOR").await;
    cards.look_after_ms(30_000).await;
    assert_eq!(cards.stripe.status_of(&session), "expired", "nobody pays there any more");
    let (order, buyer, late, session) = cards.at_stripe(1).await;
    begin(&buyer, &order, "DOOR").await;
    cards.stripe.pay(&session);
    buyer.patch(&at(&order), json!({"status": "canceled"})).await.ok();
    cards.look_after_ms(30_000).await;
    cards.look_after_ms(1).await;
    let back = seen(&buyer, &order, &late).await;
    assert_eq!((money(&back), cards.stripe.refunded()), (["returned", "100.00", "0.00", "100.00"], vec![10_000]));
}

#[tokio::test]
async fn a_page_that_has_closed_makes_room_for_another_try() {
    let cards = CardShop::open().await;
    let (order, buyer, payment, session) = cards.at_stripe(1).await;
    cards.stripe.close(&session);
    let failed = checkout(&buyer, &order, &payment).await.ok()["data"].clone();
    assert_eq!((&failed["status"], &failed["reason"]), (&json!("failed"), &json!("declined")));
    let next = begin(&buyer, &order, "STRIPE").await;
    assert_ne!(next["id"], payment["id"]);
}

#[tokio::test]
async fn a_currency_without_cents_is_charged_in_whole() {
    let cards = CardShop::selling_in("JPY").await;
    let (order, buyer, payment, session) = cards.at_stripe(1).await;
    assert_eq!(cards.stripe.made()[0].fields["line_items[0][price_data][unit_amount]"], "100");
    cards.stripe.pay(&session);
    let paid = checkout(&buyer, &order, &payment).await.ok()["data"].clone();
    assert_eq!(money(&paid), ["paid", "100.00", "100.00", "0.00"]);
}

#[tokio::test]
async fn without_an_account_no_card_is_taken() {
    let cards = CardShop::open().await;
    let (order, buyer, payment) = cards.begun(1).await;
    cards.org.delete(ACCOUNT).await.ok();
    checkout(&buyer, &order, &payment).await.refused(503, "payment_provider_unavailable");
    let (other, buyer) = order_of(&cards.shop, &cards.org, &cards.event, &cards.set, 1).await;
    let path = format!("{}/payments", at(&other));
    buyer.post(&path, json!({"provider": "STRIPE"})).await.refused(400, "payment_not_offered");
}
