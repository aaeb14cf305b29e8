//! A shop of its own for each test: pages and the interface in process, over a database in memory and a clock that stands.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use kassa_domain::api_key::ApiKey;
use kassa_domain::partner::{CreatePartner, PartnerPatch, PartnerProfilePatch, PartnerRole};
use kassa_domain::user::RegisterUser;
use kassa_domain::{Actor, DecisionSettings, Patch, Timestamp};
use kassa_engine::accounts::NewApiKey;
use kassa_engine::clock::ManualClock;
use kassa_engine::outgoing::{OutgoingHttp, OutgoingRules};
use kassa_engine::webhooks::WebhookSettings;
use kassa_engine::{Engine, EngineParts, FileStore, ReadLimits, Secret, random};
use kassa_http::ChangeMessages;
use kassa_http::http::{HeaderMap, StatusCode, header};
use kassa_http::in_process::{InProcessClient, Request};
use kassa_http::{ApiService, AppState, HttpConfig};
use kassa_store::Store;
use kassa_store::memory::Memory;
use kassa_web::{ShopSettings, Site};
use serde_json::{Value, json};
use tower::ServiceExt as _;

/// 2026-01-01T00:00:00Z, where clocks of tests begin.
const BEGINNING_MS: i64 = 1_767_225_600_000;
pub(crate) const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The evening of 2026-06-01, when events of tests take place.
pub(crate) const EVENING: &str = "BEGIN:VEVENT\r\nDTSTART:20260601T180000Z\r\nDTEND:20260601T210000Z\r\nEND:VEVENT\r\n";

/// A shop.
pub(crate) struct Shop {
    pub(crate) engine: Engine,
    service: ApiService,
    clock: Arc<ManualClock>,
}

/// A page, as a browser gets it.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Bytes,
}

impl Page {
    pub(crate) fn header(&self, name: header::HeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap()
    }

    /// The text, of a page that is there.
    #[track_caller]
    pub(crate) fn html(&self) -> &str {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text());
        assert_eq!(self.header(header::CONTENT_TYPE), "text/html; charset=utf-8");
        self.text()
    }

    #[track_caller]
    pub(crate) fn assert_has(&self, parts: &[&str]) {
        let html = self.html();
        for part in parts {
            assert!(html.contains(part), "{part} is not in\n{html}");
        }
    }

    /// Where it leads on after a form.
    #[track_caller]
    pub(crate) fn leads_to(&self) -> &str {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.text());
        self.header(header::LOCATION)
    }

    /// Where it leads, for good.
    #[track_caller]
    pub(crate) fn moved_to(&self) -> &str {
        assert_eq!(self.status, StatusCode::MOVED_PERMANENTLY, "{}", self.text());
        self.header(header::LOCATION)
    }
}

/// Where webhooks may be posted to, and nobody listens.
pub(crate) const DEAD_RECEIVER: &str = "127.0.0.1:9";

/// Who organizes or sells.
pub(crate) struct Partner {
    api: InProcessClient,
    token: String,
    pub(crate) id: String,
}

impl Shop {
    /// Counts everything that was sold, as the server does behind the orders.
    pub(crate) async fn count_sales(&self) {
        self.engine.place_batches().await.unwrap();
        self.engine.index_orders(&self.engine.order_index_follower()).await.unwrap();
    }

    pub(crate) async fn open() -> Self {
        Self::with(ShopSettings { currency: Some("EUR".parse().unwrap()), ..ShopSettings::default() }).await
    }

    /// Without keeping pages.
    pub(crate) async fn with(settings: ShopSettings) -> Self {
        let clock = Arc::new(ManualClock::new(Timestamp::from_ms(BEGINNING_MS)));
        let parts = EngineParts {
            store: Store::Memory(Memory::default()),
            files: FileStore::in_memory(),
            clock: Arc::<ManualClock>::clone(&clock),
            random: random::from_seed(1),
            settings: DecisionSettings { allow_test_payments: true, allow_stripe: true, ..DecisionSettings::default() },
            secret: Secret::new("a secret of these tests, long enough").unwrap(),
            lanes: 1,
            read_limits: ReadLimits::default(),
        };
        let engine = Engine::start(parts).await.unwrap();
        // Nothing answers there: the port is that of a service that throws everything away.
        let outgoing = OutgoingHttp::new(OutgoingRules::new([DEAD_RECEIVER.parse().unwrap()]), None).unwrap();
        let webhooks = WebhookSettings { outgoing, writer: Arc::new(ChangeMessages::new(engine.clone())) };
        let app = AppState::new(engine.clone(), HttpConfig::default()).with_webhooks(webhooks);
        let service = Site::attach(app, ShopSettings { page_age_max: Duration::ZERO, ..settings });
        Self { engine, service, clock }
    }

