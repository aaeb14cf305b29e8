//! Orders while promotions run: which level they reach, what is promised to them, and promocodes meanwhile.

use kassa_domain::deal::{CreateDeal, ProposedTerms};
use kassa_domain::order::{
    CreateOrder, OrderEdit, OrderId, OrderStatusKind, OrderTransition, PROMOTION_GRANTS_MAX, PaymentSystem,
    UnusablePromocodePolicy,
};
use kassa_domain::price::Share;
use kassa_domain::promocode::LifetimePatch;
use kassa_domain::promotion::{
    CreatePromotion, DiscountKind, LevelMeasure, LevelsRefusal, PromotionId, RemovePromotion, UpdatePromotion,
};
use kassa_domain::set::SetId;
use kassa_domain::{Actor, Money, Patch, Percent, Refusal, Timestamp};

use crate::house::{House, NOON, codes, levels, new_promotion, pays_by, random, tickets};

/// What is taken off each ticket.
fn discounts(house: &House, order: OrderId) -> Vec<i64> {
    house.found(order).lines.iter().map(|line| line.price.discount.minor()).collect()
}

/// What acts on each ticket.
fn acting(house: &House, order: OrderId) -> Vec<Option<PromotionId>> {
    house.found(order).lines.iter().map(|line| line.promotion).collect()
}

fn until(finish: Timestamp) -> impl FnOnce(&mut CreatePromotion) {
    move |new| new.lifetime.finish = Patch::Set(finish)
}

fn by_sum(new: &mut CreatePromotion) {
    new.measure = LevelMeasure::Sum;
}

fn update(house: &mut House, promotion: PromotionId, change: impl FnOnce(&mut UpdatePromotion)) {
    let mut command = UpdatePromotion::unchanged(house.event, promotion);
    change(&mut command);
    house.give(&house.organizer(), &command).expect("the promotion changes");
}

fn remove(house: &mut House, promotion: PromotionId) {
    let command = RemovePromotion { event: house.event, promotion };
    house.give(&house.organizer(), &command).expect("the promotion is removed");
}

#[test]
fn the_highest_level_that_is_reached_acts_on_each_ticket() {
    let mut house = House::new();
    let set = house.set(20, 1_000);
    let promotion = house.promotion(&[(2, 10), (4, 25), (6, 20)], |_| ());
    for (count, off) in [(1, 0), (2, 100), (3, 100), (4, 250), (5, 250), (6, 200), (9, 200)] {
        let order = house.order(set, count);
        assert_eq!(discounts(&house, order), vec![off; count as usize], "{count} tickets");
        assert_eq!(acting(&house, order), vec![(off > 0).then_some(promotion); count as usize], "{count} tickets");
        house.step(order, OrderTransition::Canceled).unwrap();
    }
}

#[test]
fn sums_are_of_the_prices_before_any_discount() {
    let mut house = House::new();
    let (cheap, dear) = (house.set(20, 999), house.set(20, 2_001));
    house.promotion(&[(20, 10), (30, 20)], by_sum);
    for (few, many, off) in [(2, 0, [0, 0]), (0, 1, [0, 200]), (1, 1, [200, 400]), (3, 0, [100, 0]), (0, 2, [0, 400])] {
        let order = house.try_order(random(&[(cheap, few), (dear, many)])).unwrap().order.id;
        let expected = [vec![off[0]; few as usize], vec![off[1]; many as usize]].concat();
        assert_eq!(discounts(&house, order), expected, "{few} and {many}");
        house.step(order, OrderTransition::Canceled).unwrap();
    }
}

#[test]
fn ten_percent_on_three_tickets_of_one_hundred() {
    let mut house = House::new();
    let set = house.set(3, 10_000);
    let promotion = house.promotion(&[(3, 10)], |_| ());
    let order = house.order(set, 3);
    let values = house.found(order).totals();
    assert_eq!(
        [values.price, values.discount, values.nominal, values.full].map(Money::minor),
        [30_000, 3_000, 27_000, 27_000]
    );
    let price = house.found(order).lines[0].price;
    assert_eq!([price.organizer, price.platform].map(Money::minor), [8_730, 270], "shares are of what is left");
    assert_eq!(house.found(order).applied_promotions(), [promotion]);
}

