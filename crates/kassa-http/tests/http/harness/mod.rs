//! A shop of its own for each test: the whole interface in process, over a new database and a clock
//! that stands until the test moves it. Background work is done when the test says so.

mod callers;
mod things;

pub(crate) use callers::{Org, User};
pub(crate) use things::{Event, Order, Promocode, Promotion, Set, tickets_of};

use std::any::Any;
use std::io;
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use kassa_domain::api_key::ApiKey;
use kassa_domain::partner::{CreatePartner, ManagerRef, PartnerPatch, UpdatePartner};
use kassa_domain::quota::{QuotaKind, Quotas};
use kassa_domain::user::{ConfirmEmail, RegisterUser};
use kassa_domain::{Actor, DecisionSettings, Patch, RegistrationPolicy, Timestamp};
use kassa_engine::accounts::NewApiKey;
use kassa_engine::clock::ManualClock;
use kassa_engine::outgoing::{NameLookup, OutgoingHttp, OutgoingRules};
use kassa_engine::webhooks::WebhookSettings;
use kassa_engine::{Engine, EngineParts, FileStore, ReadLimits, Secret, random};
use kassa_http::{ApiService, AppState, ChangeMessages, HttpConfig};
use kassa_store::Store;
use kassa_store::memory::Memory;
use kassa_store::postgres::Postgres;
use kassa_store::postgres::scratch::TestDatabase;
use kassa_store::sqlite::Sqlite;
use serde_json::{Value, json};

use crate::client::Client;

/// 2026-01-01T00:00:00Z, where clocks of tests begin.
const BEGINNING_MS: i64 = 1_767_225_600_000;

pub(crate) const MINUTE_MS: i64 = 60_000;

pub(crate) const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

pub(crate) const PASSWORD: &str = "correct horse";

/// The evening of 2026-06-01: when events of tests take place.
pub(crate) const EVENING: &str = "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:20260601T180000Z\r\nDTEND;VALUE=DATE-TIME:20260601T210000Z\r\nEND:VEVENT\r\n";

/// From the same evening on, for longer than any test.
pub(crate) const OPEN_END: &str = "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:20260601T180000Z\r\nDTEND;VALUE=DATE-TIME:20990601T210000Z\r\nEND:VEVENT\r\n";

/// From the beginning of a test's clock to the end of the evening.
pub(crate) const TO_END_OF_EVENING_MS: i64 = 151 * DAY_MS + 21 * 60 * MINUTE_MS;

/// A well-formed id of nothing.
pub(crate) const NOTHING: &str = "6955b900ffffffff00000001";

/// A shop: an engine behind the interface. Clones are the same shop.
#[derive(Clone)]
pub(crate) struct Shop(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) engine: Engine,
    pub(crate) app: AppState,
    /// As it is put on a socket.
    pub(crate) service: ApiService,
    clock: Arc<ManualClock>,
    _place: Box<dyn Any + Send + Sync>,
}

impl Deref for Shop {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

/// No name resolves to anything.
struct NoNames;

impl NameLookup for NoNames {
    fn lookup(&self, _: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        Box::pin(async { Err(io::Error::other("no such name")) })
    }
}

/// Webhooks that reach nobody.
fn lonely_webhooks(engine: &Engine) -> WebhookSettings {
    let names: Arc<dyn NameLookup> = Arc::new(NoNames);
    let outgoing = OutgoingHttp::with_lookup(OutgoingRules::default(), None, &names).unwrap();
    WebhookSettings { outgoing, writer: Arc::new(ChangeMessages::new(engine.clone())) }
}

/// The tests of all routes make more of everything than a partner is allowed.
fn roomy() -> DecisionSettings {
    let mut quotas = Quotas::default();
    for kind in QuotaKind::ALL {
        quotas.set(kind, quotas.get(kind).max(1_000_000));
    }
    DecisionSettings { quotas, allow_test_payments: true, allow_stripe: true, ..DecisionSettings::default() }
}

impl Shop {
    /// On the driver that `KASSA_TEST_STORE` names: `memory`, unless it says `sqlite` or `postgres`.
    pub(crate) async fn open() -> Self {
        match std::env::var("KASSA_TEST_STORE").as_deref() {
            Ok("sqlite") => Self::sqlite().await,
            Ok("postgres") => Self::postgres().await,
            _ => Self::memory().await,
        }
    }

