//! Users and partners.

use kassa_domain::actor::UserActor;
use kassa_domain::node::RegisterSecretFingerprint;
use kassa_domain::partner::{CreatePartner, MANAGERS_MAX, PartnerManager, PartnerPatch, UpdatePartner};
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::user::{Account, ConfirmEmail, RegisterUser, SetPassword};
use kassa_domain::user::{UpdateUser, User, UserId};
use kassa_domain::{Actor, Patch, Refusal};

use crate::house::{House, customer};

const ANN: &str = "ann@example.org";

pub(crate) fn register(house: &mut House, email: &str) -> Result<User, Refusal> {
    let email = email.parse().expect("an e-mail");
    let command = RegisterUser { email, password_hash: "old".into(), first_name: Some("Eve".into()), last_name: None };
    house.give(&Actor::Anonymous, &command)
}

/// The record that an order makes of its customer, or finds.
pub(crate) fn customer_record(house: &mut House, email: &str) -> UserId {
    let order = house.try_order(customer(email)).expect("an order is made").order;
    order.customer.user.expect("a record")
}

pub(crate) fn acting(user: UserId) -> Actor {
    Actor::User(UserActor { user, confirmed_emails: Vec::new(), managed_partners: Vec::new(), acting_for: None })
}

fn confirm(house: &mut House, user: UserId) -> Result<User, Refusal> {
    house.give(&Actor::System, &ConfirmEmail { user, email: ANN.parse().unwrap(), password_hash: None })
}

#[test]
fn an_email_is_registered_once() {
    let mut house = House::new();
    let ann = register(&mut house, ANN).unwrap();
    assert_eq!(
        ann.account,
        Account::Open { password_hash: "old".into(), confirmed_emails: Vec::new(), session_cutoff: None }
    );
    assert_eq!(register(&mut house, "Ann@Example.org").unwrap_err(), Refusal::EmailTaken);
    assert_eq!(customer_record(&mut house, "ANN@example.org"), ann.id, "an order finds the account");
}

#[test]
fn the_record_of_a_customer_becomes_an_account_that_waits_for_its_confirmation() {
    let mut house = House::new();
    let customer = customer_record(&mut house, ANN);
    assert_eq!(customer_record(&mut house, ANN), customer);
    assert_eq!(confirm(&mut house, customer).unwrap_err(), Refusal::NotFound("account"));
    let ann = register(&mut house, ANN).unwrap();
    assert_eq!((ann.id, ann.account), (customer, Account::Pending { password_hash: "old".into() }));
    assert_eq!(ann.first_name, None, "nobody names another's record");
    assert_eq!(register(&mut house, ANN).unwrap_err(), Refusal::EmailTaken);
    let open = confirm(&mut house, customer).unwrap();
    assert_eq!(
        open.account,
        Account::Open {
            password_hash: "old".into(),
            confirmed_emails: vec![ANN.parse().unwrap()],
            session_cutoff: None
        }
    );
    assert_eq!(confirm(&mut house, customer).unwrap(), open, "again changes nothing");
}

/// A change of nothing.
pub(crate) fn update(user: UserId) -> UpdateUser {
    let (first_name, last_name) = (Patch::Keep, Patch::Keep);
    UpdateUser {
        user,
        first_name,
        last_name,
        email: None,
        new_password_hash: None,
        verified_password_hash: None,
        session: None,
    }
}

#[test]
fn a_change_of_user_is_refused_in_order_of_precedence() {
    let mut house = House::new();
    let ann = register(&mut house, ANN).unwrap().id;
    let ben = customer_record(&mut house, "ben@example.org");
    let (org, taken) = (house.organizer(), Some("ben@example.org".parse().unwrap()));
    let with = |verified: Option<&str>| UpdateUser {
        email: taken.clone(),
        verified_password_hash: verified.map(str::to_owned),
        ..update(ann)
    };
    let cases = [
        (Actor::Anonymous, with(None), Refusal::CredentialRequired),
        (acting(ben), with(None), Refusal::Forbidden(ForbiddenReason::OwnAccountOnly)),
        (org, with(None), Refusal::Forbidden(ForbiddenReason::OwnAccountOnly)),
        (acting(ben), update(ben), Refusal::Forbidden(ForbiddenReason::AccountNotOpen)),
        (acting(ann), with(None), Refusal::CurrentPasswordRequired),
        (acting(ann), with(Some("older")), Refusal::CurrentPasswordWrong),
        (acting(ann), with(Some("old")), Refusal::EmailTaken),
    ];
    for (actor, command, refusal) in cases {
        assert_eq!(house.give(&actor, &command).unwrap_err(), refusal, "{actor:?} {command:?}");
    }
}

#[test]
fn a_new_email_is_unconfirmed_and_the_same_one_stays_confirmed() {
    let mut house = House::new();
    let ann = register(&mut house, ANN).unwrap().id;
    confirm(&mut house, ann).unwrap();
    for (email, confirmed) in [(ANN, true), ("ann@example.net", false)] {
        let email = Some(email.parse().unwrap());
        let command = UpdateUser { email, verified_password_hash: Some("old".into()), ..update(ann) };
        assert_eq!(house.give(&acting(ann), &command).unwrap().is_email_confirmed(), confirmed);
    }
}

