//! Every kind of caller, and the things that the table names.

use kassa_domain::partner::Role;
use serde_json::json;

use super::table::{Row, filled, rows};
use crate::client::Client;
use crate::harness::{OPEN_END, Shop, text};
use crate::promotions::PROMOTION;

type Status = fn(&Row) -> u16;

/// The callers of the table, each with the status that a row gives it.
pub(crate) struct Callers {
    all: Vec<(&'static str, Client, Status)>,
    /// The owner's user, through whom things are made.
    pub(crate) owner: Client,
    user: String,
    partner: String,
    /// A partner that sells for it.
    agent: String,
    /// Confirms the e-mail of the owner's user.
    token: String,
}

impl Callers {
    pub(crate) async fn of(shop: &Shop) -> Self {
        let (own, foreign, both) = (
            shop.user("own@example.org").await,
            shop.user("foreign@example.org").await,
            shop.user("both@example.org").await,
        );
        let partner = own.partner("Own").await;
        let elsewhere = foreign.partner("Foreign").await;
        let second = both.partner("Second").await;
        own.patch(&format!("partners/{partner}"), json!({"users": [own.id, both.id]})).await.ok();
        shop.accept_invitation(&both, &partner).await;
        let mut keys = Vec::new();
        for (user, partner) in [(&own, &partner), (&own, &partner), (&foreign, &elsewhere)] {
            let key = user.post(&format!("partners/{partner}/api_keys"), json!({"name": "X"})).await.created();
            keys.push((text(&key["id"]), text(&key["key"])));
        }
        own.delete(&format!("partners/{partner}/api_keys/{}", keys[1].0)).await.ok();
        // Lists of orders are mailed to it.
        shop.confirm(&own.id, "own@example.org").await;
        let nobody = shop.anonymous();
        let no_credential = |row: &Row| if row.open { row.anonymous } else { 401 };
        let no_partner_of_it = |row: &Row| if row.for_nobody { row.anonymous } else { 403 };
        let all: Vec<(&'static str, Client, Status)> = vec![
            ("anonymous", nobody.clone(), |row: &Row| row.anonymous),
            ("malformed key", nobody.with("authorization", "key None"), no_credential),
            ("other scheme", nobody.with("authorization", "Basic b3duOm93bg=="), no_credential),
            ("unknown key", nobody.with_key(&"0".repeat(32)), no_credential),
            ("removed key", nobody.with_key(&keys[1].1), no_credential),
            ("unknown session", nobody.with_cookie(&"0".repeat(64)), no_credential),
            ("bad key and good cookie", own.with("authorization", "key None"), no_credential),
            ("foreign key", nobody.with_key(&keys[2].1), |row: &Row| row.foreign[0]),
            ("foreign user", (*foreign).clone(), |row: &Row| row.foreign[1]),
            ("own key", nobody.with_key(&keys[0].1), |row: &Row| row.own[0]),
            ("own key and bad cookie", nobody.with_key(&keys[0].1).with_cookie("gone"), |row: &Row| row.own[0]),
            ("own user", (*own).clone(), |row: &Row| row.own[1]),
            ("user of both", (*both).clone(), |row: &Row| row.unsaid),
            ("user of both for it", both.for_partner(&partner), |row: &Row| row.own[1]),
            ("user of both for the other", both.for_partner(&second), |row: &Row| row.foreign[1]),
            ("user of both for a foreign one", both.for_partner(&elsewhere), no_partner_of_it),
            ("own user for a foreign one", own.for_partner(&elsewhere), no_partner_of_it),
        ];
        let agent = shop.user("agent@example.org").await.partner("Agent").await;
        let token = shop.confirm_token("own@example.org").await;
        let user = own.id.clone();
        Self { all, owner: own.for_partner(&partner), user, partner, agent, token }
    }

