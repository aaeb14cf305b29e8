//! Promotion grants: the discount levels an order was granted, whatever becomes of the promotion later.

use kassa_domain::order::{OrderEdit, OrderId, OrderTransition, PROMOTION_GRANTS_MAX, PaymentSystem};
use kassa_domain::promocode::LifetimePatch;
use kassa_domain::promotion::{CreatePromotion, PromotionId, RemovePromotion, UpdatePromotion};
use kassa_domain::{Patch, Timestamp};

use crate::fixture::{Fixture, NOON, levels, pays_by, random, tickets};
use crate::promotion_levels::{acting, discounts};

pub(crate) fn until(finish: Timestamp) -> impl FnOnce(&mut CreatePromotion) {
    move |new| new.lifetime.finish = Patch::Set(finish)
}

fn update(fixture: &mut Fixture, promotion: PromotionId, change: impl FnOnce(&mut UpdatePromotion)) {
    let mut command = UpdatePromotion::unchanged(fixture.event, promotion);
    change(&mut command);
    fixture.give(&fixture.organizer(), &command).expect("the promotion changes");
}

fn remove(fixture: &mut Fixture, promotion: PromotionId) {
    let command = RemovePromotion { event: fixture.event, promotion };
    fixture.give(&fixture.organizer(), &command).expect("the promotion is removed");
}

#[test]
fn a_promotion_is_granted_while_it_runs() {
    let (from, to) = (NOON.plus_minutes(1), NOON.plus_minutes(2));
    for (now, runs) in [(from.plus_ms(-1), false), (from, true), (to.plus_ms(-1), true), (to, false)] {
        let mut fixture = Fixture::new();
        let set = fixture.set(1, 1_000);
        let lifetime = LifetimePatch { start: Patch::Set(from), finish: Patch::Set(to) };
        fixture.promotion(&[(1, 10)], |new| new.lifetime = lifetime);
        fixture.now = now;
        let order = fixture.order(set, 1);
        assert_eq!(discounts(&fixture, order), [if runs { 100 } else { 0 }], "{now:?}");
    }
}

/// What becomes of a promotion that an order was granted.
type Fate = (&'static str, fn(&mut Fixture, PromotionId));

const FATES: [Fate; 4] = [
    ("it ends", |fixture, _| fixture.pass_minutes(6)),
    ("it is ended", |fixture, promotion| {
        let now = fixture.now;
        update(fixture, promotion, |change| change.lifetime.finish = Patch::Set(now));
    }),
    ("it changes", |fixture, promotion| update(fixture, promotion, |change| change.levels = Some(levels(&[(1, 1)])))),
    ("it is removed", remove),
];

#[test]
fn what_was_granted_stands_whatever_becomes_of_the_promotion() {
    for (what, fate) in FATES {
        let mut fixture = Fixture::new();
        let set = fixture.set(9, 1_000);
        let promotion = fixture.promotion(&[(2, 10), (3, 20)], until(NOON.plus_minutes(5)));
        let order = fixture.order(set, 2);
        fate(&mut fixture, promotion);
        fixture.edit(order, pays_by(PaymentSystem::CollectedByVendor)).unwrap();
        assert_eq!(discounts(&fixture, order), [100; 2], "{what}");
        fixture.edit(order, random(&[(set, 3)])).unwrap();
        assert_eq!((discounts(&fixture, order), acting(&fixture, order)), (vec![200; 3], vec![Some(promotion); 3]));
        fixture.edit(order, random(&[(set, 1)])).unwrap();
        assert_eq!(discounts(&fixture, order), [0], "{what}");
        fixture.edit(order, random(&[(set, 2)])).unwrap();
        fixture.step(order, OrderTransition::AwaitingPayment).unwrap();
        fixture.step(order, OrderTransition::Paid).unwrap();
        assert_eq!(fixture.found(order).totals().full.minor(), 1_800, "{what}");
        let new = fixture.order(set, 2);
        assert_ne!(discounts(&fixture, new), [100; 2], "a new order is granted what runs now: {what}");
    }
}

#[test]
fn an_order_from_before_is_granted_a_promotion_with_its_next_ticket() {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1_000);
    let order = fixture.order(set, 3);
    fixture.promotion(&[(2, 10)], |_| ());
    for same in [pays_by(PaymentSystem::CollectedByVendor), random(&[(set, 3)]), random(&[(set, 2)])] {
        fixture.edit(order, same).unwrap();
        assert_eq!(discounts(&fixture, order).iter().sum::<i64>(), 0, "nothing was taken");
    }
    fixture.edit(order, random(&[(set, 3)])).unwrap();
    assert_eq!(discounts(&fixture, order), [100; 3]);
}

