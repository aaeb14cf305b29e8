//! What those who buy for themselves have to say before they pay: name, telephone, answers, the acceptance of terms; and
//! the names on tickets.

use kassa_domain::Actor;
use kassa_domain::checkout::{AnswerValue, BuyerField, Question, QuestionKind, QuestionScope};
use kassa_domain::event::EventDetails;
use kassa_domain::order::{AnswerPatch, CheckoutPatch, CustomerPatch, OrderEdit, OrderId, OrderTransition};
use kassa_domain::partner::{PaymentProvider, ShopTerms};
use kassa_domain::refusal::CheckoutRefusal;
use kassa_domain::ticket::TicketId;
use kassa_domain::{Patch, Refusal, Timestamp};

use crate::fixture::{Fixture, tickets};

const DOOR: Option<PaymentProvider> = Some(PaymentProvider::Door);

/// An open shop, an event in ten days that asks so, and an order of two tickets by somebody with an e-mail.
fn asked(ask: impl FnOnce(&mut EventDetails)) -> (Fixture, OrderId) {
    let mut fixture = Fixture::new();
    let set = fixture.set(5, 1000);
    fixture.open_shop();
    fixture.start_in_days(10);
    let event = fixture.event;
    fixture.arrange(|view| {
        let mut event = view.events.get(event).unwrap().clone();
        ask(&mut event.details);
        view.events.put(event);
    });
    let order = fixture.order_with_email(set, 2);
    (fixture, order)
}

fn question(id: &str, kind: QuestionKind, scope: QuestionScope) -> Question {
    let options = if kind == QuestionKind::Choice { vec!["Meat".to_owned(), "Vegan".to_owned()] } else { Vec::new() };
    Question { id: id.to_owned(), text: format!("{id}?"), kind, scope, options, is_required: true }
}

fn answer(ticket: Option<TicketId>, question: &str, value: impl Into<Option<AnswerValue>>) -> AnswerPatch {
    AnswerPatch { ticket, question: question.to_owned(), value: value.into() }
}

fn text(text: &str) -> AnswerValue {
    AnswerValue::Text(text.to_owned())
}

fn says(checkout: CheckoutPatch) -> OrderEdit {
    OrderEdit { checkout: Some(Box::new(checkout)), ..OrderEdit::default() }
}

fn answers(answers: Vec<AnswerPatch>) -> OrderEdit {
    says(CheckoutPatch { answers, ..CheckoutPatch::default() })
}

fn holder(ticket: TicketId, name: &str) -> OrderEdit {
    says(CheckoutPatch { holders: vec![(ticket, Some(name.to_owned()))], ..CheckoutPatch::default() })
}

fn accepts(terms: Timestamp) -> OrderEdit {
    says(CheckoutPatch { accepted_terms: Patch::Set(terms), ..CheckoutPatch::default() })
}

/// The fields of a refusal.
fn fields(refusal: &Refusal) -> Vec<String> {
    let Refusal::Checkout(refusal) = refusal else { panic!("{refusal:?}") };
    refusal.fields().iter().map(|field| field.field.clone()).collect()
}

#[test]
fn a_name_and_a_telephone_are_asked_for_as_the_event_says() {
    let (required, optional, hidden) = (BuyerField::Required, BuyerField::Optional, BuyerField::Hidden);
    let cases = [
        (required, required, &["$.settings.customer.name", "$.settings.customer.phone"][..]),
        (required, optional, &["$.settings.customer.name"][..]),
        (hidden, required, &["$.settings.customer.phone"][..]),
        (optional, hidden, &[][..]),
    ];
    for (name, phone, missing) in cases {
        let (mut fixture, order) = asked(|about| (about.buyer_name, about.buyer_phone) = (name, phone));
        match fixture.try_payment(order, DOOR) {
            Ok(_) => assert!(missing.is_empty(), "{name:?} {phone:?}"),
            Err(refusal) => assert_eq!(fields(&refusal), missing, "{name:?} {phone:?}"),
        }
        let says = CustomerPatch { mobile: Patch::Set("+49".to_owned()), ..CustomerPatch::default() };
        let edit = OrderEdit { customer: Some(says), ..OrderEdit::default() };
        let by_buyer = fixture.edit_as(&Actor::Buyer(order), order, edit.clone());
        assert_eq!(by_buyer.is_ok(), phone != hidden, "what is not asked for is not taken");
        assert!(fixture.edit(order, edit).is_ok(), "the seller keeps what it likes");
    }
}

