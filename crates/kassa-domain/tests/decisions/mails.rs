//! Mails: what is told to whom, and how often it is tried.

use kassa_domain::mail::{
    ClaimMail, DeliveryResult, Mail, MailContent, MailDisposition, MailId, MailQueue, MailState, RecordDelivery,
};
use kassa_domain::order::{
    CustomerPatch, ExportFilter, ExportOrders, OrderEdit, OrderId, OrderTransition, PaymentPatch, PaymentSystem,
};
use kassa_domain::partner::{PartnerManager, Role};
use kassa_domain::user::{ConfirmEmail, SetPassword, UpdateUser, User, UserId};
use kassa_domain::{Actor, Id, Patch, Refusal};

use crate::accounts::{acting, confirm, customer_record, register};
use crate::fixture::{Fixture, customer, pays_by, random, steps};

const ANN: &str = "ann@example.org";
const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

impl Fixture {
    /// What waits to be told and to whom, as it was written.
    pub(crate) fn mails(&self) -> Vec<(String, MailContent)> {
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
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    let ben = customer_record(&mut fixture, "ben@example.org");
    assert_eq!(fixture.mails(), [asks(ANN, ann)], "nobody has registered the other one");
    register(&mut fixture, "ben@example.org").unwrap();
    assert_eq!(fixture.mails(), [asks(ANN, ann), asks("ben@example.org", ben)]);
    confirm(&mut fixture, ann).unwrap();
    assert_eq!(register(&mut fixture, ANN).unwrap_err(), Refusal::EmailTaken);
    assert_eq!(fixture.mails().len(), 2, "what is refused is not told");
    register(&mut fixture, "ben@example.org").unwrap();
    assert_eq!(fixture.mails()[2..], [asks("ben@example.org", ben)], "who registers it now is asked");
}

#[test]
fn a_new_address_asks_anew_and_a_new_password_does_not() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    fixture.give(&acting(ann), &change(ann, None, None)).unwrap();
    fixture.give(&acting(ann), &change(ann, Some(ANN), None)).unwrap();
    assert_eq!(fixture.mails().len(), 1, "nothing has changed that is to be proved");
    let without = UpdateUser { verified_password_hash: None, ..change(ann, Some("ann@example.net"), None) };
    assert_eq!(fixture.give(&acting(ann), &without).unwrap_err(), Refusal::CurrentPasswordRequired);
    assert_eq!(fixture.mails().len(), 1, "what is refused is not told");
    fixture.give(&acting(ann), &change(ann, Some("ann@example.net"), None)).unwrap();
    assert_eq!(fixture.mails()[1..], [asks("ann@example.net", ann)]);
    let confirm = ConfirmEmail {
        user: ann,
        email: "ann@example.net".parse().unwrap(),
        password_hash: None,
        new_password_hash: None,
    };
    fixture.give(&Actor::System, &confirm).unwrap();
    fixture.give(&acting(ann), &change(ann, None, Some("new"))).unwrap();
    assert_eq!(fixture.mails().len(), 2, "there is nothing left to prove");
}

#[test]
fn a_password_that_the_operator_sets_asks_the_owner_of_the_address() {
    let mut fixture = Fixture::new();
    let ann = customer_record(&mut fixture, ANN);
    let set = SetPassword { user: ann, password_hash: "old".into() };
    fixture.give(&Actor::Operator, &set).unwrap();
    assert_eq!(fixture.mails(), [asks(ANN, ann)]);
}

#[test]
fn a_proof_for_one_password_opens_the_account_to_no_other() {
    let mut fixture = Fixture::new();
    let ann = customer_record(&mut fixture, ANN);
    register(&mut fixture, ANN).unwrap();
    let confirm = |fixture: &mut Fixture, password: &str| -> Result<User, Refusal> {
        let command = ConfirmEmail {
            user: ann,
            email: ANN.parse().unwrap(),
            password_hash: Some(password.to_owned()),
            new_password_hash: None,
        };
        fixture.give(&Actor::System, &command)
    };
    fixture.give(&Actor::Operator, &SetPassword { user: ann, password_hash: "new".into() }).unwrap();
    assert_eq!(confirm(&mut fixture, "old").unwrap_err(), Refusal::CurrentPasswordWrong);
    let open = confirm(&mut fixture, "new").unwrap();
    assert_eq!((open.password_hash(), open.is_email_confirmed()), (Some("new"), true));
}

/// An order of Ann's for two tickets, whose tickets are to be sent or not.
fn order(fixture: &mut Fixture, send_tickets: bool) -> OrderId {
    let set = fixture.set(2, 1000);
    let payment = PaymentPatch { send_tickets: Patch::Set(send_tickets), ..PaymentPatch::default() };
    let mut customer = customer(ANN).customer.expect("there is one");
    customer.lang = Patch::Set("ru".into());
    let edit = OrderEdit { customer: Some(customer), payment: Some(payment), ..random(&[(set, 2)]) };
    fixture.try_order(edit).unwrap().order.id
}

