//! Prices in time.

use kassa_domain::order::OrderStatusKind;
use kassa_domain::set::{CreateSet, PriceRule, RequestedPriceRule, SetId, TicketSet};
use kassa_domain::{Money, Patch, Refusal, Timestamp, Window};

use crate::fixture::{END, Fixture, NOON, random};

/// A wish for a price from one minute after noon to another.
fn wish(from: u32, to: u32, price: i64) -> RequestedPriceRule {
    let at = |minute| Some(NOON.plus_minutes(minute));
    RequestedPriceRule { id: None, start: at(from), finish: at(to), price: Money::from_minor(price) }
}

fn make(fixture: &mut Fixture, rules: Vec<RequestedPriceRule>) -> Result<SetId, Refusal> {
    let command = CreateSet { amount: 5, rules, ..CreateSet::empty(fixture.event) };
    fixture.give(&fixture.organizer(), &command).map(|set| set.id)
}

fn set_rules(fixture: &mut Fixture, set: SetId, rules: Vec<RequestedPriceRule>) -> Result<TicketSet, Refusal> {
    fixture.change_set(set, |change| change.rules = Some(rules))
}

/// The rules as an organizer would send them back: each with its id.
fn echo(rules: &[PriceRule]) -> Vec<RequestedPriceRule> {
    let wish = |rule: &PriceRule| RequestedPriceRule {
        id: Some(rule.id),
        start: Some(rule.window.start),
        finish: rule.window.finish,
        price: rule.price,
    };
    rules.iter().map(wish).collect()
}

fn prices(set: &TicketSet) -> Vec<(Timestamp, Option<Timestamp>, i64)> {
    let shown = |rule: &PriceRule| (rule.window.start, rule.window.finish, rule.price.minor());
    set.rules.iter().map(shown).collect()
}

/// The price that is shown, in cents; nothing costs nothing.
fn price_at(set: &TicketSet, now: Timestamp) -> i64 {
    set.shown_rule(now).map_or(0, |rule| rule.price.minor())
}

#[test]
fn a_plain_price_holds_from_now_to_the_end_of_the_event() {
    let mut fixture = Fixture::new();
    fixture.pass_minutes(5);
    fixture.now = fixture.now.plus_ms(678);
    let set = fixture.set(1, 1000);
    assert_eq!(prices(fixture.row(set)), [(NOON.plus_minutes(5), Some(END), 1000)], "in whole seconds");
}

#[test]
fn a_plain_price_moves_with_the_end_of_the_event() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let fixed = make(&mut fixture, vec![wish(0, 60, 1000)]).unwrap();
    let ends = [Some(END.plus_minutes(60)), Some(NOON.plus_minutes(30)), None, Some(END)];
    for finish in ends {
        fixture.change_event(|event| event.lifetime = Patch::Set(Window { start: NOON, finish })).unwrap();
        assert_eq!(fixture.row(set).rules[0].window.finish, finish);
        assert_eq!(fixture.row(fixed).rules[0].window.finish, Some(NOON.plus_minutes(60)));
    }
}

#[test]
fn the_price_shown_is_the_current_else_the_next_else_the_last() {
    let mut fixture = Fixture::new();
    let set = make(&mut fixture, vec![wish(30, 40, 300), wish(10, 20, 200)]).unwrap();
    let cases = [(0, None, 200), (10, Some(200), 200), (20, None, 300), (30, Some(300), 300), (40, None, 300)];
    for (minute, current, shown) in cases {
        let (set, now) = (fixture.row(set), NOON.plus_minutes(minute));
        assert_eq!(set.current_rule(now).map(|rule| rule.price.minor()), current, "{minute}");
        assert_eq!(price_at(set, now), shown, "{minute}");
    }
}

#[test]
fn the_set_sells_at_the_price_of_the_moment_only() {
    let mut fixture = Fixture::new();
    let set = make(&mut fixture, vec![wish(10, 20, 200), wish(20, 30, 300)]).unwrap();
    for (minute, expected) in [(0, vec![]), (10, vec![200]), (20, vec![300]), (30, vec![])] {
        fixture.now = NOON.plus_minutes(minute);
        let order = fixture.try_order(random(&[(set, 1)])).unwrap().order;
        let prices: Vec<i64> = order.lines.iter().map(|line| line.price.price.minor()).collect();
        assert_eq!(prices, expected, "{minute}");
    }
}