#[test]
fn an_agents_extra_is_of_the_price_that_is_left() {
    let mut house = House::new();
    let set = house.set(2, 100_000);
    house.promotion(&[(2, 100)], |new| new.kind = DiscountKind::FixedAmount);
    let (agent, percent) = (house.partner(), |units| Share::Percent(Percent::from_units(units)));
    let terms =
        ProposedTerms { organizer_share: percent(900_000), markup: percent(100_000), platform_fee_on_top: false };
    let (event, by, message) = (house.event, house.org, String::new());
    let deal = CreateDeal { event, proposer: by, agent: Some(agent), organizer: by, terms, message };
    house.give(&house.organizer(), &deal).unwrap();
    let command = CreateOrder { event, vendor: agent, deal: None, edit: random(&[(set, 2)]) };
    let values = house.give(&Actor::Partner(agent), &command).unwrap().order.totals();
    assert_eq!(
        [values.discount, values.nominal, values.surcharge, values.full].map(Money::minor),
        [20_000, 180_000, 18_000, 198_000]
    );
}

#[test]
fn an_amount_is_for_each_ticket_and_never_more_than_its_price() {
    let mut house = House::new();
    let (cheap, dear) = (house.set(1, 300), house.set(1, 2_000));
    house.promotion(&[(2, 5)], |new| new.kind = DiscountKind::FixedAmount);
    let order = house.try_order(random(&[(cheap, 1), (dear, 1)])).unwrap().order;
    assert_eq!(discounts(&house, order.id), [300, 500]);
    assert_eq!(order.totals().full.minor(), 1_500);
}

#[test]
fn percents_are_rounded_half_up_for_each_ticket() {
    for (price, percent, off) in [(1_005, 10, 101), (1_004, 10, 100), (999, 100, 999), (999, 0, 0)] {
        let mut house = House::new();
        let set = house.set(2, price);
        let promotion = house.promotion(&[(1, percent)], |_| ());
        let order = house.order(set, 2);
        assert_eq!((discounts(&house, order), acting(&house, order)), (vec![off; 2], vec![Some(promotion); 2]));
    }
}

#[test]
fn tickets_of_other_sets_neither_count_nor_get_cheaper() {
    for measure in [|_: &mut CreatePromotion| (), by_sum] {
        let mut house = House::new();
        let (set, other) = (house.set(9, 100), house.set(9, 100));
        house.promotion(&[(2, 10)], |new| {
            measure(new);
            new.sets = vec![set];
        });
        let order = house.try_order(random(&[(set, 1), (other, 5)])).unwrap().order.id;
        assert_eq!(discounts(&house, order), [0; 6]);
        house.edit(order, random(&[(set, 2), (other, 1)])).unwrap();
        assert_eq!(discounts(&house, order), [10, 0, 10]);
    }
}

#[test]
fn two_promotions_act_each_on_its_sets() {
    let mut house = House::new();
    let (one, other) = (house.set(9, 1_000), house.set(9, 1_000));
    let first = house.promotion(&[(1, 10)], |new| new.sets = vec![one]);
    let second = house.promotion(&[(2, 50)], |new| new.sets = vec![other]);
    let order = house.try_order(random(&[(one, 2), (other, 1)])).unwrap().order.id;
    assert_eq!((discounts(&house, order), house.found(order).applied_promotions()), (vec![100, 100, 0], vec![first]));
    house.edit(order, random(&[(one, 1), (other, 2)])).unwrap();
    assert_eq!(
        (discounts(&house, order), acting(&house, order)),
        (vec![100, 500, 500], vec![Some(first), Some(second), Some(second)])
    );
}

#[test]
fn the_level_follows_the_tickets() {
    let mut house = House::new();
    let set = house.set(9, 1_000);
    house.promotion(&[(2, 10), (4, 20)], |_| ());
    let order = house.order(set, 1);
    for (count, off) in [(2, 100), (5, 200), (4, 200), (3, 100), (1, 0), (0, 0), (4, 200)] {
        house.edit(order, random(&[(set, count)])).unwrap();
        assert_eq!(discounts(&house, order), vec![off; count as usize], "{count}");
    }
    house.step(order, OrderTransition::AwaitingPayment).unwrap();
    let kept = house.lines(order)[..3].to_vec();
    house.edit(order, tickets(&kept)).unwrap();
    assert_eq!(discounts(&house, order), [100; 3], "what is dropped in payment counts no more");
}

