//! Orders with promocodes: which they may name, what these take off, and the uses that are held.

use kassa_domain::deal::{CreateDeal, WantedTerms};
use kassa_domain::order::{CreateOrder, OrderEdit, OrderId, OrderOutcome, OrderState, PROMOCODES_MAX};
use kassa_domain::order::{PaymentSystem, Step, Unusable};
use kassa_domain::price::Share;
use kassa_domain::promocode::{Code, CreatePromocode, LifetimePatch, PromocodeId, TicketsCount, UpdatePromocode};
use kassa_domain::set::SetId;
use kassa_domain::{Actor, Money, Patch, Percent, Refusal, Timestamp};

use crate::house::{House, NOON, codes, pays_by, random, steps, tickets};

fn code(text: &str) -> Code {
    text.parse().unwrap()
}

fn fixed(minor: i64) -> impl FnOnce(&mut CreatePromocode) {
    move |new| new.discount = Share::Amount(Money::from_minor(minor))
}

fn at_least(min: u32) -> impl FnOnce(&mut CreatePromocode) {
    move |new| new.tickets_count.min = Some(min)
}

fn until(finish: Timestamp) -> impl FnOnce(&mut CreatePromocode) {
    move |new| new.lifetime.finish = Patch::Set(finish)
}

/// So many tickets of a set, with these codes.
fn with(set: SetId, count: u32, named: &[&str]) -> OrderEdit {
    OrderEdit { wanted: random(&[(set, count)]).wanted, ..codes(named) }
}

fn order(house: &mut House, set: SetId, count: u32, named: &[&str]) -> OrderId {
    house.try_order(with(set, count, named)).expect("an order is made").order.id
}

/// What is taken off each ticket.
fn discounts(house: &House, order: OrderId) -> Vec<i64> {
    house.found(order).lines.iter().map(|line| line.price.discount.minor()).collect()
}

/// What acts on each ticket.
fn acting(house: &House, order: OrderId) -> Vec<Option<PromocodeId>> {
    house.found(order).lines.iter().map(|line| line.promocode).collect()
}

#[test]
fn thirty_percent_on_three_tickets_of_one_hundred() {
    let mut house = House::new();
    let set = house.set(3, 10_000);
    let promocode = house.promocode("SPRING", |_| ());
    let order = order(&mut house, set, 3, &["spring"]);
    let values = house.found(order).values();
    assert_eq!(
        [values.price, values.discount, values.nominal, values.full].map(Money::minor),
        [30_000, 9_000, 21_000, 21_000]
    );
    assert_eq!(acting(&house, order), [Some(promocode); 3]);
    assert_eq!(house.found(order).promocodes, [promocode]);
    let price = house.found(order).lines[0].price;
    assert_eq!([price.org, price.core].map(Money::minor), [6_790, 210], "shares are of what is left");
}

#[test]
fn an_agents_extra_is_of_the_discounted_price() {
    let mut house = House::new();
    let set = house.set(1, 100_000);
    house.promocode("HUNDRED", fixed(10_000));
    let (agent, percent) = (house.partner(), |units| Share::Percent(Percent::from_units(units)));
    let terms = WantedTerms { org: percent(900_000), extra: percent(100_000), pfc: false };
    let (event, by, message) = (house.event, house.org, String::new());
    let deal = CreateDeal { event, by, subj: Some(agent), obj: by, terms, message };
    house.give(&house.organizer(), &deal).unwrap();
    let command = CreateOrder { event, vendor: agent, deal: None, edit: with(set, 1, &["HUNDRED"]) };
    let values = house.give(&Actor::Partner(agent), &command).unwrap().order.values();
    assert_eq!(
        [values.discount, values.nominal, values.extra, values.full].map(Money::minor),
        [10_000, 90_000, 9_000, 99_000]
    );
}

/// What can be wrong with a promocode, in the order in which it is looked at.
const FAULTS: [&str; 5] = ["unknown", "lapsed", "for others", "needs more", "used up"];