#[test]
fn rules_that_overlap_are_refused_and_those_that_touch_are_not() {
    let open = RequestedPriceRule { finish: None, ..wish(5, 0, 300) };
    let cases = [
        (vec![wish(0, 10, 100), wish(9, 20, 200)], Err(Refusal::RulesOverlap)),
        (vec![wish(0, 30, 100), wish(10, 20, 200)], Err(Refusal::RulesOverlap)),
        (vec![wish(0, 10, 100), wish(0, 10, 100)], Err(Refusal::RulesOverlap)),
        (vec![wish(0, 10, 100), open.clone()], Err(Refusal::RulesOverlap)),
        (vec![wish(10, 20, 200), wish(0, 10, 100)], Ok(())),
        (vec![open, wish(0, 5, 100)], Ok(())),
    ];
    for (rules, expected) in cases {
        let mut fixture = Fixture::new();
        let set = fixture.set(1, 1000);
        assert_eq!(set_rules(&mut fixture, set, rules.clone()).map(drop), expected, "{rules:?}");
        assert_eq!(make(&mut fixture, rules).map(drop), expected);
    }
}

#[test]
fn a_new_price_ends_the_rule_in_force_and_adds_one_from_now() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    fixture.order(set, 1);
    fixture.pass_minutes(10);
    let changed = fixture.reprice(set, 1500);
    let now = fixture.now;
    assert_eq!(prices(&changed), [(NOON, Some(now), 1000), (now, Some(END), 1500)]);
    let later = Window { start: NOON, finish: Some(END.plus_minutes(9)) };
    fixture.change_event(|event| event.lifetime = Patch::Set(later)).unwrap();
    assert_eq!(prices(fixture.row(set)), [(NOON, Some(now), 1000), (now, later.finish, 1500)]);
}

#[test]
fn a_new_price_lasts_as_long_as_the_one_that_it_ends() {
    let mut fixture = Fixture::new();
    let set = make(&mut fixture, vec![wish(0, 20, 200), wish(30, 40, 400)]).unwrap();
    fixture.pass_minutes(10);
    let at = |minute| NOON.plus_minutes(minute);
    let expected = [(at(0), Some(at(10)), 200), (at(10), Some(at(20)), 250), (at(30), Some(at(40)), 400)];
    assert_eq!(prices(&fixture.reprice(set, 250)), expected);
}

#[test]
fn a_new_price_between_two_rules_lasts_until_the_next() {
    let mut fixture = Fixture::new();
    let set = make(&mut fixture, vec![wish(0, 10, 200), wish(30, 40, 400)]).unwrap();
    fixture.pass_minutes(20);
    let at = |minute| NOON.plus_minutes(minute);
    let expected = [(at(0), Some(at(10)), 200), (at(20), Some(at(30)), 250), (at(30), Some(at(40)), 400)];
    assert_eq!(prices(&fixture.reprice(set, 250)), expected);
}

#[test]
fn a_price_that_never_held_leaves_no_trace_unless_it_has_sold() {
    for (sells, expected) in [(false, vec![1500]), (true, vec![1000, 1500])] {
        let mut fixture = Fixture::new();
        let set = fixture.set(2, 1000);
        if sells {
            fixture.order(set, 1);
        }
        let changed = fixture.reprice(set, 1500);
        let left: Vec<i64> = changed.rules.iter().map(|rule| rule.price.minor()).collect();
        assert_eq!(left, expected);
        assert_eq!(price_at(&changed, fixture.now), 1500);
    }
}

#[test]
fn a_price_from_a_day_on_ends_also_what_has_sold() {
    let mut fixture = Fixture::new();
    let set = fixture.set(2, 1000);
    fixture.order(set, 1);
    let from = fixture.now.plus_minutes(10);
    let mut price = |minor, from: Timestamp| {
        fixture.change_set(set, |change| {
            (change.price, change.price_from) = (Some(Money::from_minor(minor)), Some(from));
        })
    };
    let changed = price(1500, from).unwrap();
    let end = changed.rules[1].window.finish;
    let spans: Vec<_> = changed.rules.iter().map(|rule| (rule.price.minor(), rule.window.finish)).collect();
    assert_eq!(spans, [(1000, Some(from)), (1500, end)]);
    // Said again, and said of a time at which it holds already, it changes nothing.
    assert_eq!(price(1500, from).unwrap(), changed);
    assert_eq!(price(1500, from.plus_minutes(1)).unwrap(), changed);
    assert_eq!(price(1700, END.plus_minutes(1)).unwrap_err(), Refusal::RuleEmpty);
    let now = price(1800, Timestamp::from_ms(0)).unwrap();
    assert_eq!((price_at(&now, fixture.now), price_at(&now, from)), (1800, 1500), "what is over is now");
}

