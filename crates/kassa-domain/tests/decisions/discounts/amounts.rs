//! What codes take off each ticket.

use kassa_domain::deal::{CreateDeal, ProposedTerms};
use kassa_domain::order::{CreateOrder, OrderEdit, OrderStatusKind, OrderTransition, PaymentSystem};
use kassa_domain::price::Share;
use kassa_domain::promocode::{LifetimePatch, UpdatePromocode};
use kassa_domain::{Actor, Money, Patch, Percent, Refusal};

use super::{acting, at_least, code, discounts, fixed, order, until, with};
use crate::fixture::{Fixture, NOON, codes, customer, pays_by, random};

#[test]
fn thirty_percent_on_three_tickets_of_one_hundred() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 10_000);
    let promocode = fixture.promocode("SPRING", |_| ());
    let order = order(&mut fixture, set, 3, &["spring"]);
    let values = fixture.found(order).totals();
    assert_eq!(
        [values.price, values.discount, values.nominal, values.full].map(Money::minor),
        [30_000, 9_000, 21_000, 21_000]
    );
    assert_eq!(acting(&fixture, order), [Some(promocode); 3]);
    assert_eq!(fixture.found(order).promocodes, [promocode]);
    let price = fixture.found(order).lines[0].price;
    assert_eq!([price.organizer, price.platform].map(Money::minor), [6_790, 210], "shares are of what is left");
}

#[test]
fn an_agents_extra_is_of_the_discounted_price() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 100_000);
    fixture.promocode("HUNDRED", fixed(10_000));
    let (agent, percent) = (fixture.partner(), |units| Share::Percent(Percent::from_units(units)));
    let terms =
        ProposedTerms { organizer_share: percent(900_000), markup: percent(100_000), platform_fee_on_top: false };
    let (event, by, message) = (fixture.event, fixture.org, String::new());
    let deal = CreateDeal { event, proposer: by, agent: Some(agent), organizer: by, terms, message };
    fixture.give(&fixture.organizer(), &deal).unwrap();
    let command = CreateOrder { event, vendor: agent, deal: None, edit: with(set, 1, &["HUNDRED"]) };
    let values = fixture.give(&Actor::Partner(agent), &command).unwrap().order.totals();
    assert_eq!(
        [values.discount, values.nominal, values.surcharge, values.full].map(Money::minor),
        [10_000, 90_000, 9_000, 99_000]
    );
}

#[test]
fn on_each_ticket_acts_the_code_that_takes_most_off() {
    let mut fixture = Fixture::new();
    let (cheap, dear) = (fixture.set(1, 1_000), fixture.set(1, 2_000));
    let (percent, sum) = (fixture.promocode("PERCENT", |_| ()), fixture.promocode("SUM", fixed(400)));
    let dear_only = fixture.promocode("DEAR", |new| {
        new.discount = Share::Amount(Money::from_minor(1));
        new.sets = vec![dear];
    });
    let edit =
        OrderEdit { selection: random(&[(cheap, 1), (dear, 1)]).selection, ..codes(&["DEAR", "SUM", "PERCENT"]) };
    let order = fixture.try_order(edit).unwrap().order.id;
    assert_eq!(discounts(&fixture, order), [400, 600]);
    assert_eq!(acting(&fixture, order), [Some(sum), Some(percent)]);
    fixture.edit(order, codes(&["DEAR"])).unwrap();
    assert_eq!((discounts(&fixture, order), acting(&fixture, order)), (vec![0, 1], vec![None, Some(dear_only)]));
    fixture.edit(order, codes(&[])).unwrap();
    assert_eq!((discounts(&fixture, order), acting(&fixture, order)), (vec![0, 0], vec![None, None]));
}

#[test]
fn of_equal_codes_the_first_acts_and_none_takes_more_than_the_price() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1_000);
    let (one, other) = (fixture.promocode("ONE", fixed(5_000)), fixture.promocode("OTHER", fixed(9_000)));
    let order = order(&mut fixture, set, 1, &["ONE", "OTHER"]);
    assert_eq!((discounts(&fixture, order), acting(&fixture, order)), (vec![1_000], vec![Some(one)]));
    assert_eq!(fixture.found(order).totals().full, Money::ZERO);
    fixture.edit(order, codes(&["OTHER", "ONE"])).unwrap();
    assert_eq!(acting(&fixture, order), [Some(other)]);
}

