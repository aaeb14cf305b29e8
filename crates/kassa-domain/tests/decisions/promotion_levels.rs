//! Promotions with levels: which level an order reaches, and what it takes off each ticket.

use kassa_domain::deal::{CreateDeal, ProposedTerms};
use kassa_domain::order::{CreateOrder, OrderId, OrderTransition};
use kassa_domain::price::Share;
use kassa_domain::promotion::{CreatePromotion, DiscountKind, LevelMeasure, LevelsRefusal, PromotionId};
use kassa_domain::{Actor, Money, Percent, Refusal};

use crate::fixture::{Fixture, random, tickets};

/// What is taken off each ticket.
pub(crate) fn discounts(fixture: &Fixture, order: OrderId) -> Vec<i64> {
    fixture.found(order).lines.iter().map(|line| line.price.discount.minor()).collect()
}

/// What acts on each ticket.
pub(crate) fn acting(fixture: &Fixture, order: OrderId) -> Vec<Option<PromotionId>> {
    fixture.found(order).lines.iter().map(|line| line.promotion).collect()
}

fn by_sum(new: &mut CreatePromotion) {
    new.measure = LevelMeasure::Sum;
}

#[test]
fn the_highest_level_that_is_reached_acts_on_each_ticket() {
    let mut fixture = Fixture::new();
    let set = fixture.set(20, 1_000);
    let promotion = fixture.promotion(&[(2, 10), (4, 25), (6, 20)], |_| ());
    for (count, off) in [(1, 0), (2, 100), (3, 100), (4, 250), (5, 250), (6, 200), (9, 200)] {
        let order = fixture.order(set, count);
        assert_eq!(discounts(&fixture, order), vec![off; count as usize], "{count} tickets");
        assert_eq!(acting(&fixture, order), vec![(off > 0).then_some(promotion); count as usize], "{count} tickets");
        fixture.step(order, OrderTransition::Canceled).unwrap();
    }
}

#[test]
fn sums_are_of_the_prices_before_any_discount() {
    let mut fixture = Fixture::new();
    let (cheap, dear) = (fixture.set(20, 999), fixture.set(20, 2_001));
    fixture.promotion(&[(20, 10), (30, 20)], by_sum);
    for (few, many, off) in [(2, 0, [0, 0]), (0, 1, [0, 200]), (1, 1, [200, 400]), (3, 0, [100, 0]), (0, 2, [0, 400])] {
        let order = fixture.try_order(random(&[(cheap, few), (dear, many)])).unwrap().order.id;
        let expected = [vec![off[0]; few as usize], vec![off[1]; many as usize]].concat();
        assert_eq!(discounts(&fixture, order), expected, "{few} and {many}");
        fixture.step(order, OrderTransition::Canceled).unwrap();
    }
}

#[test]
fn ten_percent_on_three_tickets_of_one_hundred() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 10_000);
    let promotion = fixture.promotion(&[(3, 10)], |_| ());
    let order = fixture.order(set, 3);
    let values = fixture.found(order).totals();
    assert_eq!(
        [values.price, values.discount, values.nominal, values.full].map(Money::minor),
        [30_000, 3_000, 27_000, 27_000]
    );
    let price = fixture.found(order).lines[0].price;
    assert_eq!([price.organizer, price.platform].map(Money::minor), [8_730, 270], "shares are of what is left");
    assert_eq!(fixture.found(order).applied_promotions(), [promotion]);
}

#[test]
fn an_agents_extra_is_of_the_price_that_is_left() {
    let mut fixture = Fixture::new();
    let set = fixture.set(2, 100_000);
    fixture.promotion(&[(2, 100)], |new| new.kind = DiscountKind::FixedAmount);
    let (agent, percent) = (fixture.partner(), |units| Share::Percent(Percent::from_units(units)));
    let terms =
        ProposedTerms { organizer_share: percent(900_000), markup: percent(100_000), platform_fee_on_top: false };
    let (event, by, message) = (fixture.event, fixture.org, String::new());
    let deal = CreateDeal { event, proposer: by, agent: Some(agent), organizer: by, terms, message };
    fixture.give(&fixture.organizer(), &deal).unwrap();
    let command = CreateOrder { event, vendor: agent, deal: None, edit: random(&[(set, 2)]) };
    let values = fixture.give(&Actor::Partner(agent), &command).unwrap().order.totals();
    assert_eq!(
        [values.discount, values.nominal, values.surcharge, values.full].map(Money::minor),
        [20_000, 180_000, 18_000, 198_000]
    );
}

