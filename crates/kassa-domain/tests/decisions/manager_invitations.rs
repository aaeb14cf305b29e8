//! Who manages a partner has agreed to it.

use kassa_domain::invitation::{
    AnswerInvitation, INVITATIONS_OF_FOUNDER_MAX, Invitation, InvitationAnswer, InvitationKey, InvitationStatus,
    InviteToRegister, PurgeInvitations,
};
use kassa_domain::mail::MailContent;
use kassa_domain::partner::{
    CreatePartner, MANAGERS_MAX, ManagerRef, Partner, PartnerId, PartnerManager, PartnerPatch, Role, UpdatePartner,
};
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::suspension::{Inactivity, Suspension};
use kassa_domain::user::{ConfirmEmail, Email, UserId};
use kassa_domain::{Actor, Refusal, RegistrationPolicy, Timestamp, permission};

use crate::accounts::{acting, register};
use crate::fixture::Fixture;

const DAY_MINUTES: u32 = 24 * 60;

/// The organizer, whom somebody manages already.
fn managed() -> (Fixture, UserId) {
    let mut fixture = Fixture::new();
    let boss = register(&mut fixture, "boss@example.org").unwrap().id;
    let partner = fixture.org;
    fixture.arrange(|view| view.managers.put(PartnerManager { partner, user: boss, role: Role::Owner }));
    (fixture, boss)
}

/// A user who has proved to have an e-mail.
fn confirmed(fixture: &mut Fixture, email: &str) -> UserId {
    let user = register(fixture, email).unwrap();
    let command = ConfirmEmail { user: user.id, email: user.email, password_hash: None, new_password_hash: None };
    fixture.give(&Actor::System, &command).unwrap().id
}

/// Asks these to manage the organizer, by its key.
fn set_users(fixture: &mut Fixture, users: &[ManagerRef]) -> Result<(), Refusal> {
    let partner = fixture.org;
    let command = UpdatePartner { partner, patch: PartnerPatch::default(), users: Some(users.to_vec()) };
    fixture.give(&Actor::Partner(partner), &command).map(drop)
}

fn by_id(users: &[UserId]) -> Vec<ManagerRef> {
    users.iter().copied().map(ManagerRef::User).collect()
}

fn answer(fixture: &mut Fixture, user: UserId, answer: InvitationAnswer) -> Result<Invitation, Refusal> {
    let partner = fixture.org;
    fixture.give(&acting(user), &AnswerInvitation { user, partner, answer })
}

fn mails(fixture: &Fixture) -> usize {
    let invites = |content: &MailContent| matches!(content, MailContent::Invitation { .. });
    fixture.view.mails.rows().filter(|mail| invites(&mail.content)).count()
}

fn status(fixture: &Fixture, user: UserId) -> Option<InvitationStatus> {
    let key = InvitationKey { partner: Some(fixture.org), user };
    fixture.view.invitations.get(key).map(|invitation| invitation.status)
}

#[test]
fn an_invited_user_manages_the_partner_once_it_accepts() {
    let (mut fixture, boss) = managed();
    let (org, ann) = (fixture.org, confirmed(&mut fixture, "ann@example.org"));
    set_users(&mut fixture, &by_id(&[boss, ann])).unwrap();
    assert_eq!((fixture.view.managers_of(org), mails(&fixture)), (vec![boss], 1));
    assert_eq!(fixture.view.invited_by(org, fixture.now), [ann]);
    // Naming it again changes nothing.
    set_users(&mut fixture, &by_id(&[boss, ann])).unwrap();
    assert_eq!((fixture.view.managers_of(org), mails(&fixture)), (vec![boss], 1));
    for _ in 0..2 {
        let accepted = answer(&mut fixture, ann, InvitationAnswer::Accept).unwrap();
        assert_eq!(accepted.status, InvitationStatus::Accepted);
        assert_eq!(fixture.view.managers_of(org), [boss, ann]);
    }
    assert_eq!(fixture.view.invited_by(org, fixture.now), []);
    assert_eq!(answer(&mut fixture, ann, InvitationAnswer::Decline), Err(Refusal::InvitationAccepted));
}

#[test]
fn an_email_is_invited_whether_it_has_an_account_or_not() {
    let (mut fixture, boss) = managed();
    let ann = confirmed(&mut fixture, "ann@example.org");
    let emails = ["ann@example.org", "new@example.org"].map(|email| ManagerRef::Email(email.parse().unwrap()));
    set_users(&mut fixture, &[&by_id(&[boss])[..], &emails].concat()).unwrap();
    let (org, now) = (fixture.org, fixture.now);
    let invited = fixture.view.invited_by(org, now);
    assert_eq!((invited.len(), invited.contains(&ann), mails(&fixture)), (2, true, 2));
}

