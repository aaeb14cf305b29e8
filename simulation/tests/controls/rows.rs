//! Guards of rows that two write at the same time: locks and versions.

use kassa_domain::change::Origin;
use kassa_domain::event::{Event, EventDetailsPatch, EventPatch, EventStatus, UpdateEvent};
use kassa_domain::node::Node;
use kassa_domain::order::{CreateOrder, Order, OrderEdit};
use kassa_domain::safeguard::{DisabledSafeguard, Safeguard};
use kassa_domain::user::User;
use kassa_domain::{Actor, Command, Context, DecisionSettings, Patch, ReadSet, Timestamp, View};
use kassa_engine::random;
use kassa_simulation::play::actions::{AccountAction, Action, EventAction};
use kassa_simulation::play::{ActionRunner, KnownRows, SimServer};
use kassa_store::memory::Memory;
use kassa_store::postgres::scratch::TestDatabase;
use kassa_store::sqlite::Sqlite;
use kassa_store::{Store, StoreError};
use tokio::runtime::Handle;
use tokio::task::{JoinHandle, block_in_place};

/// An event that is on sale, and nothing that hangs on it.
async fn event_on_sale(store: &Store) -> Event {
    let server = SimServer::start(store.clone()).await.unwrap();
    for act in [
        Action::Account(AccountAction::Register { email: 0 }),
        Action::Account(AccountAction::CreatePartner { user: 0 }),
        Action::Event(EventAction::Create { partner: 0 }),
        Action::Event(EventAction::AddSet { event: 0, amount: 2, price: 100 }),
        Action::Event(EventAction::SetStatus { event: 0, status: EventStatus::Public }),
    ] {
        let known = KnownRows::load_all(&server).await.unwrap();
        ActionRunner::new(&server, &known).perform(&act).await.unwrap();
    }
    let event = server.rows().await.unwrap().pop().unwrap();
    server.engine.close().await;
    event
}

/// Decides a command as a lane does, under a number of its own. `meanwhile` happens between the decision and the write.
async fn write<C: Command>(
    store: &Store,
    number: u16,
    command: C,
    meanwhile: impl Fn() + Send + Sync,
) -> Result<(), StoreError> {
    let mut read_set = ReadSet::default();
    command.read_set(&mut read_set);
    let mut random = random::from_seed(u64::from(number))();
    let mut node = Node { next_order_number: 1, order_numbers_end: 10, ..Node::new(number) };
    let (now, settings) = (Timestamp::from_ms(1_767_225_700_000), DecisionSettings::default());
    let decide = &mut |view: &mut View| {
        let mut cx = Context {
            actor: &Actor::System,
            origin: Origin::default(),
            now,
            settings: &settings,
            node: &mut node,
            random: &mut *random,
        };
        command.decide(&mut cx, view).map_err(|refusal| StoreError::Corrupt(refusal.to_string()))?;
        view.accept_changes();
        meanwhile();
        Ok(())
    };
    store.writer(u64::from(number))?.transact(&read_set, decide).await
}

fn edit(event: &Event, patch: EventPatch) -> UpdateEvent {
    UpdateEvent { event: event.id, patch }
}

fn retitle(event: &Event, title: &str) -> UpdateEvent {
    let details = EventDetailsPatch { title: Patch::Set(title.to_owned()), ..EventDetailsPatch::default() };
    edit(event, EventPatch { details, ..EventPatch::default() })
}

/// Lets another write go on until it is done or waits for a lock; whether it is done.
fn runs_until_done_or_blocked(other: &JoinHandle<Result<(), StoreError>>, scratch: &TestDatabase) -> bool {
    block_in_place(|| {
        Handle::current().block_on(async {
            loop {
                if other.is_finished() || scratch.has_lock_waiters().await {
                    return other.is_finished();
                }
            }
        })
    })
}

