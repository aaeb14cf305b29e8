//! Versions, CHECK constraints and errors: what a batch may not do leaves nothing of it.

use kassa_domain::attachment::Attachment;
use kassa_domain::promocode::{Promocode, PromocodeUses};
use kassa_domain::refund::RefundRequest;
use kassa_domain::seat_row_inventory::SeatRowInventory;
use kassa_domain::set::{TicketCounts, TicketSet};
use kassa_domain::user::User;
use kassa_domain::{ReadSet, View};
use kassa_store::StoreError;

use crate::database::Database;
use crate::kinds::SampleRow;
use crate::samples;

/// Expects a batch of this change, and of a new row beside it, to fail and to leave nothing.
pub(crate) async fn write_error(db: &Database, mut change: impl FnMut(&mut View) + Send) -> StoreError {
    let before = db.dump().await;
    let bystander = samples::partner(7_777);
    let batch = db.write(ReadSet::default(), |view| {
        view.partners.put(bystander.clone());
        change(view);
    });
    let error = batch.await.unwrap_err();
    assert_eq!(db.dump().await, before, "something is left of a failed batch");
    error
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

pub(crate) async fn books_that_do_not_balance_are_refused(db: Database) {
    let event = samples::event(1).id;
    let good = samples::full_set(event, 1);
    db.insert(|view| view.sets.put(good.clone())).await;
    let counts = good.counts;
    let wrong = [
        TicketCounts { amount: counts.amount + 1, ..counts },
        TicketCounts { vacant: counts.vacant + 1, ..counts },
        TicketCounts { sold: counts.sold - 1, ..counts },
        TicketCounts { vacant: -1, held: counts.held + 2, ..counts },
        TicketCounts { held: -1, vacant: counts.vacant + 3, ..counts },
        TicketCounts { sold: -1, vacant: counts.vacant + 4, ..counts },
        TicketCounts { blocked: -1, vacant: counts.vacant + 5, ..counts },
        TicketCounts { pending: -1, vacant: counts.vacant + 6, ..counts },
    ];
    for counts in wrong {
        let changed = write_error(&db, |view| {
            view.sets.load(good.clone(), 1);
            view.sets.put(TicketSet { counts, ..good.clone() });
        });
        assert!(matches!(changed.await, StoreError::Constraint(_)), "changed to {counts:?}");
        let new = write_error(&db, |view| view.sets.put(TicketSet { counts, ..samples::set(event, 2) }));
        assert!(matches!(new.await, StoreError::Constraint(_)), "new with {counts:?}");
    }
}

pub(crate) async fn no_more_is_taken_away_than_nobody_has(db: Database) {
    let event = samples::event(1).id;
    for (pending_removal, fits) in [(-1, false), (0, true), (5, true), (6, false)] {
        let counts = TicketCounts { amount: 15, vacant: 3, held: 4, sold: 5, blocked: 2, pending: 1 };
        let set = TicketSet { counts, pending_removal, ..samples::set(event, 10 + pending_removal) };
        let written = db.write(ReadSet::default(), |view| view.sets.put(set.clone())).await;
        assert_eq!(written.is_ok(), fits, "{pending_removal}: {written:?}");
    }
}

pub(crate) async fn a_row_has_seats_and_no_more_of_them_are_vacant(db: Database) {
    let set = samples::seated_set(samples::event(1).id, 1);
    let cases = [(0, &[][..], false), (1, &[], true), (2, &[1, 2], true), (1, &[1, 2], false)];
    for (key, (chairs, vacant, fits)) in (1..).zip(cases) {
        let row = format!("{chairs} {vacant:?}");
        let inventory = SeatRowInventory { seats: chairs, ..samples::seat_row_inventory(&set, key, &row, vacant) };
        let written = db.write(ReadSet::default(), |view| view.seat_row_inventories.put(inventory.clone())).await;
        assert_eq!(written.is_ok(), fits, "{row}: {written:?}");
    }
}

pub(crate) async fn an_attachment_without_bytes_is_refused(db: Database) {
    for length in [0, -1] {
        let empty = Attachment { length, ..samples::attachment(1, 1) };
        let error = write_error(&db, |view| view.attachments.put(empty.clone())).await;
        assert!(matches!(error, StoreError::Constraint(_)), "{length}: {error:?}");
    }
}

pub(crate) async fn more_uses_of_a_promocode_than_there_are_are_refused(db: Database) {
    let event = samples::event(1).id;
    let good = samples::full_promocode(event, 1);
    db.insert(|view| view.promocodes.put(good.clone())).await;
    let uses = good.uses;
    assert_eq!(uses.limit, Some(uses.reserved + uses.used), "all are used or reserved");
    let wrong = [
        PromocodeUses { reserved: uses.reserved + 1, ..uses },
        PromocodeUses { used: uses.used + 1, ..uses },
        PromocodeUses { limit: Some(6), ..uses },
        PromocodeUses { reserved: -1, ..uses },
        PromocodeUses { used: -1, ..uses },
        PromocodeUses { limit: None, reserved: -1, used: 0 },
        PromocodeUses { limit: None, reserved: 0, used: -1 },
    ];
    for uses in wrong {
        let changed = write_error(&db, |view| {
            view.promocodes.load(good.clone(), 1);
            view.promocodes.put(Promocode { uses, ..good.clone() });
        });
        assert!(matches!(changed.await, StoreError::Constraint(_)), "changed to {uses:?}");
        let new = write_error(&db, |view| view.promocodes.put(Promocode { uses, ..samples::promocode(event, 2) }));
        assert!(matches!(new.await, StoreError::Constraint(_)), "new with {uses:?}");
    }
}

pub(crate) async fn a_refund_request_takes_no_money_from_the_customer(db: Database) {
    let event = samples::event(1).id;
    let lines = vec![samples::refund_line(event, 1, -1_000)];
    let error = write_error(&db, |view| {
        view.refunds.put(RefundRequest { lines: lines.clone(), ..samples::refund(event, 1) });
    });
    assert!(matches!(error.await, StoreError::Constraint(_)));
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