    pub(crate) async fn memory() -> Self {
        Self::on(Memory::default()).await
    }

    /// On a database in memory that the test has, too.
    pub(crate) async fn on(memory: Memory) -> Self {
        Self::over(Store::Memory(memory), HttpConfig::default(), ()).await
    }

    pub(crate) async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = Sqlite::open(&folder.path().join("kassa.db"), false).unwrap();
        Self::over(Store::Sqlite(sqlite), HttpConfig::default(), folder).await
    }

    pub(crate) async fn postgres() -> Self {
        let (postgres, scratch) = TestDatabase::new().await;
        Self::over(Store::Postgres(postgres), HttpConfig::default(), scratch).await
    }

    pub(crate) async fn with(config: HttpConfig) -> Self {
        Self::over(Store::Memory(Memory::default()), config, ()).await
    }

    /// Where not everybody may register.
    pub(crate) async fn with_registration(registration: RegistrationPolicy) -> Self {
        let (store, settings) = (Store::Memory(Memory::default()), DecisionSettings { registration, ..roomy() });
        Self::with_parts(store, HttpConfig::default(), ReadLimits::default(), settings, ()).await
    }

    /// On SQLite, where no read may take longer.
    pub(crate) async fn with_read_time(time: Duration) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = Sqlite::open(&folder.path().join("kassa.db"), false).unwrap();
        let read_limits = ReadLimits { time, ..ReadLimits::default() };
        Self::with_parts(Store::Sqlite(sqlite), HttpConfig::default(), read_limits, roomy(), folder).await
    }

    /// Two programs on one file.
    pub(crate) async fn two_on_sqlite() -> (Self, Self) {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let open = || Store::Sqlite(Sqlite::open(&folder.path().join("kassa.db"), false).unwrap());
        let one = Self::over(open(), HttpConfig::default(), Arc::clone(&folder)).await;
        (one, Self::over(open(), HttpConfig::default(), folder).await)
    }

    /// Two servers on one PostgreSQL database.
    pub(crate) async fn two_on_postgres() -> (Self, Self) {
        let (one, scratch) = TestDatabase::new().await;
        let other = Store::Postgres(Postgres::connect(&scratch.url.parse().unwrap()).await.unwrap());
        let scratch = Arc::new(scratch);
        let one = Self::over(Store::Postgres(one), HttpConfig::default(), Arc::clone(&scratch)).await;
        (one, Self::over(other, HttpConfig::default(), scratch).await)
    }

    async fn over(store: Store, config: HttpConfig, place: impl Any + Send + Sync) -> Self {
        Self::with_parts(store, config, ReadLimits::default(), roomy(), place).await
    }

    async fn with_parts(
        store: Store,
        config: HttpConfig,
        read_limits: ReadLimits,
        settings: DecisionSettings,
        place: impl Any + Send + Sync,
    ) -> Self {
        let clock = Arc::new(ManualClock::new(Timestamp::from_ms(BEGINNING_MS)));
        // Where several may write at the same time, several do.
        let lanes = store.lanes_max().min(4);
        let parts = EngineParts {
            store,
            files: FileStore::in_memory(),
            clock: Arc::<ManualClock>::clone(&clock),
            random: random::from_seed(1),
            settings,
            secret: Secret::new("a secret of these tests, long enough").unwrap(),
            lanes,
            read_limits,
        };
        let engine = Engine::start(parts).await.unwrap();
        let app = AppState::new(engine.clone(), config).with_webhooks(lonely_webhooks(&engine));
        let service = kassa_http::service(app.clone());
        Self(Arc::new(Inner { engine, app, service, clock, _place: Box::new(place) }))
    }

    /// The same shop, seen through an interface that is set otherwise.
    pub(crate) fn seen_with(&self, config: HttpConfig) -> Self {
        let app = AppState::new(self.engine.clone(), config);
        let service = kassa_http::service(app.clone());
        let (engine, clock) = (self.engine.clone(), Arc::clone(&self.clock));
        Self(Arc::new(Inner { engine, app, service, clock, _place: Box::new(self.clone()) }))
    }

    /// Lets time pass, and nothing else happen.
    pub(crate) fn pass_ms(&self, ms: i64) {
        self.clock.advance_ms(ms);
    }

    /// Lets time pass, and holds that are due end.
    pub(crate) async fn expire_after_ms(&self, ms: i64) -> u64 {
        self.pass_ms(ms);
        self.engine.expire_due().await.unwrap()
    }

    pub(crate) async fn run_jobs(&self) {
        self.engine.run_jobs().await.unwrap();
    }

    /// Without a credential.
    pub(crate) fn anonymous(&self) -> Client {
        Client::new(self.clone())
    }

    /// A partner with a key, made by the operator.
    pub(crate) async fn organizer(&self, email: &str) -> Org {
        // Nobody logs in as the manager: no password has this hash.
        let (address, password_hash) = (email.parse().unwrap(), String::new());
        let command = RegisterUser { email: address, password_hash, first_name: None, last_name: None, earlier: None };
        let manager = self.engine.execute(&Actor::Anonymous, command, |_, user| user.id).await.unwrap();
        let patch = PartnerPatch { name: Patch::Set(format!("Partner of {email}")), ..PartnerPatch::default() };
        let command = CreatePartner { manager, patch };
        let partner = self.engine.execute(&Actor::Operator, command, |_, partner| partner.id).await.unwrap();
        let shown = |key: &ApiKey, token: &str| (key.id.to_string(), token.to_owned());
        let made = self.engine.create_key(&Actor::Operator, NewApiKey::without_scopes(partner, "till"), shown).await;
        let (key, token) = made.unwrap();
        Org { client: self.anonymous().with_key(&token), id: partner.to_string(), token, key }
    }

    /// A registered user who is logged in.
    pub(crate) async fn user(&self, email: &str) -> User {
        let credentials = json!({"email": email, "password": PASSWORD});
        self.anonymous().post("users", credentials).await.created();
        self.log_in(email, PASSWORD).await
    }

    pub(crate) async fn log_in(&self, email: &str, password: &str) -> User {
        let credentials = json!({"email": email, "password": password});
        let answer = self.anonymous().post("/v1/services/whoami", credentials).await;
        let token = answer.session_token();
        let id = text(&answer.ok()["id"]);
        User { client: self.anonymous().with_cookie(&token), id, token }
    }

    /// Makes these users the managers of a partner, as the operator.
    pub(crate) async fn manage(&self, partner: &str, users: &[&str]) {
        let users = Some(users.iter().map(|user| ManagerRef::User(user.parse().unwrap())).collect());
        let command = UpdatePartner { partner: partner.parse().unwrap(), patch: PartnerPatch::default(), users };
        self.engine.update_partner(&Actor::Operator, command, |_, _| ()).await.unwrap();
    }

    /// What the operator does when a user has shown that an address is theirs.
    pub(crate) async fn confirm(&self, user: &str, email: &str) {
        let command = ConfirmEmail {
            user: user.parse().unwrap(),
            email: email.parse().unwrap(),
            password_hash: None,
            new_password_hash: None,
        };
        self.engine.execute(&Actor::Operator, command, |_, _| ()).await.unwrap();
    }
}

impl Shop {
    /// A user proves its e-mail and accepts to manage a partner.
    pub(crate) async fn accept_invitation(&self, user: &User, partner: &str) {
        let email = text(&user.get(&user.path()).await.ok()["email"]);
        self.confirm(&user.id, &email).await;
        let path = format!("{}/invitations/{partner}", user.path());
        assert_eq!(user.patch(&path, json!({"status": "accepted"})).await.ok()["status"], "accepted");
    }
}

/// The text of a value that is one.
#[track_caller]
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} should be a text")).to_owned()
}
