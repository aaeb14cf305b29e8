//! One of the two engines that are compared.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

use kassa_domain::{Actor, Command, Settings, Timestamp, every_table};
use kassa_engine::clock::ManualClock;
use kassa_engine::mail::{Mailer, MemoryMailer, Post};
use kassa_engine::{Engine, Failure, Files, Parts, Secret, random};
use kassa_store::memory::{Held, Tables};
use kassa_store::queries::Conditions;
use kassa_store::{Filter, Slice, Store};

/// When the play begins.
pub(crate) const START: Timestamp = Timestamp::from_ms(1_767_225_600_000);

pub(crate) struct Side {
    pub(crate) engine: Engine,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) post: Post,
}

impl Side {
    pub(crate) async fn start(store: Store) -> Self {
        let clock = Arc::new(ManualClock::new(START));
        let parts = Parts {
            store,
            files: Files::in_memory(),
            clock: Arc::<ManualClock>::clone(&clock),
            random: random::from_seed(42),
            settings: Settings::default(),
            secret: Secret::new("a secret of these tests, long enough").unwrap(),
            lanes: 1,
        };
        let sender = "tickets@example.org".parse().unwrap();
        let mailer = Mailer::Memory(MemoryMailer::default());
        let post = Post { mailer, sender, public_url: None, confirm_page: None };
        Self { engine: Engine::start(parts).await.unwrap(), clock, post }
    }

    /// Gives a command; its outcome as text.
    pub(crate) async fn give<C: Command>(&self, actor: &Actor, command: C) -> String
    where
        C::Outcome: Debug,
    {
        shown(self.engine.execute(actor, command, |_, outcome| format!("{outcome:?}")).await)
    }

    /// All rows of a table, by key.
    pub(crate) async fn rows<R: Held>(&self) -> Vec<R> {
        self.engine.page(Every(PhantomData), Slice::first(u32::MAX)).await.unwrap().rows
    }

    /// Every row of every table as text.
    pub(crate) async fn dump(&self) -> Vec<String> {
        let mut lines = Vec::new();
        macro_rules! dump {
            ($($field:ident: $row:ty,)*) => {
                $(lines.extend(self.rows::<$row>().await.iter().map(|row| format!("{row:?}")));)*
            };
        }
        every_table!(dump);
        lines
    }
}

/// An answer as text; of an internal error without its number, which is new each time.
pub(crate) fn shown<T: Debug>(answer: Result<T, Failure>) -> String {
    match answer {
        Err(Failure::Internal(_)) => "Internal".to_owned(),
        answer => format!("{answer:?}"),
    }
}

/// All rows of a table, by key.
struct Every<R>(PhantomData<fn() -> R>);

impl<R: Held> Filter for Every<R> {
    type Row = R;
    // The first columns are the key.
    const ORDER: &'static str = "1, 2";

    fn conditions(&self, _: &mut Conditions) {}

    fn passes(&self, _: &R, _: &Tables) -> bool {
        true
    }

    fn compare(&self, one: &R, other: &R) -> std::cmp::Ordering {
        one.key().cmp(&other.key())
    }
}
