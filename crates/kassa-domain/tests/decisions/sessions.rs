//! Sessions and API keys.

use kassa_domain::actor::UserActor;
use kassa_domain::api_key::{CreateApiKey, UpdateApiKey};
use kassa_domain::partner::{Membership, PartnerId};
use kassa_domain::refusal::CredentialFault;
use kassa_domain::session::{EndSession, ExtendSession, SESSION_DAYS, Session, StartSession};
use kassa_domain::user::{SetPassword, UpdateUser, UserId};
use kassa_domain::{Actor, Refusal, Timestamp};

use crate::accounts::{acting, customer_record, register, update};
use crate::fixture::{Fixture, NOON};

const ANN: &str = "ann@example.org";
const DAY_MINUTES: u32 = 24 * 60;
const HASH: [u8; 32] = [7; 32];

fn log_in(fixture: &mut Fixture, user: UserId, password: &str) -> Result<(), Refusal> {
    let command = StartSession { user, password_hash: password.into(), hash: HASH, second_factor: None };
    fixture.give(&Actor::System, &command).map(drop)
}

fn end(fixture: &Fixture) -> Option<Timestamp> {
    fixture.view.sessions.get(HASH).map(|session| session.expires_at)
}

fn is_admitted(fixture: &Fixture, user: UserId) -> bool {
    fixture.view.users.get(user).unwrap().admits_session(fixture.view.sessions.get(HASH).unwrap())
}

#[test]
fn only_an_open_account_with_the_present_password_logs_in() {
    let mut fixture = Fixture::new();
    let (customer, pending) =
        (customer_record(&mut fixture, "eve@example.org"), customer_record(&mut fixture, "ben@example.org"));
    register(&mut fixture, "ben@example.org").unwrap();
    let ann = register(&mut fixture, ANN).unwrap().id;
    let cases = [
        (UserId::root(7), "old", Err(Refusal::CredentialInvalid(CredentialFault::WrongPassword))),
        (customer, "", Err(Refusal::CredentialInvalid(CredentialFault::WrongPassword))),
        (pending, "older", Err(Refusal::CredentialInvalid(CredentialFault::WrongPassword))),
        (pending, "old", Err(Refusal::EmailUnconfirmed)),
        (ann, "older", Err(Refusal::CredentialInvalid(CredentialFault::WrongPassword))),
        (ann, "old", Ok(())),
    ];
    for (user, password, expected) in cases {
        assert_eq!(log_in(&mut fixture, user, password), expected);
    }
    fixture.give(&Actor::Operator, &SetPassword { user: ann, password_hash: "new".into() }).unwrap();
    assert_eq!(log_in(&mut fixture, ann, "old"), Err(Refusal::CredentialInvalid(CredentialFault::WrongPassword)));
}

#[test]
fn a_session_lasts_thirty_days_and_is_extended_at_most_once_a_day() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    log_in(&mut fixture, ann, "old").unwrap();
    let days = u32::try_from(SESSION_DAYS).unwrap();
    let first_end = NOON.plus_minutes(days * DAY_MINUTES);
    assert_eq!((days, end(&fixture)), (30, Some(first_end)));
    let extend = ExtendSession { hash: HASH };
    fixture.pass_minutes(DAY_MINUTES);
    fixture.give(&Actor::System, &extend).unwrap();
    assert_eq!(end(&fixture), Some(first_end), "a day is not over");
    fixture.pass_minutes(1);
    fixture.give(&Actor::System, &extend).unwrap();
    let second_end = fixture.now.plus_minutes(days * DAY_MINUTES);
    assert_eq!(end(&fixture), Some(second_end));
    fixture.now = second_end;
    fixture.give(&Actor::System, &extend).unwrap();
    assert_eq!(end(&fixture), Some(second_end), "what has ended stays so");
}

#[test]
fn a_session_that_was_ended_is_gone() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    log_in(&mut fixture, ann, "old").unwrap();
    for _ in 0..2 {
        fixture.give(&Actor::System, &EndSession { hash: HASH }).unwrap();
        assert_eq!(end(&fixture), None);
    }
    fixture.give(&Actor::System, &ExtendSession { hash: HASH }).unwrap();
    assert_eq!(end(&fixture), None);
}

#[test]
fn a_new_password_ends_all_sessions_but_the_one_it_was_changed_in() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    let begin = |fixture: &mut Fixture, hash: u8, password: &str| {
        let command = StartSession { user: ann, password_hash: password.into(), hash: [hash; 32], second_factor: None };
        fixture.give(&Actor::System, &command).unwrap();
    };
    let good = |fixture: &Fixture| {
        let user = fixture.view.users.get(ann).unwrap();
        let sessions = (1..=4).filter_map(|hash| fixture.view.sessions.get([hash; 32]));
        sessions.filter(|session| user.admits_session(session)).map(|session| session.hash[0]).collect::<Vec<_>>()
    };
    begin(&mut fixture, 1, "old");
    begin(&mut fixture, 2, "old");
    assert_eq!(good(&fixture), [1, 2]);
    let change = |password: &str, new: &str, session| UpdateUser {
        new_password_hash: Some(new.into()),
        verified_password_hash: Some(password.into()),
        session,
        ..update(ann)
    };
    fixture.give(&acting(ann), &update(ann)).unwrap();
    assert_eq!(good(&fixture), [1, 2], "another change ends none");
    fixture.give(&acting(ann), &change("old", "new", Some([2; 32]))).unwrap();
    begin(&mut fixture, 3, "new");
    assert_eq!(good(&fixture), [2, 3], "the clock has not moved");
    fixture.give(&acting(ann), &change("new", "newer", Some([3; 32]))).unwrap();
    begin(&mut fixture, 4, "newer");
    assert_eq!(good(&fixture), [3, 4], "who was kept once is not kept for ever");
    fixture.give(&Actor::Operator, &SetPassword { user: ann, password_hash: "newest".into() }).unwrap();
    assert_eq!(good(&fixture), [0; 0], "the operator's ends all");
}

