//! What comes with an order: its vendor's notes, who comes with its tickets, and a hold that is made
//! shorter.

use kassa_domain::order::{
    CustomerPatch, OrderEdit, OrderId, OrderNotesPatch, OrderStatusKind, OrderTransition, SetVisitors,
    VENDOR_DATA_ENTRIES_MAX, VendorDataValue, VisitorDetails,
};
use kassa_domain::ticket::TicketId;
use kassa_domain::{Actor, Id, Patch, Refusal, Timestamp};

use crate::house::{House, tickets};

fn visiting(name: &str) -> VisitorDetails {
    let [user_id, name, surname] = [name, name, "Fox"].map(str::to_owned);
    VisitorDetails { user_id, name, surname, middle_name: None }
}

impl House {
    fn visit(&mut self, order: OrderId, visitors: &[(Option<TicketId>, &str)]) -> Result<(), Refusal> {
        let visitors = visitors.iter().map(|(ticket, name)| (*ticket, visiting(name))).collect();
        self.give(&self.organizer(), &SetVisitors { order, visitors })
    }

    /// Who comes with each ticket of an order, in turn.
    fn visitors(&self, order: OrderId) -> Vec<&str> {
        let order = self.found(order);
        let name = |ticket| order.notes.visitor_of(ticket).map_or("", |visitor| visitor.name.as_str());
        order.lines.iter().map(|line| name(line.ticket)).collect()
    }

    fn hold_till(&mut self, order: OrderId, till: Timestamp) -> Result<(), Refusal> {
        self.edit(order, OrderEdit { hold_till: Some(till), ..OrderEdit::default() }).map(drop)
    }
}

#[test]
fn who_names_no_ticket_gets_what_is_left() {
    let mut house = House::new();
    let set = house.set(9, 1000);
    let order = house.order(set, 3);
    let lines = house.lines(order);
    house.visit(order, &[(None, "Ann"), (Some(lines[0]), "Bob"), (None, "Cid")]).unwrap();
    assert_eq!(house.visitors(order), ["Bob", "Ann", "Cid"]);
    house.visit(order, &[(Some(lines[2]), "Dan")]).unwrap();
    assert_eq!(house.visitors(order), ["", "", "Dan"]);
    house.visit(order, &[]).unwrap();
    assert_eq!(house.visitors(order), ["", "", ""]);
}

#[test]
fn visitors_are_refused_in_this_order() {
    let mut house = House::new();
    let set = house.set(9, 1000);
    let (order, others) = (house.order(set, 1), house.order(set, 1));
    let (own, other) = (house.lines(order)[0], house.lines(others)[0]);
    let unknown: OrderId = Id::with_tag(house.event.tag(), 7);
    assert_eq!(house.visit(unknown, &[]), Err(Refusal::OrderUnknown(unknown.to_string())));
    let stranger = Actor::Partner(Id::root(99));
    let command = SetVisitors { order, visitors: Vec::new() };
    assert_eq!(house.give(&stranger, &command), Err(Refusal::OrderUnknown(order.to_string())));
    assert_eq!(house.give(&Actor::Anonymous, &command), Err(Refusal::CredentialRequired));
    assert_eq!(
        house.visit(order, &[(None, "A"), (Some(other), "B")]),
        Err(Refusal::TooMany { what: "visitors of this order, one for each ticket", max: 1 })
    );
    assert_eq!(house.visit(order, &[(Some(other), "A")]), Err(Refusal::TicketNotInOrder(other)));
    let two = house.order(set, 2);
    let twice = house.lines(two)[0];
    assert_eq!(house.visit(two, &[(Some(twice), "A"), (Some(twice), "B")]), Err(Refusal::DuplicateTicket(twice)));
    for state in
        [OrderStatusKind::AwaitingPayment, OrderStatusKind::Paid, OrderStatusKind::Canceled, OrderStatusKind::Expired]
    {
        let order = house.order_in(state, set);
        assert_eq!(house.visit(order, &[(Some(own), "A")]), Err(Refusal::OrderFinal(state)));
    }
}

#[test]
fn a_visitor_leaves_with_its_ticket_and_moves_with_late_money() {
    let mut house = House::new();
    let set = house.set(5, 1000);
    let order = house.order(set, 3);
    let lines = house.lines(order);
    house.visit(order, &[(None, "Ann"), (None, "Bob"), (None, "Cid")]).unwrap();
    house.edit(order, tickets(&lines[1..])).unwrap();
    assert_eq!(house.visitors(order), ["Bob", "Cid"]);
    house.lapse(order);
    house.try_order(tickets(&lines[1..2])).unwrap();
    house.step(order, OrderTransition::Paid).unwrap();
    assert_ne!(house.lines(order)[0], lines[1], "another ticket came in its place");
    assert_eq!(house.visitors(order), ["Bob", "Cid"]);
}