#[test]
fn a_promotion_is_promised_while_it_runs() {
    let (from, to) = (NOON.plus_minutes(1), NOON.plus_minutes(2));
    for (now, runs) in [(from.plus_ms(-1), false), (from, true), (to.plus_ms(-1), true), (to, false)] {
        let mut house = House::new();
        let set = house.set(1, 1_000);
        let lifetime = LifetimePatch { start: Patch::Set(from), finish: Patch::Set(to) };
        house.promotion(&[(1, 10)], |new| new.lifetime = lifetime);
        house.now = now;
        let order = house.order(set, 1);
        assert_eq!(discounts(&house, order), [if runs { 100 } else { 0 }], "{now:?}");
    }
}

/// What becomes of a promotion that an order was promised.
type Fate = (&'static str, fn(&mut House, PromotionId));

const FATES: [Fate; 4] = [
    ("it ends", |house, _| house.pass_minutes(6)),
    ("it is ended", |house, promotion| {
        let now = house.now;
        update(house, promotion, |change| change.lifetime.finish = Patch::Set(now));
    }),
    ("it changes", |house, promotion| update(house, promotion, |change| change.levels = Some(levels(&[(1, 1)])))),
    ("it is removed", remove),
];

#[test]
fn what_was_promised_stands_whatever_becomes_of_the_promotion() {
    for (what, fate) in FATES {
        let mut house = House::new();
        let set = house.set(9, 1_000);
        let promotion = house.promotion(&[(2, 10), (3, 20)], until(NOON.plus_minutes(5)));
        let order = house.order(set, 2);
        fate(&mut house, promotion);
        house.edit(order, pays_by(PaymentSystem::CollectedByVendor)).unwrap();
        assert_eq!(discounts(&house, order), [100; 2], "{what}");
        house.edit(order, random(&[(set, 3)])).unwrap();
        assert_eq!((discounts(&house, order), acting(&house, order)), (vec![200; 3], vec![Some(promotion); 3]));
        house.edit(order, random(&[(set, 1)])).unwrap();
        assert_eq!(discounts(&house, order), [0], "{what}");
        house.edit(order, random(&[(set, 2)])).unwrap();
        house.step(order, OrderTransition::AwaitingPayment).unwrap();
        house.step(order, OrderTransition::Paid).unwrap();
        assert_eq!(house.found(order).totals().full.minor(), 1_800, "{what}");
        let new = house.order(set, 2);
        assert_ne!(discounts(&house, new), [100; 2], "a new order is promised what runs now: {what}");
    }
}

#[test]
fn an_order_from_before_is_promised_a_promotion_with_its_next_ticket() {
    let mut house = House::new();
    let set = house.set(9, 1_000);
    let order = house.order(set, 3);
    house.promotion(&[(2, 10)], |_| ());
    for same in [pays_by(PaymentSystem::CollectedByVendor), random(&[(set, 3)]), random(&[(set, 2)])] {
        house.edit(order, same).unwrap();
        assert_eq!(discounts(&house, order).iter().sum::<i64>(), 0, "nothing was taken");
    }
    house.edit(order, random(&[(set, 3)])).unwrap();
    assert_eq!(discounts(&house, order), [100; 3]);
}

#[test]
fn nothing_is_promised_for_tickets_that_were_not_taken() {
    let mut house = House::new();
    let (set, other) = (house.set(2, 1_000), house.set(9, 1_000));
    let order = house.order(other, 1);
    house.promotion(&[(1, 10)], |new| new.sets = vec![set]);
    let all = OrderEdit { all_or_nothing: true, ..random(&[(set, 3), (other, 1)]) };
    house.edit(order, all).unwrap();
    assert!(house.found(order).promotion_grants.is_empty());
    house.edit(order, random(&[(other, 2)])).unwrap();
    assert!(house.found(order).promotion_grants.is_empty(), "these are not its tickets");
}

#[test]
fn of_two_promises_the_better_one_acts() {
    let mut house = House::new();
    let set = house.set(9, 1_000);
    let first = house.promotion(&[(1, 10)], until(NOON.plus_minutes(5)));
    let order = house.order(set, 1);
    house.pass_minutes(5);
    let second = house.promotion(&[(3, 30)], |_| ());
    house.edit(order, random(&[(set, 2)])).unwrap();
    assert_eq!((discounts(&house, order), acting(&house, order)), (vec![100; 2], vec![Some(first); 2]));
    house.edit(order, random(&[(set, 3)])).unwrap();
    assert_eq!((discounts(&house, order), acting(&house, order)), (vec![300; 3], vec![Some(second); 3]));
}

#[test]
fn an_order_has_ten_promises_and_no_more() {
    let mut house = House::new();
    let set = house.set(20, 1_000);
    let order = house.order(set, 1);
    for count in 2..15 {
        let promotion = house.promotion(&[(1, i64::from(count))], |_| ());
        house.edit(order, random(&[(set, count)])).unwrap();
        remove(&mut house, promotion);
    }
    assert_eq!(house.found(order).promotion_grants.len(), PROMOTION_GRANTS_MAX);
    assert_eq!(discounts(&house, order), [110; 14]);
}

#[test]
fn no_promocode_is_named_while_a_promotion_runs() {
    let mut house = House::new();
    let (set, other) = (house.set(9, 1_000), house.set(9, 1_000));
    let spring = house.promocode("SPRING", |_| ());
    house.promocode("OTHER", |_| ());
    let order = house.order(set, 1);
    house.edit(order, codes(&["SPRING"])).unwrap();
    house.promotion(&[(1, 1)], |new| {
        new.sets = vec![other];
        until(NOON.plus_minutes(5))(new);
    });
    for named in [&["OTHER"][..], &["SPRING", "OTHER"], &["NONE"]] {
        for unusable in [UnusablePromocodePolicy::Refuse, UnusablePromocodePolicy::LeaveOut] {
            let edit = OrderEdit { on_unusable_promocode: unusable, ..codes(named) };
            assert_eq!(house.edit(order, edit.clone()).unwrap_err(), Refusal::PromotionRunning, "{named:?}");
            let new = OrderEdit { selection: random(&[(set, 1)]).selection, ..edit };
            assert_eq!(house.try_order(new).unwrap_err(), Refusal::PromotionRunning, "{named:?}");
        }
    }
    house.edit(order, codes(&["spring"])).expect("what it names already it may go on naming");
    house.edit(order, random(&[(set, 2)])).unwrap();
    assert_eq!((discounts(&house, order), house.uses(spring)), (vec![300; 2], "1 reserved, 0 used".to_owned()));
    house.edit(order, codes(&[])).expect("codes can be given back");
    assert_eq!(house.edit(order, codes(&["SPRING"])).unwrap_err(), Refusal::PromotionRunning);
    house.pass_minutes(5);
    house.edit(order, codes(&["OTHER"])).expect("it is over");
}

#[test]
fn a_promotion_of_another_event_or_time_forbids_no_promocode() {
    let changes: [fn(&mut House, &mut CreatePromotion); 3] = [
        |house, new| new.event = house.event_of(house.org).id,
        |_, new| new.lifetime.start = Patch::Set(NOON.plus_minutes(1)),
        |_, new| new.lifetime = LifetimePatch { start: Patch::Set(NOON.plus_ms(-1_000)), finish: Patch::Set(NOON) },
    ];
    for change in changes {
        let mut house = House::new();
        let set = house.set(1, 1_000);
        house.promocode("SPRING", |_| ());
        let mut new = new_promotion(house.event, &[(1, 1)]);
        change(&mut house, &mut new);
        house.give(&house.organizer(), &new).unwrap();
        let edit = OrderEdit { selection: random(&[(set, 1)]).selection, ..codes(&["SPRING"]) };
        let order = house.try_order(edit).unwrap().order.id;
        assert_eq!(discounts(&house, order), [300]);
    }
}

#[test]
fn a_closed_order_is_told_first() {
    let mut house = House::new();
    let set = house.set(1, 1_000);
    house.promotion(&[(1, 1)], |_| ());
    let order = house.order_in(OrderStatusKind::AwaitingPayment, set);
    let refusal = house.edit(order, codes(&["SPRING"])).unwrap_err();
    assert_eq!(refusal, Refusal::OrderFinal(OrderStatusKind::AwaitingPayment));
}

/// An order for a ticket with the code SPRING of 30 %, which has taken another since this promotion began.
fn with_both(house: &mut House, percent: i64) -> (SetId, OrderId, PromotionId) {
    let set = house.set(9, 1_000);
    house.promocode("SPRING", |_| ());
    let order = house.order(set, 1);
    house.edit(order, codes(&["SPRING"])).unwrap();
    let promotion = house.promotion(&[(2, percent)], |_| ());
    house.edit(order, random(&[(set, 2)])).unwrap();
    (set, order, promotion)
}

#[test]
fn of_a_promise_and_a_promocode_the_better_one_acts() {
    for (percent, off) in [(29, 300), (30, 300), (31, 310)] {
        let mut house = House::new();
        let (_, order, promotion) = with_both(&mut house, percent);
        let expected = (off > 300).then_some(promotion);
        assert_eq!((discounts(&house, order), acting(&house, order)), (vec![off; 2], vec![expected; 2]));
        house.step(order, OrderTransition::Paid).unwrap();
        let paid = house.found(order);
        assert_eq!((paid.promocodes.len(), paid.promotion_grants.len()), if off > 300 { (0, 1) } else { (1, 0) });
    }
}

#[test]
fn on_an_invitation_no_promotion_acts() {
    let mut house = House::new();
    let set = house.set(1, 1_000);
    let promotion = house.promotion(&[(1, 10)], |_| ());
    let order = house.order(set, 1);
    house.edit(order, pays_by(PaymentSystem::Invitation)).unwrap();
    assert_eq!((discounts(&house, order), acting(&house, order)), (vec![1_000], vec![None]));
    house.edit(order, pays_by(PaymentSystem::CollectedByVendor)).unwrap();
    assert_eq!((discounts(&house, order), acting(&house, order)), (vec![100], vec![Some(promotion)]));
}

#[test]
fn an_order_that_is_over_keeps_showing_what_it_was_promised() {
    let ends: [fn(&mut House, OrderId); 3] = [
        |house, order| drop(house.step(order, OrderTransition::Paid).unwrap()),
        |house, order| drop(house.step(order, OrderTransition::Canceled).unwrap()),
        |house, order| house.lapse(order),
    ];
    for end in ends {
        let mut house = House::new();
        let set = house.set(2, 1_000);
        let promotion = house.promotion(&[(2, 10)], |_| ());
        let order = house.order(set, 2);
        end(&mut house, order);
        assert_eq!(
            (discounts(&house, order), house.found(order).applied_promotions()),
            (vec![100; 2], vec![promotion])
        );
    }
}

#[test]
fn late_money_has_the_old_price() {
    let mut house = House::new();
    let set = house.set(4, 1_000);
    let promotion = house.promotion(&[(2, 10)], until(NOON.plus_minutes(5)));
    let late = house.order(set, 2);
    house.lapse(late);
    house.promotion(&[(1, 50)], |_| ());
    // Its own tickets are gone; others of the same price will do.
    let taken = house.lines(late);
    house.try_order(tickets(&taken)).unwrap();
    house.step(late, OrderTransition::Paid).unwrap();
    assert_eq!((discounts(&house, late), acting(&house, late)), (vec![100; 2], vec![Some(promotion); 2]));
}

#[test]
fn refusals_have_the_codes_that_clients_know() {
    let known = [
        (Refusal::PromotionRunning, "promotion_runs", "Promocodes cannot be added while a promotion of the event runs"),
        (
            Refusal::PromotionOverlap,
            "promotion_overlap",
            "Another promotion of the event runs at this time for one of these sets",
        ),
        (LevelsRefusal::NotAscending(2).into(), "promotion_levels", "Level 2 must begin above the one before"),
    ];
    for (refusal, code, sentence) in known {
        assert_eq!((refusal.code(), refusal.to_string().as_str()), (code, sentence));
    }
}
