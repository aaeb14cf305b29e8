//! Databases, engines on them, and commands for these tests only.

use std::any::Any;
use std::fmt;
use std::future::{Ready, ready};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context as Task, Waker};

use kassa_domain::user::{Account, User, UserId};
use kassa_domain::{Actor, Command, Context, DecisionSettings, Id, ReadSet, Refusal, ShardTag, Timestamp, View};
use kassa_engine::clock::ManualClock;
use kassa_engine::{Engine, EngineParts, Failure, FileStore, ReadLimits, Secret, random};
use kassa_store::Store;
use kassa_store::memory::Memory;
use kassa_store::postgres::scratch::TestDatabase;
use kassa_store::sqlite::Sqlite;

/// The number of the first engine that a test starts: the lowest that is free.
pub(crate) const NODE: u16 = 0;

/// An empty database of its own, with a clock; it goes with the test.
pub(crate) struct Database {
    pub(crate) store: Store,
    pub(crate) clock: Arc<ManualClock>,
    _keep_alive: Box<dyn Any + Send + Sync>,
}

impl Database {
    pub(crate) fn memory() -> Ready<Self> {
        ready(Self::over(Store::Memory(Memory::default()), ()))
    }

    pub(crate) fn sqlite() -> Ready<Self> {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = Sqlite::open(&folder.path().join("kassa.db"), false).unwrap();
        ready(Self::over(Store::Sqlite(sqlite), folder))
    }

    pub(crate) async fn postgres() -> Self {
        let (postgres, scratch) = TestDatabase::new().await;
        Self::over(Store::Postgres(postgres), scratch)
    }

    pub(crate) fn over(store: Store, place: impl Any + Send + Sync) -> Self {
        let clock = Arc::new(ManualClock::new(Timestamp::from_ms(1_767_225_600_000)));
        Self { store, clock, _keep_alive: Box::new(place) }
    }

    pub(crate) fn parts(&self) -> EngineParts {
        EngineParts {
            store: self.store.clone(),
            files: FileStore::in_memory(),
            clock: Arc::<ManualClock>::clone(&self.clock),
            random: random::from_seed(1),
            settings: DecisionSettings::default(),
            secret: Secret::new("a secret of these tests, long enough").unwrap(),
            lanes: 1,
            read_limits: ReadLimits::default(),
        }
    }

    pub(crate) async fn engine(&self) -> Engine {
        Engine::start(self.parts()).await.unwrap()
    }

    pub(crate) async fn user(&self, user: UserId) -> Option<User> {
        let view = self.store.view(&ReadSet { users: vec![user], ..ReadSet::default() }).await.unwrap();
        view.users.get(user).cloned()
    }

    /// Which of the users `1..=last` are there.
    pub(crate) async fn users(&self, last: i64) -> Vec<i64> {
        let users = (1..=last).map(Id::root).collect();
        let view = self.store.view(&ReadSet { users, ..ReadSet::default() }).await.unwrap();
        let mut keys: Vec<i64> = view.users.rows().map(|user| user.id.key()).collect();
        keys.sort_unstable();
        keys
    }

    /// Transactions that have written: each writes the row of its node once.
    pub(crate) async fn transactions(&self) -> i64 {
        let view = self.store.view(&ReadSet { nodes: vec![NODE], ..ReadSet::default() }).await.unwrap();
        view.nodes.version(NODE).unwrap_or(0)
    }
}

type Decide = dyn Fn(&mut Context<'_>, &mut View) -> Result<i64, Refusal> + Send + Sync;

/// A command that does what a test says.
pub(crate) struct TestCommand {
    shard: ShardTag,
    read_set: ReadSet,
    weight: u32,
    decide: Box<Decide>,
}

impl fmt::Debug for TestCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Does")
    }
}

impl Command for TestCommand {
    type Outcome = i64;

    const SILENT: Option<&'static str> = Some("it changes what nobody follows");

    fn shard(&self) -> ShardTag {
        self.shard
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.extend(&self.read_set.users);
    }