#[test]
fn a_vendor_keeps_so_many_entries_and_no_more() {
    let mut house = House::new();
    let set = house.set(5, 1000);
    let order = house.order(set, 1);
    let entries =
        |from: u32, to: u32| (from..to).map(|at| (format!("k{at:02}"), Some(VendorDataValue::Number(1)))).collect();
    let raw = |raw: Vec<(String, Option<VendorDataValue>)>| {
        let notes = OrderNotesPatch { raw: Patch::Set(raw), ..OrderNotesPatch::default() };
        OrderEdit { notes: Some(notes), ..OrderEdit::default() }
    };
    house.edit(order, raw(entries(0, VENDOR_DATA_ENTRIES_MAX))).unwrap();
    assert_eq!(
        house.edit(order, raw(entries(VENDOR_DATA_ENTRIES_MAX, VENDOR_DATA_ENTRIES_MAX + 1))).unwrap_err(),
        Refusal::TooMany { what: "entries in vendor_data.raw", max: VENDOR_DATA_ENTRIES_MAX }
    );
    let mut exchange: Vec<_> = entries(VENDOR_DATA_ENTRIES_MAX, VENDOR_DATA_ENTRIES_MAX + 1);
    exchange.push(("k00".to_owned(), None));
    house.edit(order, raw(exchange)).unwrap();
    assert_eq!(house.found(order).notes.vendor_data.raw.len(), VENDOR_DATA_ENTRIES_MAX as usize);
    for state in [OrderStatusKind::Paid, OrderStatusKind::Canceled, OrderStatusKind::Expired] {
        let order = house.order_in(state, set);
        assert_eq!(house.edit(order, raw(Vec::new())).unwrap_err(), Refusal::OrderFinal(state));
    }
}

#[test]
fn a_hold_is_made_shorter_and_no_longer_than_it_was_at_first() {
    let mut house = House::new();
    let set = house.set(5, 1000);
    let order = house.order(set, 1);
    let first = house.found(order).reserved_till;
    let sooner = first.plus_ms(-60_000);
    house.hold_till(order, sooner).unwrap();
    let held = |house: &House| house.view.tickets.get(house.lines(order)[0]).unwrap().reserved_till();
    assert_eq!((house.found(order).reserved_till, held(&house)), (sooner, Some(sooner)));
    assert_eq!(house.hold_till(order, first.plus_ms(1000)), Err(Refusal::HoldTooLong(first)));
    house.hold_till(order, first).unwrap();
    assert_eq!(held(&house), Some(first));
    house.step(order, OrderTransition::AwaitingPayment).unwrap();
    let begun = house.found(order).reserved_till;
    house.hold_till(order, begun.whole_second()).unwrap();
    assert_eq!(house.found(order).reserved_till, begun, "the second that is shown is no change");
    assert_eq!(house.hold_till(order, sooner), Err(Refusal::HoldFixed));
    for state in [OrderStatusKind::Paid, OrderStatusKind::Canceled, OrderStatusKind::Expired] {
        let order = house.order_in(state, set);
        assert_eq!(house.hold_till(order, sooner.plus_ms(-7000)), Err(Refusal::HoldFixed));
    }
}

#[test]
fn a_full_name_is_taken_apart_and_put_together() {
    for (name, first, last) in [
        ("Cher", Some("Cher"), None),
        ("Ann Fox", Some("Ann"), Some("Fox")),
        (" Ann  Mary Fox ", Some("Ann  Mary"), Some("Fox")),
    ] {
        let patch = CustomerPatch::with_full_name(Patch::Set(name.to_owned()));
        let text = |patch: &Patch<String>| patch.clone().value();
        assert_eq!((text(&patch.first_name).as_deref(), text(&patch.last_name).as_deref()), (first, last));
        let mut house = House::new();
        let set = house.set(1, 1000);
        let order = house.order(set, 1);
        house.edit(order, OrderEdit { customer: Some(patch), ..OrderEdit::default() }).unwrap();
        assert_eq!(house.found(order).customer.full_name().as_deref(), Some(name.trim()));
    }
}