#[test]
fn nothing_is_granted_for_tickets_that_were_not_taken() {
    let mut fixture = Fixture::new();
    let (set, other) = (fixture.set(2, 1_000), fixture.set(9, 1_000));
    let order = fixture.order(other, 1);
    fixture.promotion(&[(1, 10)], |new| new.sets = vec![set]);
    let all = OrderEdit { all_or_nothing: true, ..random(&[(set, 3), (other, 1)]) };
    fixture.edit(order, all).unwrap();
    assert!(fixture.found(order).promotion_grants.is_empty());
    fixture.edit(order, random(&[(other, 2)])).unwrap();
    assert!(fixture.found(order).promotion_grants.is_empty(), "these are not its tickets");
}

#[test]
fn of_two_grants_the_better_one_acts() {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1_000);
    let first = fixture.promotion(&[(1, 10)], until(NOON.plus_minutes(5)));
    let order = fixture.order(set, 1);
    fixture.pass_minutes(5);
    let second = fixture.promotion(&[(3, 30)], |_| ());
    fixture.edit(order, random(&[(set, 2)])).unwrap();
    assert_eq!((discounts(&fixture, order), acting(&fixture, order)), (vec![100; 2], vec![Some(first); 2]));
    fixture.edit(order, random(&[(set, 3)])).unwrap();
    assert_eq!((discounts(&fixture, order), acting(&fixture, order)), (vec![300; 3], vec![Some(second); 3]));
}

#[test]
fn an_order_has_ten_grants_and_no_more() {
    let mut fixture = Fixture::new();
    let set = fixture.set(20, 1_000);
    let order = fixture.order(set, 1);
    for count in 2..15 {
        let promotion = fixture.promotion(&[(1, i64::from(count))], |_| ());
        fixture.edit(order, random(&[(set, count)])).unwrap();
        remove(&mut fixture, promotion);
    }
    assert_eq!(fixture.found(order).promotion_grants.len(), PROMOTION_GRANTS_MAX);
    assert_eq!(discounts(&fixture, order), [110; 14]);
}

#[test]
fn on_an_invitation_no_promotion_acts() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1_000);
    let promotion = fixture.promotion(&[(1, 10)], |_| ());
    let order = fixture.order(set, 1);
    fixture.edit(order, pays_by(PaymentSystem::Invitation)).unwrap();
    assert_eq!((discounts(&fixture, order), acting(&fixture, order)), (vec![1_000], vec![None]));
    fixture.edit(order, pays_by(PaymentSystem::CollectedByVendor)).unwrap();
    assert_eq!((discounts(&fixture, order), acting(&fixture, order)), (vec![100], vec![Some(promotion)]));
}

#[test]
fn an_order_that_is_over_keeps_showing_what_it_was_granted() {
    let ends: [fn(&mut Fixture, OrderId); 3] = [
        |fixture, order| drop(fixture.step(order, OrderTransition::Paid).unwrap()),
        |fixture, order| drop(fixture.step(order, OrderTransition::Canceled).unwrap()),
        |fixture, order| fixture.lapse(order),
    ];
    for end in ends {
        let mut fixture = Fixture::new();
        let set = fixture.set(2, 1_000);
        let promotion = fixture.promotion(&[(2, 10)], |_| ());
        let order = fixture.order(set, 2);
        end(&mut fixture, order);
        assert_eq!(
            (discounts(&fixture, order), fixture.found(order).applied_promotions()),
            (vec![100; 2], vec![promotion])
        );
    }
}

#[test]
fn late_money_has_the_old_price() {
    let mut fixture = Fixture::new();
    let set = fixture.set(4, 1_000);
    let promotion = fixture.promotion(&[(2, 10)], until(NOON.plus_minutes(5)));
    let late = fixture.order(set, 2);
    fixture.lapse(late);
    fixture.promotion(&[(1, 50)], |_| ());
    // Its own tickets are gone; others of the same price will do.
    let taken = fixture.lines(late);
    fixture.try_order(tickets(&taken)).unwrap();
    fixture.step(late, OrderTransition::Paid).unwrap();
    assert_eq!((discounts(&fixture, late), acting(&fixture, late)), (vec![100; 2], vec![Some(promotion); 2]));
}