#[test]
fn a_seller_with_a_program_of_its_own_asks_what_it_likes() {
    let (mut fixture, order) = asked(|about| {
        about.buyer_name = BuyerField::Required;
        about.questions = vec![question("diet", QuestionKind::Text, QuestionScope::Order)];
    });
    fixture.step(order, OrderTransition::Paid).expect("it is paid");
}

#[test]
fn required_questions_are_answered_before_the_payment_for_the_order_and_for_each_ticket() {
    let (mut fixture, order) = asked(|about| {
        let optional = Question { is_required: false, ..question("news", QuestionKind::YesNo, QuestionScope::Order) };
        let diet = question("diet", QuestionKind::Choice, QuestionScope::Ticket);
        about.questions = vec![question("club", QuestionKind::Text, QuestionScope::Order), diet, optional];
    });
    let [first, second] = fixture.lines(order)[..] else { panic!("two tickets") };
    let refusal = fixture.try_payment(order, DOOR).unwrap_err();
    let diet = |ticket: TicketId| format!("$.ticket_answers.{ticket}.diet");
    assert_eq!(fields(&refusal), ["$.answers.club".to_owned(), diet(first), diet(second)]);
    let some = vec![answer(None, "club", text("Nord")), answer(Some(first), "diet", text("Vegan"))];
    fixture.edit_as(&Actor::Buyer(order), order, answers(some)).expect("it is kept");
    assert_eq!(fields(&fixture.try_payment(order, DOOR).unwrap_err()), [diet(second)]);
    let rest = vec![answer(Some(second), "diet", text("Meat"))];
    fixture.edit_as(&Actor::Buyer(order), order, answers(rest)).expect("it is kept");
    fixture.try_payment(order, DOOR).expect("all is said");
    assert_eq!(fixture.found(order).notes.answers.len(), 3);
}

#[test]
fn an_answer_that_is_none_to_its_question_is_refused_and_changes_nothing() {
    let (mut fixture, order) = asked(|about| {
        about.questions = vec![
            question("club", QuestionKind::Text, QuestionScope::Order),
            question("diet", QuestionKind::Choice, QuestionScope::Ticket),
            question("news", QuestionKind::YesNo, QuestionScope::Order),
        ];
    });
    let ticket = Some(fixture.lines(order)[0]);
    let yes = Some(AnswerValue::Flag(true));
    let long = "x".repeat(256);
    let cases = [
        answer(None, "club", yes.clone()),
        answer(None, "club", text(" ")),
        answer(None, "club", text(&long)),
        answer(ticket, "club", text("Nord")),
        answer(ticket, "diet", text("Fish")),
        answer(ticket, "diet", yes),
        answer(None, "diet", text("Vegan")),
        answer(None, "news", text("yes")),
        answer(None, "size", text("M")),
    ];
    for case in cases {
        let refusal = fixture.edit(order, answers(vec![case.clone()])).unwrap_err();
        assert!(matches!(refusal, Refusal::Checkout(CheckoutRefusal::Unfit(_))), "{case:?}: {refusal:?}");
        assert_eq!(fixture.found(order).notes.answers, [], "{case:?}");
    }
    let elsewhere = TicketId::with_tag(fixture.event.tag(), 99_999);
    let refusal = fixture.edit(order, answers(vec![answer(Some(elsewhere), "diet", text("Vegan"))])).unwrap_err();
    assert_eq!(refusal, Refusal::TicketNotInOrder(elsewhere));
}

