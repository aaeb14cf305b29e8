//! Versions and errors: what a batch may not do leaves nothing of it. What a table refuses of its rows is in `tables/`.

use std::mem::discriminant;

use kassa_domain::node::Node;
use kassa_domain::set::{TicketCounts, TicketSet};
use kassa_domain::user::User;
use kassa_domain::{ReadSet, View};
use kassa_store::StoreError;

use crate::database::Database;
use crate::kinds::SampleRow;
use crate::samples;

/// Expects a batch of this change, and of new rows beside it, to fail and to leave nothing: one without and one with the row of a
/// node, as lanes have it.
pub(crate) async fn write_error(db: &Database, mut change: impl FnMut(&mut View) + Send) -> StoreError {
    let before = db.dump().await;
    let bystander = samples::partner(7_777);
    let mut errors = Vec::new();
    for nodes in [vec![], vec![7]] {
        let batch = db.write(ReadSet { nodes: nodes.clone(), ..ReadSet::default() }, |view| {
            for node in &nodes {
                view.nodes.put(Node::new(*node));
            }
            view.partners.put(bystander.clone());
            change(view);
        });
        errors.push(batch.await.unwrap_err());
        assert_eq!(db.dump().await, before, "something is left of a failed batch");
    }
    assert_eq!(discriminant(&errors[0]), discriminant(&errors[1]), "{errors:?}");
    errors.remove(1)
}

/// The row as a batch holds that loaded it when it had this version.
fn load_as(view: &mut View, user: &User, version: i64) {
    view.users.load(user.clone(), version);
}

async fn given_user_of_version_2(db: &Database) -> User {
    let user = samples::user(1);
    db.insert(|view| view.users.put(user.clone())).await;
    db.write(user.read_set(), |view| view.users.put(user.clone())).await.unwrap();
    user
}

pub(crate) async fn a_stale_update_is_a_conflict_and_leaves_nothing(db: Database) {
    let user = given_user_of_version_2(&db).await;
    for version in [1, 3] {
        let stale = write_error(&db, |view| {
            load_as(view, &user, version);
            view.users.put(user.modified());
        });
        assert!(matches!(stale.await, StoreError::Conflict(_)), "version {version}");
    }
}

pub(crate) async fn a_stale_removal_is_a_conflict_and_leaves_nothing(db: Database) {
    let user = given_user_of_version_2(&db).await;
    let stale = write_error(&db, |view| {
        load_as(view, &user, 1);
        view.users.remove(user.id);
    });
    assert!(matches!(stale.await, StoreError::Conflict(_)));
}

pub(crate) async fn an_update_of_a_row_that_is_gone_is_a_conflict(db: Database) {
    let user = samples::user(1);
    let changes: [fn(&mut View, &User); 2] =
        [|view, user| view.users.put(user.modified()), |view, user| view.users.remove(user.id)];
    for change in changes {
        let gone = write_error(&db, |view| {
            load_as(view, &user, 1);
            change(view, &user);
        });
        assert!(matches!(gone.await, StoreError::Conflict(_)));
    }
}

pub(crate) async fn a_new_row_with_a_key_that_is_taken_is_refused(db: Database) {
    let user = samples::user(1);
    db.insert(|view| view.users.put(user.clone())).await;
    // A batch that did not load the row believes that it is not there.
    let taken = write_error(&db, |view| view.users.put(user.modified())).await;
    assert!(matches!(taken, StoreError::Conflict(_) | StoreError::Constraint(_)), "{taken:?}");
}

pub(crate) async fn an_error_of_the_decision_leaves_nothing(db: Database) {
    let user = samples::user(1);
    db.insert(|view| view.users.put(user.clone())).await;
    let before = db.dump().await;
    let mut writer = db.store.writer(1).unwrap();
    let mut decide = |view: &mut View| {
        view.users.remove(user.id);
        view.partners.put(samples::partner(1));
        view.accept_changes();
        Err(StoreError::Abandoned)
    };
    assert_eq!(writer.transact(&user.read_set(), &mut decide).await, Err(StoreError::Abandoned));
    assert_eq!(db.dump().await, before);
}

pub(crate) async fn a_writer_goes_on_after_an_error(db: Database) {
    let mut writer = db.store.writer(1).unwrap();
    let unbalanced = TicketCounts { amount: 1, ..TicketCounts::default() };
    let bad = TicketSet { counts: unbalanced, ..samples::set(samples::event(1).id, 1) };
    for key in 1..4 {
        let mut breaks = |view: &mut View| {
            view.sets.put(bad.clone());
            Ok(())
        };
        assert!(matches!(writer.transact(&ReadSet::default(), &mut breaks).await, Err(StoreError::Constraint(_))));
        let mut gives_up = |_: &mut View| Err(StoreError::Abandoned);
        assert_eq!(writer.transact(&ReadSet::default(), &mut gives_up).await, Err(StoreError::Abandoned));
        let mut works = |view: &mut View| {
            view.users.put(samples::user(key));
            Ok(())
        };
        assert_eq!(writer.transact(&ReadSet::default(), &mut works).await, Ok(()));
    }
    assert_eq!(db.rows::<User>().await, [1, 2, 3].map(samples::user));
}
