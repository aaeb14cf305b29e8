//! Mails: what is told to whom, and how often it is tried.

use kassa_domain::actor::UserActor;
use kassa_domain::mail::{
    ClaimMail, DeliveryResult, Mail, MailContent, MailDisposition, MailId, MailState, RecordDelivery,
};
use kassa_domain::order::{CustomerPatch, OrderEdit, OrderId, OrderTransition, PaymentPatch, PaymentSystem};
use kassa_domain::user::{Account, ConfirmEmail, RegisterUser, SetPassword, UpdateUser, User, UserId};
use kassa_domain::{Actor, Patch, Refusal};

use crate::accounts::{customer_record, register};
use crate::house::{House, customer, pays_by, random, steps};

const ANN: &str = "ann@example.org";
const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

impl House {
    /// What waits to be told and to whom, as it was written.
    fn mails(&self) -> Vec<(String, MailContent)> {
        let mut mails: Vec<&Mail> = self.view.mails.rows().collect();
        mails.sort_unstable_by_key(|mail| mail.id);
        mails.iter().map(|mail| (mail.to.to_string(), mail.content.clone())).collect()
    }

    /// The one mail that there is.
    fn mail(&self) -> Mail {
        let mails: Vec<&Mail> = self.view.mails.rows().collect();
        let [mail] = mails.as_slice() else { panic!("more or fewer than one: {mails:?}") };
        (*mail).clone()
    }

    fn claim(&mut self, mail: MailId) -> Option<Mail> {
        self.give(&Actor::System, &ClaimMail { mail }).expect("a claim is never refused")
    }

    fn settle(&mut self, claimed: &Mail, delivery: DeliveryResult) -> MailDisposition {
        let command = RecordDelivery { mail: claimed.id, attempt: claimed.attempts, result: delivery };
        self.give(&Actor::System, &command).expect("an end is never refused")
    }

    /// Tries a mail that is due, without success.
    fn fail(&mut self, mail: MailId) -> MailDisposition {
        let claimed = self.claim(mail).expect("it is due");
        self.settle(&claimed, failure(false))
    }

    fn pass_ms(&mut self, ms: i64) {
        self.now = self.now.plus_ms(ms);
    }
}

fn failure(hopeless: bool) -> DeliveryResult {
    DeliveryResult::Failed { error: "no answer".to_owned(), is_permanent: hopeless }
}

fn asks(email: &str, user: UserId) -> (String, MailContent) {
    (email.to_owned(), MailContent::ConfirmEmail { user })
}

fn acting(user: UserId) -> Actor {
    Actor::User(UserActor { user, confirmed_emails: Vec::new(), managed_partners: Vec::new(), acting_for: None })
}

fn change(user: UserId, email: Option<&str>, password: Option<&str>) -> UpdateUser {
    UpdateUser {
        user,
        first_name: Patch::Set("Ann".into()),
        last_name: Patch::Keep,
        email: email.map(|email| email.parse().expect("an e-mail")),
        new_password_hash: password.map(str::to_owned),
        verified_password_hash: Some("old".into()),
        session: None,
    }
}

#[test]
fn a_registration_asks_whether_the_address_is_the_users() {
    let mut house = House::new();
    let ann = register(&mut house, ANN).unwrap().id;
    let ben = customer_record(&mut house, "ben@example.org");
    assert_eq!(house.mails(), [asks(ANN, ann)], "nobody has registered the other one");
    register(&mut house, "ben@example.org").unwrap();
    assert_eq!(house.mails(), [asks(ANN, ann), asks("ben@example.org", ben)]);
    assert_eq!(register(&mut house, ANN).unwrap_err(), Refusal::EmailTaken);
    assert_eq!(register(&mut house, "ben@example.org").unwrap_err(), Refusal::EmailTaken);
    assert_eq!(house.mails().len(), 2, "what is refused is not told");
}