#[test]
fn the_tickets_of_a_paid_order_are_sent_to_its_customer() {
    let mut fixture = Fixture::new();
    let order = order(&mut fixture, true);
    fixture.step(order, OrderTransition::AwaitingPayment).unwrap();
    assert_eq!(fixture.mails(), [], "nothing is paid yet");
    fixture.step(order, OrderTransition::Paid).unwrap();
    let mail = fixture.mail();
    let letter = MailContent::Tickets { event: fixture.event, order };
    assert_eq!((mail.to.as_str(), mail.content, mail.lang.as_deref()), (ANN, letter, Some("ru")));
    assert_eq!(mail.id.tag(), order.tag(), "it lives where its order does");
    fixture.step(order, OrderTransition::Paid).unwrap();
    assert_eq!(fixture.mails().len(), 1, "once");
}

#[test]
fn tickets_are_sent_only_of_orders_that_ask_for_it_and_are_paid() {
    let mut fixture = Fixture::new();
    let unasked = order(&mut fixture, false);
    fixture.step(unasked, OrderTransition::Paid).unwrap();
    let canceled = order(&mut fixture, true);
    fixture.step(canceled, OrderTransition::Canceled).unwrap();
    let lapsed = order(&mut fixture, true);
    fixture.lapse(lapsed);
    let nobody = order(&mut fixture, true);
    let nameless = OrderEdit { customer: Some(CustomerPatch::clear()), ..steps(OrderTransition::Paid) };
    assert_eq!(fixture.edit(nobody, nameless).unwrap_err(), Refusal::CustomerEmailRequired);
    assert_eq!(fixture.mails(), []);
    fixture.step(lapsed, OrderTransition::Paid).unwrap();
    assert_eq!(
        fixture.mail().content,
        MailContent::Tickets { event: fixture.event, order: lapsed },
        "late money is money"
    );
}

#[test]
fn an_invitation_is_sent_like_any_order() {
    let mut fixture = Fixture::new();
    let order = order(&mut fixture, true);
    fixture.edit(order, pays_by(PaymentSystem::Invitation)).unwrap();
    fixture.step(order, OrderTransition::AwaitingPayment).unwrap();
    assert_eq!(fixture.mail().content, MailContent::Tickets { event: fixture.event, order });
}

/// A fixture with one mail, that is due.
fn with_a_mail() -> (Fixture, MailId) {
    let mut fixture = Fixture::new();
    register(&mut fixture, ANN).unwrap();
    let mail = fixture.mail().id;
    (fixture, mail)
}

#[test]
fn a_mail_that_is_being_sent_is_nobody_elses() {
    let (mut fixture, mail) = with_a_mail();
    let claimed = fixture.claim(mail).expect("it is due");
    assert_eq!(claimed.attempts, 1);
    assert_eq!(fixture.claim(mail), None);
    fixture.pass_ms(5 * MINUTE_MS - 1);
    assert_eq!(fixture.claim(mail), None);
    fixture.pass_ms(1);
    assert_eq!(fixture.claim(mail).expect("the first try came to no end").attempts, 2);
}

#[test]
fn a_mail_that_was_sent_is_gone() {
    let (mut fixture, mail) = with_a_mail();
    let claimed = fixture.claim(mail).unwrap();
    assert_eq!(fixture.settle(&claimed, DeliveryResult::Done), MailDisposition::Removed);
    assert_eq!(fixture.mails(), []);
    assert_eq!(fixture.claim(mail), None);
    assert_eq!(fixture.settle(&claimed, failure(false)), MailDisposition::Removed, "it does not come back");
    assert_eq!(fixture.mails(), []);
}

#[test]
fn only_the_try_that_is_under_way_puts_a_mail_off() {
    let (mut fixture, mail) = with_a_mail();
    let slow = fixture.claim(mail).unwrap();
    fixture.pass_ms(5 * MINUTE_MS);
    let quick = fixture.claim(mail).unwrap();
    let before = fixture.mail();
    assert_eq!(fixture.settle(&slow, failure(true)), MailDisposition::Pending);
    assert_eq!(fixture.mail(), before);
    assert_eq!(fixture.settle(&slow, DeliveryResult::Done), MailDisposition::Removed, "but sent is sent");
    assert_eq!(fixture.settle(&quick, DeliveryResult::Done), MailDisposition::Removed);
}

