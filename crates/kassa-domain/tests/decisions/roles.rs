//! What roles let somebody do for a partner, and who gives them.

use kassa_domain::invitation::{AnswerInvitation, Invitation, InvitationAnswer, InvitationKey};
use kassa_domain::partner::{
    Capability, ChangeManagerRole, InviteManager, ManagerRef, Membership, PartnerManager, PartnerPatch, RemoveManager,
    Role, UpdatePartner,
};
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::user::{ConfirmEmail, UserId};
use kassa_domain::{Actor, Patch, Refusal, permission};

use crate::accounts::{acting, register};
use crate::fixture::Fixture;

/// The organizer, and a user who is this to it.
fn team(role: Role) -> (Fixture, UserId) {
    let mut fixture = Fixture::new();
    let partner = fixture.org;
    let [boss, user] = ["boss", "user"].map(|name| register(&mut fixture, &format!("{name}@example.org")).unwrap().id);
    for (user, role) in [(boss, Role::Owner), (user, role)] {
        fixture.arrange(|view| view.managers.put(PartnerManager { partner, user, role }));
    }
    (fixture, user)
}

/// A session of somebody who is this to the organizer.
fn session(fixture: &Fixture, user: UserId, role: Role) -> Actor {
    let Actor::User(mut own) = acting(user) else { panic!("a session is a user's") };
    own.managed_partners = vec![Membership { partner: fixture.org, role }];
    Actor::User(own)
}

#[test]
fn each_role_does_what_it_is_for_and_no_more() {
    use Capability::{Administer, HandleMoney, Organize, RequestRefunds, Sell};
    let all = [Administer, Organize, Sell, RequestRefunds, HandleMoney];
    let cases: [(Role, &[Capability]); 5] = [
        (Role::Owner, &all),
        (Role::Manager, &[Organize, Sell, RequestRefunds, HandleMoney]),
        (Role::Seller, &[Sell, RequestRefunds]),
        (Role::Accountant, &[RequestRefunds, HandleMoney]),
        (Role::Reader, &[]),
    ];
    for (role, has) in cases {
        let (fixture, user) = team(role);
        let actor = session(&fixture, user, role);
        assert!(actor.acts_for(fixture.org), "{role}: every role sees what the partner sees");
        for needs in all {
            let expected = if has.contains(&needs) {
                Ok(())
            } else {
                Err(Refusal::Forbidden(ForbiddenReason::RoleLacks { role, needs }))
            };
            assert_eq!(permission::act_for(&actor, needs, fixture.org), expected, "{role}");
        }
    }
    assert!(Role::ALL.into_iter().all(|role| Role::named(role.name()) == Some(role)));
    assert_eq!(Role::named("boss"), None);
}

#[test]
fn a_role_in_one_partner_is_none_in_another() {
    let (mut fixture, user) = team(Role::Reader);
    let other = fixture.partner();
    let Actor::User(mut both) = session(&fixture, user, Role::Reader) else { panic!("a session is a user's") };
    both.managed_partners.push(Membership::owner(other));
    let for_other = Actor::User(kassa_domain::actor::UserActor { acting_for: Some(other), ..both.clone() });
    let both = Actor::User(both);
    permission::act_for(&both, Capability::Administer, other).unwrap();
    permission::act_for(&both, Capability::Sell, fixture.org).unwrap_err();
    let foreign = Refusal::Forbidden(ForbiddenReason::OwnPartnerOnly);
    assert_eq!(permission::act_for(&for_other, Capability::Sell, fixture.org), Err(foreign));
}

