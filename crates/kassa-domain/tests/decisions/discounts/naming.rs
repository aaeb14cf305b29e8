//! Which codes an order may name, and when.

use kassa_domain::order::{
    OrderEdit, OrderId, OrderOutcome, OrderStatusKind, OrderTransition, PROMOCODES_MAX, PaymentSystem,
    UnusablePromocodePolicy,
};
use kassa_domain::promocode::{LifetimePatch, TicketCountLimits};
use kassa_domain::set::SetId;
use kassa_domain::{Patch, Refusal};

use super::{at_least, code, discounts, order, with};
use crate::fixture::{Fixture, NOON, codes, pays_by, random, steps, tickets};

/// What can be wrong with a promocode, in the order in which it is looked at.
const FAULTS: [&str; 5] = ["unknown", "lapsed", "for others", "needs more", "used up"];

/// The promocode FAULTY with these faults, for an order of two tickets.
fn faulty(fixture: &mut Fixture, faults: &[&str], others: SetId) {
    let has = |fault| faults.contains(&fault);
    fixture.promocode(if has("unknown") { "ANOTHER" } else { "FAULTY" }, |new| {
        if has("lapsed") {
            new.lifetime.finish = Patch::Set(NOON);
        }
        if has("for others") {
            new.sets = vec![others];
        }
        if has("needs more") {
            new.ticket_count_limits.min = Some(3);
        }
        if has("used up") {
            new.uses_limit = Some(0);
        }
    });
}

#[test]
fn of_several_faults_the_first_is_told() {
    for mask in 0..1_u32 << FAULTS.len() {
        let faults: Vec<&str> =
            (0..).zip(FAULTS).filter(|(at, _)| mask >> at & 1 == 1).map(|(_, fault)| fault).collect();
        let mut fixture = Fixture::new();
        let (set, others) = (fixture.set(2, 1000), fixture.set(1, 1000));
        faulty(&mut fixture, &faults, others);
        let (name, min) = (code("faulty"), 3);
        let expected = faults.first().map(|fault| match *fault {
            "unknown" | "lapsed" => Refusal::PromocodeUnknown(name),
            "for others" => Refusal::PromocodeNotApplicable(name),
            "needs more" => Refusal::PromocodeTooFewTickets { code: name, min },
            _ => Refusal::PromocodeUsedUp(name),
        });
        assert_eq!(fixture.try_order(with(set, 2, &["faulty"])).err(), expected, "{faults:?}");
        let books = if expected.is_some() { "2 vacant" } else { "2 held" };
        assert_eq!(fixture.books(set), books, "a refusal leaves nothing: {faults:?}");
    }
}

#[test]
fn refusals_have_the_codes_that_clients_know() {
    let name = || code("X");
    let known = [
        (Refusal::PromocodeUnknown(name()), "promocode_not_found"),
        (Refusal::PromocodeNotApplicable(name()), "promocode_apply_info"),
        (Refusal::PromocodeTooFewTickets { code: name(), min: 2 }, "promocode_limit_min_tickets"),
        (Refusal::PromocodeTooManyTickets { code: name(), max: 2 }, "promocode_apply_info"),
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
    let mut fixture = Fixture::new();
    let (set, others) = (fixture.set(9, 1000), fixture.set(9, 1000));
    fixture.promocode("TWO", |new| {
        new.sets = vec![set];
        new.ticket_count_limits = TicketCountLimits { min: Some(2), max: Some(3) };
    });
    let (few, many) = (
        Refusal::PromocodeTooFewTickets { code: code("TWO"), min: 2 },
        Refusal::PromocodeTooManyTickets { code: code("TWO"), max: 3 },
    );
    let cases = [(1, Some(few)), (2, None), (3, None), (4, Some(many))];
    for (count, refusal) in cases {
        let edit = OrderEdit { selection: random(&[(set, count), (others, 3)]).selection, ..codes(&["TWO"]) };
        let made = fixture.try_order(edit);
        assert_eq!(made.as_ref().err(), refusal.as_ref(), "{count}");
        if let Ok(made) = made {
            let off: Vec<i64> = made.order.lines.iter().map(|line| line.price.discount.minor()).collect();
            assert_eq!(off.iter().sum::<i64>(), i64::from(count) * 300, "the others cost what they cost");
            fixture.step(made.order.id, OrderTransition::Canceled).unwrap();
        }
    }
}

#[test]
fn an_order_without_tickets_has_nothing_that_a_code_is_for() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    fixture.promocode("SPRING", |_| ());
    let refusal = Refusal::PromocodeNotApplicable(code("SPRING"));
    assert_eq!(fixture.try_order(codes(&["SPRING"])).unwrap_err(), refusal);
    let order = order(&mut fixture, set, 1, &["SPRING"]);
    assert_eq!(fixture.edit(order, with(set, 0, &["SPRING"])).unwrap_err(), refusal);
    assert_eq!(fixture.lines(order).len(), 1);
}