#[test]
fn only_who_has_the_invited_email_accepts() {
    let (mut fixture, boss) = managed();
    let stranger = register(&mut fixture, "ann@example.org").unwrap().id;
    set_users(&mut fixture, &by_id(&[boss, stranger])).unwrap();
    assert_eq!(
        answer(&mut fixture, stranger, InvitationAnswer::Accept),
        Err(Refusal::Forbidden(ForbiddenReason::EmailNotConfirmed))
    );
    let partner = fixture.org;
    let foreign = AnswerInvitation { user: stranger, partner, answer: InvitationAnswer::Accept };
    for actor in [acting(boss), Actor::Partner(partner), Actor::Operator] {
        assert_eq!(fixture.give(&actor, &foreign), Err(Refusal::NotFound("user")));
    }
    assert_eq!(fixture.view.managers_of(partner), [boss]);
}

#[test]
fn what_was_declined_is_not_asked_again_and_can_be_accepted() {
    let (mut fixture, boss) = managed();
    let ann = confirmed(&mut fixture, "ann@example.org");
    set_users(&mut fixture, &by_id(&[boss, ann])).unwrap();
    answer(&mut fixture, ann, InvitationAnswer::Decline).unwrap();
    set_users(&mut fixture, &by_id(&[boss, ann])).unwrap();
    assert_eq!((status(&fixture, ann), mails(&fixture)), (Some(InvitationStatus::Declined), 1));
    answer(&mut fixture, ann, InvitationAnswer::Accept).unwrap();
    assert_eq!(fixture.view.managers_of(fixture.org), [boss, ann]);
}

#[test]
fn a_revoked_or_lapsed_invitation_is_not_there() {
    let (mut fixture, boss) = managed();
    let ann = confirmed(&mut fixture, "ann@example.org");
    let missing = Err(Refusal::NotFound("invitation"));
    assert_eq!(answer(&mut fixture, ann, InvitationAnswer::Accept), missing);
    set_users(&mut fixture, &by_id(&[boss, ann])).unwrap();
    set_users(&mut fixture, &by_id(&[boss])).unwrap();
    assert_eq!(answer(&mut fixture, ann, InvitationAnswer::Accept), missing);
    // Back and forth sends one mail.
    set_users(&mut fixture, &by_id(&[boss, ann])).unwrap();
    assert_eq!((status(&fixture, ann), mails(&fixture)), (Some(InvitationStatus::Pending), 1));
    fixture.pass_minutes(30 * DAY_MINUTES);
    assert_eq!(answer(&mut fixture, ann, InvitationAnswer::Accept), missing);
    set_users(&mut fixture, &by_id(&[boss, ann])).unwrap();
    assert_eq!(mails(&fixture), 2);
    answer(&mut fixture, ann, InvitationAnswer::Accept).unwrap();
}

#[test]
fn a_partner_keeps_one_of_its_managers() {
    let (mut fixture, boss) = managed();
    let ann = confirmed(&mut fixture, "ann@example.org");
    for users in [Vec::new(), vec![ann]] {
        assert_eq!(set_users(&mut fixture, &by_id(&users)), Err(Refusal::LastManager), "{users:?}");
    }
    let nobody = UserId::root(7);
    assert_eq!(set_users(&mut fixture, &by_id(&[boss, nobody])), Err(Refusal::UserUnknown(nobody.to_string())));
    assert_eq!((fixture.view.managers_of(fixture.org), mails(&fixture)), (vec![boss], 0));
}

#[test]
fn the_invitations_of_a_partner_are_bounded() {
    let (mut fixture, boss) = managed();
    let email = |at: u32| ManagerRef::Email(format!("u{at}@example.org").parse().unwrap());
    let all = |range: std::ops::Range<u32>| [by_id(&[boss]), range.map(email).collect()].concat();
    set_users(&mut fixture, &all(0..MANAGERS_MAX - 1)).unwrap();
    // Those that are taken back leave no room for others until they lapse.
    let full = Err(Refusal::TooMany { what: "users of one partner", max: MANAGERS_MAX });
    assert_eq!(set_users(&mut fixture, &all(200..201)), full);
}

/// A partner that a user has made.
fn partner_of(fixture: &mut Fixture, founder: UserId) -> PartnerId {
    let command = CreatePartner { manager: founder, patch: PartnerPatch::default() };
    fixture.give(&acting(founder), &command).unwrap().id
}

fn invite_as(fixture: &mut Fixture, partner: PartnerId, users: &[UserId]) -> Result<(), Refusal> {
    let command = UpdatePartner { partner, patch: PartnerPatch::default(), users: Some(by_id(users)) };
    fixture.give(&Actor::Partner(partner), &command).map(drop)
}