/// The promocode FAULTY with these faults, for an order of two tickets.
fn faulty(house: &mut House, faults: &[&str], others: SetId) {
    let has = |fault| faults.contains(&fault);
    house.promocode(if has("unknown") { "ANOTHER" } else { "FAULTY" }, |new| {
        if has("lapsed") {
            new.lifetime.finish = Patch::Set(NOON);
        }
        if has("for others") {
            new.sets = vec![others];
        }
        if has("needs more") {
            new.tickets_count.min = Some(3);
        }
        if has("used up") {
            new.amount = Some(0);
        }
    });
}

#[test]
fn of_several_faults_the_first_is_told() {
    for mask in 0..1_u32 << FAULTS.len() {
        let faults: Vec<&str> =
            (0..).zip(FAULTS).filter(|(at, _)| mask >> at & 1 == 1).map(|(_, fault)| fault).collect();
        let mut house = House::new();
        let (set, others) = (house.set(2, 1000), house.set(1, 1000));
        faulty(&mut house, &faults, others);
        let (name, min) = (code("faulty"), 3);
        let expected = faults.first().map(|fault| match *fault {
            "unknown" | "lapsed" => Refusal::PromocodeUnknown(name),
            "for others" => Refusal::PromocodeForOthers(name),
            "needs more" => Refusal::PromocodeNeedsMore { code: name, min },
            _ => Refusal::PromocodeUsedUp(name),
        });
        assert_eq!(house.try_order(with(set, 2, &["faulty"])).err(), expected, "{faults:?}");
        let books = if expected.is_some() { "2 vacant" } else { "2 held" };
        assert_eq!(house.books(set), books, "a refusal leaves nothing: {faults:?}");
    }
}

#[test]
fn refusals_have_the_codes_that_clients_know() {
    let name = || code("X");
    let known = [
        (Refusal::PromocodeUnknown(name()), "promocode_not_found"),
        (Refusal::PromocodeForOthers(name()), "promocode_apply_info"),
        (Refusal::PromocodeNeedsMore { code: name(), min: 2 }, "promocode_limit_min_tickets"),
        (Refusal::PromocodeForFewer { code: name(), max: 2 }, "promocode_apply_info"),
        (Refusal::PromocodeUsedUp(name()), "promocode_already_used"),
        (Refusal::PromocodeGone, "promocode_gone"),
        (Refusal::PromocodeTaken, "promocode_taken"),
    ];
    for (refusal, code) in known {
        assert_eq!(refusal.code(), code);
    }
}

#[test]
fn numbers_of_tickets_count_those_that_the_code_is_for() {
    let mut house = House::new();
    let (set, others) = (house.set(9, 1000), house.set(9, 1000));
    house.promocode("TWO", |new| {
        new.sets = vec![set];
        new.tickets_count = TicketsCount { min: Some(2), max: Some(3) };
    });
    let (few, many) = (
        Refusal::PromocodeNeedsMore { code: code("TWO"), min: 2 },
        Refusal::PromocodeForFewer { code: code("TWO"), max: 3 },
    );
    let cases = [(1, Some(few)), (2, None), (3, None), (4, Some(many))];
    for (count, refusal) in cases {
        let edit = OrderEdit { wanted: random(&[(set, count), (others, 3)]).wanted, ..codes(&["TWO"]) };
        let made = house.try_order(edit);
        assert_eq!(made.as_ref().err(), refusal.as_ref(), "{count}");
        if let Ok(made) = made {
            let off: Vec<i64> = made.order.lines.iter().map(|line| line.price.discount.minor()).collect();
            assert_eq!(off.iter().sum::<i64>(), i64::from(count) * 300, "the others cost what they cost");
            house.step(made.order.id, Step::Canceled).unwrap();
        }
    }
}