#[test]
fn whoever_accepts_has_the_role_that_it_was_asked_for() {
    let (mut fixture, _) = team(Role::Owner);
    let partner = fixture.org;
    let owner = Actor::Partner(partner);
    let new = register(&mut fixture, "new@example.org").unwrap();
    let confirm = ConfirmEmail { user: new.id, email: new.email.clone(), password_hash: None, new_password_hash: None };
    fixture.give(&Actor::System, &confirm).unwrap();
    let invite = |role| InviteManager { partner, user: ManagerRef::Email("new@example.org".parse().unwrap()), role };
    assert_eq!(fixture.give(&owner, &invite(Role::Seller)).unwrap(), new.id);
    let key = InvitationKey { partner: Some(partner), user: new.id };
    let asked = |fixture: &Fixture| fixture.view.invitations.get(key).cloned().unwrap();
    assert_eq!((asked(&fixture).role, asked(&fixture).is_email_known), (Role::Seller, true));
    fixture.give(&owner, &invite(Role::Reader)).unwrap();
    let change = |role| ChangeManagerRole { partner, user: new.id, role };
    fixture.give(&owner, &change(Role::Accountant)).unwrap();
    assert_eq!(asked(&fixture).role, Role::Accountant);
    let answer = AnswerInvitation { user: new.id, partner, answer: InvitationAnswer::Accept };
    let answered: Invitation = fixture.give(&acting(new.id), &answer).unwrap();
    assert_eq!(answered.role, Role::Accountant);
    let role = |fixture: &Fixture| fixture.view.managers.get((partner, new.id)).map(|manager| manager.role);
    assert_eq!(role(&fixture), Some(Role::Accountant));
    fixture.give(&owner, &change(Role::Manager)).unwrap();
    assert_eq!(role(&fixture), Some(Role::Manager));
    fixture.give(&owner, &invite(Role::Seller)).unwrap();
    assert_eq!(role(&fixture), Some(Role::Seller), "who manages it needs no invitation");
    fixture.give(&owner, &RemoveManager { partner, user: new.id }).unwrap();
    assert_eq!(role(&fixture), None);
    for gone in
        [fixture.give(&owner, &RemoveManager { partner, user: new.id }), fixture.give(&owner, &change(Role::Owner))]
    {
        assert_eq!(gone.unwrap_err(), Refusal::NotFound("manager"));
    }
    let late = fixture.give(&acting(new.id), &answer).unwrap_err();
    assert_eq!(late, Refusal::NotFound("invitation"), "who was removed does not come back by an old invitation");
}

#[test]
fn one_owner_stays_and_everybody_else_may_go() {
    let (mut fixture, user) = team(Role::Seller);
    let partner = fixture.org;
    let boss = fixture.view.managers_of(partner).into_iter().find(|other| *other != user).unwrap();
    let owner = session(&fixture, boss, Role::Owner);
    for refused in [
        fixture.give(&owner, &RemoveManager { partner, user: boss }),
        fixture.give(&owner, &ChangeManagerRole { partner, user: boss, role: Role::Manager }),
        fixture
            .give(
                &owner,
                &UpdatePartner { partner, patch: PartnerPatch::default(), users: Some(vec![ManagerRef::User(user)]) },
            )
            .map(drop),
    ] {
        assert_eq!(refused.unwrap_err(), Refusal::LastManager);
    }
    let seller = session(&fixture, user, Role::Seller);
    let needs = Capability::Administer;
    let lacks = Refusal::Forbidden(ForbiddenReason::RoleLacks { role: Role::Seller, needs });
    for refused in [
        fixture.give(&seller, &RemoveManager { partner, user: boss }),
        fixture.give(&seller, &ChangeManagerRole { partner, user, role: Role::Owner }),
    ] {
        assert_eq!(refused.unwrap_err(), lacks);
    }
    fixture.give(&seller, &RemoveManager { partner, user }).unwrap();
    assert_eq!(fixture.view.managers_of(partner), [boss]);
    let stranger = fixture.partner();
    let foreign = fixture.give(&Actor::Partner(stranger), &RemoveManager { partner, user: boss }).unwrap_err();
    assert_eq!(foreign, Refusal::NotFound("partner"));
}

#[test]
fn a_manager_changes_what_the_partner_says_and_not_who_it_is() {
    let (mut fixture, user) = team(Role::Manager);
    let partner = fixture.org;
    let actor = session(&fixture, user, Role::Manager);
    let boss = fixture.view.managers_of(partner).into_iter().find(|other| *other != user).unwrap();
    let update = |patch, users| UpdatePartner { partner, patch, users };
    let named = PartnerPatch { name: Patch::Set("New".to_owned()), ..PartnerPatch::default() };
    assert_eq!(fixture.give(&actor, &update(named, None)).unwrap().name, "New");
    // The same team once more is no change.
    let same = Some(vec![ManagerRef::User(boss), ManagerRef::User(user)]);
    fixture.give(&actor, &update(PartnerPatch::default(), same)).unwrap();
    let removed = PartnerPatch { removed: Patch::Set(true), ..PartnerPatch::default() };
    let asked = Some(vec![ManagerRef::User(boss), ManagerRef::Email("eve@example.org".parse().unwrap())]);
    let lacks = Refusal::Forbidden(ForbiddenReason::RoleLacks { role: Role::Manager, needs: Capability::Administer });
    for command in [update(removed, None), update(PartnerPatch::default(), asked)] {
        assert_eq!(fixture.give(&actor, &command).unwrap_err(), lacks);
    }
    assert_eq!(fixture.view.managers_of(partner).len(), 2);
}