#[test]
fn a_new_address_and_a_new_password_of_an_unproved_one_ask_anew() {
    let mut house = House::new();
    let ann = register(&mut house, ANN).unwrap().id;
    house.give(&acting(ann), &change(ann, None, None)).unwrap();
    house.give(&acting(ann), &change(ann, Some(ANN), None)).unwrap();
    assert_eq!(house.mails().len(), 1, "nothing has changed that is to be proved");
    let without = UpdateUser { verified_password_hash: None, ..change(ann, Some("ann@example.net"), None) };
    assert_eq!(house.give(&acting(ann), &without).unwrap_err(), Refusal::CurrentPasswordRequired);
    assert_eq!(house.mails().len(), 1, "what is refused is not told");
    house.give(&acting(ann), &change(ann, Some("ann@example.net"), None)).unwrap();
    assert_eq!(house.mails()[1..], [asks("ann@example.net", ann)]);
    house.give(&acting(ann), &change(ann, None, Some("old"))).unwrap();
    assert_eq!(house.mails()[2..], [asks("ann@example.net", ann)]);
    let confirm = ConfirmEmail { user: ann, email: "ann@example.net".parse().unwrap(), password_hash: None };
    house.give(&Actor::System, &confirm).unwrap();
    house.give(&acting(ann), &change(ann, None, Some("new"))).unwrap();
    assert_eq!(house.mails().len(), 3, "there is nothing left to prove");
}

#[test]
fn a_password_that_the_operator_sets_asks_the_owner_of_the_address() {
    let mut house = House::new();
    let ann = customer_record(&mut house, ANN);
    let set = SetPassword { user: ann, password_hash: "old".into() };
    house.give(&Actor::Operator, &set).unwrap();
    assert_eq!(house.mails(), [asks(ANN, ann)]);
}

#[test]
fn a_proof_for_one_password_opens_the_account_to_no_other() {
    let mut house = House::new();
    let ann = customer_record(&mut house, ANN);
    let (email, password) = (ANN.parse().unwrap(), "old".to_owned());
    let command = RegisterUser { email, password_hash: password, first_name: None, last_name: None };
    house.give(&Actor::Anonymous, &command).unwrap();
    let confirm = |house: &mut House, password: &str| -> Result<User, Refusal> {
        let command = ConfirmEmail { user: ann, email: ANN.parse().unwrap(), password_hash: Some(password.to_owned()) };
        house.give(&Actor::System, &command)
    };
    house.give(&Actor::Operator, &SetPassword { user: ann, password_hash: "new".into() }).unwrap();
    assert_eq!(confirm(&mut house, "old").unwrap_err(), Refusal::TokenInvalid);
    let open = confirm(&mut house, "new").unwrap();
    assert_eq!(
        open.account,
        Account::Open {
            password_hash: "new".into(),
            confirmed_emails: vec![ANN.parse().unwrap()],
            session_cutoff: None
        }
    );
}

/// An order of Ann's for two tickets, whose tickets are to be sent or not.
fn order(house: &mut House, send_tickets: bool) -> OrderId {
    let set = house.set(2, 1000);
    let payment = PaymentPatch { send_tickets: Patch::Set(send_tickets), ..PaymentPatch::default() };
    let mut customer = customer(ANN).customer.expect("there is one");
    customer.lang = Patch::Set("ru".into());
    let edit = OrderEdit { customer: Some(customer), payment: Some(payment), ..random(&[(set, 2)]) };
    house.try_order(edit).unwrap().order.id
}

#[test]
fn the_tickets_of_a_paid_order_are_sent_to_its_customer() {
    let mut house = House::new();
    let order = order(&mut house, true);
    house.step(order, OrderTransition::AwaitingPayment).unwrap();
    assert_eq!(house.mails(), [], "nothing is paid yet");
    house.step(order, OrderTransition::Paid).unwrap();
    let mail = house.mail();
    let letter = MailContent::Tickets { event: house.event, order };
    assert_eq!((mail.to.as_str(), mail.content, mail.lang.as_deref()), (ANN, letter, Some("ru")));
    assert_eq!(mail.id.tag(), order.tag(), "it lives where its order does");
    assert!(house.step(order, OrderTransition::Paid).is_err());
    assert_eq!(house.mails().len(), 1, "once");
}

#[test]
fn tickets_are_sent_only_of_orders_that_ask_for_it_and_are_paid() {
    let mut house = House::new();
    let unasked = order(&mut house, false);
    house.step(unasked, OrderTransition::Paid).unwrap();
    let canceled = order(&mut house, true);
    house.step(canceled, OrderTransition::Canceled).unwrap();
    let lapsed = order(&mut house, true);
    house.lapse(lapsed);
    let nobody = order(&mut house, true);
    let nameless = OrderEdit { customer: Some(CustomerPatch::clear()), ..steps(OrderTransition::Paid) };
    assert_eq!(house.edit(nobody, nameless).unwrap_err(), Refusal::CustomerEmailRequired);
    assert_eq!(house.mails(), []);
    house.step(lapsed, OrderTransition::Paid).unwrap();
    assert_eq!(house.mail().content, MailContent::Tickets { event: house.event, order: lapsed }, "late money is money");
}

