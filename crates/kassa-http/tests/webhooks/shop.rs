//! A shop whose webhooks may be sent to receivers of the test.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use kassa_domain::api_key::ApiKey;
use kassa_domain::partner::{CreatePartner, PartnerPatch};
use kassa_domain::user::{ConfirmEmail, RegisterUser};
use kassa_domain::{Actor, DecisionSettings, Timestamp};
use kassa_engine::accounts::NewApiKey;
use kassa_engine::clock::ManualClock;
use kassa_engine::outgoing::{OutgoingHttp, OutgoingRules};
use kassa_engine::webhooks::WebhookSettings;
use kassa_engine::{Engine, EngineParts, FileStore, ReadLimits, Secret, random};
use kassa_http::{AppState, ChangeMessages, HttpConfig};
use kassa_store::Store;
use kassa_store::sqlite::Sqlite;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::receiver::Receiver;

pub(crate) const HOUR_MS: i64 = 3_600_000;
pub(crate) const WEBHOOKS: &str = "/v2/resources/webhooks";
const OPEN_END: &str = "BEGIN:VEVENT\r\nDTSTART:20260601T180000Z\r\nDTEND:20990601T210000Z\r\nEND:VEVENT\r\n";

pub(crate) struct Shop {
    pub(crate) engine: Engine,
    pub(crate) settings: WebhookSettings,
    app: AppState,
    clock: Arc<ManualClock>,
    /// The organizer's key, as its header.
    pub(crate) key: String,
    pub(crate) event: String,
    pub(crate) set: String,
    _folder: tempfile::TempDir,
}

impl Shop {
    /// With an event that is on sale, and what these receivers may be sent.
    pub(crate) async fn open(receivers: &[&Receiver]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new(Timestamp::from_ms(1_767_225_600_000)));
        let parts = EngineParts {
            store: Store::Sqlite(Sqlite::open(&folder.path().join("kassa.db"), false).unwrap()),
            files: FileStore::in_memory(),
            clock: Arc::<ManualClock>::clone(&clock),
            random: random::from_seed(1),
            settings: DecisionSettings::default(),
            secret: Secret::new("a secret of these tests, long enough").unwrap(),
            lanes: 1,
            read_limits: ReadLimits::default(),
        };
        let engine = Engine::start(parts).await.unwrap();
        let rules = OutgoingRules::new(receivers.iter().map(|receiver| receiver.address.parse().unwrap()));
        let writer = Arc::new(ChangeMessages::new(engine.clone()));
        let settings = WebhookSettings { outgoing: OutgoingHttp::new(rules, None).unwrap(), writer };
        let app = AppState::new(engine.clone(), HttpConfig::default()).with_webhooks(settings.clone());
        let (key, event, set) = (String::new(), String::new(), String::new());
        let mut shop = Self { engine, settings, app, clock, key, event, set, _folder: folder };
        shop.key = shop.partner("org@example.org").await;
        let event = json!({"title": {"text": "Concert"}, "lifetime": OPEN_END, "status": "public"});
        shop.event = text(&shop.post("/v1/resources/events", event).await["id"]);
        let set = json!({"name": "Hall", "price": "100.00", "amount": 50});
        let path = format!("/v1/resources/events/{}/sets", shop.event);
        shop.set = text(&shop.json("POST", &path, &shop.key.clone(), &set).await.is(201)["id"]);
        shop
    }

    /// A key of a new partner, as its header.
    pub(crate) async fn partner(&self, email: &str) -> String {
        let (address, password_hash) = (email.parse().unwrap(), "a hash".to_owned());
        let command = RegisterUser { email: address, password_hash, first_name: None, last_name: None, earlier: None };
        let manager = self.engine.execute(&Actor::Anonymous, command, |_, user| user.id).await.unwrap();
        let (email, password_hash, new_password_hash) = (email.parse().unwrap(), None, None);
        let confirm = ConfirmEmail { user: manager, email, password_hash, new_password_hash };
        self.engine.execute(&Actor::Operator, confirm, |_, _| ()).await.unwrap();
        let command = CreatePartner { manager, patch: PartnerPatch::default() };
        let partner = self.engine.execute(&Actor::Operator, command, |_, partner| partner.id).await.unwrap();
        let shown = |_: &ApiKey, token: &str| format!("key {token}");
        self.engine.create_key(&Actor::Operator, NewApiKey::without_scopes(partner, "till"), shown).await.unwrap()
    }

    pub(crate) async fn json(&self, method: &str, path: &str, key: &str, body: &Value) -> Answer {
        let request = Request::builder().method(method).uri(path).header("authorization", key);
        let request = request.header("content-type", "application/json");
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        let response = kassa_http::service(self.app.clone()).oneshot(request.body(body).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Answer { status: parts.status.as_u16(), body }
    }

    /// What the organizer sends, and succeeds with.
    pub(crate) async fn post(&self, path: &str, body: Value) -> Value {
        self.json("POST", path, &self.key, &body).await.is(200)
    }

    pub(crate) async fn patch(&self, path: &str, body: Value) -> Value {
        self.json("PATCH", path, &self.key, &body).await.is(200)
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        self.json("GET", path, &self.key, &Value::Null).await.is(200)
    }

    /// A webhook of the organizer: its path, and its secret.
    pub(crate) async fn webhook(&self, receiver: &Receiver, body: Value) -> (String, String) {
        let mut body = body;
        body["url"] = json!(receiver.url);
        let made = self.post(WEBHOOKS, body).await;
        (format!("{WEBHOOKS}/{}", text(&made["data"]["id"])), text(&made["data"]["secret"]))
    }

    /// An order of the organizer's.
    pub(crate) async fn order(&self) -> String {
        let body = json!({"event": self.event, "random": {&self.set: 1}});
        text(&self.json("POST", "/v1/resources/orders", &self.key, &body).await.is(201)["id"])
    }

    pub(crate) async fn pay(&self, order: &str) {
        let body = json!({
            "customer": {"email": "ann@example.org", "first_name": "Ann", "mobile": "+49 40 555"},
            "payment": {"system": "api/BASE"}, "status": "done",
        });
        self.patch(&format!("/v1/resources/orders/{order}"), body).await;
    }

    /// Sends all that is due now.
    pub(crate) async fn send(&self) {
        self.engine.send_due_webhooks(&self.settings).await.unwrap();
    }

    /// Lets time pass, and sends what is due then.
    pub(crate) async fn send_after_ms(&self, ms: i64) {
        self.clock.advance_ms(ms);
        self.send().await;
    }

    pub(crate) fn pass_ms(&self, ms: i64) {
        self.clock.advance_ms(ms);
    }
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Answer {
    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        self.body
    }
}

#[track_caller]
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} should be a text")).to_owned()
}
