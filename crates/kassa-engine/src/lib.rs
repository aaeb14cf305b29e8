//! The engine: takes commands, decides them in batches, and answers when they are durable.
//!
//! ```text
//! execute -> lane (bounded queue) -> batch -> transact(load, decide …, write, commit) -> replies
//! ```
//!
//! Around it: credentials and their cache, passwords, the clock, expiry, jobs and mails.

pub mod accounts;
pub mod auth;
pub mod clock;
mod confirmation;
pub mod export;
pub mod failure;
pub mod files;
pub mod housekeeping;
mod lane;
pub mod mail;
pub mod orders;
mod password;
pub mod random;
pub mod refunds;
pub mod secret;
pub mod sets;
mod task;

pub use clock::Clock;
pub use failure::Failure;
pub use files::Files;
pub use secret::Secret;

use std::collections::BTreeMap;
use std::sync::Arc;

use kassa_domain::node::{ClaimSecret, Node};
use kassa_domain::user::UserId;
use kassa_domain::{Actor, Command, Context, Needs, Settings, View};
use kassa_store::queries::{CrmOf, CrmSums};
use kassa_store::{Filter, Page, Slice, Store, StoreError};
use parking_lot::{Mutex, RwLock};
use tokio::sync::{mpsc, oneshot};

use auth::Auth;
use lane::{Lane, News};
use orders::LOOKS_MAX;
use password::Passwords;
use random::RandomSource;
use task::{Entry, Task};

/// Commands of callers that wait for a lane; more are told to come back later.
const QUEUE_MAX: usize = 8_192;
/// Further places for the house itself: a crowd does not keep lapsed holds from ending.
const QUEUE_OF_THE_HOUSE: usize = 1_024;

/// What an engine is made of.
pub struct Parts {
    /// Where everything is kept.
    pub store: Store,
    /// Where the bytes of attachments are kept.
    pub files: Files,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Random bits.
    pub random: RandomSource,
    /// What decisions need of the configuration.
    pub settings: Settings,
    /// What keys and sessions are derived from.
    pub secret: Secret,
    /// Which writer this is: no two at the same time have the same number.
    pub node: u16,
}

/// The engine. Clones share it.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    files: Files,
    clock: Arc<dyn Clock>,
    random: Mutex<Box<dyn kassa_domain::context::Random>>,
    secret: Secret,
    settings: Settings,
    auth: Auth,
    passwords: Passwords,
    queue: RwLock<Option<mpsc::Sender<Box<dyn Task>>>>,
    lane: Mutex<Option<std::thread::JoinHandle<()>>>,
    news: Arc<News>,
}

/// Why an engine did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database does not let it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The lane's thread could not be made, or ended at once.
    #[error("the engine could not start: {0}")]
    Thread(String),
    /// The database belongs to another secret.
    #[error("the secret is not the one that this database was made with: keys and sessions would be lost")]
    WrongSecret,
}

