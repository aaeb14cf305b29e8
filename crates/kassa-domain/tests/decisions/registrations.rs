//! Registrations that nobody has confirmed: they give way, lapse, and open to whoever can read the mail.

use kassa_domain::mail::MailContent;
use kassa_domain::partner::{CreatePartner, PartnerPatch};
use kassa_domain::session::{Session, StartSession};
use kassa_domain::user::{
    Account, ConfirmEmail, EndSessions, LapseRegistration, RequestPasswordReset, ResetPassword, UpdateUser, User,
    UserId,
};
use kassa_domain::{Actor, Patch, Refusal};

use crate::accounts::{acting, confirm, customer_record, register, registration, update};
use crate::fixture::Fixture;
use crate::second_factors::activate;

const ANN: &str = "ann@example.org";
const WEEK: u32 = 7;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

impl Fixture {
    fn user(&self, user: UserId) -> &User {
        self.view.users.get(user).expect("a user")
    }

    /// Registers an e-mail with another password.
    fn register_anew(&mut self, email: &str) -> Result<User, Refusal> {
        let command = registration(self, email, "new");
        self.give(&Actor::Anonymous, &command)
    }

    fn session(&mut self, user: UserId, password: &str) -> Session {
        let command = StartSession { user, password_hash: password.into(), hash: [7; 32], second_factor: None };
        self.give(&Actor::System, &command).expect("a session");
        self.view.sessions.get([7; 32]).expect("a session").clone()
    }

    fn partner_of(&mut self, user: UserId) {
        let command = CreatePartner { manager: user, patch: PartnerPatch::default() };
        self.give(&Actor::Operator, &command).expect("a partner");
    }

    fn lapse_registration(&mut self, user: UserId) -> bool {
        self.give(&Actor::System, &LapseRegistration { user }).expect("it is never refused")
    }
}

/// What the owner of the address says, who has read the mail for the registration with the password `registered`.
fn owner_sets(user: UserId, registered: &str) -> ConfirmEmail {
    let (password_hash, new_password_hash) = (Some(registered.to_owned()), Some("owner".to_owned()));
    ConfirmEmail { user, email: ANN.parse().unwrap(), password_hash, new_password_hash }
}

#[test]
fn a_later_registration_replaces_one_that_was_not_confirmed() {
    let mut fixture = Fixture::new();
    let stranger = register(&mut fixture, ANN).unwrap();
    let session = fixture.session(stranger.id, "old");
    activate(&mut fixture, stranger.id);
    fixture.arrange(|view| {
        view.users.put(User { last_name: Some("Stranger".into()), ..view.users.get(stranger.id).unwrap().clone() });
    });
    fixture.pass_days(1);
    let ann = fixture.register_anew("Ann@Example.org").unwrap();
    assert_eq!(fixture.user(ann.id).created_at, fixture.now);
    assert_eq!((ann.id, ann.password_hash(), ann.second_factor.as_ref()), (stranger.id, Some("new"), None));
    assert_eq!((ann.first_name.as_deref(), ann.last_name.as_deref()), (Some("Eve"), None));
    assert!(!ann.admits_session(&session));
    let own = fixture.session(ann.id, "new");
    assert!(fixture.user(ann.id).admits_session(&own), "it works at once, as any");
}

#[test]
fn what_was_looked_up_for_a_registration_must_still_be_so() {
    let mut fixture = Fixture::new();
    let command = registration(&fixture, ANN, "new");
    let ann = register(&mut fixture, ANN).unwrap().id;
    assert_eq!(fixture.give(&Actor::Anonymous, &command).unwrap_err(), Refusal::Stale);
    let command = registration(&fixture, ANN, "new");
    confirm(&mut fixture, ann).unwrap();
    assert_eq!(fixture.give(&Actor::Anonymous, &command).unwrap_err(), Refusal::Stale);
    assert_eq!(fixture.user(ann).password_hash(), Some("old"));
}

#[test]
fn sessions_of_a_replaced_registration_stay_ended_whatever_the_clocks_say() {
    for (ahead_ms, manages) in [-DAY_MS, -1, 0, 1, DAY_MS].into_iter().flat_map(|ahead| [(ahead, false), (ahead, true)])
    {
        let mut fixture = Fixture::new();
        let user = register(&mut fixture, ANN).unwrap().id;
        if manages {
            fixture.partner_of(user);
        }
        let now = fixture.now;
        fixture.now = now.plus_ms(ahead_ms);
        fixture.give(&acting(user), &EndSessions { user }).unwrap();
        let session = fixture.session(user, "old");
        fixture.register_anew(ANN).unwrap();
        fixture.now = now;
        let owned = fixture.give(&Actor::System, &reader_gives(user, "new")).unwrap();
        assert!(!owned.admits_session(&session), "{ahead_ms} ms ahead");
    }
}