#[test]
fn a_new_password_ends_sessions_whatever_the_clocks_of_servers_say() {
    const HOUR_MS: i64 = 60 * 60 * 1_000;
    for ahead_ms in [-HOUR_MS, -1, 0, 1, HOUR_MS] {
        let mut fixture = Fixture::new();
        let ann = register(&mut fixture, ANN).unwrap().id;
        for (old, new) in [("old", "new"), ("new", "newer")] {
            fixture.now = NOON.plus_ms(ahead_ms);
            log_in(&mut fixture, ann, old).unwrap();
            fixture.now = NOON;
            fixture.give(&Actor::Operator, &SetPassword { user: ann, password_hash: new.into() }).unwrap();
            assert!(!is_admitted(&fixture, ann), "with {old} by a clock that is {ahead_ms} ms ahead");
        }
        fixture.now = NOON.plus_ms(-HOUR_MS);
        log_in(&mut fixture, ann, "newer").unwrap();
        assert!(is_admitted(&fixture, ann), "{ahead_ms}");
    }
}

/// A session that noted the time of its log-in, as all did once.
#[test]
fn a_session_of_an_earlier_version_is_good_until_the_next_password() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    fixture.pass_minutes(1);
    log_in(&mut fixture, ann, "old").unwrap();
    let session = fixture.view.sessions.get(HASH).unwrap().clone();
    fixture.view.sessions.put(Session { password_since: fixture.now, ..session });
    fixture.view.accept_changes();
    assert!(is_admitted(&fixture, ann));
    fixture.give(&Actor::Operator, &SetPassword { user: ann, password_hash: "new".into() }).unwrap();
    assert!(!is_admitted(&fixture, ann));
}

fn new_key(partner: PartnerId) -> CreateApiKey {
    CreateApiKey { partner, name: "till".into(), secret_hash: HASH, encrypted_secret: vec![1], has_customers: false }
}

#[test]
fn keys_are_the_business_of_their_partner_alone() {
    let mut fixture = Fixture::new();
    let (org, other) = (fixture.org, fixture.partner());
    let key = fixture.give(&Actor::Partner(org), &new_key(org)).unwrap().id;
    let change = |partner| UpdateApiKey { partner, key, name: None, remove: true };
    let hidden = Refusal::NotFound("partner");
    assert_eq!(fixture.give(&Actor::Partner(other), &new_key(org)).unwrap_err(), hidden);
    assert_eq!(fixture.give(&Actor::Partner(other), &change(org)).unwrap_err(), hidden);
    assert_eq!(fixture.give(&Actor::Anonymous, &change(org)).unwrap_err(), Refusal::CredentialRequired);
    let foreign = fixture.give(&Actor::Partner(other), &change(other)).unwrap_err();
    assert_eq!(foreign, Refusal::NotFound("API key"));
}

#[test]
fn a_removed_key_stays_removed() {
    let mut fixture = Fixture::new();
    let org = fixture.org;
    let key = fixture.give(&fixture.organizer(), &new_key(org)).unwrap().id;
    for remove in [true, false] {
        let command = UpdateApiKey { partner: org, key, name: Some("new".into()), remove };
        let changed = fixture.give(&fixture.organizer(), &command).unwrap();
        assert_eq!((changed.removed, changed.name.as_str()), (true, "new"));
    }
}

#[test]
fn a_user_acts_for_the_partner_it_names_else_for_its_only_one() {
    let (first, second) = (PartnerId::root(1), PartnerId::root(2));
    let user = |partners: &[PartnerId], chosen| {
        let partners = partners.iter().copied().map(Membership::owner).collect();
        Actor::User(UserActor {
            user: UserId::root(9),
            confirmed_emails: Vec::new(),
            managed_partners: partners,
            inactive_partners: Vec::new(),
            acting_for: chosen,
            locked_partners: Vec::new(),
            has_second_factor: false,
            is_operator: false,
        })
    };
    let cases = [
        (user(&[first], None), Ok(first)),
        (user(&[first, second], Some(second)), Ok(second)),
        (user(&[first, second], None), Err(Refusal::PartnerRequired)),
        (user(&[], None), Err(Refusal::PartnerRequired)),
        (Actor::Partner(first), Ok(first)),
        (Actor::Operator, Err(Refusal::PartnerRequired)),
        (Actor::Anonymous, Err(Refusal::CredentialRequired)),
    ];
    for (actor, expected) in cases {
        assert_eq!(actor.acting_partner(), expected, "{actor:?}");
    }
}
