//! An engine with its clock and its mail settings.

use std::sync::Arc;

use kassa_domain::{DecisionSettings, Timestamp, every_table};
use kassa_engine::clock::ManualClock;
use kassa_engine::mail::{MailLimits, MailRates, MailSettings, Mailer, MemoryMailer};
use kassa_engine::{Engine, EngineParts, Failure, FileStore, ManualLane, ReadLimits, Secret, StartError, random};
use kassa_store::rows::MappedRow;
use kassa_store::{PageWindow, Store};

use super::all_rows::AllRows;

/// When a play begins.
pub const START: Timestamp = Timestamp::from_ms(1_767_225_600_000);

/// A server of a play.
pub struct SimServer {
    /// What commands are given to.
    pub engine: Engine,
    /// The time, which the play moves.
    pub clock: Arc<ManualClock>,
    /// How mails leave it: they go nowhere.
    pub mail_settings: MailSettings,
}

impl SimServer {
    /// One that works by itself, on a clock of its own.
    pub async fn start(store: Store) -> Result<Self, StartError> {
        let clock = Arc::new(ManualClock::new(START));
        let engine = Engine::start(parts(store, &clock, 42)).await?;
        Ok(Self { engine, clock, mail_settings: mail_settings() })
    }

    /// One that works when its lanes are moved. Its random bits come from `seed`.
    pub async fn start_manual(
        store: Store,
        clock: &Arc<ManualClock>,
        seed: u64,
    ) -> Result<(Self, Vec<ManualLane>), StartError> {
        let (engine, lanes) = Engine::start_manual(parts(store, clock, seed)).await?;
        Ok((Self { engine, clock: Arc::clone(clock), mail_settings: mail_settings() }, lanes))
    }

    /// All rows of a table, by key.
    pub async fn rows<R: MappedRow>(&self) -> Result<Vec<R>, Failure> {
        Ok(self.engine.page(AllRows::default(), PageWindow::first(u32::MAX)).await?.rows)
    }

    /// Every row of every table as text.
    pub async fn dump(&self) -> Result<Vec<String>, Failure> {
        let mut lines = Vec::new();
        macro_rules! dump {
            ($($field:ident: $row:ty,)*) => {
                $(lines.extend(self.rows::<$row>().await?.iter().map(|row| format!("{row:?}")));)*
            };
        }
        every_table!(dump);
        Ok(lines)
    }
}

#[expect(clippy::expect_used, reason = "these words are long enough")]
fn parts(store: Store, clock: &Arc<ManualClock>, seed: u64) -> EngineParts {
    EngineParts {
        store,
        files: FileStore::in_memory(),
        clock: Arc::<ManualClock>::clone(clock),
        random: random::from_seed(seed),
        settings: DecisionSettings { allow_test_payments: true, ..DecisionSettings::default() },
        secret: Secret::new("a secret of these tests, long enough").expect("a long secret"),
        lanes: 1,
        read_limits: ReadLimits::default(),
    }
}

#[expect(clippy::expect_used, reason = "this is an address")]
fn mail_settings() -> MailSettings {
    let sender = "tickets@example.org".parse().expect("a sender");
    let mailer = Mailer::Memory(MemoryMailer::default());
    let limits = Arc::new(MailLimits::new(MailRates::default()));
    MailSettings { mailer, sender, currency: None, public_url: None, confirm_page: None, reset_page: None, limits }
}