#[test]
fn a_name_changes_without_a_password_and_a_password_with_the_old_one() {
    let mut house = House::new();
    let ann = register(&mut house, ANN).unwrap().id;
    let named = UpdateUser { first_name: Patch::Set("Ann".into()), ..update(ann) };
    assert_eq!(house.give(&acting(ann), &named).unwrap().first_name.as_deref(), Some("Ann"));
    let changed =
        UpdateUser { new_password_hash: Some("new".into()), verified_password_hash: Some("old".into()), ..update(ann) };
    assert_eq!(house.give(&acting(ann), &changed).unwrap().password_hash(), Some("new"));
    assert_eq!(house.give(&acting(ann), &changed).unwrap_err(), Refusal::CurrentPasswordWrong, "the old one is gone");
}

#[test]
fn the_operator_sets_passwords_but_confirms_nothing_by_it() {
    let mut house = House::new();
    let customer = customer_record(&mut house, ANN);
    let command = || SetPassword { user: customer, password_hash: "new".into() };
    assert_eq!(
        house.give(&acting(customer), &command()).unwrap_err(),
        Refusal::Forbidden(ForbiddenReason::OperatorOnly)
    );
    let pending = house.give(&Actor::Operator, &command()).unwrap().account;
    assert_eq!(pending, Account::Pending { password_hash: "new".into() });
    confirm(&mut house, customer).unwrap();
    assert!(house.give(&Actor::Operator, &command()).unwrap().is_email_confirmed());
}

fn create(house: &mut House, actor: &Actor, manager: UserId) -> Result<Partner, Refusal> {
    house.give(actor, &CreatePartner { manager, patch: PartnerPatch::default() })
}

#[test]
fn a_user_makes_partners_for_itself_and_the_operator_for_any_user() {
    let mut house = House::new();
    let (ann, ben) = (customer_record(&mut house, ANN), customer_record(&mut house, "ben@example.org"));
    let (org, nobody) = (house.organizer(), UserId::root(7));
    let cases = [
        (Actor::Anonymous, ann, Refusal::CredentialRequired),
        (org, ann, Refusal::Forbidden(ForbiddenReason::UserOnly)),
        (acting(ben), ann, Refusal::Forbidden(ForbiddenReason::UserOnly)),
        (Actor::Operator, nobody, Refusal::UserUnknown(nobody.to_string())),
    ];
    for (actor, manager, refusal) in cases {
        assert_eq!(create(&mut house, &actor, manager).unwrap_err(), refusal);
    }
    let own = create(&mut house, &acting(ann), ann).unwrap();
    let given = create(&mut house, &Actor::Operator, ann).unwrap();
    assert_eq!(house.view.partners_of(ann), [own.id, given.id]);
}

#[test]
fn a_user_manages_a_limited_number_of_partners() {
    let mut house = House::new();
    let (ann, org) = (customer_record(&mut house, ANN), house.org);
    house.arrange(|view| {
        for key in 1..=i64::from(MANAGERS_MAX) {
            view.managers.put(PartnerManager { partner: PartnerId::root(key), user: ann });
        }
    });
    assert_eq!(
        create(&mut house, &acting(ann), ann).unwrap_err(),
        Refusal::TooMany { what: "partners of one user", max: MANAGERS_MAX }
    );
    assert_eq!(
        manage(&mut house, org, &[ann]).unwrap_err(),
        Refusal::TooMany { what: "partners of one user", max: MANAGERS_MAX }
    );
}

/// Makes these the managers of a partner, as itself.
fn manage(house: &mut House, partner: PartnerId, users: &[UserId]) -> Result<Partner, Refusal> {
    let users = Some(users.to_vec());
    house.give(&Actor::Partner(partner), &UpdatePartner { partner, patch: PartnerPatch::default(), users })
}

#[test]
fn the_users_of_a_partner_are_the_full_list() {
    let mut house = House::new();
    let (org, ann, ben) = (house.org, customer_record(&mut house, ANN), customer_record(&mut house, "ben@example.org"));
    for users in [vec![ann], vec![ann, ben], vec![ben]] {
        manage(&mut house, org, &users).unwrap();
        assert_eq!(house.view.managers_of(org), users);
    }
    let nobody = UserId::root(7);
    assert_eq!(manage(&mut house, org, &[]).unwrap_err(), Refusal::LastManager);
    assert_eq!(manage(&mut house, org, &[ann, nobody]).unwrap_err(), Refusal::UserUnknown(nobody.to_string()));
    assert_eq!(house.view.managers_of(org), [ben]);
}

#[test]
fn a_partner_is_changed_by_its_own_people_only() {
    let mut house = House::new();
    let (org, other) = (house.org, house.partner());
    let rename = || {
        let patch = PartnerPatch { name: Patch::Set("New".into()), ..PartnerPatch::default() };
        UpdatePartner { partner: org, patch, users: None }
    };
    assert_eq!(house.give(&Actor::Anonymous, &rename()).unwrap_err(), Refusal::CredentialRequired);
    assert_eq!(
        house.give(&Actor::Partner(other), &rename()).unwrap_err(),
        Refusal::Forbidden(ForbiddenReason::PartnerOnly)
    );
    let renamed = house.give(&Actor::Partner(org), &rename()).unwrap();
    assert_eq!((renamed.name.as_str(), renamed.revision), ("New", 2));
}

#[test]
fn the_first_secret_holds() {
    let mut house = House::new();
    for fingerprint in ["one", "two"] {
        let command = RegisterSecretFingerprint { fingerprint: fingerprint.into() };
        assert_eq!(house.give(&Actor::System, &command).unwrap(), "one");
    }
}