#[test]
fn an_order_without_tickets_has_nothing_that_a_code_is_for() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    house.promocode("SPRING", |_| ());
    let refusal = Refusal::PromocodeForOthers(code("SPRING"));
    assert_eq!(house.try_order(codes(&["SPRING"])).unwrap_err(), refusal);
    let order = order(&mut house, set, 1, &["SPRING"]);
    assert_eq!(house.edit(order, with(set, 0, &["SPRING"])).unwrap_err(), refusal);
    assert_eq!(house.lines(order).len(), 1);
}

#[test]
fn a_code_of_another_event_is_not_found() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let elsewhere = house.event_of(house.org).id;
    house.promocode("SPRING", |new| new.event = elsewhere);
    let refusal = house.try_order(with(set, 1, &["SPRING"])).unwrap_err();
    assert_eq!(refusal, Refusal::PromocodeUnknown(code("SPRING")));
}

#[test]
fn a_code_that_is_named_twice_counts_once() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let promocode = house.promocode("SPRING", |new| new.amount = Some(1));
    let order = order(&mut house, set, 1, &["SPRING", "spring", " Spring"]);
    assert_eq!(
        (house.found(order).promocodes.as_slice(), house.uses(promocode).as_str()),
        (&[promocode][..], "1 reserved, 0 used")
    );
}

#[test]
fn an_order_names_ten_codes_and_no_more() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let names: Vec<String> = (0..=PROMOCODES_MAX).map(|at| format!("CODE {at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for name in &names {
        house.promocode(name, |_| ());
    }
    assert_eq!(house.try_order(with(set, 1, &names)).unwrap_err(), Refusal::TooMany(PROMOCODES_MAX));
    let order = order(&mut house, set, 1, &names[1..]);
    assert_eq!(house.found(order).promocodes.len(), PROMOCODES_MAX as usize);
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
    let edit = OrderEdit { wanted: random(&[(cheap, 1), (dear, 1)]).wanted, ..codes(&["DEAR", "SUM", "PERCENT"]) };
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
    assert_eq!(house.found(order).values().full, Money::ZERO);
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
fn a_use_is_held_while_the_order_lives_and_used_up_when_it_is_paid() {
    let books = [
        (OrderState::Executed, "1 reserved, 0 used"),
        (OrderState::InProgress, "1 reserved, 0 used"),
        (OrderState::Done, "0 reserved, 1 used"),
        (OrderState::Canceled, "0 reserved, 0 used"),
        (OrderState::Expired, "0 reserved, 0 used"),
        (OrderState::Refunded, "0 reserved, 1 used"),
    ];
    for (state, expected) in books {
        let mut house = House::new();
        let set = house.set(1, 1000);
        let promocode = house.promocode("SPRING", |new| new.amount = Some(1));
        let order = order(&mut house, set, 1, &["SPRING"]);
        match state {
            OrderState::Executed => {}
            OrderState::InProgress => drop(house.step(order, Step::InProgress).unwrap()),
            OrderState::Done => drop(house.step(order, Step::Done).unwrap()),
            OrderState::Canceled => drop(house.step(order, Step::Canceled).unwrap()),
            OrderState::Expired => house.lapse(order),
            OrderState::Refunded => house.give_all_back(order),
        }
        assert_eq!(house.uses(promocode), expected, "{state}");
        let shown = house.found(order);
        let discount = if state == OrderState::Refunded { 0 } else { 300 };
        let expected = (&[promocode][..], discount);
        assert_eq!((shown.promocodes.as_slice(), shown.values().discount.minor()), expected, "{state}");
    }
}

#[test]
fn the_last_use_goes_to_one_order_and_comes_back() {
    let mut house = House::new();
    let set = house.set(2, 1000);
    let promocode = house.promocode("LAST", |new| new.amount = Some(1));
    let first = order(&mut house, set, 1, &["LAST"]);
    let second = house.order(set, 1);
    assert_eq!(house.edit(second, codes(&["LAST"])).unwrap_err(), Refusal::PromocodeUsedUp(code("LAST")));
    house.edit(first, codes(&["LAST"])).expect("what it holds already it has");
    house.edit(first, codes(&[])).unwrap();
    assert_eq!(discounts(&house, first), [0]);
    house.edit(second, codes(&["LAST"])).unwrap();
    assert_eq!(house.uses(promocode), "1 reserved, 0 used");
}

#[test]
fn the_organizer_who_cancels_an_agents_order_gives_its_uses_back() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let promocode = house.promocode("SPRING", |_| ());
    let (order, agent) = (order(&mut house, set, 1, &["SPRING"]), house.partner());
    house.hand_over(order, agent);
    assert_eq!(house.edit(order, codes(&[])).unwrap_err(), Refusal::Forbidden);
    house.step(order, Step::Canceled).unwrap();
    assert_eq!(house.uses(promocode), "0 reserved, 0 used");
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
fn a_code_that_is_named_again_needs_its_tickets_again() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    let promocode = house.promocode("THREE", at_least(3));
    let order = order(&mut house, set, 3, &["THREE"]);
    let refusal = Refusal::PromocodeNeedsMore { code: code("THREE"), min: 3 };
    assert_eq!(house.edit(order, with(set, 2, &["THREE"])).unwrap_err(), refusal);
    assert_eq!((discounts(&house, order), house.uses(promocode).as_str()), (vec![300; 3], "1 reserved, 0 used"));
}