#[test]
fn an_answer_is_replaced_taken_away_and_leaves_with_its_ticket() {
    let (mut fixture, order) =
        asked(|about| about.questions = vec![question("diet", QuestionKind::Text, QuestionScope::Ticket)]);
    let [first, second] = fixture.lines(order)[..] else { panic!("two tickets") };
    for (ticket, value) in
        [(first, Some(text("Fish"))), (first, Some(text("Meat"))), (second, Some(text("Soup"))), (second, None)]
    {
        fixture.edit(order, answers(vec![answer(Some(ticket), "diet", value)])).expect("it is kept");
    }
    fixture.edit(order, holder(first, "Ann Fox")).expect("it is kept");
    let notes = fixture.found(order).notes.clone();
    assert_eq!((notes.answers.len(), notes.answers[0].value.clone()), (1, AnswerValue::Text("Meat".to_owned())));
    fixture.edit(order, tickets(&[second])).expect("the first goes");
    let notes = &fixture.found(order).notes;
    assert_eq!((notes.answers.len(), notes.holders.len()), (0, 0));
}

#[test]
fn terms_are_accepted_as_they_are_and_the_order_keeps_which_and_when() {
    let (mut fixture, order) = asked(|_| {});
    let (org, since) = (fixture.org, fixture.now);
    let state = |fixture: &mut Fixture, since: Timestamp| {
        fixture.arrange(|view| {
            let mut partner = view.partners.get(org).unwrap().clone();
            partner.profile.shop.terms = Some(ShopTerms { text: Some("Mine.".to_owned()), file: None, since });
            view.partners.put(partner);
        });
    };
    state(&mut fixture, since);
    let terms = ["$.settings.accepted_terms"];
    assert_eq!(fields(&fixture.try_payment(order, DOOR).unwrap_err()), terms);
    fixture.pass_minutes(1);
    fixture.edit_as(&Actor::Buyer(order), order, accepts(since)).expect("it is kept");
    let accepted = fixture.found(order).notes.accepted_terms.unwrap();
    assert_eq!((accepted.terms, accepted.at), (since, fixture.now));
    // They change before it pays.
    fixture.pass_minutes(1);
    let later = fixture.now;
    state(&mut fixture, later);
    assert_eq!(fields(&fixture.try_payment(order, DOOR).unwrap_err()), terms);
    fixture.edit_as(&Actor::Buyer(order), order, accepts(later)).expect("it is kept");
    fixture.try_payment(order, DOOR).expect("it accepts what there is");
}

#[test]
fn whoever_has_bought_changes_names_until_the_event_says() {
    let mut until = None;
    let (mut fixture, order) = asked(|_| {});
    let ticket = fixture.lines(order)[0];
    let buyer = Actor::Buyer(order);
    fixture.edit_as(&buyer, order, holder(ticket, "Ann Fox")).expect("nothing is paid");
    fixture.step(order, OrderTransition::Paid).expect("it is paid");
    for minutes in [None, Some(10)] {
        let event = fixture.event;
        until = minutes.map(|minutes| fixture.now.plus_minutes(minutes));
        fixture.arrange(|view| {
            let mut event = view.events.get(event).unwrap().clone();
            event.details.name_change_until = until;
            view.events.put(event);
        });
        let changed = fixture.edit_as(&buyer, order, holder(ticket, "Bo Fox"));
        assert_eq!(changed.is_ok(), until.is_some());
    }
    assert_eq!(fixture.found(order).notes.holder_of(ticket), Some("Bo Fox"));
    fixture.now = until.unwrap();
    let refusal = fixture.edit_as(&buyer, order, holder(ticket, "Cy Fox")).unwrap_err();
    assert_eq!(refusal, Refusal::Checkout(CheckoutRefusal::NameChangeOver));
    assert_eq!(fixture.found(order).notes.holder_of(ticket), Some("Bo Fox"));
    fixture.edit(order, holder(ticket, "Cy Fox")).expect("its seller still may");
}
