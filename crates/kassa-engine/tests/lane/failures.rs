//! Commands that fail, and their neighbours in the same batch.

use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::user::User;
use kassa_domain::{Actor, Command, Context, Id, ReadSet, Refusal, ShardTag, View};
use kassa_engine::{Engine, Failure};
use kassa_store::Store;
use kassa_store::postgres::scratch::TestDatabase;

use crate::harness::{Database, Gate, TestCommand, execute, start_call, user};

/// Gives `bad` in one batch with users 1, 2 and 4 around it, all of which must succeed; tells what
/// came of it.
async fn run_among_neighbours(db: &Database, engine: &Engine, bad: TestCommand) -> Failure {
    let (gate, held) = Gate::hold(engine);
    let before = [1, 2].map(|key| start_call(execute(engine, TestCommand::make_user(key))));
    let bad = start_call(execute(engine, bad));
    let after = start_call(execute(engine, TestCommand::make_user(4)));
    gate.open();
    held.await.unwrap();
    for call in before.into_iter().chain([after]) {
        call.await.unwrap();
    }
    let failure = bad.await.unwrap_err();
    assert_eq!(db.users(9).await, [1, 2, 4], "the neighbours' rows and no others");
    assert_still_works(db, engine).await;
    failure
}

async fn assert_still_works(db: &Database, engine: &Engine) {
    execute(engine, TestCommand::make_user(50)).await.unwrap();
    assert!(db.user(Id::root(50)).await.is_some());
}

fn is_internal(failure: &Failure) -> bool {
    matches!(failure, Failure::Internal(_))
}

fn panicking_command() -> TestCommand {
    TestCommand::new(|_, view| {
        view.users.put(user(3));
        panic!("a mistake, made on purpose")
    })
}

/// Takes the e-mail of user 2.
fn constraint_breaking_command() -> TestCommand {
    TestCommand::new(|cx, view| {
        view.users.put(User { email: user(2).email, ..user(3) });
        Ok(cx.root_id::<User>().key())
    })
}

fn refused_command() -> TestCommand {
    TestCommand::new(|_, view| {
        view.users.put(user(3));
        view.users.put(User { first_name: Some("spoilt".to_owned()), ..user(1) });
        view.users.remove(Id::root(2));
        Err(Refusal::Forbidden(ForbiddenReason::OperatorOnly))
    })
}

pub(crate) async fn a_panic_takes_only_its_own_command_down(db: Database) {
    let engine = db.engine().await;
    let failure = run_among_neighbours(&db, &engine, panicking_command()).await;
    assert!(is_internal(&failure), "{failure:?}");
}

pub(crate) async fn a_lone_panic_leaves_the_lane_at_work(db: Database) {
    let engine = db.engine().await;
    for _ in 0..3 {
        let failure = execute(&engine, panicking_command()).await.unwrap_err();
        assert!(is_internal(&failure), "{failure:?}");
    }
    assert_eq!(db.users(9).await, [0; 0]);
    assert_still_works(&db, &engine).await;
}

pub(crate) async fn a_panic_in_render_fails_only_its_command(db: Database) {
    let engine = db.engine().await;
    let rendered = engine.execute(&Actor::System, TestCommand::make_user(3), |_, key: &i64| -> i64 {
        panic!("a mistake in showing {key}, made on purpose")
    });
    let failure = rendered.await.unwrap_err();
    assert!(is_internal(&failure), "{failure:?}");
    assert_eq!(db.users(9).await, [0; 0], "what cannot be answered is not done");
    assert_still_works(&db, &engine).await;
}

/// A command that cannot even say what it needs.
#[derive(Debug)]
struct PanicsInReadSet;

impl Command for PanicsInReadSet {
    type Outcome = ();

    fn shard(&self) -> ShardTag {
        ShardTag::of_key(0)
    }

    fn read_set(&self, _: &mut ReadSet) {
        panic!("a mistake, made on purpose")
    }

    fn decide(&self, _: &mut Context<'_>, _: &mut View) -> Result<(), Refusal> {
        Ok(())
    }
}

pub(crate) async fn a_panic_in_read_set_leaves_the_lane_running(db: Database) {
    let engine = db.engine().await;
    let failure = engine.execute(&Actor::System, PanicsInReadSet, |_, ()| ()).await.unwrap_err();
    assert!(is_internal(&failure), "{failure:?}");
    assert_still_works(&db, &engine).await;
}

pub(crate) async fn a_broken_constraint_takes_only_its_own_command_down(db: Database) {
    let engine = db.engine().await;
    let failure = run_among_neighbours(&db, &engine, constraint_breaking_command()).await;
    assert!(is_internal(&failure), "{failure:?}");
}

pub(crate) async fn a_row_made_over_a_stored_one_takes_only_its_own_command_down(db: Database) {
    let engine = db.engine().await;
    execute(&engine, TestCommand::make_user(60)).await.unwrap();
    // The command did not name the row, and so believes that it is new.
    run_among_neighbours(&db, &engine, TestCommand::make_user(60)).await;
    assert_eq!(db.user(Id::root(60)).await, Some(user(60)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_database_does_not_take_fails_only_its_own_command() {
    let db = Database::postgres().await;
    let engine = db.engine().await;
    // Texts of PostgreSQL hold no such character, and no constraint says so.
    let nul = TestCommand::new(|cx, view| {
        view.users.put(User { first_name: Some("\0".to_owned()), ..user(3) });
        Ok(cx.root_id::<User>().key())
    });
    let failure = run_among_neighbours(&db, &engine, nul).await;
    assert!(is_internal(&failure), "{failure:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_that_cannot_be_read_fails_only_its_own_command() {
    let (postgres, scratch) = TestDatabase::new().await;
    let db = Database::over(Store::Postgres(postgres), ());
    let engine = db.engine().await;
    execute(&engine, TestCommand::make_user(60)).await.unwrap();
    scratch.execute("UPDATE users SET account = 'damaged' WHERE id = 60").await.unwrap();
    let failure = run_among_neighbours(&db, &engine, TestCommand::count_up(60)).await;
    assert!(is_internal(&failure), "{failure:?}");
}

pub(crate) async fn a_refused_command_leaves_nothing_while_its_neighbours_commit(db: Database) {
    let engine = db.engine().await;
    let before = db.transactions().await;
    let failure = run_among_neighbours(&db, &engine, refused_command()).await;
    assert_eq!(failure, Failure::Refused(Refusal::Forbidden(ForbiddenReason::OperatorOnly)));
    assert_eq!(db.user(Id::root(1)).await, Some(user(1)));
    assert_eq!(db.transactions().await, before + 2, "the batch, and the one after it");
}

pub(crate) async fn a_batch_of_refusals_writes_nothing(db: Database) {
    let engine = db.engine().await;
    execute(&engine, TestCommand::make_user(9)).await.unwrap();
    let before = db.transactions().await;
    for _ in 0..3 {
        assert_eq!(
            execute(&engine, refused_command()).await,
            Err(Failure::Refused(Refusal::Forbidden(ForbiddenReason::OperatorOnly)))
        );
    }
    assert_eq!(db.transactions().await, before);
    assert_eq!(db.users(9).await, [9]);
}
