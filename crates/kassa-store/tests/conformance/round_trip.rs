//! Rows of every kind, written and read.

use kassa_domain::order::{Customer, Order, OrderStatus};
use kassa_domain::user::User;
use kassa_domain::{ReadSet, Timestamp, every_table};

use crate::database::{Database, keys};
use crate::kinds::SampleRow;
use crate::samples;

async fn given<R: SampleRow>(db: &Database) -> Vec<R> {
    let rows = R::examples();
    db.insert(|view| rows.iter().for_each(|row| R::table(view).put(row.clone()))).await;
    rows
}

pub(crate) async fn stored_row<R: SampleRow>(db: &Database, row: &R) -> (Option<R>, Option<i64>) {
    let mut view = db.view(row.read_set()).await;
    let table = R::table(&mut view);
    (table.get(row.key()).cloned(), table.version(row.key()))
}

pub(crate) async fn every_kind_of_row_comes_back_as_it_was_written(db: Database) {
    macro_rules! check {
        ($($field:ident: $row:ty,)*) => { $(comes_back::<$row>(&db).await;)* };
    }
    every_table!(check);
}

async fn comes_back<R: SampleRow>(db: &Database) {
    let rows = given::<R>(db).await;
    for row in &rows {
        assert_eq!(stored_row(db, row).await, (Some(row.clone()), Some(1)));
    }
    assert_eq!(db.rows::<R>().await, rows, "read as a list");
}

pub(crate) async fn every_kind_of_row_is_replaced_by_its_new_form(db: Database) {
    macro_rules! check {
        ($($field:ident: $row:ty,)*) => { $(is_replaced::<$row>(&db).await;)* };
    }
    every_table!(check);
}

async fn is_replaced<R: SampleRow>(db: &Database) {
    let rows = given::<R>(db).await;
    for row in &rows {
        let change = db.write(row.read_set(), |view| {
            R::table(view).put(row.modified());
            view.accept_changes();
        });
        change.await.unwrap();
        assert_eq!(stored_row(db, row).await, (Some(row.modified()), Some(2)));
    }
    let changed: Vec<R> = rows.iter().map(SampleRow::modified).collect();
    assert_eq!(db.rows::<R>().await, changed, "each in its place");
}

pub(crate) async fn what_changes_and_changes_back_in_one_batch_is_as_it_was(db: Database) {
    macro_rules! check {
        ($($field:ident: $row:ty,)*) => { $(changes_back::<$row>(&db).await;)* };
    }
    every_table!(check);
}

async fn changes_back<R: SampleRow>(db: &Database) {
    for row in &given::<R>(db).await {
        let change = db.write(row.read_set(), |view| {
            for form in [row.modified(), row.clone()] {
                R::table(view).put(form);
                view.accept_changes();
            }
        });
        change.await.unwrap();
        assert_eq!(stored_row(db, row).await, (Some(row.clone()), Some(2)));
    }
}

pub(crate) async fn rows_of_one_batch_change_in_different_columns(db: Database) {
    let event = samples::event(1).id;
    let [one, other, third] = [1, 2, 3].map(|key| samples::order(event, key));
    db.insert(|view| [&one, &other, &third].into_iter().for_each(|order| view.orders.put(order.clone()))).await;
    let customer = Customer { email: Some("ann@example.org".parse().unwrap()), ..one.customer.clone() };
    let steps = [
        [Order { customer, ..one.clone() }, Order { status: OrderStatus::Canceled, ..other.clone() }, third.clone()],
        [one.clone(), other.clone(), Order { reserved_till: Timestamp::from_ms(1), ..third.clone() }],
        [one.modified(), other.modified(), third.modified()],
        [one, other, third],
    ];
    for (step, version) in steps.iter().zip(2..) {
        let read_set = ReadSet { orders: step.iter().map(|order| order.id).collect(), ..ReadSet::default() };
        let change = db.write(read_set, |view| {
            for order in step {
                view.orders.put(order.clone());
            }
            view.accept_changes();
        });
        change.await.unwrap();
        for order in step {
            assert_eq!(stored_row(&db, order).await, (Some(order.clone()), Some(version)));
        }
    }
}

pub(crate) async fn every_kind_of_row_can_be_deleted(db: Database) {
    macro_rules! check {
        ($($field:ident: $row:ty,)*) => { $(can_be_deleted::<$row>(&db).await;)* };
    }
    every_table!(check);
    assert!(db.dump().await.is_empty());
}

async fn can_be_deleted<R: SampleRow>(db: &Database) {
    let mut rows = given::<R>(db).await;
    while let Some(row) = rows.pop() {
        db.write(row.read_set(), |view| R::table(view).remove(row.key())).await.unwrap();
        assert_eq!(stored_row(db, &row).await, (None, None));
        assert_eq!(keys(&db.rows::<R>().await), keys(&rows), "the others stay");
    }
}

pub(crate) async fn each_write_moves_the_version_by_one(db: Database) {
    let user = samples::user(1);
    db.insert(|view| view.users.put(user.clone())).await;
    for version in 1..5 {
        assert_eq!(stored_row(&db, &user).await.1, Some(version));
        db.write(user.read_set(), |view| view.users.put(user.clone())).await.unwrap();
    }
}

pub(crate) async fn a_batch_without_changes_writes_nothing(db: Database) {
    let user = samples::user(1);
    db.insert(|view| view.users.put(user.clone())).await;
    db.write(user.read_set(), |view| assert!(view.users.get(user.id).is_some())).await.unwrap();
    assert_eq!(stored_row(&db, &user).await, (Some(user), Some(1)));
}

pub(crate) async fn what_was_taken_back_is_not_written(db: Database) {
    let [kept, refused, gone] = [1, 2, 3].map(samples::user);
    db.insert(|view| view.users.put(gone.clone())).await;
    let read_set = ReadSet { users: vec![gone.id], ..ReadSet::default() };
    let change = db.write(read_set, |view| {
        view.users.put(kept.clone());
        view.accept_changes();
        view.users.put(refused.clone());
        view.users.put(User { revision: 9, ..kept.clone() });
        view.users.remove(gone.id);
        view.roll_back();
    });
    change.await.unwrap();
    assert_eq!(db.rows::<User>().await, [kept, gone.clone()]);
    assert_eq!(stored_row(&db, &gone).await.1, Some(1), "nor touched");
}

pub(crate) async fn a_row_that_is_made_and_removed_in_one_batch_was_never_there(db: Database) {
    let user = samples::user(1);
    db.insert(|view| {
        view.users.put(user.clone());
        view.users.remove(user.id);
    })
    .await;
    assert!(db.dump().await.is_empty());
}

pub(crate) async fn a_row_that_is_removed_and_put_again_is_replaced(db: Database) {
    let user = samples::user(1);
    db.insert(|view| view.users.put(user.clone())).await;
    let change = db.write(user.read_set(), |view| {
        view.users.remove(user.id);
        view.users.put(user.modified());
    });
    change.await.unwrap();
    assert_eq!(stored_row(&db, &user).await, (Some(user.modified()), Some(2)));
}