#[test]
fn a_user_with_many_partners_invites_another_few_times_and_takes_no_room_from_others() {
    let mut fixture = Fixture::new();
    let ann = confirmed(&mut fixture, "ann@example.org");
    let [eve, ben] = ["eve@example.org", "ben@example.org"].map(|email| register(&mut fixture, email).unwrap().id);
    let partners: Vec<PartnerId> = (0..5).map(|_| partner_of(&mut fixture, eve)).collect();
    for partner in &partners[..INVITATIONS_OF_FOUNDER_MAX as usize] {
        invite_as(&mut fixture, *partner, &[eve, ann]).unwrap();
    }
    let (what, max) = ("invitations of one user by partners that another has made", INVITATIONS_OF_FOUNDER_MAX);
    let too_many = Err(Refusal::TooMany { what, max });
    assert_eq!(invite_as(&mut fixture, partners[3], &[eve, ann]), too_many);
    // What is taken back leaves no room until it lapses.
    invite_as(&mut fixture, partners[0], &[eve]).unwrap();
    assert_eq!(invite_as(&mut fixture, partners[3], &[eve, ann]), too_many);
    assert_eq!(mails(&fixture), 3);
    invite_as(&mut fixture, partners[0], &[eve, ann]).unwrap();
    let of_ben = partner_of(&mut fixture, ben);
    invite_as(&mut fixture, of_ben, &[ben, ann]).unwrap();
    invite_as(&mut fixture, partners[3], &[eve, ben]).unwrap();
    fixture.pass_minutes(31 * DAY_MINUTES);
    invite_as(&mut fixture, partners[4], &[eve, ann]).unwrap();
}

#[test]
fn nobody_is_made_to_manage_a_partner_that_may_not_act() {
    let (mut fixture, boss) = managed();
    let ann = confirmed(&mut fixture, "ann@example.org");
    set_users(&mut fixture, &by_id(&[boss, ann])).unwrap();
    let org = fixture.org;
    fixture.arrange(|view| {
        let removed = Partner { removed: true, ..view.partners.get(org).unwrap().clone() };
        view.partners.put(removed);
    });
    let refused = answer(&mut fixture, ann, InvitationAnswer::Accept);
    assert_eq!(refused, Err(Refusal::PartnerInactive(Inactivity::Removed)));
}

#[test]
fn lapsed_invitations_are_forgotten() {
    let (mut fixture, boss) = managed();
    let ann = confirmed(&mut fixture, "ann@example.org");
    set_users(&mut fixture, &by_id(&[boss, ann])).unwrap();
    let keys = vec![InvitationKey { partner: Some(fixture.org), user: ann }];
    let purge = PurgeInvitations { tag: ann.tag(), keys };
    assert_eq!(fixture.give(&Actor::System, &purge), Ok(0));
    fixture.pass_minutes(30 * DAY_MINUTES);
    assert_eq!(fixture.give(&Actor::System, &purge), Ok(1));
    assert_eq!(status(&fixture, ann), None);
}

#[test]
fn registration_is_for_those_whom_it_is_open_to() {
    let mut fixture = Fixture::new();
    let email: Email = "ann@example.org".parse().unwrap();
    let check = |fixture: &mut Fixture, policy| {
        permission::register(&Actor::Anonymous, &email, policy, fixture.now, &mut fixture.view)
    };
    assert_eq!(check(&mut fixture, RegistrationPolicy::Open), Ok(()));
    assert_eq!(check(&mut fixture, RegistrationPolicy::Invite), Err(Refusal::RegistrationByInvitation));
    let invite = InviteToRegister { email: email.clone() };
    for actor in [Actor::Anonymous, Actor::Partner(fixture.org)] {
        let refused = Err(Refusal::Forbidden(ForbiddenReason::OperatorOnly));
        assert_eq!(fixture.give(&actor, &invite), refused);
    }
    fixture.give(&Actor::Operator, &invite).unwrap();
    assert_eq!((check(&mut fixture, RegistrationPolicy::Invite), mails(&fixture)), (Ok(()), 1));
    assert_eq!(check(&mut fixture, RegistrationPolicy::Closed), Err(Refusal::RegistrationClosed));
    fixture.pass_minutes(30 * DAY_MINUTES);
    assert_eq!(check(&mut fixture, RegistrationPolicy::Invite), Err(Refusal::RegistrationByInvitation));
    for policy in [RegistrationPolicy::Open, RegistrationPolicy::Invite, RegistrationPolicy::Closed] {
        assert_eq!(permission::register(&Actor::Operator, &email, policy, fixture.now, &mut fixture.view), Ok(()));
    }
}

#[test]
fn a_partner_that_may_not_act_invites_nobody_to_register() {
    let mut fixture = Fixture::new();
    let boss = register(&mut fixture, "boss@example.org").unwrap().id;
    let (partner, email): (_, Email) = (fixture.org, "new@example.org".parse().unwrap());
    fixture.arrange(|view| view.managers.put(PartnerManager { partner, user: boss, role: Role::Owner }));
    set_users(&mut fixture, &[ManagerRef::User(boss), ManagerRef::Email(email.clone())]).unwrap();
    for (removed, suspension) in [(false, None), (true, None), (false, Some(suspension()))] {
        let may_act = !removed && suspension.is_none();
        fixture.arrange(|view| {
            view.partners.put(Partner { removed, suspension, ..view.partners.get(partner).unwrap().clone() });
        });
        let policy = RegistrationPolicy::Invite;
        let answer = permission::register(&Actor::Anonymous, &email, policy, fixture.now, &mut fixture.view);
        assert_eq!(answer, if may_act { Ok(()) } else { Err(Refusal::RegistrationByInvitation) });
    }
}

fn suspension() -> Suspension {
    Suspension { since: Timestamp::from_ms(0), reason: None }
}
