//! What codes take off each ticket.

use kassa_domain::deal::{CreateDeal, ProposedTerms};
use kassa_domain::order::{CreateOrder, OrderEdit, OrderStatusKind, OrderTransition, PaymentSystem};
use kassa_domain::price::Share;
use kassa_domain::promocode::{LifetimePatch, UpdatePromocode};
use kassa_domain::{Actor, Money, Patch, Percent, Refusal};

use super::{acting, at_least, code, discounts, fixed, order, until, with};
use crate::house::{House, NOON, codes, customer, pays_by, random};

#[test]
fn thirty_percent_on_three_tickets_of_one_hundred() {
    let mut house = House::new();
    let set = house.set(3, 10_000);
    let promocode = house.promocode("SPRING", |_| ());
    let order = order(&mut house, set, 3, &["spring"]);
    let values = house.found(order).totals();
    assert_eq!(
        [values.price, values.discount, values.nominal, values.full].map(Money::minor),
        [30_000, 9_000, 21_000, 21_000]
    );
    assert_eq!(acting(&house, order), [Some(promocode); 3]);
    assert_eq!(house.found(order).promocodes, [promocode]);
    let price = house.found(order).lines[0].price;
    assert_eq!([price.organizer, price.platform].map(Money::minor), [6_790, 210], "shares are of what is left");
}

#[test]
fn an_agents_extra_is_of_the_discounted_price() {
    let mut house = House::new();
    let set = house.set(1, 100_000);
    house.promocode("HUNDRED", fixed(10_000));
    let (agent, percent) = (house.partner(), |units| Share::Percent(Percent::from_units(units)));
    let terms =
        ProposedTerms { organizer_share: percent(900_000), markup: percent(100_000), platform_fee_on_top: false };
    let (event, by, message) = (house.event, house.org, String::new());
    let deal = CreateDeal { event, proposer: by, agent: Some(agent), organizer: by, terms, message };
    house.give(&house.organizer(), &deal).unwrap();
    let command = CreateOrder { event, vendor: agent, deal: None, edit: with(set, 1, &["HUNDRED"]) };
    let values = house.give(&Actor::Partner(agent), &command).unwrap().order.totals();
    assert_eq!(
        [values.discount, values.nominal, values.surcharge, values.full].map(Money::minor),
        [10_000, 90_000, 9_000, 99_000]
    );
}

#[test]
fn on_each_ticket_acts_the_code_that_takes_most_off() {
    let mut house = House::new();
    let (cheap, dear) = (house.set(1, 1_000), house.set(1, 2_000));
    let (percent, sum) = (house.promocode("PERCENT", |_| ()), house.promocode("SUM", fixed(400)));
    let dear_only = house.promocode("DEAR", |new| {
        new.discount = Share::Amount(Money::from_minor(1));
        new.sets = vec![dear];
    });
    let edit =
        OrderEdit { selection: random(&[(cheap, 1), (dear, 1)]).selection, ..codes(&["DEAR", "SUM", "PERCENT"]) };
    let order = house.try_order(edit).unwrap().order.id;
    assert_eq!(discounts(&house, order), [400, 600]);
    assert_eq!(acting(&house, order), [Some(sum), Some(percent)]);
    house.edit(order, codes(&["DEAR"])).unwrap();
    assert_eq!((discounts(&house, order), acting(&house, order)), (vec![0, 1], vec![None, Some(dear_only)]));
    house.edit(order, codes(&[])).unwrap();
    assert_eq!((discounts(&house, order), acting(&house, order)), (vec![0, 0], vec![None, None]));
}

#[test]
fn of_equal_codes_the_first_acts_and_none_takes_more_than_the_price() {
    let mut house = House::new();
    let set = house.set(1, 1_000);
    let (one, other) = (house.promocode("ONE", fixed(5_000)), house.promocode("OTHER", fixed(9_000)));
    let order = order(&mut house, set, 1, &["ONE", "OTHER"]);
    assert_eq!((discounts(&house, order), acting(&house, order)), (vec![1_000], vec![Some(one)]));
    assert_eq!(house.found(order).totals().full, Money::ZERO);
    house.edit(order, codes(&["OTHER", "ONE"])).unwrap();
    assert_eq!(acting(&house, order), [Some(other)]);
}

