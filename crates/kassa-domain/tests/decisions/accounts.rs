//! Users and partners.

use kassa_domain::actor::UserActor;
use kassa_domain::node::RegisterSecretFingerprint;
use kassa_domain::partner::{
    CreatePartner, MANAGERS_MAX, ManagerRef, PartnerManager, PartnerPatch, Role, UpdatePartner,
};
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::user::{Account, ConfirmEmail, EarlierRegistration, Email, RegisterUser, SetPassword};
use kassa_domain::user::{UpdateUser, User, UserId};
use kassa_domain::{Actor, Patch, Refusal};

use crate::fixture::{Fixture, customer};

const ANN: &str = "ann@example.org";

pub(crate) fn register(fixture: &mut Fixture, email: &str) -> Result<User, Refusal> {
    let command = registration(fixture, email, "old");
    fixture.give(&Actor::Anonymous, &command)
}

/// A registration, with what was looked up for it.
pub(crate) fn registration(fixture: &Fixture, email: &str, password_hash: &str) -> RegisterUser {
    let email: Email = email.parse().expect("an e-mail");
    RegisterUser {
        earlier: fixture.view.user_by_email(&email).map(EarlierRegistration::from),
        email,
        password_hash: password_hash.to_owned(),
        first_name: Some("Eve".into()),
        last_name: None,
    }
}

/// The record that an order makes of its customer, or finds.
pub(crate) fn customer_record(fixture: &mut Fixture, email: &str) -> UserId {
    let order = fixture.try_order(customer(email)).expect("an order is made").order;
    order.customer.user.expect("a record")
}

pub(crate) fn acting(user: UserId) -> Actor {
    Actor::User(UserActor {
        user,
        confirmed_emails: Vec::new(),
        managed_partners: Vec::new(),
        acting_for: None,
        locked_partners: Vec::new(),
        has_second_factor: false,
        is_operator: false,
        inactive_partners: Vec::new(),
    })
}

pub(crate) fn confirm(fixture: &mut Fixture, user: UserId) -> Result<User, Refusal> {
    fixture.give(
        &Actor::System,
        &ConfirmEmail { user, email: ANN.parse().unwrap(), password_hash: None, new_password_hash: None },
    )
}

#[test]
fn an_email_is_registered_once() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap();
    assert_eq!(
        ann.account,
        Account::Open {
            password_hash: "old".into(),
            waiting_password_hash: None,
            confirmed_emails: Vec::new(),
            session_cutoff: None
        }
    );
    confirm(&mut fixture, ann.id).unwrap();
    assert_eq!(register(&mut fixture, "Ann@Example.org").unwrap_err(), Refusal::EmailTaken);
    assert_eq!(customer_record(&mut fixture, "ANN@example.org"), ann.id, "an order finds the account");
}

#[test]
fn the_record_of_a_customer_becomes_an_account_that_waits_for_its_confirmation() {
    let mut fixture = Fixture::new();
    let customer = customer_record(&mut fixture, ANN);
    assert_eq!(customer_record(&mut fixture, ANN), customer);
    assert_eq!(confirm(&mut fixture, customer).unwrap_err(), Refusal::NotFound("account"));
    fixture.pass_minutes(1);
    let ann = register(&mut fixture, ANN).unwrap();
    assert_eq!((ann.created_at, fixture.view.users.get(customer).unwrap().created_at), (fixture.now, fixture.now));
    assert_eq!((ann.id, ann.account), (customer, Account::Pending { password_hash: "old".into() }));
    assert_eq!(ann.first_name, None, "nobody names another's record");
    let open = confirm(&mut fixture, customer).unwrap();
    assert_eq!((open.password_hash(), open.is_email_confirmed()), (Some("old"), true));
    assert_eq!(confirm(&mut fixture, customer).unwrap(), open, "again changes nothing");
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
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    let ben = customer_record(&mut fixture, "ben@example.org");
    let (org, taken) = (fixture.organizer(), Some("ben@example.org".parse().unwrap()));
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
        assert_eq!(fixture.give(&actor, &command).unwrap_err(), refusal, "{actor:?} {command:?}");
    }
}

#[test]
fn a_new_email_is_unconfirmed_and_the_same_one_stays_confirmed() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    confirm(&mut fixture, ann).unwrap();
    for (email, confirmed) in [(ANN, true), ("ann@example.net", false)] {
        let email = Some(email.parse().unwrap());
        let command = UpdateUser { email, verified_password_hash: Some("old".into()), ..update(ann) };
        assert_eq!(fixture.give(&acting(ann), &command).unwrap().is_email_confirmed(), confirmed);
    }
}

#[test]
fn a_name_changes_without_a_password_and_a_password_with_the_old_one() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    let named = UpdateUser { first_name: Patch::Set("Ann".into()), ..update(ann) };
    assert_eq!(fixture.give(&acting(ann), &named).unwrap().first_name.as_deref(), Some("Ann"));
    let changed =
        UpdateUser { new_password_hash: Some("new".into()), verified_password_hash: Some("old".into()), ..update(ann) };
    assert_eq!(fixture.give(&acting(ann), &changed).unwrap().password_hash(), Some("new"));
    assert_eq!(fixture.give(&acting(ann), &changed).unwrap_err(), Refusal::CurrentPasswordWrong, "the old one is gone");
}

