//! Second factors: begun, activated, used, removed, and demanded by partners.

use kassa_domain::actor::UserActor;
use kassa_domain::partner::{
    Capability, CreatePartner, Membership, PartnerId, PartnerPatch, PartnerProfilePatch, UpdatePartner,
};
use kassa_domain::refusal::{CredentialFault, ForbiddenReason};
use kassa_domain::session::{Hex128, StartSession};
use kassa_domain::user::{ActivateSecondFactor, ProposeSecondFactor, RemoveSecondFactor, SecondFactorProof, UserId};
use kassa_domain::{Actor, Patch, Refusal, permission};

use crate::accounts::{acting, register};
use crate::fixture::Fixture;

const ANN: &str = "ann@example.org";
const SESSION: [u8; 32] = [5; 32];
const CODES: [Hex128; 2] = [Hex128([1; 16]), Hex128([2; 16])];

fn propose(fixture: &mut Fixture, user: UserId, secret: &str) -> Result<(), Refusal> {
    let password = fixture.view.users.get(user).and_then(|user| user.password_hash()).map(str::to_owned);
    let command = ProposeSecondFactor { user, verified_password_hash: password, encrypted_secret: secret.into() };
    fixture.give(&acting(user), &command).map(drop)
}

fn confirm_with(user: UserId, code: Option<(&str, i64)>) -> ActivateSecondFactor {
    let code = code.map(|(secret, step)| (secret.to_owned(), step));
    ActivateSecondFactor { user, code, recovery_codes: CODES.to_vec(), session: Some(SESSION) }
}

/// Gives a user a second factor, whose last step was 100.
pub(crate) fn activate(fixture: &mut Fixture, user: UserId) {
    propose(fixture, user, "secret").unwrap();
    fixture.give(&acting(user), &confirm_with(user, Some(("secret", 100)))).unwrap();
}

fn code(step: i64) -> SecondFactorProof {
    SecondFactorProof::OneTimeCode { encrypted_secret: "secret".into(), step }
}

fn log_in(fixture: &mut Fixture, user: UserId, hash: u8, proof: Option<SecondFactorProof>) -> Result<(), Refusal> {
    let command = StartSession { user, password_hash: "old".into(), hash: [hash; 32], second_factor: proof };
    fixture.give(&Actor::System, &command).map(drop)
}

#[test]
fn a_second_factor_is_asked_for_once_a_code_has_shown_it() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    log_in(&mut fixture, ann, 5, None).unwrap();
    log_in(&mut fixture, ann, 6, None).unwrap();
    propose(&mut fixture, ann, "older").unwrap();
    propose(&mut fixture, ann, "secret").unwrap();
    log_in(&mut fixture, ann, 7, None).unwrap();
    for wrong in [None, Some(("older", 100))] {
        let refused = fixture.give(&acting(ann), &confirm_with(ann, wrong)).unwrap_err();
        assert_eq!(refused, Refusal::SecondFactorCodeWrong);
    }
    fixture.give(&acting(ann), &confirm_with(ann, Some(("secret", 100)))).unwrap();
    let user = fixture.view.users.get(ann).unwrap();
    let is_good = |hash: u8| user.admits_session(fixture.view.sessions.get([hash; 32]).unwrap());
    assert!(is_good(5) && !is_good(6) && !is_good(7), "the others have shown no code");
    assert_eq!(log_in(&mut fixture, ann, 8, None), Err(Refusal::SecondFactorRequired));
    assert_eq!(propose(&mut fixture, ann, "other"), Err(Refusal::SecondFactorActive));
    let again = fixture.give(&acting(ann), &confirm_with(ann, Some(("secret", 101)))).unwrap_err();
    assert_eq!(again, Refusal::SecondFactorActive);
}

#[test]
fn a_code_is_accepted_once_and_none_before_it() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    activate(&mut fixture, ann);
    let wrong = Err(CredentialFault::WrongSecondFactor.into());
    let other = SecondFactorProof::OneTimeCode { encrypted_secret: "other".into(), step: 200 };
    let cases = [
        (code(100), wrong.clone()),
        (code(102), Ok(())),
        (code(102), wrong.clone()),
        (code(101), wrong.clone()),
        (other, wrong.clone()),
        (SecondFactorProof::RecoveryCode(CODES[1]), Ok(())),
        (SecondFactorProof::RecoveryCode(CODES[1]), wrong.clone()),
        (SecondFactorProof::RecoveryCode(Hex128([9; 16])), wrong),
        (SecondFactorProof::RecoveryCode(CODES[0]), Ok(())),
        (code(103), Ok(())),
    ];
    for (at, (proof, expected)) in (10..).zip(cases) {
        let revision = fixture.view.users.get(ann).unwrap().revision;
        assert_eq!(log_in(&mut fixture, ann, at, Some(proof.clone())), expected, "{proof:?}");
        assert_eq!(fixture.view.users.get(ann).unwrap().revision, revision, "a log-in is no edit");
    }
}