impl Engine {
    /// Starts the lane, and claims the database for the secret. Needs a runtime.
    pub async fn start(parts: Parts) -> Result<Self, StartError> {
        let writer = parts.store.writer()?;
        let (queue, waiting) = mpsc::channel(QUEUE_MAX + QUEUE_OF_THE_HOUSE);
        let news = Arc::new(News::default());
        let mut lane = Lane::new(
            writer,
            parts.node,
            Arc::clone(&parts.clock),
            (parts.random)(),
            parts.settings.clone(),
            Arc::clone(&news),
        );
        claim_secret(&mut lane, &parts.secret).await?;
        let runtime = tokio::runtime::Handle::current();
        let thread = std::thread::Builder::new()
            .name("lane".to_owned())
            .spawn(move || lane.run(waiting, &runtime))
            .map_err(|error| StartError::Thread(error.to_string()))?;
        let inner = Inner {
            store: parts.store,
            files: parts.files,
            clock: parts.clock,
            random: Mutex::new((parts.random)()),
            secret: parts.secret,
            settings: parts.settings.clone(),
            auth: Auth::new(),
            passwords: Passwords::new(),
            queue: RwLock::new(Some(queue)),
            lane: Mutex::new(Some(thread)),
            news,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Decides a command and answers when its batch is durable. `render` makes the answer out of
    /// the outcome and the view; it is pure, and runs inside the transaction, so that the answer is
    /// fixed before the commit and nothing is read back after it.
    pub async fn execute<C, R, F>(&self, actor: &Actor, command: C, render: F) -> Result<R, Failure>
    where
        C: Command,
        R: Send + 'static,
        F: Fn(&View, &C::Outcome) -> R + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let entry = Entry::new(actor.clone(), command, render, reply);
        let sent = match self.inner.queue.read().as_ref() {
            Some(queue) if *actor != Actor::System && queue.capacity() <= QUEUE_OF_THE_HOUSE => {
                return Err(Failure::Busy);
            }
            Some(queue) => queue.try_send(Box::new(entry)),
            None => return Err(Failure::Busy),
        };
        // A full queue, or one that is being closed: nothing was decided.
        sent.map_err(|_| Failure::Busy)?;
        // A lane that is gone says nothing of whether it has committed.
        answer.await.unwrap_or(Err(Failure::Unavailable))
    }

    /// Decides a command over rows as they are now, shows what it came to, and forgets it: nothing is
    /// changed.
    pub(crate) async fn rehearse<C: Command, R>(
        &self,
        actor: &Actor,
        command: &C,
        render: impl FnOnce(&View, &C::Outcome) -> R,
    ) -> Result<R, Failure> {
        let mut needs = Needs::default();
        command.needs(&mut needs);
        for _ in 0..LOOKS_MAX {
            let mut view = self.view(&needs).await?;
            // Ids and numbers of a rehearsal are never seen.
            let mut node = Node { number_end: 1, ..Node::new(0) };
            let mut random = self.inner.random.lock();
            let (now, settings) = (self.now(), &self.inner.settings);
            let mut cx = Context { actor, now, settings, node: &mut node, random: &mut **random };
            let result = command.decide(&mut cx, &mut view);
            match view.take_missing() {
                Some(missing) => needs.add(missing),
                None => return result.map(|outcome| render(&view, &outcome)).map_err(Failure::Refused),
            }
        }
        Err(Failure::Busy)
    }

    /// Rows as they are at one moment.
    pub async fn view(&self, needs: &Needs) -> Result<View, Failure> {
        self.inner.store.view(needs).await.map_err(Failure::from_store)
    }

    /// A page of a list.
    pub async fn page<F: Filter>(&self, filter: F, slice: Slice) -> Result<Page<F::Row>, Failure> {
        self.inner.store.page(filter, slice).await.map_err(Failure::from_store)
    }

    /// What a user has bought.
    pub async fn crm(&self, query: kassa_store::queries::Crm) -> Result<kassa_store::queries::CrmSums, Failure> {
        self.inner.store.crm(query).await.map_err(Failure::from_store)
    }

    /// What several users have bought; those without any order are missing.
    pub async fn crm_of(&self, query: CrmOf) -> Result<BTreeMap<UserId, CrmSums>, Failure> {
        self.inner.store.crm_of(query).await.map_err(Failure::from_store)
    }

    /// The time.
    pub fn now(&self) -> kassa_domain::Timestamp {
        self.inner.clock.now()
    }

    /// The server's secret.
    pub fn secret(&self) -> &Secret {
        &self.inner.secret
    }

    /// `bytes` random bytes as hexadecimal digits.
    pub fn random_hex(&self, bytes: usize) -> String {
        let mut random = self.inner.random.lock();
        let bytes: Vec<u8> = (0..bytes).map(|_| random.next_u64().to_le_bytes()[0]).collect();
        secret::hex(&bytes)
    }

    /// Random bytes for [`Secret::seal`].
    pub(crate) fn nonce(&self) -> [u8; secret::NONCE_BYTES] {
        let mut random = self.inner.random.lock();
        std::array::from_fn(|_| random.next_u64().to_le_bytes()[0])
    }

    /// Whether the lane has ended.
    pub fn has_ended(&self) -> bool {
        self.inner.queue.read().as_ref().is_none_or(mpsc::Sender::is_closed)
    }

    /// Ready when the lane has ended without having been told to: it has panicked.
    pub async fn ended(&self) {
        let queue = self.inner.queue.read().clone();
        if let Some(queue) = queue {
            queue.closed().await;
        }
    }

    /// Takes no more commands, finishes those that wait, and ends the lane.
    pub async fn close(&self) {
        self.inner.queue.write().take();
        let thread = self.inner.lane.lock().take();
        if let Some(thread) = thread {
            let joined = tokio::task::spawn_blocking(move || thread.join()).await;
            if !matches!(joined, Ok(Ok(()))) {
                tracing::error!("the lane ended with a panic");
            }
        }
    }
}

/// The first command on every start: notes the fingerprint of the secret, or compares it.
async fn claim_secret(lane: &mut Lane, secret: &Secret) -> Result<(), StartError> {
    let fingerprint = secret.fingerprint();
    let (reply, answer) = oneshot::channel();
    let claim = ClaimSecret { fingerprint: fingerprint.clone() };
    lane.first(Box::new(Entry::new(Actor::System, claim, |_: &View, holds: &String| holds.clone(), reply))).await?;
    match answer.await {
        Ok(Ok(holds)) if holds == fingerprint => Ok(()),
        Ok(Ok(_)) => Err(StartError::WrongSecret),
        Ok(Err(failure)) => Err(StartError::Thread(failure.to_string())),
        Err(_) => Err(StartError::Thread("the first command was not answered".to_owned())),
    }
}