/// Sells while somebody else calls the event off. Whether it was called off before the order was written.
async fn an_order_slips_past_the_cancellation() -> bool {
    let (postgres, scratch) = TestDatabase::new().await;
    let store = Store::Postgres(postgres);
    let event = event_on_sale(&store).await;
    let canceled = edit(&event, EventPatch { status: Patch::Set(EventStatus::Canceled), ..EventPatch::default() });
    let sale = CreateOrder { event: event.id, vendor: event.organizer, deal: None, edit: OrderEdit::default() };
    let (other, was_first) = (std::sync::Mutex::new(None), std::sync::Mutex::new(false));
    let sold = write(&store, 5, sale, || {
        let store = store.clone();
        let canceled = UpdateEvent { event: canceled.event, patch: canceled.patch.clone() };
        let running = tokio::spawn(async move { write(&store, 6, canceled, || {}).await });
        *was_first.lock().unwrap() = runs_until_done_or_blocked(&running, &scratch);
        *other.lock().unwrap() = Some(running);
    });
    sold.await.unwrap();
    let other = other.lock().unwrap().take().unwrap();
    other.await.unwrap().unwrap();
    let server = SimServer::start(store).await.unwrap();
    let (events, orders): (Vec<Event>, Vec<Order>) = (server.rows().await.unwrap(), server.rows().await.unwrap());
    assert_eq!((events[0].status, orders.len()), (EventStatus::Canceled, 1), "both are done");
    server.engine.close().await;
    *was_first.lock().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_lock_of_its_sets_an_event_sells_after_it_was_called_off() {
    assert!(!an_order_slips_past_the_cancellation().await, "with it, whoever cancels waits for the order");
    let _without = DisabledSafeguard::new(Safeguard::RowLock);
    assert!(an_order_slips_past_the_cancellation().await, "nothing is seen without the lock");
}

/// Two edit a user at the same time, the second over a row that it has read before the first wrote. What is left of the
/// first, after what the second was told.
async fn edit_twice(store: Store) -> (Result<(), StoreError>, Option<String>) {
    event_on_sale(&store).await;
    let server = SimServer::start(store.clone()).await.unwrap();
    let user: User = server.rows().await.unwrap().pop().unwrap();
    server.engine.close().await;
    let old = user.clone();
    let read_set = ReadSet { users: vec![user.id], ..ReadSet::default() };
    let mut writer = store.writer(7).unwrap();
    let first = &mut |view: &mut View| {
        view.users.put(User { first_name: Some("Ann".to_owned()), ..user.clone() });
        view.accept_changes();
        Ok(())
    };
    writer.transact(&read_set, first).await.unwrap();
    let second = &mut |view: &mut View| {
        view.users.load(old.clone(), 1);
        view.users.put(User { last_name: Some("Lee".to_owned()), ..old.clone() });
        view.accept_changes();
        Ok(())
    };
    let result = writer.transact(&ReadSet::default(), second).await;
    let found = store.view(&read_set).await.unwrap();
    (result, found.users.get(old.id).unwrap().first_name.clone())
}

async fn a_stale_row_is_refused_and_forgets_without_its_version(new: impl AsyncFn() -> Store) {
    let (result, left) = edit_twice(new().await).await;
    assert!(matches!(result, Err(StoreError::Conflict(_))), "{result:?}");
    assert_eq!(left.as_deref(), Some("Ann"));
    let _without = DisabledSafeguard::new(Safeguard::VersionCheck);
    let (result, left) = edit_twice(new().await).await;
    assert_eq!((result, left), (Ok(()), None), "nothing is seen without the version");
}

#[tokio::test]
async fn without_its_version_a_row_in_memory_is_forgotten() {
    a_stale_row_is_refused_and_forgets_without_its_version(async || Store::Memory(Memory::default())).await;
}

#[tokio::test]
async fn without_its_version_a_row_of_sqlite_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let files = std::cell::Cell::new(0);
    a_stale_row_is_refused_and_forgets_without_its_version(async || {
        files.set(files.get() + 1);
        Store::Sqlite(Sqlite::open(&folder.path().join(format!("{}.db", files.get())), false).unwrap())
    })
    .await;
}

/// Events are read without a lock: of two who edit one, the version alone stops the second.
async fn an_edit_of_an_event_is_forgotten() -> bool {
    let (postgres, _scratch) = TestDatabase::new().await;
    let store = Store::Postgres(postgres);
    let event = event_on_sale(&store).await;
    let read_set = ReadSet { events: vec![event.id], ..ReadSet::default() };
    let mut writer = store.writer(8).unwrap();
    let other = std::sync::Mutex::new(None);
    let decide = &mut |view: &mut View| {
        let mut row = view.events.get(event.id).unwrap().clone();
        row.details.desc = Some("The second".to_owned());
        view.events.put(row);
        view.accept_changes();
        let (store, first) = (store.clone(), retitle(&event, "The first"));
        let done = tokio::spawn(async move { write(&store, 6, first, || {}).await });
        let done = block_in_place(|| Handle::current().block_on(done));
        *other.lock().unwrap() = Some(done);
        Ok(())
    };
    let result = writer.transact(&read_set, decide).await;
    other.lock().unwrap().take().unwrap().unwrap().unwrap();
    let found = store.view(&read_set).await.unwrap();
    let is_left = found.events.get(event.id).unwrap().details.title == "The first";
    assert_eq!(is_left, matches!(result, Err(StoreError::Conflict(_))), "{result:?}");
    !is_left
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_its_version_a_row_of_postgres_is_forgotten() {
    assert!(!an_edit_of_an_event_is_forgotten().await, "the second one must retry");
    let _without = DisabledSafeguard::new(Safeguard::VersionCheck);
    assert!(an_edit_of_an_event_is_forgotten().await, "nothing is seen without the version");
}