#[test]
fn an_amount_is_for_each_ticket_and_never_more_than_its_price() {
    let mut fixture = Fixture::new();
    let (cheap, dear) = (fixture.set(1, 300), fixture.set(1, 2_000));
    fixture.promotion(&[(2, 5)], |new| new.kind = DiscountKind::FixedAmount);
    let order = fixture.try_order(random(&[(cheap, 1), (dear, 1)])).unwrap().order;
    assert_eq!(discounts(&fixture, order.id), [300, 500]);
    assert_eq!(order.totals().full.minor(), 1_500);
}

#[test]
fn percents_are_rounded_half_up_for_each_ticket() {
    for (price, percent, off) in [(1_005, 10, 101), (1_004, 10, 100), (999, 100, 999), (999, 0, 0)] {
        let mut fixture = Fixture::new();
        let set = fixture.set(2, price);
        let promotion = fixture.promotion(&[(1, percent)], |_| ());
        let order = fixture.order(set, 2);
        assert_eq!((discounts(&fixture, order), acting(&fixture, order)), (vec![off; 2], vec![Some(promotion); 2]));
    }
}

#[test]
fn tickets_of_other_sets_neither_count_nor_get_cheaper() {
    for measure in [|_: &mut CreatePromotion| (), by_sum] {
        let mut fixture = Fixture::new();
        let (set, other) = (fixture.set(9, 100), fixture.set(9, 100));
        fixture.promotion(&[(2, 10)], |new| {
            measure(new);
            new.sets = vec![set];
        });
        let order = fixture.try_order(random(&[(set, 1), (other, 5)])).unwrap().order.id;
        assert_eq!(discounts(&fixture, order), [0; 6]);
        fixture.edit(order, random(&[(set, 2), (other, 1)])).unwrap();
        assert_eq!(discounts(&fixture, order), [10, 0, 10]);
    }
}

#[test]
fn two_promotions_act_each_on_its_sets() {
    let mut fixture = Fixture::new();
    let (one, other) = (fixture.set(9, 1_000), fixture.set(9, 1_000));
    let first = fixture.promotion(&[(1, 10)], |new| new.sets = vec![one]);
    let second = fixture.promotion(&[(2, 50)], |new| new.sets = vec![other]);
    let order = fixture.try_order(random(&[(one, 2), (other, 1)])).unwrap().order.id;
    assert_eq!(
        (discounts(&fixture, order), fixture.found(order).applied_promotions()),
        (vec![100, 100, 0], vec![first])
    );
    fixture.edit(order, random(&[(one, 1), (other, 2)])).unwrap();
    assert_eq!(
        (discounts(&fixture, order), acting(&fixture, order)),
        (vec![100, 500, 500], vec![Some(first), Some(second), Some(second)])
    );
}

#[test]
fn the_level_follows_the_tickets() {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1_000);
    fixture.promotion(&[(2, 10), (4, 20)], |_| ());
    let order = fixture.order(set, 1);
    for (count, off) in [(2, 100), (5, 200), (4, 200), (3, 100), (1, 0), (0, 0), (4, 200)] {
        fixture.edit(order, random(&[(set, count)])).unwrap();
        assert_eq!(discounts(&fixture, order), vec![off; count as usize], "{count}");
    }
    fixture.step(order, OrderTransition::AwaitingPayment).unwrap();
    let kept = fixture.lines(order)[..3].to_vec();
    fixture.edit(order, tickets(&kept)).unwrap();
    assert_eq!(discounts(&fixture, order), [100; 3], "what is dropped in payment counts no more");
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