    /// Lets these callers send every row of the table.
    pub(crate) async fn go_through_the_table(&self, is_asked: impl Fn(&str) -> bool) {
        let mut wrong = Vec::new();
        let mut things = self.things().await;
        for (at, row) in rows().enumerate() {
            for (name, client, status) in self.all.iter().filter(|(name, ..)| is_asked(name)) {
                let n = format!("{at}-{}", name.replace(' ', "-"));
                let fill = |text: &str| filled(text, &things).replace("{n}", &n);
                let (method, path) = row.route.split_once(' ').unwrap();
                let content_type = (!row.body.is_empty()).then_some("application/json");
                let answer = client.send(method, &fill(path), content_type, fill(row.body).into_bytes()).await;
                let wanted = status(row);
                if answer.status >= 400 {
                    answer.error();
                }
                if answer.status != wanted {
                    wrong.push(format!("{} by {name}: {}, not {wanted}", row.route, answer.status));
                }
                // What was changed is no example any more. Near the end callers lose their sessions.
                if method != "GET" && answer.status < 400 && !row.route.ends_with("whoami") {
                    things = self.things().await;
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// A paid order of one ticket.
    async fn paid(&self, event: &str, set: &str) -> serde_json::Value {
        let order = json!({"event": event, "random": {set: 1}, "customer": {"email": "customer@example.org"}});
        let order = text(&self.owner.post("orders", order).await.created()["id"]);
        self.owner.patch(&format!("orders/{order}"), json!({"status": "done"})).await.ok()
    }

    /// An order of one ticket whose payment has begun, and the payment.
    async fn begun(&self, event: &str, set: &str, provider: &str) -> (String, String) {
        let order = json!({"event": event, "random": {set: 1}, "customer": {"email": "customer@example.org"}});
        let order = text(&self.owner.post("orders", order).await.created()["id"]);
        let payments = format!("/v2/resources/orders/{order}/payments");
        let begun = self.owner.post(&payments, json!({"provider": provider})).await.ok();
        (order, text(&begun["data"]["id"]))
    }

    /// Payments of new orders, and these orders.
    async fn payments(&self, event: &str, set: &str) -> [(&'static str, String); 6] {
        let shop = json!({"shop": {"open": true, "payments": ["TEST", "DOOR"]}});
        self.owner.patch(&format!("partners/{}", self.partner), shop).await.ok();
        let (payable, payment) = self.begun(event, set, "DOOR").await;
        let (overpaid, surplus) = self.begun(event, set, "DOOR").await;
        let received = format!("/v2/resources/orders/{overpaid}/payments/{surplus}/received");
        self.owner.post(&received, json!({"amount": 2})).await.ok();
        let (tried, test) = self.begun(event, set, "TEST").await;
        [
            ("{payable}", payable),
            ("{payment}", payment),
            ("{overpaid}", overpaid),
            ("{surplus}", surplus),
            ("{tried}", tried),
            ("{test}", test),
        ]
    }

    /// A token of its shop: there are not many, so that one is used until it is gone.
    async fn widget_token(&self) -> String {
        let (tokens, id) = ("/v2/services/widget_tokens", |token: &serde_json::Value| text(&token["id"]));
        match self.owner.get(tokens).await.ok()["data"].get(0) {
            Some(token) => id(token),
            None => id(&self.owner.post(tokens, json!({})).await.ok()["data"]),
        }
    }

    /// A user who is this to the partner, and acts for it.
    pub(crate) async fn manager(&self, shop: &Shop, role: Role) -> Client {
        let email = format!("{role}@example.org");
        let user = shop.user(&email).await;
        let team = format!("/v2/resources/partners/{}/managers", self.partner);
        self.owner.post(&team, json!({"email": email, "role": role.name()})).await.ok();
        shop.accept_invitation(&user, &self.partner).await;
        user.for_partner(&self.partner)
    }

    /// New things of the partner, for the placeholders of the table.
    pub(crate) async fn things(&self) -> Vec<(&'static str, String)> {
        let owner = &self.owner;
        let made = |value: serde_json::Value| text(&value["id"]);
        let event = json!({"title": "X", "status": "public", "lifetime": OPEN_END});
        let event = made(owner.post("events", event).await.ok());
        let hidden = made(owner.post("events", json!({"title": "X"})).await.ok());
        let set = json!({"name": "X", "amount": 7, "price": 1});
        let set = made(owner.post(&format!("events/{event}/sets"), set).await.created());
        let backstage = json!({"name": "X", "amount": 1, "price": 1});
        let backstage = made(owner.post(&format!("events/{hidden}/sets"), backstage).await.created());
        let promocode = json!({"code": "X", "discount": {"percengate": 30}});
        let promocode = made(owner.post(&format!("events/{event}/promocodes"), promocode).await.created());
        let promotion =
            owner.post(&format!("events/{event}/promotions"), serde_json::from_str(PROMOTION).unwrap()).await;
        let promotion = made(promotion.created());
        let passes = owner.get(&format!("events/{hidden}/tickets")).await.ok();
        let order = json!({"event": event, "random": {&set: 1}, "customer": {"email": "customer@example.org"}});
        let order = owner.post("orders", order).await.created();
        let [paid, given] = [self.paid(&event, &set).await, self.paid(&event, &set).await];
        let refund = json!({"order": given["id"], "culprit": "org", "tickets": []});
        let refund = made(owner.post("refund_requests", refund).await.created());
        let venue = made(owner.post("venues", json!({"name": "X"})).await.created());
        let closed = made(owner.post("venues", json!({"name": "X"})).await.created());
        let map = made(owner.post(&format!("venues/{venue}/maps"), json!({"name": "X"})).await.created());
        let plan = made(owner.post(&format!("venues/{closed}/maps"), json!({"name": "X"})).await.created());
        owner.delete(&format!("venues/{closed}")).await.ok();
        let key = owner.post(&format!("partners/{}/api_keys", self.partner), json!({"name": "X"})).await.created();
        let file = owner.send("POST", "attachments", Some("text/plain"), b"X".to_vec()).await.ok();
        let deal = json!({"event": event, "subj": self.agent, "term": {"org": 90}});
        let deal = made(owner.post("deals", deal).await.ok());
        let webhook = json!({"url": "https://example.org/hooks", "types": ["order.*"]});
        let webhook = text(&owner.post("/v2/resources/webhooks", webhook).await.ok()["data"]["id"]);
        let colleague = json!({"email": "colleague@example.org", "role": "seller"});
        let team = format!("/v2/resources/partners/{}/managers", self.partner);
        let colleague = text(&owner.post(&team, colleague).await.ok()["data"]["user"]);
        let payments = self.payments(&event, &set).await;
        let widget_token = self.widget_token().await;
        let things = vec![
            ("{deal}", deal),
            ("{agent}", self.agent.clone()),
            ("{colleague}", colleague),
            ("{attachment}", made(file)),
            ("{event}", event),
            ("{hidden}", hidden),
            ("{set}", set),
            ("{promocode}", promocode),
            ("{promotion}", promotion),
            ("{ticket}", text(&order["tickets"][0])),
            ("{backstage}", backstage),
            ("{pass}", text(&passes[0]["id"])),
            ("{token}", self.token.clone()),
            ("{customer}", text(&order["customer"]["user"])),
            ("{order}", made(order)),
            ("{sold}", text(&paid["tickets"][0])),
            ("{paid}", made(paid)),
            ("{refund_request}", refund),
            ("{key}", made(key)),
            ("{venue}", venue),
            ("{closed}", closed),
            ("{map}", map),
            ("{plan}", plan),
            ("{partner}", self.partner.clone()),
            ("{webhook}", webhook),
            ("{widget_token}", widget_token),
            ("{me}", self.user.clone()),
            ("{vendor}", "mosbilet".to_owned()),
        ];
        payments.into_iter().chain(things).collect()
    }
}