#[test]
fn the_operator_sets_passwords_but_confirms_nothing_by_it() {
    let mut fixture = Fixture::new();
    let customer = customer_record(&mut fixture, ANN);
    let command = || SetPassword { user: customer, password_hash: "new".into() };
    assert_eq!(
        fixture.give(&acting(customer), &command()).unwrap_err(),
        Refusal::Forbidden(ForbiddenReason::OperatorOnly)
    );
    let pending = fixture.give(&Actor::Operator, &command()).unwrap().account;
    assert_eq!(pending, Account::Pending { password_hash: "new".into() });
    confirm(&mut fixture, customer).unwrap();
    assert!(fixture.give(&Actor::Operator, &command()).unwrap().is_email_confirmed());
}

fn create(fixture: &mut Fixture, actor: &Actor, manager: UserId) -> Result<Partner, Refusal> {
    fixture.give(actor, &CreatePartner { manager, patch: PartnerPatch::default() })
}

#[test]
fn a_user_makes_partners_for_itself_and_the_operator_for_any_user() {
    let mut fixture = Fixture::new();
    let (ann, ben) = (customer_record(&mut fixture, ANN), customer_record(&mut fixture, "ben@example.org"));
    let (org, nobody) = (fixture.organizer(), UserId::root(7));
    let cases = [
        (Actor::Anonymous, ann, Refusal::CredentialRequired),
        (org, ann, Refusal::Forbidden(ForbiddenReason::UserOnly)),
        (acting(ben), ann, Refusal::Forbidden(ForbiddenReason::UserOnly)),
        (Actor::Operator, nobody, Refusal::UserUnknown(nobody.to_string())),
    ];
    for (actor, manager, refusal) in cases {
        assert_eq!(create(&mut fixture, &actor, manager).unwrap_err(), refusal);
    }
    let own = create(&mut fixture, &acting(ann), ann).unwrap();
    let given = create(&mut fixture, &Actor::Operator, ann).unwrap();
    assert_eq!(fixture.view.partners_of(ann), [own.id, given.id]);
}

#[test]
fn a_user_manages_a_limited_number_of_partners() {
    let mut fixture = Fixture::new();
    let (ann, org) = (customer_record(&mut fixture, ANN), fixture.org);
    fixture.arrange(|view| {
        for key in 1..=i64::from(MANAGERS_MAX) {
            view.managers.put(PartnerManager { partner: PartnerId::root(key), user: ann, role: Role::Owner });
        }
    });
    assert_eq!(
        create(&mut fixture, &acting(ann), ann).unwrap_err(),
        Refusal::TooMany { what: "partners of one user", max: MANAGERS_MAX }
    );
    assert_eq!(
        manage(&mut fixture, org, &[ann]).unwrap_err(),
        Refusal::TooMany { what: "partners of one user", max: MANAGERS_MAX }
    );
}

/// Makes these the managers of a partner, as the operator, who need not ask them.
fn manage(fixture: &mut Fixture, partner: PartnerId, users: &[UserId]) -> Result<Partner, Refusal> {
    let users = Some(users.iter().copied().map(ManagerRef::User).collect());
    fixture.give(&Actor::Operator, &UpdatePartner { partner, patch: PartnerPatch::default(), users })
}

#[test]
fn the_users_of_a_partner_are_the_full_list() {
    let mut fixture = Fixture::new();
    let (org, ann, ben) =
        (fixture.org, customer_record(&mut fixture, ANN), customer_record(&mut fixture, "ben@example.org"));
    for users in [vec![ann], vec![ann, ben], vec![ben]] {
        manage(&mut fixture, org, &users).unwrap();
        assert_eq!(fixture.view.managers_of(org), users);
    }
    let nobody = UserId::root(7);
    assert_eq!(manage(&mut fixture, org, &[]).unwrap_err(), Refusal::LastManager);
    assert_eq!(manage(&mut fixture, org, &[ann, nobody]).unwrap_err(), Refusal::UserUnknown(nobody.to_string()));
    assert_eq!(fixture.view.managers_of(org), [ben]);
}

#[test]
fn a_partner_is_changed_by_its_own_people_only() {
    let mut fixture = Fixture::new();
    let (org, other) = (fixture.org, fixture.partner());
    let rename = || {
        let patch = PartnerPatch { name: Patch::Set("New".into()), ..PartnerPatch::default() };
        UpdatePartner { partner: org, patch, users: None }
    };
    assert_eq!(fixture.give(&Actor::Anonymous, &rename()).unwrap_err(), Refusal::CredentialRequired);
    assert_eq!(
        fixture.give(&Actor::Partner(other), &rename()).unwrap_err(),
        Refusal::Forbidden(ForbiddenReason::PartnerOnly)
    );
    let renamed = fixture.give(&Actor::Partner(org), &rename()).unwrap();
    assert_eq!((renamed.name.as_str(), renamed.revision.number()), ("New", 2));
}

#[test]
fn the_first_secret_holds() {
    let mut fixture = Fixture::new();
    for fingerprint in ["one", "two"] {
        let command = RegisterSecretFingerprint { fingerprint: fingerprint.into() };
        assert_eq!(fixture.give(&Actor::System, &command).unwrap(), "one");
    }
}
