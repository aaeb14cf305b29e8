//! Promocodes while promotions run.

use kassa_domain::order::{OrderEdit, OrderId, OrderStatusKind, OrderTransition, UnusablePromocodePolicy};
use kassa_domain::promocode::LifetimePatch;
use kassa_domain::promotion::{CreatePromotion, PromotionId};
use kassa_domain::set::SetId;
use kassa_domain::{Patch, Refusal};

use crate::fixture::{Fixture, NOON, codes, new_promotion, random};
use crate::promotion_grants::until;
use crate::promotion_levels::{acting, discounts};

#[test]
fn no_promocode_is_named_while_a_promotion_runs() {
    let mut fixture = Fixture::new();
    let (set, other) = (fixture.set(9, 1_000), fixture.set(9, 1_000));
    let spring = fixture.promocode("SPRING", |_| ());
    fixture.promocode("OTHER", |_| ());
    let order = fixture.order(set, 1);
    fixture.edit(order, codes(&["SPRING"])).unwrap();
    fixture.promotion(&[(1, 1)], |new| {
        new.sets = vec![other];
        until(NOON.plus_minutes(5))(new);
    });
    for named in [&["OTHER"][..], &["SPRING", "OTHER"], &["NONE"]] {
        for unusable in [UnusablePromocodePolicy::Refuse, UnusablePromocodePolicy::LeaveOut] {
            let edit = OrderEdit { on_unusable_promocode: unusable, ..codes(named) };
            assert_eq!(fixture.edit(order, edit.clone()).unwrap_err(), Refusal::PromotionRunning, "{named:?}");
            let new = OrderEdit { selection: random(&[(set, 1)]).selection, ..edit };
            assert_eq!(fixture.try_order(new).unwrap_err(), Refusal::PromotionRunning, "{named:?}");
        }
    }
    fixture.edit(order, codes(&["spring"])).expect("what it names already it may go on naming");
    fixture.edit(order, random(&[(set, 2)])).unwrap();
    assert_eq!((discounts(&fixture, order), fixture.uses(spring)), (vec![300; 2], "1 reserved, 0 used".to_owned()));
    fixture.edit(order, codes(&[])).expect("codes can be given back");
    assert_eq!(fixture.edit(order, codes(&["SPRING"])).unwrap_err(), Refusal::PromotionRunning);
    fixture.pass_minutes(5);
    fixture.edit(order, codes(&["OTHER"])).expect("it is over");
}

#[test]
fn a_promotion_of_another_event_or_time_forbids_no_promocode() {
    let changes: [fn(&mut Fixture, &mut CreatePromotion); 3] = [
        |fixture, new| new.event = fixture.event_of(fixture.org).id,
        |_, new| new.lifetime.start = Patch::Set(NOON.plus_minutes(1)),
        |_, new| new.lifetime = LifetimePatch { start: Patch::Set(NOON.plus_ms(-1_000)), finish: Patch::Set(NOON) },
    ];
    for change in changes {
        let mut fixture = Fixture::new();
        let set = fixture.set(1, 1_000);
        fixture.promocode("SPRING", |_| ());
        let mut new = new_promotion(fixture.event, &[(1, 1)]);
        change(&mut fixture, &mut new);
        fixture.give(&fixture.organizer(), &new).unwrap();
        let edit = OrderEdit { selection: random(&[(set, 1)]).selection, ..codes(&["SPRING"]) };
        let order = fixture.try_order(edit).unwrap().order.id;
        assert_eq!(discounts(&fixture, order), [300]);
    }
}

#[test]
fn a_closed_order_is_refused_first() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1_000);
    fixture.promotion(&[(1, 1)], |_| ());
    let order = fixture.order_in(OrderStatusKind::AwaitingPayment, set);
    let refusal = fixture.edit(order, codes(&["SPRING"])).unwrap_err();
    assert_eq!(refusal, Refusal::OrderFinal(OrderStatusKind::AwaitingPayment));
}

/// An order for a ticket with the code SPRING of 30 %, which has taken another since this promotion began.
fn with_both(fixture: &mut Fixture, percent: i64) -> (SetId, OrderId, PromotionId) {
    let set = fixture.set(9, 1_000);
    fixture.promocode("SPRING", |_| ());
    let order = fixture.order(set, 1);
    fixture.edit(order, codes(&["SPRING"])).unwrap();
    let promotion = fixture.promotion(&[(2, percent)], |_| ());
    fixture.edit(order, random(&[(set, 2)])).unwrap();
    (set, order, promotion)
}

#[test]
fn of_a_grant_and_a_promocode_the_better_one_acts() {
    for (percent, off) in [(29, 300), (30, 300), (31, 310)] {
        let mut fixture = Fixture::new();
        let (_, order, promotion) = with_both(&mut fixture, percent);
        let expected = (off > 300).then_some(promotion);
        assert_eq!((discounts(&fixture, order), acting(&fixture, order)), (vec![off; 2], vec![expected; 2]));
        fixture.step(order, OrderTransition::Paid).unwrap();
        let paid = fixture.found(order);
        assert_eq!((paid.promocodes.len(), paid.promotion_grants.len()), if off > 300 { (0, 1) } else { (1, 0) });
    }
}