#[test]
fn a_code_uses_up_nothing_where_the_password_is_wrong() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    activate(&mut fixture, ann);
    let command =
        StartSession { user: ann, password_hash: "wrong".into(), hash: [7; 32], second_factor: Some(code(101)) };
    let refused = fixture.give(&Actor::System, &command).unwrap_err();
    assert_eq!(refused, CredentialFault::WrongPassword.into());
    assert_eq!(log_in(&mut fixture, ann, 7, Some(code(101))), Ok(()));
}

#[test]
fn a_second_factor_goes_with_password_and_code_or_by_the_operator() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    let ben = register(&mut fixture, "ben@example.org").unwrap().id;
    let remove = |password: Option<&str>, code| RemoveSecondFactor {
        user: ann,
        verified_password_hash: password.map(str::to_owned),
        code,
    };
    let none = fixture.give(&acting(ann), &remove(Some("old"), None)).unwrap_err();
    assert_eq!(none, Refusal::NotFound("second factor"));
    propose(&mut fixture, ann, "secret").unwrap();
    fixture.give(&acting(ann), &remove(Some("old"), None)).unwrap();
    activate(&mut fixture, ann);
    let cases = [
        (acting(ben), remove(Some("old"), Some(code(101))), Refusal::Forbidden(ForbiddenReason::OwnAccountOnly)),
        (acting(ann), remove(None, Some(code(101))), Refusal::CurrentPasswordRequired),
        (acting(ann), remove(Some("older"), Some(code(101))), Refusal::CurrentPasswordWrong),
        (acting(ann), remove(Some("old"), None), Refusal::SecondFactorCodeWrong),
        (acting(ann), remove(Some("old"), Some(code(100))), Refusal::SecondFactorCodeWrong),
    ];
    for (actor, command, refusal) in cases {
        assert_eq!(fixture.give(&actor, &command).unwrap_err(), refusal, "{command:?}");
    }
    fixture.give(&acting(ann), &remove(Some("old"), Some(code(101)))).unwrap();
    log_in(&mut fixture, ann, 7, None).unwrap();
    activate(&mut fixture, ann);
    fixture.give(&Actor::Operator, &remove(None, None)).unwrap();
    log_in(&mut fixture, ann, 8, None).unwrap();
}

fn demand(partner: PartnerId, required: bool) -> UpdatePartner {
    let profile = PartnerProfilePatch { require_second_factor: Patch::Set(required), ..PartnerProfilePatch::default() };
    UpdatePartner { partner, patch: PartnerPatch { profile, ..PartnerPatch::default() }, users: None }
}

#[test]
fn a_partner_demands_a_second_factor_through_somebody_who_has_one() {
    let mut fixture = Fixture::new();
    let org = fixture.org;
    let user = |has_second_factor| {
        Actor::User(UserActor {
            user: UserId::root(9),
            confirmed_emails: Vec::new(),
            managed_partners: vec![Membership::owner(org)],
            acting_for: None,
            inactive_partners: Vec::new(),
            locked_partners: Vec::new(),
            has_second_factor,
            is_operator: false,
        })
    };
    let refused = Refusal::Forbidden(ForbiddenReason::SecondFactorHoldersOnly);
    fixture.give(&Actor::Partner(org), &demand(org, false)).expect("nothing changes");
    for actor in [Actor::Partner(org), user(false)] {
        assert_eq!(fixture.give(&actor, &demand(org, true)).unwrap_err(), refused, "{actor:?}");
    }
    assert!(fixture.give(&user(true), &demand(org, true)).unwrap().profile.require_second_factor);
    assert_eq!(fixture.give(&Actor::Partner(org), &demand(org, false)).unwrap_err(), refused, "nor lets others in");
    assert!(!fixture.give(&Actor::Operator, &demand(org, false)).unwrap().profile.require_second_factor);
    let ann = register(&mut fixture, ANN).unwrap().id;
    let command = CreatePartner { manager: ann, patch: demand(org, true).patch };
    assert_eq!(fixture.give(&acting(ann), &command).unwrap_err(), refused);
}

#[test]
fn who_lacks_the_second_factor_is_told_so_and_nothing_else() {
    let (locked, other) = (PartnerId::root(1), PartnerId::root(2));
    let user = |managed: Vec<PartnerId>| {
        Actor::User(UserActor {
            user: UserId::root(9),
            confirmed_emails: Vec::new(),
            managed_partners: managed.into_iter().map(Membership::owner).collect(),
            acting_for: None,
            inactive_partners: Vec::new(),
            locked_partners: vec![locked],
            has_second_factor: false,
            is_operator: false,
        })
    };
    let told = Refusal::PartnerRequiresSecondFactor;
    assert_eq!(user(Vec::new()).acting_partner(), Err(told.clone()));
    assert_eq!(user(vec![other]).acting_partner(), Ok(other));
    for actor in [user(Vec::new()), user(vec![other])] {
        assert!(!actor.acts_for(locked) && !actor.acting_partners().contains(&locked));
        assert_eq!(permission::manage_keys(&actor, locked), Err(told.clone()));
        assert_eq!(permission::act_for(&actor, Capability::Organize, locked), Err(told.clone()));
        assert_eq!(permission::upload_attachment(&actor, locked), Err(told.clone()));
    }
}