/// A user who manages a partner under an address that it has not proved, with its session; and a registration of the
/// same address with the password `new`.
fn manager_and_later_registration(fixture: &mut Fixture) -> (UserId, Session) {
    let manager = register(fixture, ANN).unwrap().id;
    activate(fixture, manager);
    let second_factor = fixture.user(manager).second_factor.clone();
    fixture.arrange(|view| view.users.put(User { second_factor: None, ..view.users.get(manager).unwrap().clone() }));
    let session = fixture.session(manager, "old");
    fixture.arrange(|view| view.users.put(User { second_factor, ..view.users.get(manager).unwrap().clone() }));
    fixture.partner_of(manager);
    fixture.pass_days(1);
    let later = fixture.register_anew(ANN).unwrap();
    assert_eq!((later.id, later.created_at), (manager, fixture.now), "nothing of what was there is shown");
    (manager, session)
}

/// What a reader of the mail says that knows a password of a registration.
fn reader_gives(user: UserId, registered: &str) -> ConfirmEmail {
    ConfirmEmail { new_password_hash: None, ..owner_sets(user, registered) }
}

#[test]
fn a_registration_over_one_that_manages_partners_waits_and_stops_nobody() {
    let mut fixture = Fixture::new();
    let (manager, session) = manager_and_later_registration(&mut fixture);
    let goes_on = fixture.user(manager);
    assert!(goes_on.admits_session(&session) && goes_on.has_second_factor());
    assert_eq!((goes_on.password_hash(), goes_on.waiting_password_hash()), (Some("old"), Some("new")));
    let command = StartSession { user: manager, password_hash: "new".into(), hash: [8; 32], second_factor: None };
    assert!(fixture.give(&Actor::System, &command).is_err(), "what waits logs nobody in");
    let third = registration(&fixture, ANN, "newer");
    fixture.give(&Actor::Anonymous, &third).unwrap();
    assert_eq!(fixture.user(manager).waiting_password_hash(), Some("newer"), "the last one waits");
}

#[test]
fn whoever_proves_the_address_has_the_partners_under_the_password_that_it_gives() {
    for (confirmation, password) in [
        (reader_gives as fn(UserId, &str) -> ConfirmEmail, "new"),
        (|user, _| ConfirmEmail { password_hash: None, ..owner_sets(user, "") }, "owner"),
    ] {
        let mut fixture = Fixture::new();
        let (manager, session) = manager_and_later_registration(&mut fixture);
        let owned = fixture.give(&Actor::System, &confirmation(manager, "new")).unwrap();
        assert_eq!((owned.password_hash(), owned.waiting_password_hash()), (Some(password), None));
        assert!(owned.is_email_confirmed() && !owned.admits_session(&session) && owned.second_factor.is_none());
    }
}

#[test]
fn a_manager_who_proves_the_address_keeps_everything_and_what_waits_is_forgotten() {
    let mut fixture = Fixture::new();
    let (manager, session) = manager_and_later_registration(&mut fixture);
    let kept = fixture.give(&Actor::System, &reader_gives(manager, "old")).unwrap();
    assert_eq!((kept.password_hash(), kept.waiting_password_hash()), (Some("old"), None));
    assert!(kept.is_email_confirmed() && kept.admits_session(&session) && kept.has_second_factor());
    let late = fixture.give(&Actor::System, &reader_gives(manager, "new"));
    assert_eq!(late.unwrap_err(), Refusal::CurrentPasswordWrong);
}

#[test]
fn a_registration_waits_for_one_address_and_not_for_ever() {
    let mut fixture = Fixture::new();
    let (manager, _) = manager_and_later_registration(&mut fixture);
    let email = Some("elsewhere@example.org".parse().unwrap());
    let verified_password_hash = Some("old".into());
    fixture.give(&acting(manager), &UpdateUser { email, verified_password_hash, ..update(manager) }).unwrap();
    assert_eq!(fixture.user(manager).waiting_password_hash(), None, "the address is free");
    let mut fixture = Fixture::new();
    let (manager, session) = manager_and_later_registration(&mut fixture);
    fixture.pass_days(WEEK);
    assert!(fixture.lapse_registration(manager));
    let goes_on = fixture.user(manager);
    assert!(goes_on.waiting_password_hash().is_none() && goes_on.admits_session(&session));
}

