//! What comes with an order: its vendor's notes, who comes with its tickets, and a hold that is made
//! shorter.

use kassa_domain::order::{
    CustomerPatch, OrderEdit, OrderId, OrderNotesPatch, OrderStatusKind, OrderTransition, SetVisitors,
    VENDOR_DATA_ENTRIES_MAX, VendorDataValue, VisitorDetails,
};
use kassa_domain::ticket::TicketId;
use kassa_domain::{Actor, Id, Patch, Refusal, Timestamp};

use crate::fixture::{Fixture, tickets};

fn visiting(name: &str) -> VisitorDetails {
    let [user_id, name, surname] = [name, name, "Fox"].map(str::to_owned);
    VisitorDetails { user_id, name, surname, middle_name: None }
}

impl Fixture {
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
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1000);
    let order = fixture.order(set, 3);
    let lines = fixture.lines(order);
    fixture.visit(order, &[(None, "Ann"), (Some(lines[0]), "Bob"), (None, "Cid")]).unwrap();
    assert_eq!(fixture.visitors(order), ["Bob", "Ann", "Cid"]);
    fixture.visit(order, &[(Some(lines[2]), "Dan")]).unwrap();
    assert_eq!(fixture.visitors(order), ["", "", "Dan"]);
    fixture.visit(order, &[]).unwrap();
    assert_eq!(fixture.visitors(order), ["", "", ""]);
}

#[test]
fn visitors_are_refused_in_this_order() {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1000);
    let (order, others) = (fixture.order(set, 1), fixture.order(set, 1));
    let (own, other) = (fixture.lines(order)[0], fixture.lines(others)[0]);
    let unknown: OrderId = Id::with_tag(fixture.event.tag(), 7);
    assert_eq!(fixture.visit(unknown, &[]), Err(Refusal::OrderUnknown(unknown.to_string())));
    let stranger = Actor::Partner(Id::root(99));
    let command = SetVisitors { order, visitors: Vec::new() };
    assert_eq!(fixture.give(&stranger, &command), Err(Refusal::OrderUnknown(order.to_string())));
    assert_eq!(fixture.give(&Actor::Anonymous, &command), Err(Refusal::CredentialRequired));
    assert_eq!(
        fixture.visit(order, &[(None, "A"), (Some(other), "B")]),
        Err(Refusal::TooMany { what: "visitors of this order, one for each ticket", max: 1 })
    );
    assert_eq!(fixture.visit(order, &[(Some(other), "A")]), Err(Refusal::TicketNotInOrder(other)));
    let two = fixture.order(set, 2);
    let twice = fixture.lines(two)[0];
    assert_eq!(fixture.visit(two, &[(Some(twice), "A"), (Some(twice), "B")]), Err(Refusal::DuplicateTicket(twice)));
    for state in
        [OrderStatusKind::AwaitingPayment, OrderStatusKind::Paid, OrderStatusKind::Canceled, OrderStatusKind::Expired]
    {
        let order = fixture.order_in(state, set);
        assert_eq!(fixture.visit(order, &[(Some(own), "A")]), Err(Refusal::OrderFinal(state)));
    }
}

#[test]
fn a_visitor_leaves_with_its_ticket_and_moves_with_late_money() {
    let mut fixture = Fixture::new();
    let set = fixture.set(5, 1000);
    let order = fixture.order(set, 3);
    let lines = fixture.lines(order);
    fixture.visit(order, &[(None, "Ann"), (None, "Bob"), (None, "Cid")]).unwrap();
    fixture.edit(order, tickets(&lines[1..])).unwrap();
    assert_eq!(fixture.visitors(order), ["Bob", "Cid"]);
    fixture.lapse(order);
    fixture.try_order(tickets(&lines[1..2])).unwrap();
    fixture.step(order, OrderTransition::Paid).unwrap();
    assert_ne!(fixture.lines(order)[0], lines[1], "another ticket came in its place");
    assert_eq!(fixture.visitors(order), ["Bob", "Cid"]);
}

#[test]
fn a_vendor_keeps_so_many_entries_and_no_more() {
    let mut fixture = Fixture::new();
    let set = fixture.set(5, 1000);
    let order = fixture.order(set, 1);
    let entries =
        |from: u32, to: u32| (from..to).map(|at| (format!("k{at:02}"), Some(VendorDataValue::Number(1)))).collect();
    let raw = |raw: Vec<(String, Option<VendorDataValue>)>| {
        let notes = OrderNotesPatch { raw: Patch::Set(raw), ..OrderNotesPatch::default() };
        OrderEdit { notes: Some(notes), ..OrderEdit::default() }
    };
    fixture.edit(order, raw(entries(0, VENDOR_DATA_ENTRIES_MAX))).unwrap();
    assert_eq!(
        fixture.edit(order, raw(entries(VENDOR_DATA_ENTRIES_MAX, VENDOR_DATA_ENTRIES_MAX + 1))).unwrap_err(),
        Refusal::TooMany { what: "entries in vendor_data.raw", max: VENDOR_DATA_ENTRIES_MAX }
    );
    let mut exchange: Vec<_> = entries(VENDOR_DATA_ENTRIES_MAX, VENDOR_DATA_ENTRIES_MAX + 1);
    exchange.push(("k00".to_owned(), None));
    fixture.edit(order, raw(exchange)).unwrap();
    assert_eq!(fixture.found(order).notes.vendor_data.raw.len(), VENDOR_DATA_ENTRIES_MAX as usize);
    for state in [OrderStatusKind::Paid, OrderStatusKind::Canceled, OrderStatusKind::Expired] {
        let order = fixture.order_in(state, set);
        assert_eq!(fixture.edit(order, raw(entries(0, 1))).unwrap_err(), Refusal::OrderFinal(state));
    }
}

#[test]
fn a_hold_is_made_shorter_and_no_longer_than_it_was_at_first() {
    let mut fixture = Fixture::new();
    let set = fixture.set(5, 1000);
    let order = fixture.order(set, 1);
    let first = fixture.found(order).reserved_till;
    let sooner = first.plus_ms(-60_000);
    fixture.hold_till(order, sooner).unwrap();
    let held = |fixture: &Fixture| fixture.view.tickets.get(fixture.lines(order)[0]).unwrap().reserved_till();
    assert_eq!((fixture.found(order).reserved_till, held(&fixture)), (sooner, Some(sooner)));
    assert_eq!(fixture.hold_till(order, first.plus_ms(1000)), Err(Refusal::HoldTooLong(first)));
    fixture.hold_till(order, first).unwrap();
    assert_eq!(held(&fixture), Some(first));
    fixture.step(order, OrderTransition::AwaitingPayment).unwrap();
    let begun = fixture.found(order).reserved_till;
    fixture.hold_till(order, begun.whole_second()).unwrap();
    assert_eq!(fixture.found(order).reserved_till, begun, "the second that is shown is no change");
    assert_eq!(fixture.hold_till(order, sooner), Err(Refusal::HoldFixed));
    for state in [OrderStatusKind::Paid, OrderStatusKind::Canceled, OrderStatusKind::Expired] {
        let order = fixture.order_in(state, set);
        assert_eq!(fixture.hold_till(order, sooner.plus_ms(-7000)), Err(Refusal::HoldFixed));
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
        let mut fixture = Fixture::new();
        let set = fixture.set(1, 1000);
        let order = fixture.order(set, 1);
        fixture.edit(order, OrderEdit { customer: Some(patch), ..OrderEdit::default() }).unwrap();
        assert_eq!(fixture.found(order).customer.full_name().as_deref(), Some(name.trim()));
    }
}