#[test]
fn percents_are_rounded_half_up_for_each_ticket() {
    let cases =
        [(1_004, 125_000, 126), (1_003, 125_000, 125), (1_000, 333_333, 333), (999, 1_000_000, 999), (999, 0, 0)];
    for (price, units, expected) in cases {
        let mut fixture = Fixture::new();
        let set = fixture.set(2, price);
        let promocode = fixture.promocode("PART", |new| new.discount = Share::Percent(Percent::from_units(units)));
        let order = order(&mut fixture, set, 2, &["PART"]);
        assert_eq!(discounts(&fixture, order), [expected; 2], "{units} of {price}");
        assert_eq!(acting(&fixture, order), [Some(promocode); 2], "a code that takes nothing off is counted, too");
    }
}

#[test]
fn a_code_whose_tickets_go_acts_on_none_and_is_still_held() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let promocode = fixture.promocode("THREE", at_least(3));
    let order = order(&mut fixture, set, 3, &["THREE"]);
    fixture.edit(order, random(&[(set, 2)])).unwrap();
    assert_eq!((discounts(&fixture, order), acting(&fixture, order)), (vec![0; 2], vec![None; 2]));
    assert_eq!((fixture.found(order).promocodes.len(), fixture.uses(promocode).as_str()), (1, "1 reserved, 0 used"));
    fixture.edit(order, random(&[(set, 3)])).unwrap();
    assert_eq!(discounts(&fixture, order), [300; 3]);
}

#[test]
fn tickets_that_are_dropped_in_payment_count_no_more() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    fixture.promocode("THREE", at_least(3));
    let order = order(&mut fixture, set, 3, &["THREE"]);
    fixture.step(order, OrderTransition::AwaitingPayment).unwrap();
    fixture.edit(order, random(&[(set, 2)])).unwrap();
    assert_eq!(discounts(&fixture, order), [0; 2]);
}

#[test]
fn a_code_that_is_held_outlives_its_lifetime() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    fixture.promocode("SPRING", until(NOON.plus_minutes(5)));
    fixture.promocode("OTHER", |_| ());
    let order = order(&mut fixture, set, 1, &["SPRING"]);
    fixture.pass_minutes(6);
    fixture.edit(order, random(&[(set, 2)])).unwrap();
    fixture.edit(order, codes(&["OTHER", "SPRING"])).expect("it may go on naming what it holds");
    assert_eq!(discounts(&fixture, order), [300; 2], "the price was promised");
    fixture.edit(order, codes(&["OTHER"])).unwrap();
    let refusal = fixture.edit(order, codes(&["SPRING"])).unwrap_err();
    assert_eq!(refusal, Refusal::PromocodeUnknown(code("SPRING")), "what was given back is gone");
    fixture.step(order, OrderTransition::Paid).unwrap();
}

#[test]
fn the_price_of_a_promocode_that_ends_early_stays_promised() {
    let mut fixture = Fixture::new();
    let set = fixture.set(2, 1000);
    let promocode = fixture.promocode("SPRING", |_| ());
    let order = order(&mut fixture, set, 1, &["SPRING"]);
    let lifetime = Patch::Set(LifetimePatch { start: Patch::Keep, finish: Patch::Set(fixture.now) });
    let unchanged = UpdatePromocode::unchanged(fixture.event, promocode);
    let end = UpdatePromocode { uses_limit: Patch::Set(1), lifetime, ..unchanged };
    fixture.give(&fixture.organizer(), &end).unwrap();
    fixture.edit(order, random(&[(set, 2)])).unwrap();
    fixture.step(order, OrderTransition::Paid).unwrap();
    assert_eq!(discounts(&fixture, order), [300; 2]);
}

#[test]
fn on_an_invitation_no_code_acts() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let promocode = fixture.promocode("SPRING", |_| ());
    let order = order(&mut fixture, set, 1, &["SPRING"]);
    fixture.edit(order, pays_by(PaymentSystem::Invitation)).unwrap();
    assert_eq!((discounts(&fixture, order), acting(&fixture, order)), (vec![1000], vec![None]));
    fixture.edit(order, pays_by(PaymentSystem::CollectedByVendor)).unwrap();
    assert_eq!((discounts(&fixture, order), acting(&fixture, order)), (vec![300], vec![Some(promocode)]));
    let customer = customer("ann@example.org").customer;
    let invited = OrderEdit {
        customer,
        transition: Some(OrderTransition::AwaitingPayment),
        ..pays_by(PaymentSystem::Invitation)
    };
    fixture.edit(order, invited).unwrap();
    assert_eq!((fixture.state(order), fixture.uses(promocode).as_str()), (OrderStatusKind::Paid, "0 reserved, 0 used"));
    assert!(fixture.found(order).promocodes.is_empty());
}