#[test]
fn the_operator_confirms_the_registration_that_it_was_shown() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    let shown = reader_gives(ann, "old");
    fixture.register_anew(ANN).unwrap();
    assert_eq!(fixture.give(&Actor::Operator, &shown).unwrap_err(), Refusal::Stale);
    assert!(!fixture.user(ann).is_email_confirmed());
}

impl Fixture {
    fn say_email(&mut self, user: UserId, email: &str) -> Result<User, Refusal> {
        let (email, verified_password_hash) = (Some(email.parse().unwrap()), Some("old".into()));
        self.give(&acting(user), &UpdateUser { email, verified_password_hash, ..update(user) })
    }

    fn displaced(&self, user: UserId) -> bool {
        self.user(user).email.as_str() == format!("{user}@displaced.invalid")
    }
}

#[test]
fn an_account_that_moved_to_an_address_gives_it_back_to_whoever_registers_it() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    confirm(&mut fixture, ann).unwrap();
    fixture.say_email(ann, "bob@example.org").unwrap();
    let session = fixture.session(ann, "old");
    let bob = fixture.register_anew("bob@example.org").unwrap();
    assert_ne!(bob.id, ann);
    assert_eq!(fixture.user(ann).email, ANN.parse().unwrap());
    assert!(fixture.user(ann).admits_session(&session), "nothing else happens to it");
}

#[test]
fn who_has_proved_an_address_has_a_better_claim_to_it_than_who_has_not() {
    for registered in [true, false] {
        let mut fixture = Fixture::new();
        let ann = register(&mut fixture, ANN).unwrap().id;
        confirm(&mut fixture, ann).unwrap();
        fixture.say_email(ann, "victim@example.org").unwrap();
        let holder =
            if registered { fixture.register_anew(ANN).unwrap().id } else { customer_record(&mut fixture, ANN) };
        let victim = fixture.register_anew("victim@example.org").unwrap();
        assert_eq!(fixture.user(ann).email, ANN.parse().unwrap());
        assert!(fixture.user(ann).is_email_confirmed());
        assert!(fixture.displaced(holder) && !fixture.user(holder).is_email_confirmed());
        assert_eq!(fixture.view.user_by_email(&victim.email).map(|user| user.id), Some(victim.id));
    }
}

#[test]
fn who_registers_an_address_gets_in_though_nobody_can_go_back() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    confirm(&mut fixture, ann).unwrap();
    fixture.say_email(ann, "victim@example.org").unwrap();
    let next = fixture.register_anew(ANN).unwrap().id;
    confirm(&mut fixture, next).unwrap();
    let victim = fixture.register_anew("victim@example.org").unwrap();
    assert!(fixture.displaced(ann) && victim.id != ann);
    assert_eq!(fixture.view.user_by_email(&ANN.parse().unwrap()).map(|user| user.id), Some(next));
    // It says another address, and may do so again and again.
    fixture.say_email(ann, "second@example.org").unwrap();
    fixture.register_anew("second@example.org").unwrap();
    assert!(fixture.displaced(ann));
}

#[test]
fn the_owner_of_the_address_confirms_with_a_password_of_its_own() {
    let mut fixture = Fixture::new();
    let stranger = register(&mut fixture, ANN).unwrap().id;
    let session = fixture.session(stranger, "old");
    activate(&mut fixture, stranger);
    let wrong = fixture.give(&Actor::System, &owner_sets(stranger, "older")).unwrap_err();
    assert_eq!(wrong, Refusal::CurrentPasswordWrong);
    let owned = fixture.give(&Actor::System, &owner_sets(stranger, "old")).unwrap();
    assert_eq!((owned.password_hash(), owned.is_email_confirmed()), (Some("owner"), true));
    assert!(!owned.admits_session(&session) && owned.second_factor.is_none(), "the stranger has nothing left");
    let again = fixture.give(&Actor::System, &owner_sets(stranger, "owner")).unwrap_err();
    assert_eq!(again, Refusal::CurrentPasswordRequired, "whose account it is was proved");
    let by_operator = ConfirmEmail { password_hash: None, ..owner_sets(stranger, "") };
    fixture.give(&Actor::Operator, &by_operator).unwrap();
}