#[test]
fn a_code_of_another_event_is_not_found() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let elsewhere = fixture.event_of(fixture.org).id;
    fixture.promocode("SPRING", |new| new.event = elsewhere);
    let refusal = fixture.try_order(with(set, 1, &["SPRING"])).unwrap_err();
    assert_eq!(refusal, Refusal::PromocodeUnknown(code("SPRING")));
}

#[test]
fn a_code_that_is_named_twice_counts_once() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let promocode = fixture.promocode("SPRING", |new| new.uses_limit = Some(1));
    let order = order(&mut fixture, set, 1, &["SPRING", "spring", " Spring"]);
    assert_eq!(
        (fixture.found(order).promocodes.as_slice(), fixture.uses(promocode).as_str()),
        (&[promocode][..], "1 reserved, 0 used")
    );
}

#[test]
fn a_code_and_its_id_are_one_use() {
    for end in [OrderTransition::Canceled, OrderTransition::Paid] {
        let mut fixture = Fixture::new();
        let set = fixture.set(2, 1000);
        let promocode = fixture.promocode("SPRING", |new| new.uses_limit = Some(1));
        let order = order(&mut fixture, set, 1, &["SPRING"]);
        fixture.edit(order, codes(&["SPRING", &promocode.to_string()])).unwrap();
        assert_eq!(fixture.found(order).promocodes, [promocode]);
        fixture.step(order, end).unwrap();
        let used = if end == OrderTransition::Paid { "0 reserved, 1 used" } else { "0 reserved, 0 used" };
        assert_eq!(fixture.uses(promocode), used);
    }
}

#[test]
fn an_order_names_ten_codes_and_no_more() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let names: Vec<String> = (0..=PROMOCODES_MAX).map(|at| format!("CODE {at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for name in &names {
        fixture.promocode(name, |_| ());
    }
    assert_eq!(
        fixture.try_order(with(set, 1, &names)).unwrap_err(),
        Refusal::TooMany { what: "promocodes in one order", max: PROMOCODES_MAX }
    );
    let order = order(&mut fixture, set, 1, &names[1..]);
    assert_eq!(fixture.found(order).promocodes.len(), PROMOCODES_MAX as usize);
}

#[test]
fn a_code_that_is_named_again_needs_its_tickets_again() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let promocode = fixture.promocode("THREE", at_least(3));
    let order = order(&mut fixture, set, 3, &["THREE"]);
    let refusal = Refusal::PromocodeTooFewTickets { code: code("THREE"), min: 3 };
    assert_eq!(fixture.edit(order, with(set, 2, &["THREE"])).unwrap_err(), refusal);
    assert_eq!((discounts(&fixture, order), fixture.uses(promocode).as_str()), (vec![300; 3], "1 reserved, 0 used"));
}

#[test]
fn codes_are_changed_before_payment_begins_only() {
    for state in OrderStatusKind::ALL.into_iter().filter(|state| *state != OrderStatusKind::Reserved) {
        let mut fixture = Fixture::new();
        let set = fixture.set(1, 1000);
        fixture.promocode("SPRING", |_| ());
        let order = fixture.order_in(state, set);
        // It names none: that it should go on doing so is no change.
        fixture.edit(order, codes(&[])).unwrap();
        for named in [&["SPRING"][..], &["NONE"]] {
            assert_eq!(fixture.edit(order, codes(named)).unwrap_err(), Refusal::OrderFinal(state));
        }
    }
}

#[test]
fn the_same_codes_change_nothing_under_their_ids_and_in_any_state() {
    for step in [None, Some(OrderTransition::AwaitingPayment), Some(OrderTransition::Paid)] {
        let mut fixture = Fixture::new();
        let set = fixture.set(2, 1000);
        let (one, two) = (fixture.promocode("ONE", |_| ()), fixture.promocode("TWO", |_| ()));
        let order = order(&mut fixture, set, 2, &["ONE"]);
        if let Some(step) = step {
            fixture.step(order, step).unwrap();
        }
        let state = fixture.found(order).state();
        let before = (fixture.found(order).clone(), fixture.uses(one), fixture.uses(two));
        for named in ["ONE", "one", &one.to_string()] {
            fixture.edit(order, codes(&[named])).unwrap();
            assert_eq!((fixture.found(order).clone(), fixture.uses(one), fixture.uses(two)), before, "{state} {named}");
        }
        // Only its own codes are known by their ids: nobody uses a code that it was not told.
        let refusal = fixture.edit(order, codes(&[&two.to_string()])).unwrap_err();
        let unknown = Refusal::PromocodeUnknown(code(&two.to_string()));
        let expected = if state == OrderStatusKind::Reserved { unknown } else { Refusal::OrderFinal(state) };
        assert_eq!(refusal, expected);
    }
}