#[test]
fn tickets_that_are_dropped_in_payment_count_no_more() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    house.promocode("THREE", at_least(3));
    let order = order(&mut house, set, 3, &["THREE"]);
    house.step(order, Step::InProgress).unwrap();
    house.edit(order, random(&[(set, 2)])).unwrap();
    assert_eq!(discounts(&house, order), [0; 2]);
}

#[test]
fn codes_are_changed_before_payment_begins_only() {
    for state in OrderState::ALL.into_iter().filter(|state| *state != OrderState::Executed) {
        let mut house = House::new();
        let set = house.set(1, 1000);
        house.promocode("SPRING", |_| ());
        let order = house.order_in(state, set);
        for named in [&["SPRING"][..], &[], &["NONE"]] {
            assert_eq!(house.edit(order, codes(named)).unwrap_err(), Refusal::OrderFinal(state));
        }
    }
}

#[test]
fn a_paid_order_keeps_the_codes_that_act_on_its_tickets() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    let (best, worse) = (house.promocode("BEST", fixed(500)), house.promocode("WORSE", fixed(400)));
    let three = house.promocode("THREE", |new| {
        fixed(900)(new);
        at_least(3)(new);
    });
    let order = order(&mut house, set, 3, &["WORSE", "THREE", "BEST"]);
    house.edit(order, random(&[(set, 2)])).unwrap();
    assert_eq!([best, worse, three].map(|id| house.uses(id)), ["1 reserved, 0 used"; 3]);
    house.step(order, Step::Done).unwrap();
    assert_eq!(house.found(order).promocodes, [best]);
    let expected = ["0 reserved, 1 used", "0 reserved, 0 used", "0 reserved, 0 used"];
    assert_eq!([best, worse, three].map(|id| house.uses(id)), expected);
}

#[test]
fn a_lifetime_says_when_a_code_is_named_first() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    let (from, to) = (NOON.plus_minutes(1), NOON.plus_minutes(2));
    house.promocode("HOUR", |new| new.lifetime = LifetimePatch { start: Patch::Set(from), finish: Patch::Set(to) });
    let unknown = Refusal::PromocodeUnknown(code("HOUR"));
    let cases = [(from.plus_ms(-1), false), (from, true), (to.plus_ms(-1), true), (to, false)];
    for (now, valid) in cases {
        house.now = now;
        let made = house.try_order(with(set, 1, &["HOUR"]));
        assert_eq!(made.as_ref().err(), (!valid).then_some(&unknown), "{now:?}");
    }
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
    house.step(order, Step::Done).unwrap();
}

