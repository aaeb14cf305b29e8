//! Changes say nothing about persons.

use kassa_domain::change::Change;
use kassa_domain::order::{
    CustomerPatch, OrderEdit, OrderNotesPatch, OrderTransition, PaymentPatch, SetVisitors, VendorDataValue,
    VisitorDetails,
};
use kassa_domain::partner::{ContactPatch, PartnerPatch, PartnerProfilePatch, SuspendPartner, UpdatePartner};
use kassa_domain::refund::{CreateRefundRequest, Culprit, RefundTickets};
use kassa_domain::{Actor, Patch};

use crate::fixture::{Fixture, random};

/// What the scenario calls persons, and what they write.
const MARKS: [&str; 3] = ["Zaphod", "zaphod", "4242424242"];

fn text() -> Patch<String> {
    Patch::Set("Zaphod 4242424242".to_owned())
}

/// An order with all that can be known of its customer.
fn sell_to_somebody(fixture: &mut Fixture) {
    let set = fixture.set(9, 1000);
    let customer = CustomerPatch {
        email: Patch::Set("zaphod@example.org".parse().unwrap()),
        first_name: text(),
        last_name: text(),
        mobile: text(),
        lang: text(),
    };
    let entry = ("note".to_owned(), Some(VendorDataValue::Text("Zaphod".to_owned())));
    let notes = OrderNotesPatch { subscribe_agree: Patch::Set(true), order_id: text(), raw: Patch::Set(vec![entry]) };
    let payment = PaymentPatch { success_url: text(), failure_url: text(), ..PaymentPatch::default() };
    let (customer, notes, payment) = (Some(customer), Some(notes), Some(payment));
    let order = fixture.order(set, 1);
    fixture.edit(order, OrderEdit { customer, notes, payment, ..random(&[(set, 2)]) }).unwrap();
    let [user_id, name, surname] = ["Zaphod"; 3].map(str::to_owned);
    let visitor = VisitorDetails { user_id, name, surname, middle_name: None };
    fixture.give(&fixture.organizer(), &SetVisitors { order, visitors: vec![(None, visitor)] }).unwrap();
    fixture.step(order, OrderTransition::Paid).unwrap();
    let (event, tickets, reason) = (fixture.event, RefundTickets::AllExcept(Vec::new()), Some("Zaphod".to_owned()));
    let culprit = Culprit::Organizer;
    let ask = CreateRefundRequest { order, event, culprit, tickets, requested_at: None, reason };
    fixture.give(&fixture.organizer(), &ask).unwrap();
}

#[test]
fn packed_changes_have_no_personal_data() {
    let mut fixture = Fixture::new();
    sell_to_somebody(&mut fixture);
    let partner = fixture.org;
    let contact = ContactPatch { name: text(), email: text(), address: text(), ..ContactPatch::default() };
    let profile = PartnerProfilePatch {
        director: text(),
        desc: text(),
        contact: Patch::Set(contact),
        ..PartnerProfilePatch::default()
    };
    let patch = PartnerPatch { name: text(), profile, ..PartnerPatch::default() };
    fixture.give(&Actor::Partner(partner), &UpdatePartner { partner, patch, users: None }).unwrap();
    fixture.give(&Actor::Operator, &SuspendPartner { partner, reason: Some("Zaphod".to_owned()) }).unwrap();
    fixture.change_event(|event| (event.details.title, event.details.desc) = (text(), text())).unwrap();
    let packed = postcard::to_allocvec(&fixture.log.changes).unwrap();
    assert!(fixture.log.changes.len() > 8, "the scenario states a lot");
    for mark in MARKS {
        assert!(!packed.windows(mark.len()).any(|bytes| bytes == mark.as_bytes()), "{mark}");
    }
    assert_eq!(postcard::from_bytes::<Vec<Change>>(&packed).as_ref(), Ok(&fixture.log.changes));
    let json = serde_json::to_string(&fixture.log.changes).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Change>>(&json).unwrap(), fixture.log.changes);
}