#[test]
fn an_invitation_is_sent_like_any_order() {
    let mut house = House::new();
    let order = order(&mut house, true);
    house.edit(order, pays_by(PaymentSystem::Invitation)).unwrap();
    house.step(order, OrderTransition::AwaitingPayment).unwrap();
    assert_eq!(house.mail().content, MailContent::Tickets { event: house.event, order });
}

/// A house with one mail, that is due.
fn with_a_mail() -> (House, MailId) {
    let mut house = House::new();
    register(&mut house, ANN).unwrap();
    let mail = house.mail().id;
    (house, mail)
}

#[test]
fn a_mail_that_is_being_sent_is_nobody_elses() {
    let (mut house, mail) = with_a_mail();
    let claimed = house.claim(mail).expect("it is due");
    assert_eq!(claimed.attempts, 1);
    assert_eq!(house.claim(mail), None);
    house.pass_ms(5 * MINUTE_MS - 1);
    assert_eq!(house.claim(mail), None);
    house.pass_ms(1);
    assert_eq!(house.claim(mail).expect("the first try came to no end").attempts, 2);
}

#[test]
fn a_mail_that_was_sent_is_gone() {
    let (mut house, mail) = with_a_mail();
    let claimed = house.claim(mail).unwrap();
    assert_eq!(house.settle(&claimed, DeliveryResult::Done), MailDisposition::Removed);
    assert_eq!(house.mails(), []);
    assert_eq!(house.claim(mail), None);
    assert_eq!(house.settle(&claimed, failure(false)), MailDisposition::Removed, "it does not come back");
    assert_eq!(house.mails(), []);
}

#[test]
fn only_the_try_that_is_under_way_puts_a_mail_off() {
    let (mut house, mail) = with_a_mail();
    let slow = house.claim(mail).unwrap();
    house.pass_ms(5 * MINUTE_MS);
    let quick = house.claim(mail).unwrap();
    let before = house.mail();
    assert_eq!(house.settle(&slow, failure(true)), MailDisposition::Pending);
    assert_eq!(house.mail(), before);
    assert_eq!(house.settle(&slow, DeliveryResult::Done), MailDisposition::Removed, "but sent is sent");
    assert_eq!(house.settle(&quick, DeliveryResult::Done), MailDisposition::Removed);
}

#[test]
fn pauses_double_from_a_minute_to_six_hours_and_end_after_three_days() {
    let (mut house, mail) = with_a_mail();
    let mut pauses = Vec::new();
    while house.fail(mail) == MailDisposition::Pending {
        let pause = house.mail().due_at.ms() - house.now.ms();
        house.pass_ms(pause - 1);
        assert_eq!(house.claim(mail), None, "not before its time");
        house.pass_ms(1);
        pauses.push(pause);
    }
    let doubled = (0..).map(|doublings| (MINUTE_MS << doublings.min(20)).min(6 * HOUR_MS));
    for (pause, at_least) in pauses.iter().zip(doubled) {
        assert!((at_least..=at_least + at_least / 4).contains(pause), "{pause} for {at_least}");
    }
    assert!(pauses.iter().any(|pause| pause % MINUTE_MS != 0), "they are not all alike: {pauses:?}");
    let tried_for = pauses.iter().sum::<i64>();
    assert!(tried_for <= 3 * DAY_MS && tried_for > 3 * DAY_MS - 8 * HOUR_MS, "{tried_for}");
    let failed = house.mail();
    assert_eq!((failed.state, failed.error.as_deref()), (MailState::Failed, Some("no answer")));
}

#[test]
fn a_mail_without_hope_is_given_up_at_once_kept_for_a_month_and_never_sent() {
    let (mut house, mail) = with_a_mail();
    let claimed = house.claim(mail).unwrap();
    let long = DeliveryResult::Failed { error: "é".repeat(1_000), is_permanent: true };
    assert_eq!(house.settle(&claimed, long), MailDisposition::GivenUp);
    assert_eq!(house.mail().error.map(|error| error.chars().count()), Some(300), "rows have a size");
    assert_eq!(house.settle(&claimed, failure(false)), MailDisposition::Pending);
    house.pass_ms(30 * DAY_MS - 1);
    assert_eq!(house.claim(mail), None);
    assert_eq!(house.mail().state, MailState::Failed);
    house.pass_ms(1);
    assert_eq!(house.claim(mail), None);
    assert_eq!(house.mails(), []);
}