    fn weight(&self) -> u32 {
        self.weight
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<i64, Refusal> {
        (self.decide)(cx, view)
    }
}

impl TestCommand {
    pub(crate) fn new(
        decide: impl Fn(&mut Context<'_>, &mut View) -> Result<i64, Refusal> + Send + Sync + 'static,
    ) -> Self {
        let shard = ShardTag::from_i64(0).unwrap();
        Self { shard, read_set: ReadSet::default(), weight: 8, decide: Box::new(decide) }
    }

    pub(crate) fn on(self, shard: ShardTag) -> Self {
        Self { shard, ..self }
    }

    pub(crate) fn with_user(self, key: i64) -> Self {
        Self { read_set: ReadSet { users: vec![Id::root(key)], ..ReadSet::default() }, ..self }
    }

    pub(crate) fn with_weight(self, weight: u32) -> Self {
        Self { weight, ..self }
    }

    /// Makes the user of this key, and an id.
    pub(crate) fn make_user(key: i64) -> Self {
        Self::new(move |cx, view| {
            view.users.put(user(key));
            Ok(cx.root_id::<User>().key())
        })
    }

    /// Adds one to the revision of a user that is there, and tells it.
    pub(crate) fn count_up(key: i64) -> Self {
        let count = move |cx: &mut Context<'_>, view: &mut View| {
            let user = view.users.get(Id::root(key)).ok_or(Refusal::NotFound("user"))?.clone();
            let revision = user.revision + 1;
            view.users.put(User { revision, ..user });
            cx.root_id::<User>();
            Ok(revision)
        };
        Self::new(count).with_user(key)
    }
}

pub(crate) fn user(key: i64) -> User {
    let at = Timestamp::from_ms(0);
    User {
        id: Id::root(key),
        email: format!("n{key}@example.org").parse().unwrap(),
        account: Account::Customer,
        second_factor: None,
        operator_since: None,
        confirm_by: None,
        first_name: None,
        last_name: None,
        suspension: None,
        created_at: at,
        updated_at: at,
        revision: 1,
    }
}

/// Gives a command and waits for its answer.
pub(crate) async fn execute(engine: &Engine, command: TestCommand) -> Result<i64, Failure> {
    engine.execute(&Actor::System, command, |_, outcome| *outcome).await
}

/// A call that is under way.
pub(crate) type Call<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Goes as far with a call as it gets without waiting: a command is in the queue then.
pub(crate) fn start_call<'a, T>(call: impl Future<Output = T> + Send + 'a) -> Call<'a, T> {
    let mut call: Call<'a, T> = Box::pin(call);
    assert!(call.as_mut().poll(&mut Task::from_waker(Waker::noop())).is_pending(), "it should wait");
    call
}

/// Holds a lane in the middle of a batch of one command, so that what comes waits. In memory nobody
/// can read meanwhile: the batch has the tables.
pub(crate) struct Gate {
    state: Arc<(Mutex<GateState>, Condvar)>,
}

#[derive(Default)]
struct GateState {
    entered: bool,
    open: bool,
}

impl Gate {
    /// Returns when the lane stands at the gate.
    pub(crate) fn hold(engine: &Engine) -> (Self, Call<'_, Result<i64, Failure>>) {
        Self::hold_after_change(engine, |_| ())
    }

    /// The same, with a command that does something.
    pub(crate) fn hold_after_change(engine: &Engine, act: fn(&mut View)) -> (Self, Call<'_, Result<i64, Failure>>) {
        let state = Arc::new((Mutex::new(GateState::default()), Condvar::new()));
        let gate = Self { state: Arc::clone(&state) };
        let waits = move |_: &mut Context<'_>, view: &mut View| {
            act(view);
            state.0.lock().unwrap().entered = true;
            state.1.notify_all();
            wait_until(&state, |state| state.open);
            Ok(0)
        };
        let call = start_call(execute(engine, TestCommand::new(waits)));
        wait_until(&gate.state, |state| state.entered);
        (gate, call)
    }

    pub(crate) fn open(&self) {
        self.state.0.lock().unwrap().open = true;
        self.state.1.notify_all();
    }
}

impl Drop for Gate {
    /// A test that fails must not leave the lane behind.
    fn drop(&mut self) {
        self.open();
    }
}

fn wait_until(state: &(Mutex<GateState>, Condvar), ready: fn(&GateState) -> bool) {
    let guard = state.0.lock().unwrap();
    drop(state.1.wait_while(guard, |state| !ready(state)).unwrap());
}
