//! An organizer with an event to sell, made through the interface.

use std::sync::Arc;

use kassa_domain::api_key::ApiKey;
use kassa_domain::change::Origin;
use kassa_domain::context::RandomBits;
use kassa_domain::event::EventId;
use kassa_domain::node::Node;
use kassa_domain::order::{CreateOrder, OrderEdit, TicketSelection};
use kassa_domain::partner::{CreatePartner, PartnerId, PartnerPatch};
use kassa_domain::user::RegisterUser;
use kassa_domain::{Actor, Command, Context, DecisionSettings, Patch, ReadSet, Refusal, Timestamp, View};
use kassa_engine::accounts::NewApiKey;
use kassa_engine::clock::ManualClock;
use kassa_engine::{Engine, EngineParts, FileStore, ReadLimits, Secret, random};
use kassa_http::in_process::{InProcessClient, Request};
use kassa_http::{AppState, HttpConfig};
use kassa_store::Store;
use kassa_store::memory::Memory;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// 2026-01-01T00:00:00Z.
const NOW: Timestamp = Timestamp::from_ms(1_767_225_600_000);
/// Far from the order numbers that the interface gives, as the number of the writer is from its writer.
const NUMBERS_FROM: i64 = 1_000_000_000;

pub(crate) struct Shop {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    engine: Engine,
    interface: InProcessClient,
    key: String,
    pub(crate) org: PartnerId,
}

impl Shop {
    pub(crate) fn in_memory() -> Self {
        Self::over(Store::Memory(Memory::default()))
    }

    pub(crate) fn over(store: Store) -> Self {
        let runtime = Runtime::new().unwrap();
        let parts = EngineParts {
            store: store.clone(),
            files: FileStore::in_memory(),
            clock: Arc::new(ManualClock::new(NOW)),
            random: random::from_seed(1),
            settings: DecisionSettings::default(),
            secret: Secret::new("a secret of these benchmarks, long enough").unwrap(),
            lanes: 1,
            read_limits: ReadLimits::default(),
        };
        let engine = runtime.block_on(Engine::start(parts)).unwrap();
        let interface = InProcessClient::new(AppState::new(engine.clone(), HttpConfig::default()));
        let (org, key) = runtime.block_on(organizer(&engine));
        Self { runtime, store, engine, interface, key, org }
    }

    /// A public event.
    pub(crate) fn event(&self) -> String {
        let lifetime = "BEGIN:VEVENT\r\nDTSTART:20260601T180000Z\r\nDTEND:20260601T220000Z\r\nEND:VEVENT\r\n";
        let event = json!({"title": {"text": "Bench"}, "lifetime": lifetime, "status": "public"});
        self.make("/v1/resources/events", &event)
    }

    /// A set of an event, with all of its tickets.
    pub(crate) fn set(&self, event: &str, set: &Value) -> String {
        let set = self.make(&format!("/v1/resources/events/{event}/sets"), set);
        self.runtime.block_on(self.engine.run_jobs()).unwrap();
        set
    }

    /// Makes something, and gives its id.
    pub(crate) fn make(&self, path: &str, body: &Value) -> String {
        let answer: Value = serde_json::from_slice(&self.ask("POST", path, body.to_string())).unwrap();
        answer["id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn get(&self, path: &str) -> Vec<u8> {
        self.ask("GET", path, String::new())
    }

    fn ask(&self, method: &str, path: &str, body: String) -> Vec<u8> {
        let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
        let request = request.header("authorization", format!("key {}", self.key)).body(body.into_bytes()).unwrap();
        let answer = self.runtime.block_on(self.interface.call(request)).unwrap();
        let body = || String::from_utf8_lossy(answer.body());
        assert!(answer.status().is_success(), "{method} {path}: {}: {}", answer.status(), body());
        answer.into_body()
    }

    /// Rows as a batch of these commands loads them.
    pub(crate) fn view(&self, commands: &[impl Command]) -> View {
        self.runtime.block_on(self.store.view(&needs(commands))).unwrap()
    }

    /// An order for two tickets of a set.
    pub(crate) fn two_of(&self, event: &str, set: &str) -> CreateOrder {
        let wanted = Some(TicketSelection::AnyOfSets(vec![(set.parse().unwrap(), 2)]));
        let edit = OrderEdit { selection: wanted, ..OrderEdit::default() };
        let event: EventId = event.parse().unwrap();
        CreateOrder { event, vendor: self.org, deal: None, edit }
    }
}

/// What these commands need.
pub(crate) fn needs(commands: &[impl Command]) -> ReadSet {
    let mut needs = ReadSet::default();
    for command in commands {
        command.read_set(&mut needs);
    }
    needs
}

async fn organizer(engine: &Engine) -> (PartnerId, String) {
    let (email, password_hash) = ("org@kassa.test".parse().unwrap(), String::new());
    let command = RegisterUser { email, password_hash, first_name: None, last_name: None, earlier: None };
    let manager = engine.execute(&Actor::Anonymous, command, |_, user| user.id).await.unwrap();
    let patch = PartnerPatch { name: Patch::Set("Bench".to_owned()), ..PartnerPatch::default() };
    let command = CreatePartner { manager, patch };
    let partner = engine.execute(&Actor::Operator, command, |_, partner| partner.id).await.unwrap();
    let shown = |_: &ApiKey, token: &str| token.to_owned();
    let token = engine.create_key(&Actor::Operator, NewApiKey::without_scopes(partner, "bench"), shown).await;
    (partner, token.unwrap())
}

/// What decides beside the engine.
pub(crate) struct Decider {
    actor: Actor,
    settings: DecisionSettings,
    node: Node,
    random: Box<dyn RandomBits>,
}

impl Decider {
    /// One that acts for a partner.
    pub(crate) fn new(partner: PartnerId) -> Self {
        let node = Node { next_order_number: NUMBERS_FROM, order_numbers_end: i64::MAX, ..Node::new(1_000) };
        let random = random::from_seed(2)();
        Self { actor: Actor::Partner(partner), settings: DecisionSettings::default(), node, random }
    }

    pub(crate) fn decide<C: Command>(&mut self, command: &C, view: &mut View) -> Result<C::Outcome, Refusal> {
        let (node, random) = (&mut self.node, &mut *self.random);
        let mut cx =
            Context { actor: &self.actor, origin: Origin::default(), now: NOW, settings: &self.settings, node, random };
        command.decide(&mut cx, view)
    }
}