#[test]
fn a_lifetime_says_when_a_code_is_named_first() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let (from, to) = (NOON.plus_minutes(1), NOON.plus_minutes(2));
    fixture.promocode("HOUR", |new| new.lifetime = LifetimePatch { start: Patch::Set(from), finish: Patch::Set(to) });
    let unknown = Refusal::PromocodeUnknown(code("HOUR"));
    let cases = [(from.plus_ms(-1), false), (from, true), (to.plus_ms(-1), true), (to, false)];
    for (now, valid) in cases {
        fixture.now = now;
        let made = fixture.try_order(with(set, 1, &["HOUR"]));
        assert_eq!(made.as_ref().err(), (!valid).then_some(&unknown), "{now:?}");
    }
}

/// Names codes, and leaves out those that cannot be used.
fn leave_out(fixture: &mut Fixture, order: OrderId, count: Option<(SetId, u32)>, named: &[&str]) -> OrderOutcome {
    let wanted = count.and_then(|count| random(&[count]).selection);
    fixture
        .edit(
            order,
            OrderEdit { selection: wanted, on_unusable_promocode: UnusablePromocodePolicy::LeaveOut, ..codes(named) },
        )
        .expect("none is refused")
}

#[test]
fn codes_that_cannot_be_used_are_left_out_where_that_is_wanted() {
    let mut fixture = Fixture::new();
    let (set, others) = (fixture.set(2, 1000), fixture.set(1, 1000));
    let good = fixture.promocode("GOOD", |_| ());
    fixture.promocode("OTHERS", |new| new.sets = vec![others]);
    fixture.promocode("THREE", at_least(3));
    fixture.promocode("GONE", |new| new.uses_limit = Some(0));
    let order = fixture.order(set, 2);
    let outcome = leave_out(&mut fixture, order, None, &["none", "GONE", "GOOD", "NONE", "THREE", "OTHERS"]);
    let expected = [
        Refusal::PromocodeUnknown(code("none")),
        Refusal::PromocodeUsedUp(code("GONE")),
        Refusal::PromocodeTooFewTickets { code: code("THREE"), min: 3 },
        Refusal::PromocodeNotApplicable(code("OTHERS")),
    ];
    assert_eq!(outcome.refused_promocodes, expected);
    assert_eq!((outcome.order.promocodes.as_slice(), discounts(&fixture, order)), (&[good][..], vec![300; 2]));
}

#[test]
fn a_held_code_that_is_left_out_gives_its_use_back() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let promocode = fixture.promocode("THREE", at_least(3));
    let order = order(&mut fixture, set, 3, &["THREE"]);
    let outcome = leave_out(&mut fixture, order, Some((set, 2)), &["THREE"]);
    assert_eq!(outcome.refused_promocodes, [Refusal::PromocodeTooFewTickets { code: code("THREE"), min: 3 }]);
    assert_eq!((outcome.order.promocodes, fixture.uses(promocode).as_str()), (Vec::new(), "0 reserved, 0 used"));
    assert_eq!(discounts(&fixture, order), [0; 2]);
}

#[test]
fn leaving_out_does_not_open_an_order_that_is_closed() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let order = fixture.order_in(OrderStatusKind::AwaitingPayment, set);
    let edit = OrderEdit { on_unusable_promocode: UnusablePromocodePolicy::LeaveOut, ..codes(&["NONE"]) };
    assert_eq!(fixture.edit(order, edit).unwrap_err(), Refusal::OrderFinal(OrderStatusKind::AwaitingPayment));
}

#[test]
fn a_request_that_did_not_know_of_a_code_looks_again() {
    let mut fixture = Fixture::new();
    let set = fixture.set(2, 1000);
    let promocode = fixture.promocode("TWO", at_least(2));
    let order = order(&mut fixture, set, 2, &["TWO"]);
    fixture.edit(order, random(&[(set, 1)])).unwrap();
    fixture.view.promocodes.remove(promocode);
    fixture.view.accept_changes();
    let edits = [
        random(&[(set, 2)]),
        tickets(&[]),
        codes(&[]),
        pays_by(PaymentSystem::CollectedByVendor),
        steps(OrderTransition::Paid),
        steps(OrderTransition::Canceled),
    ];
    for edit in edits {
        let update = fixture.update_of(order, edit.clone());
        assert_eq!(fixture.rehearse(&fixture.organizer(), &update).unwrap_err(), Refusal::Stale, "{edit:?}");
    }
    let pay = fixture.update_of(order, steps(OrderTransition::AwaitingPayment));
    fixture.rehearse(&fixture.organizer(), &pay).expect("this has nothing to do with codes");
}
