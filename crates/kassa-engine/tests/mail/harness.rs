//! An engine with its mailer, and a clock that the test moves.

use std::any::Any;
use std::sync::Arc;

use kassa_domain::mail::Mail;
use kassa_domain::user::{ConfirmEmail, Email, RegisterUser, User, UserId};
use kassa_domain::{Actor, DecisionSettings, ReadSet, Timestamp};
use kassa_engine::accounts::Registration;
use kassa_engine::clock::ManualClock;
use kassa_engine::confirmation::ConfirmationPassword;
use kassa_engine::mail::{DeliveryReport, MailLimits, MailRates, MailSettings, Mailer, MemoryMailer};
use kassa_engine::{Caller, Engine, EngineParts, Failure, FileStore, ReadLimits, Secret, random};
use kassa_store::memory::Memory;
use kassa_store::postgres::scratch::TestDatabase;
use kassa_store::queries::UnsentMailsFilter;
use kassa_store::sqlite::Sqlite;
use kassa_store::{PageWindow, Store};

use crate::parsed_mail::ParsedMail;

/// 2026-01-01T00:00:00Z.
const START: Timestamp = Timestamp::from_ms(1_767_225_600_000);
pub(crate) const MINUTE_MS: i64 = 60_000;
pub(crate) const DAY_MS: i64 = 24 * 60 * MINUTE_MS;
/// The longest that a mail waits after its first try.
pub(crate) const FIRST_RETRY_MS: i64 = 75_000;

/// The password of those who register here.
const PASSWORD: &str = "correct horse";
pub(crate) const ANN: &str = "ann@example.org";

/// The user whose e-mail a token confirms.
pub(crate) async fn confirm(engine: &Engine, token: &str) -> Result<User, Failure> {
    let account = engine.account_to_confirm(token).await?;
    let password = ConfirmationPassword::New(PASSWORD.to_owned());
    engine.confirm_email(&Caller::new(Actor::Anonymous, None), account, password, |user, _| user.clone()).await
}

pub(crate) struct MailHarness {
    pub(crate) engine: Engine,
    pub(crate) store: Store,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) mailer: MemoryMailer,
    pub(crate) settings: MailSettings,
    _keep_alive: Box<dyn Any + Send + Sync>,
}

impl MailHarness {
    pub(crate) async fn memory() -> Self {
        Self::with_store(Store::Memory(Memory::default()), ()).await
    }

    pub(crate) async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = Sqlite::open(&folder.path().join("kassa.db"), false).unwrap();
        Self::with_store(Store::Sqlite(sqlite), folder).await
    }

    pub(crate) async fn postgres() -> Self {
        let (postgres, scratch) = TestDatabase::new().await;
        Self::with_store(Store::Postgres(postgres), scratch).await
    }

    async fn with_store(store: Store, place: impl Any + Send + Sync) -> Self {
        let (clock, mailer) = (Arc::new(ManualClock::new(START)), MemoryMailer::default());
        let engine = start(&store, &clock, 1).await;
        let post = mail_settings(Mailer::Memory(mailer.clone()));
        Self { engine, store, clock, mailer, settings: post, _keep_alive: Box::new(place) }
    }

    /// Another engine beside this one, over the same rows.
    pub(crate) async fn second_engine(&self) -> Engine {
        start(&self.store, &self.clock, 2).await
    }

    pub(crate) fn advance_ms(&self, ms: i64) {
        self.clock.advance_ms(ms);
    }

    /// Registers an address with a password that nobody asks for.
    pub(crate) async fn register(&self, email: &str) -> Result<User, Failure> {
        let password = PASSWORD.to_owned();
        let registration = Registration { email: email.parse().unwrap(), password, first_name: None, last_name: None };
        self.engine.register(&Actor::Anonymous, registration).await
    }

    pub(crate) async fn user(&self, email: &str) -> User {
        self.find_user(email).await.unwrap()
    }

    async fn find_user(&self, email: &str) -> Option<User> {
        let email: Email = email.parse().unwrap();
        let view =
            self.engine.view(&ReadSet { users_by_email: vec![email.clone()], ..ReadSet::default() }).await.unwrap();
        view.user_by_email(&email).cloned()
    }

    /// A user whose address is confirmed, so that no mail asks for it.
    pub(crate) async fn confirmed_user(&self, email: &str) -> UserId {
        if let Some(user) = self.find_user(email).await {
            return user.id;
        }
        let (address, password_hash): (Email, _) = (email.parse().unwrap(), String::new());
        let command =
            RegisterUser { email: address.clone(), password_hash, first_name: None, last_name: None, earlier: None };
        let user = self.engine.execute(&Actor::Anonymous, command, |_, user| user.id).await.unwrap();
        let command = ConfirmEmail { user, email: address, password_hash: None, new_password_hash: None };
        self.engine.execute(&Actor::Operator, command, |_, _| ()).await.unwrap();
        assert_eq!(self.send().await, delivered(1), "the mail that asked is settled without being sent");
        user
    }

    /// A round of attempts.
    pub(crate) async fn send(&self) -> DeliveryReport {
        self.engine.send_due_mails(&self.settings).await.unwrap()
    }

    /// Sends what is due, and reads the one message that it is.
    pub(crate) async fn only_sent_mail(&self) -> ParsedMail {
        self.send().await;
        let mut sent = self.sent_mails();
        assert_eq!(sent.len(), 1, "one message was to be sent");
        sent.remove(0)
    }

    /// Reads what was sent.
    pub(crate) fn sent_mails(&self) -> Vec<ParsedMail> {
        self.mailer.take_sent().iter().map(|message| ParsedMail::of(&message.bytes)).collect()
    }

    /// The rows of what was not sent.
    pub(crate) async fn queued_mails(&self) -> Vec<Mail> {
        self.engine.page(UnsentMailsFilter, PageWindow::first(1_000)).await.unwrap().rows
    }

    /// The row of the only mail that was not sent.
    pub(crate) async fn only_queued_mail(&self) -> Mail {
        let mut mails = self.queued_mails().await;
        assert_eq!(mails.len(), 1, "{mails:?}");
        mails.remove(0)
    }
}

async fn start(store: &Store, clock: &Arc<ManualClock>, seed: u64) -> Engine {
    let parts = EngineParts {
        store: store.clone(),
        files: FileStore::in_memory(),
        clock: Arc::<ManualClock>::clone(clock),
        random: random::from_seed(seed),
        settings: DecisionSettings::default(),
        secret: Secret::new("a secret of these tests, long enough").unwrap(),
        lanes: 1,
        read_limits: ReadLimits::default(),
    };
    Engine::start(parts).await.unwrap()
}

/// Mails of Harbour Hall that leave by a mailer.
pub(crate) fn mail_settings(mailer: Mailer) -> MailSettings {
    let sender = "Harbour Hall <tickets@example.org>".parse().unwrap();
    MailSettings {
        mailer,
        sender,
        currency: Some("EUR".parse().unwrap()),
        public_url: Some("https://tickets.example.org/".parse().unwrap()),
        confirm_page: None,
        reset_page: None,
        limits: Arc::new(MailLimits::new(MailRates::default())),
    }
}

/// So many attempts that came to their end.
pub(crate) fn delivered(done: u32) -> DeliveryReport {
    DeliveryReport { done, ..DeliveryReport::default() }
}