#[test]
fn pauses_double_from_a_minute_to_six_hours_and_end_after_three_days() {
    let (mut fixture, mail) = with_a_mail();
    let mut pauses = Vec::new();
    while fixture.fail(mail) == MailDisposition::Pending {
        let pause = fixture.mail().due_at.ms() - fixture.now.ms();
        fixture.pass_ms(pause - 1);
        assert_eq!(fixture.claim(mail), None, "not before its time");
        fixture.pass_ms(1);
        pauses.push(pause);
    }
    let doubled = (0..).map(|doublings| (MINUTE_MS << doublings.min(20)).min(6 * HOUR_MS));
    for (pause, at_least) in pauses.iter().zip(doubled) {
        assert!((at_least..=at_least + at_least / 4).contains(pause), "{pause} for {at_least}");
    }
    assert!(pauses.iter().any(|pause| pause % MINUTE_MS != 0), "they are not all alike: {pauses:?}");
    let tried_for = pauses.iter().sum::<i64>();
    assert!(tried_for <= 3 * DAY_MS && tried_for > 3 * DAY_MS - 8 * HOUR_MS, "{tried_for}");
    let failed = fixture.mail();
    assert_eq!((failed.state, failed.error.as_deref()), (MailState::Failed, Some("no answer")));
}

#[test]
fn a_mail_without_hope_is_given_up_at_once_kept_for_a_month_and_never_sent() {
    let (mut fixture, mail) = with_a_mail();
    let claimed = fixture.claim(mail).unwrap();
    let long = DeliveryResult::Failed { error: "é".repeat(1_000), is_permanent: true };
    assert_eq!(fixture.settle(&claimed, long), MailDisposition::GivenUp);
    assert_eq!(fixture.mail().error.map(|error| error.chars().count()), Some(300), "rows have a size");
    assert_eq!(fixture.settle(&claimed, failure(false)), MailDisposition::Pending);
    fixture.pass_ms(30 * DAY_MS - 1);
    assert_eq!(fixture.claim(mail), None);
    assert_eq!(fixture.mail().state, MailState::Failed);
    fixture.pass_ms(1);
    assert_eq!(fixture.claim(mail), None);
    assert_eq!(fixture.mails(), []);
}

#[test]
fn each_kind_of_mail_has_its_queue_and_its_retries_another() {
    let export = ExportFilter { partner: Id::root(7), created: None, status: None, events: None, with_customer: false };
    let kinds = [
        (MailContent::ConfirmEmail { user: Id::root(1) }, [MailQueue::Awaited, MailQueue::AwaitedRetries]),
        (
            MailContent::Tickets { event: Id::root(1), order: Id::root(2) },
            [MailQueue::Awaited, MailQueue::AwaitedRetries],
        ),
        (MailContent::ResetPassword, [MailQueue::Awaited, MailQueue::AwaitedRetries]),
        (MailContent::Export(export), [MailQueue::Bulk, MailQueue::BulkRetries]),
    ];
    let mut fixture = Fixture::new();
    register(&mut fixture, ANN).unwrap();
    for (content, [first, retry]) in kinds {
        let mail = Mail { content, ..fixture.mail() };
        assert_eq!(mail.queue(), first, "{mail:?}");
        assert_eq!(Mail { attempts: 1, ..mail.clone() }.queue(), retry, "{mail:?}");
        assert_eq!(Mail { state: MailState::Failed, ..mail.clone() }.queue(), retry, "{mail:?}");
    }
}

#[test]
fn lists_of_orders_go_to_managers_whose_email_is_confirmed() {
    let mut fixture = Fixture::new();
    let partner = fixture.partner();
    let ann = register(&mut fixture, ANN).unwrap().id;
    let filter = ExportFilter { partner, created: None, status: None, events: None, with_customer: false };
    let export = |user| ExportOrders { to: ANN.parse().unwrap(), user, filter: filter.clone() };
    let refused = || Err(Refusal::ExportAddress(ANN.parse().unwrap()));
    let actor = Actor::Partner(partner);
    assert_eq!(fixture.give(&actor, &export(None)), refused(), "nobody");
    assert_eq!(fixture.give(&actor, &export(Some(ann))), refused(), "neither confirmed nor a manager");
    confirm(&mut fixture, ann).unwrap();
    assert_eq!(fixture.give(&actor, &export(Some(ann))), refused(), "no manager");
    fixture.arrange(|view| view.managers.put(PartnerManager { partner, user: ann, role: Role::Owner }));
    let elsewhere = ExportOrders { to: "ann@example.net".parse().unwrap(), ..export(Some(ann)) };
    let unknown = Err(Refusal::ExportAddress("ann@example.net".parse().unwrap()));
    assert_eq!(fixture.give(&actor, &elsewhere), unknown, "not her e-mail any more");
    assert_eq!(fixture.mails().len(), 1, "what is refused is not sent");
    assert_eq!(fixture.give(&actor, &export(Some(ann))), Ok(()));
    assert_eq!(fixture.mails()[1..], [(ANN.to_owned(), MailContent::Export(filter.clone()))]);
    let stranger = Actor::Partner(fixture.partner());
    assert!(matches!(fixture.give(&stranger, &export(Some(ann))), Err(Refusal::Forbidden(_))));
}