#[test]
fn a_rule_that_has_sold_is_never_changed() {
    for state in [OrderStatusKind::Reserved, OrderStatusKind::Paid] {
        let mut fixture = Fixture::new();
        let set = make(&mut fixture, vec![wish(0, 10, 200), wish(10, 20, 300)]).unwrap();
        fixture.order_in(state, set);
        let own = echo(&fixture.row(set).rules);
        let (sold, next) = (own[0].clone(), own[1].clone());
        let longer = RequestedPriceRule { finish: Some(NOON.plus_minutes(9)), ..sold.clone() };
        let dearer = RequestedPriceRule { price: Money::from_minor(201), ..sold.clone() };
        for rules in [vec![], vec![next.clone()], vec![longer, next.clone()], vec![dearer]] {
            assert_eq!(set_rules(&mut fixture, set, rules).unwrap_err(), Refusal::RuleSold);
        }
        let before = fixture.row(set).rules[0].clone();
        let nameless = RequestedPriceRule { id: None, ..sold.clone() };
        set_rules(&mut fixture, set, vec![nameless, wish(10, 30, 350)]).unwrap();
        assert_eq!(fixture.row(set).rules[0], before, "without its id it is known by what it says");
        set_rules(&mut fixture, set, vec![sold]).unwrap();
        assert_eq!(fixture.row(set).rules, [before]);
    }
}

#[test]
fn rules_that_are_sent_back_as_they_are_stay_as_they_are() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let before = fixture.row(set).rules.clone();
    fixture.pass_minutes(1);
    set_rules(&mut fixture, set, echo(&before)).unwrap();
    assert_eq!(fixture.row(set).rules, before);
    assert!(before[0].ends_with_event, "and still move with the end of the event");
}

#[test]
fn a_rule_that_has_not_sold_can_be_changed_and_keeps_its_id() {
    let mut fixture = Fixture::new();
    let set = make(&mut fixture, vec![wish(0, 10, 200)]).unwrap();
    let id = fixture.row(set).rules[0].id;
    let changed = RequestedPriceRule { id: Some(id), ..wish(5, 30, 900) };
    set_rules(&mut fixture, set, vec![changed]).unwrap();
    let expected = (NOON.plus_minutes(5), Some(NOON.plus_minutes(30)), 900);
    assert_eq!((fixture.row(set).rules[0].id, prices(fixture.row(set))), (id, vec![expected]));
}

#[test]
fn a_longer_event_never_makes_rules_overlap() {
    let mut fixture = Fixture::new();
    let until_end = RequestedPriceRule { finish: None, ..wish(0, 0, 200) };
    let after = RequestedPriceRule { start: Some(END), finish: Some(END.plus_minutes(60)), ..wish(0, 0, 300) };
    let set = make(&mut fixture, vec![until_end, after]).unwrap();
    let before = fixture.row(set).clone();
    let longer = Window { start: NOON, finish: Some(END.plus_minutes(30)) };
    let refusal = fixture.change_event(|event| event.lifetime = Patch::Set(longer)).unwrap_err();
    assert_eq!((refusal, fixture.row(set)), (Refusal::RulesOverlap, &before));
}

#[test]
fn an_event_whose_price_was_changed_after_its_end_can_be_prolonged() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    fixture.now = END.plus_minutes(1);
    fixture.reprice(set, 1500);
    let longer = Window { start: NOON, finish: Some(END.plus_minutes(60)) };
    fixture.change_event(|event| event.lifetime = Patch::Set(longer)).unwrap();
    assert_eq!(price_at(fixture.row(set), fixture.now), 1500);
}

#[test]
fn the_sets_of_an_event_have_so_many_price_rules_together() {
    let mut fixture = Fixture::new();
    let rules = |count: u32| (0..count).map(|at| wish(at, at + 1, 100)).collect::<Vec<_>>();
    let full: Vec<SetId> = (0..50).map(|_| make(&mut fixture, rules(100)).unwrap()).collect();
    let refusal = Refusal::TooMany { what: "price rules of one event", max: 5_000 };
    assert_eq!(make(&mut fixture, rules(1)).unwrap_err(), refusal);
    let empty = make(&mut fixture, Vec::new()).unwrap();
    assert_eq!(set_rules(&mut fixture, empty, rules(1)).unwrap_err(), refusal);
    set_rules(&mut fixture, full[0], rules(99)).unwrap();
    set_rules(&mut fixture, empty, rules(1)).unwrap();
    // One that stays as it is, or has fewer, is never refused.
    set_rules(&mut fixture, full[1], rules(100)).unwrap();
}