#[test]
fn on_an_invitation_no_code_acts() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let promocode = house.promocode("SPRING", |_| ());
    let order = order(&mut house, set, 1, &["SPRING"]);
    house.edit(order, pays_by(PaymentSystem::Invitation)).unwrap();
    assert_eq!((discounts(&house, order), acting(&house, order)), (vec![1000], vec![None]));
    house.edit(order, pays_by(PaymentSystem::ApiBase)).unwrap();
    assert_eq!((discounts(&house, order), acting(&house, order)), (vec![300], vec![Some(promocode)]));
    let customer = house.customer("ann@example.org").customer;
    let invited = OrderEdit { customer, step: Some(Step::InProgress), ..pays_by(PaymentSystem::Invitation) };
    house.edit(order, invited).unwrap();
    assert_eq!((house.state(order), house.uses(promocode).as_str()), (OrderState::Done, "0 reserved, 0 used"));
    assert!(house.found(order).promocodes.is_empty());
}

/// An order for one ticket with a code of one use, which has expired.
fn expired(house: &mut House) -> (SetId, PromocodeId, OrderId) {
    let set = house.set(3, 1000);
    let promocode = house.promocode("LAST", |new| {
        new.amount = Some(1);
        until(NOON.plus_minutes(10))(new);
    });
    let order = order(house, set, 1, &["LAST"]);
    house.lapse(order);
    (set, promocode, order)
}

#[test]
fn late_money_takes_the_use_again_at_the_old_price() {
    let mut house = House::new();
    let (_, promocode, order) = expired(&mut house);
    assert_eq!(house.uses(promocode), "0 reserved, 0 used");
    house.step(order, Step::Done).unwrap();
    assert_eq!((house.uses(promocode).as_str(), discounts(&house, order)), ("0 reserved, 1 used", vec![300]));
    assert_eq!(house.found(order).promocodes, [promocode]);
}

#[test]
fn late_money_is_refused_where_the_use_is_gone() {
    let mut house = House::new();
    let (set, promocode, late) = expired(&mut house);
    house.now = NOON;
    let other = order(&mut house, set, 1, &["LAST"]);
    let refusal = house.step(late, Step::Done).unwrap_err();
    assert_eq!((refusal, house.state(late)), (Refusal::PromocodeGone, OrderState::Expired));
    assert_eq!(house.books(set), "2 vacant, 1 held", "its ticket is not taken either");
    house.step(other, Step::Canceled).unwrap();
    house.step(late, Step::Done).unwrap();
    assert_eq!(house.uses(promocode), "0 reserved, 1 used");
}

#[test]
fn late_money_needs_the_uses_that_act_and_forgets_the_others() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    let (best, worse) = (house.promocode("BEST", fixed(500)), house.promocode("WORSE", |new| new.amount = Some(1)));
    let late = order(&mut house, set, 1, &["WORSE", "BEST"]);
    house.lapse(late);
    order(&mut house, set, 1, &["WORSE"]);
    house.step(late, Step::Done).unwrap();
    assert_eq!((house.uses(best), house.uses(worse)), ("0 reserved, 1 used".into(), "1 reserved, 0 used".into()));
    assert_eq!(house.found(late).promocodes, [best]);
}

#[test]
fn of_late_money_tickets_are_looked_at_first() {
    let mut house = House::new();
    let (set, _, late) = expired(&mut house);
    house.now = NOON;
    order(&mut house, set, 3, &["LAST"]);
    assert_eq!(house.step(late, Step::Done).unwrap_err(), Refusal::TicketsGone);
}

/// Names codes, and leaves out those that cannot be used.
fn leave_out(house: &mut House, order: OrderId, count: Option<(SetId, u32)>, named: &[&str]) -> OrderOutcome {
    let wanted = count.and_then(|count| random(&[count]).wanted);
    house.edit(order, OrderEdit { wanted, unusable: Unusable::LeaveOut, ..codes(named) }).expect("none is refused")
}