#[test]
fn a_registration_that_nobody_confirms_lapses_after_seven_days() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    let ben = customer_record(&mut fixture, "ben@example.org");
    register(&mut fixture, "ben@example.org").unwrap();
    let session = fixture.session(ann, "old");
    fixture.pass_days(WEEK - 1);
    assert!(!fixture.lapse_registration(ann));
    fixture.pass_days(1);
    assert!(fixture.lapse_registration(ann) && fixture.lapse_registration(ben));
    assert!(!fixture.lapse_registration(ann), "once");
    for user in [ann, ben] {
        let lapsed = fixture.user(user);
        assert_eq!((&lapsed.account, lapsed.first_name.as_deref()), (&Account::Customer, None));
    }
    assert!(!fixture.user(ann).admits_session(&session));
    let late = fixture.give(&Actor::System, &owner_sets(ann, "old")).unwrap_err();
    assert_eq!(late, Refusal::CurrentPasswordWrong);
    let anew = fixture.register_anew(ANN).unwrap();
    assert!(matches!(anew.account, Account::Pending { .. }), "as any record of an address");
    assert!(!confirm(&mut fixture, ann).unwrap().admits_session(&session));
}

#[test]
fn what_is_confirmed_or_manages_partners_does_not_lapse() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    let ben = register(&mut fixture, "ben@example.org").unwrap().id;
    fixture.partner_of(ben);
    fixture.pass_days(WEEK - 1);
    confirm(&mut fixture, ann).unwrap();
    let eve = register(&mut fixture, "eve@example.org").unwrap().id;
    fixture.pass_days(1);
    assert!(!fixture.lapse_registration(ann) && !fixture.lapse_registration(eve));
    assert!(fixture.lapse_registration(ben), "it is not looked at again");
    for user in [ann, ben, eve] {
        assert!(matches!(fixture.user(user).account, Account::Open { .. }));
    }
    assert_eq!(fixture.user(ben).confirm_by, None);
}

#[test]
fn a_reset_proves_the_address_and_ends_all_sessions() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    let session = fixture.session(ann, "old");
    let email: kassa_domain::user::Email = ANN.parse().unwrap();
    let reset = |old: &str, new: &str| ResetPassword {
        user: ann,
        email: ANN.parse().unwrap(),
        password_hash: old.into(),
        new_password_hash: new.into(),
    };
    fixture.give(&Actor::System, &RequestPasswordReset { email }).unwrap();
    let asked = fixture.view.mails.rows().filter(|mail| mail.content == MailContent::ResetPassword).count();
    assert_eq!(asked, 1);
    let after = fixture.give(&Actor::System, &reset("old", "new")).unwrap();
    assert_eq!((after.password_hash(), after.is_email_confirmed()), (Some("new"), true));
    assert!(!after.admits_session(&session));
    assert_eq!(fixture.give(&Actor::System, &reset("old", "newer")).unwrap_err(), Refusal::TokenInvalid, "once");
    activate(&mut fixture, ann);
    let kept = fixture.give(&Actor::System, &reset("new", "newer")).unwrap();
    assert!(kept.has_second_factor(), "reading the mail is one factor");
}

#[test]
fn an_address_that_was_not_proved_resets_nothing_of_an_account_that_proved_another() {
    let mut fixture = Fixture::new();
    let ann = register(&mut fixture, ANN).unwrap().id;
    confirm(&mut fixture, ann).unwrap();
    let typo: kassa_domain::user::Email = "anne@example.org".parse().unwrap();
    let change = UpdateUser {
        email: Some(typo.clone()),
        first_name: Patch::Keep,
        verified_password_hash: Some("old".into()),
        ..update(ann)
    };
    fixture.give(&acting(ann), &change).unwrap();
    let reset = ResetPassword {
        user: ann,
        email: typo.clone(),
        password_hash: "old".into(),
        new_password_hash: "theirs".into(),
    };
    assert_eq!(fixture.give(&Actor::System, &reset).unwrap_err(), Refusal::TokenInvalid);
    let take = ConfirmEmail { email: typo, ..owner_sets(ann, "old") };
    assert_eq!(fixture.give(&Actor::System, &take).unwrap_err(), Refusal::CurrentPasswordRequired);
}