#[test]
fn percents_are_rounded_half_up_for_each_ticket() {
    let cases =
        [(1_004, 125_000, 126), (1_003, 125_000, 125), (1_000, 333_333, 333), (999, 1_000_000, 999), (999, 0, 0)];
    for (price, units, expected) in cases {
        let mut house = House::new();
        let set = house.set(2, price);
        let promocode = house.promocode("PART", |new| new.discount = Share::Percent(Percent::from_units(units)));
        let order = order(&mut house, set, 2, &["PART"]);
        assert_eq!(discounts(&house, order), [expected; 2], "{units} of {price}");
        assert_eq!(acting(&house, order), [Some(promocode); 2], "a code that takes nothing off is counted, too");
    }
}

#[test]
fn a_code_whose_tickets_go_acts_on_none_and_is_still_held() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    let promocode = house.promocode("THREE", at_least(3));
    let order = order(&mut house, set, 3, &["THREE"]);
    house.edit(order, random(&[(set, 2)])).unwrap();
    assert_eq!((discounts(&house, order), acting(&house, order)), (vec![0; 2], vec![None; 2]));
    assert_eq!((house.found(order).promocodes.len(), house.uses(promocode).as_str()), (1, "1 reserved, 0 used"));
    house.edit(order, random(&[(set, 3)])).unwrap();
    assert_eq!(discounts(&house, order), [300; 3]);
}

#[test]
fn tickets_that_are_dropped_in_payment_count_no_more() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    house.promocode("THREE", at_least(3));
    let order = order(&mut house, set, 3, &["THREE"]);
    house.step(order, OrderTransition::AwaitingPayment).unwrap();
    house.edit(order, random(&[(set, 2)])).unwrap();
    assert_eq!(discounts(&house, order), [0; 2]);
}

#[test]
fn a_code_that_is_held_outlives_its_lifetime() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    house.promocode("SPRING", until(NOON.plus_minutes(5)));
    house.promocode("OTHER", |_| ());
    let order = order(&mut house, set, 1, &["SPRING"]);
    house.pass_minutes(6);
    house.edit(order, random(&[(set, 2)])).unwrap();
    house.edit(order, codes(&["OTHER", "SPRING"])).expect("it may go on naming what it holds");
    assert_eq!(discounts(&house, order), [300; 2], "the price was promised");
    house.edit(order, codes(&["OTHER"])).unwrap();
    let refusal = house.edit(order, codes(&["SPRING"])).unwrap_err();
    assert_eq!(refusal, Refusal::PromocodeUnknown(code("SPRING")), "what was given back is gone");
    house.step(order, OrderTransition::Paid).unwrap();
}

#[test]
fn the_price_of_a_promocode_that_ends_early_stays_promised() {
    let mut house = House::new();
    let set = house.set(2, 1000);
    let promocode = house.promocode("SPRING", |_| ());
    let order = order(&mut house, set, 1, &["SPRING"]);
    let lifetime = Patch::Set(LifetimePatch { start: Patch::Keep, finish: Patch::Set(house.now) });
    let unchanged = UpdatePromocode::unchanged(house.event, promocode);
    let end = UpdatePromocode { uses_limit: Patch::Set(1), lifetime, ..unchanged };
    house.give(&house.organizer(), &end).unwrap();
    house.edit(order, random(&[(set, 2)])).unwrap();
    house.step(order, OrderTransition::Paid).unwrap();
    assert_eq!(discounts(&house, order), [300; 2]);
}

#[test]
fn on_an_invitation_no_code_acts() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let promocode = house.promocode("SPRING", |_| ());
    let order = order(&mut house, set, 1, &["SPRING"]);
    house.edit(order, pays_by(PaymentSystem::Invitation)).unwrap();
    assert_eq!((discounts(&house, order), acting(&house, order)), (vec![1000], vec![None]));
    house.edit(order, pays_by(PaymentSystem::CollectedByVendor)).unwrap();
    assert_eq!((discounts(&house, order), acting(&house, order)), (vec![300], vec![Some(promocode)]));
    let customer = customer("ann@example.org").customer;
    let invited = OrderEdit {
        customer,
        transition: Some(OrderTransition::AwaitingPayment),
        ..pays_by(PaymentSystem::Invitation)
    };
    house.edit(order, invited).unwrap();
    assert_eq!((house.state(order), house.uses(promocode).as_str()), (OrderStatusKind::Paid, "0 reserved, 0 used"));
    assert!(house.found(order).promocodes.is_empty());
}