#[test]
fn codes_that_cannot_be_used_are_left_out_where_that_is_wanted() {
    let mut house = House::new();
    let (set, others) = (house.set(2, 1000), house.set(1, 1000));
    let good = house.promocode("GOOD", |_| ());
    house.promocode("OTHERS", |new| new.sets = vec![others]);
    house.promocode("THREE", at_least(3));
    house.promocode("GONE", |new| new.amount = Some(0));
    let order = house.order(set, 2);
    let outcome = leave_out(&mut house, order, None, &["none", "GONE", "GOOD", "NONE", "THREE", "OTHERS"]);
    let expected = [
        Refusal::PromocodeUnknown(code("none")),
        Refusal::PromocodeUsedUp(code("GONE")),
        Refusal::PromocodeNeedsMore { code: code("THREE"), min: 3 },
        Refusal::PromocodeForOthers(code("OTHERS")),
    ];
    assert_eq!(outcome.left_out, expected);
    assert_eq!((outcome.order.promocodes.as_slice(), discounts(&house, order)), (&[good][..], vec![300; 2]));
}

#[test]
fn a_held_code_that_is_left_out_gives_its_use_back() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    let promocode = house.promocode("THREE", at_least(3));
    let order = order(&mut house, set, 3, &["THREE"]);
    let outcome = leave_out(&mut house, order, Some((set, 2)), &["THREE"]);
    assert_eq!(outcome.left_out, [Refusal::PromocodeNeedsMore { code: code("THREE"), min: 3 }]);
    assert_eq!((outcome.order.promocodes, house.uses(promocode).as_str()), (Vec::new(), "0 reserved, 0 used"));
    assert_eq!(discounts(&house, order), [0; 2]);
}

#[test]
fn leaving_out_does_not_open_an_order_that_is_closed() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let order = house.order_in(OrderState::InProgress, set);
    let edit = OrderEdit { unusable: Unusable::LeaveOut, ..codes(&["NONE"]) };
    assert_eq!(house.edit(order, edit).unwrap_err(), Refusal::OrderFinal(OrderState::InProgress));
}

#[test]
fn the_price_of_a_promocode_that_ends_early_stays_promised() {
    let mut house = House::new();
    let set = house.set(2, 1000);
    let promocode = house.promocode("SPRING", |_| ());
    let order = order(&mut house, set, 1, &["SPRING"]);
    let lifetime = Patch::Set(LifetimePatch { start: Patch::Keep, finish: Patch::Set(house.now) });
    let unchanged = UpdatePromocode::keeping(house.event, promocode);
    let end = UpdatePromocode { amount: Patch::Set(1), lifetime, ..unchanged };
    house.give(&house.organizer(), &end).unwrap();
    house.edit(order, random(&[(set, 2)])).unwrap();
    house.step(order, Step::Done).unwrap();
    assert_eq!(discounts(&house, order), [300; 2]);
}

#[test]
fn a_request_that_did_not_know_of_a_code_looks_again() {
    let mut house = House::new();
    let set = house.set(2, 1000);
    let promocode = house.promocode("TWO", at_least(2));
    let order = order(&mut house, set, 2, &["TWO"]);
    house.edit(order, random(&[(set, 1)])).unwrap();
    house.view.promocodes.remove(promocode);
    house.view.accept();
    let edits = [
        random(&[(set, 2)]),
        tickets(&[]),
        codes(&[]),
        pays_by(PaymentSystem::ApiBase),
        steps(Step::Done),
        steps(Step::Canceled),
    ];
    for edit in edits {
        let update = house.update_of(order, edit.clone());
        assert_eq!(house.rehearse(&house.organizer(), &update).unwrap_err(), Refusal::Stale, "{edit:?}");
    }
    let pay = house.update_of(order, steps(Step::InProgress));
    house.rehearse(&house.organizer(), &pay).expect("this has nothing to do with codes");
}