    pub(crate) fn pass_days(&self, days: i64) {
        self.clock.advance_ms(days * DAY_MS);
    }

    pub(crate) fn pass_ms(&self, ms: i64) {
        self.clock.advance_ms(ms);
    }

    /// A request with headers.
    pub(crate) async fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Page {
        self.send(method, path, headers, "").await
    }

    /// A form, as a browser sends it from a page of this server: names and values are encoded already.
    pub(crate) async fn post(&self, path: &str, form: &str) -> Page {
        let headers = [("content-type", "application/x-www-form-urlencoded"), ("sec-fetch-site", "same-origin")];
        self.send("POST", path, &headers, form).await
    }

    /// A request with headers and a body.
    pub(crate) async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Page {
        self.send_bytes(method, path, headers, body.as_bytes().to_vec()).await
    }

    /// The same, with a body that is no text.
    pub(crate) async fn send_bytes(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Page {
        let mut request = Request::builder().method(method).uri(path).header("host", "shop.example.org");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let Ok(response) = self.service.clone().oneshot(request.body(body.into()).unwrap()).await;
        let (head, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Page { status: head.status, headers: head.headers, bytes }
    }

    pub(crate) async fn get(&self, path: &str) -> Page {
        self.ask("GET", path, &[]).await
    }

    /// A partner with both roles.
    pub(crate) async fn partner(&self, name: &str, roles: &[PartnerRole]) -> Partner {
        let email =
            format!("{}@example.org", name.to_lowercase().replace(|letter: char| !letter.is_ascii_alphabetic(), ""));
        let (email, password_hash) = (email.parse().unwrap(), String::new());
        let command = RegisterUser { email, password_hash, first_name: None, last_name: None, earlier: None };
        let manager = self.engine.execute(&Actor::Anonymous, command, |_, user| user.id).await.unwrap();
        let profile = PartnerProfilePatch { roles: Patch::Set(roles.to_vec()), ..PartnerProfilePatch::default() };
        let patch = PartnerPatch { name: Patch::Set(name.to_owned()), profile, ..PartnerPatch::default() };
        let command = CreatePartner { manager, patch };
        let id = self.engine.execute(&Actor::Operator, command, |_, partner| partner.id).await.unwrap();
        let token = |_: &ApiKey, token: &str| token.to_owned();
        let token =
            self.engine.create_key(&Actor::Operator, NewApiKey::without_scopes(id, "till"), token).await.unwrap();
        Partner { api: InProcessClient::of(&self.service), token, id: id.to_string() }
    }

    pub(crate) async fn organizer(&self) -> Partner {
        self.partner("Harbour Hall", &[PartnerRole::Organizer]).await
    }
}

impl Partner {
    /// What the interface answers; it must not refuse.
    pub(crate) async fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        self.send_v2(method, &format!("/v1/resources/{path}"), body).await
    }

    /// The same at any path.
    pub(crate) async fn send_v2(&self, method: &str, path: &str, body: &Value) -> Value {
        let request = Request::builder().method(method).uri(path);
        let request = request.header("authorization", format!("key {}", self.token));
        let request = request.header("content-type", "application/json").body(body.to_string().into_bytes()).unwrap();
        let answer = self.api.call(request).await.unwrap();
        let shown = String::from_utf8_lossy(answer.body());
        assert!(answer.status().is_success(), "{method} {path}: {shown}");
        serde_json::from_str(&shown).unwrap()
    }

    /// Lets people order at this partner's.
    pub(crate) async fn open_shop(&self) {
        self.send("PATCH", &format!("partners/{}", self.id), &json!({"shop": {"open": true, "payments": ["DOOR"]}}))
            .await;
    }

    /// A public event with these fields beside its title and time: its id.
    pub(crate) async fn event(&self, title: &str, more: Value) -> String {
        let mut event = json!({"title": title, "lifetime": EVENING, "status": "public"});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.send("POST", "events", &event).await["id"].as_str().unwrap().to_owned()
    }

    /// A set of an event: its id.
    pub(crate) async fn set(&self, event: &str, set: Value) -> String {
        self.send("POST", &format!("events/{event}/sets"), &set).await["id"].as_str().unwrap().to_owned()
    }

    /// A hall in Hamburg.
    pub(crate) async fn venue(&self) -> String {
        let venue = json!({
            "name": "Harbour Hall", "address": "Am Kaispeicher 5", "city": 2_911_298,
            "point": {"type": "Point", "coordinates": [9.9843, 53.5413]},
        });
        self.send("POST", "venues", &venue).await["id"].as_str().unwrap().to_owned()
    }
}
