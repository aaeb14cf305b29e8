//! What a suspended or removed partner, and a suspended user, cannot do.

use kassa_domain::actor::UserActor;
use kassa_domain::deal::DealId;
use kassa_domain::order::{CreateOrder, OrderStatusKind, OrderTransition};
use kassa_domain::partner::{
    Membership, Partner, PartnerId, PartnerPatch, RestorePartner, SetPartnerQuotas, SuspendPartner, UpdatePartner,
};
use kassa_domain::quota::QuotaKind;
use kassa_domain::refusal::{CredentialFault, ForbiddenReason};
use kassa_domain::session::StartSession;
use kassa_domain::suspension::{Inactivity, Suspension};
use kassa_domain::user::{RestoreUser, SetOperator, SuspendUser, UserId};
use kassa_domain::{Actor, Id, Patch, Refusal, View, permission};

use crate::accounts::register;
use crate::fixture::{Fixture, NOON, random};

fn suspend(fixture: &mut Fixture, partner: PartnerId) -> Partner {
    let reason = Some("fraud".to_owned());
    fixture.give(&Actor::Operator, &SuspendPartner { partner, reason }).unwrap()
}

fn remove(fixture: &mut Fixture, partner: PartnerId) {
    let patch = PartnerPatch { removed: Patch::Set(true), ..PartnerPatch::default() };
    fixture.give(&Actor::Partner(partner), &UpdatePartner { partner, patch, users: None }).unwrap();
}

fn session(user: UserId, managed: &[PartnerId], acting_for: Option<PartnerId>) -> Actor {
    let managed_partners = managed.iter().copied().map(Membership::owner).collect();
    let inactive_partners = Vec::new();
    Actor::User(UserActor {
        user,
        confirmed_emails: Vec::new(),
        managed_partners,
        inactive_partners,
        locked_partners: Vec::new(),
        has_second_factor: false,
        is_operator: false,
        acting_for,
    })
}

#[test]
fn the_operator_suspends_and_restores() {
    let mut fixture = Fixture::new();
    let org = fixture.org;
    let reason = Some("fraud".to_owned());
    assert_eq!(suspend(&mut fixture, org).suspension, Some(Suspension { since: NOON, reason }));
    fixture.pass_minutes(5);
    let again = suspend(&mut fixture, org);
    assert_eq!((again.suspension.unwrap().since, again.revision.number()), (NOON, 2), "that changes nothing");
    let restored = fixture.give(&Actor::Operator, &RestorePartner { partner: org }).unwrap();
    assert_eq!((restored.suspension, restored.revision.number()), (None, 3));
    remove(&mut fixture, org);
    assert!(!fixture.give(&Actor::Operator, &RestorePartner { partner: org }).unwrap().removed);
    let forbidden = Refusal::Forbidden(ForbiddenReason::OperatorOnly);
    for actor in [Actor::Anonymous, fixture.organizer()] {
        let command = SuspendPartner { partner: org, reason: None };
        assert_eq!(fixture.give(&actor, &command).unwrap_err(), forbidden);
        assert_eq!(fixture.give(&actor, &RestorePartner { partner: org }).unwrap_err(), forbidden);
    }
}

#[test]
fn a_user_whom_the_operator_has_appointed_runs_the_platform_until_it_is_dismissed() {
    let mut fixture = Fixture::new();
    let org = fixture.org;
    let user = register(&mut fixture, "ann@example.org").unwrap().id;
    let forbidden = Refusal::Forbidden(ForbiddenReason::OperatorOnly);
    let appoint = SetOperator { user, is_operator: true };
    assert_eq!(fixture.give(&fixture.organizer(), &appoint).unwrap_err(), forbidden, "nobody appoints itself");
    assert_eq!(fixture.give(&Actor::Operator, &appoint).unwrap().operator_since, Some(NOON));
    let Actor::User(plain) = session(user, &[], None) else { panic!("a user acts") };
    let ann = Actor::User(UserActor { is_operator: true, ..plain.clone() });
    assert_eq!(fixture.give(&ann, &appoint).unwrap_err(), forbidden, "operators appoint no others");
    let suspend = SuspendPartner { partner: org, reason: None };
    assert!(fixture.give(&ann, &suspend).unwrap().suspension.is_some());
    assert_eq!(fixture.give(&ann, &RestorePartner { partner: org }).unwrap().suspension, None);
    let quotas = SetPartnerQuotas { partner: org, quotas: vec![(QuotaKind::Events, Some(1))] };
    assert_eq!(fixture.give(&ann, &quotas).unwrap().quotas.get(&QuotaKind::Events), Some(&1));
    let other = Actor::User(plain);
    assert_eq!(fixture.give(&other, &suspend).unwrap_err(), forbidden);
    let dismissed = fixture.give(&Actor::Operator, &SetOperator { user, is_operator: false }).unwrap();
    assert_eq!(dismissed.operator_since, None);
    // Its session still says that it is one.
    let mut view = View::default();
    view.users.put(dismissed);
    assert!(!permission::admit(&ann, &view).unwrap().user().unwrap().is_operator);
}

#[test]
fn nobody_without_an_account_is_made_an_operator() {
    let mut fixture = Fixture::new();
    let stranger = SetOperator { user: Id::root(77), is_operator: true };
    let refused = fixture.give(&Actor::Operator, &stranger);
    assert_eq!(refused.unwrap_err(), Refusal::NotFound("account"));
}

#[test]
fn a_suspended_user_neither_logs_in_nor_acts() {
    let mut fixture = Fixture::new();
    let user = register(&mut fixture, "ann@example.org").unwrap().id;
    let log_in = StartSession { user, password_hash: "old".into(), hash: [1; 32], second_factor: None };
    let suspended = Refusal::from(CredentialFault::UserSuspended);
    fixture.give(&Actor::Operator, &SuspendUser { user, reason: None }).unwrap();
    assert_eq!(fixture.give(&Actor::System, &log_in).unwrap_err(), suspended);
    assert_eq!(permission::admit(&session(user, &[], None), &fixture.view).unwrap_err(), suspended);
    fixture.give(&Actor::Operator, &RestoreUser { user }).unwrap();
    fixture.give(&Actor::System, &log_in).unwrap();
    permission::admit(&session(user, &[], None), &fixture.view).unwrap();
}

#[test]
fn nobody_acts_for_a_partner_that_is_suspended_or_removed() {
    for inactive in [Inactivity::Suspended, Inactivity::Removed] {
        let mut fixture = Fixture::new();
        let (org, other, user) = (fixture.org, fixture.partner(), UserId::root(9));
        match inactive {
            Inactivity::Suspended => drop(suspend(&mut fixture, org)),
            Inactivity::Removed => remove(&mut fixture, org),
        }
        let admit = |actor: &Actor| permission::admit(actor, &fixture.view).map(std::borrow::Cow::into_owned);
        let credential = Refusal::from(CredentialFault::PartnerInactive(inactive));
        assert_eq!(admit(&Actor::Partner(org)), Err(credential));
        assert_eq!(admit(&Actor::Partner(other)), Ok(Actor::Partner(other)));
        let chosen = session(user, &[org, other], Some(org));
        assert_eq!(admit(&chosen), Err(Refusal::PartnerInactive(inactive)));
        let of_both = admit(&session(user, &[org, other], None)).unwrap();
        assert_eq!(of_both.acting_partner(), Ok(other), "it acts for the others");
        let of_one = admit(&session(user, &[org], None)).unwrap();
        assert_eq!(of_one.acting_partner(), Err(Refusal::PartnerInactive(inactive)));
        assert_eq!((of_one.acts_for(org), of_one.own_partners()), (false, vec![org]));
        for actor in [Actor::Operator, Actor::System, Actor::Anonymous] {
            assert_eq!(admit(&actor).as_ref(), Ok(&actor));
        }
    }
}

#[test]
fn a_user_brings_a_removed_partner_back_but_not_a_suspended_one() {
    let mut fixture = Fixture::new();
    let (org, user) = (fixture.org, UserId::root(9));
    let change = |removed| {
        let patch = PartnerPatch { removed, ..PartnerPatch::default() };
        UpdatePartner { partner: org, patch, users: None }
    };
    remove(&mut fixture, org);
    let actor = |fixture: &Fixture| {
        permission::admit(&session(user, &[org], None), &fixture.view).map(std::borrow::Cow::into_owned).unwrap()
    };
    let manager = actor(&fixture);
    assert_eq!(
        fixture.give(&manager, &change(Patch::Keep)).unwrap_err(),
        Refusal::PartnerInactive(Inactivity::Removed)
    );
    assert!(!fixture.give(&manager, &change(Patch::Set(false))).unwrap().removed);
    suspend(&mut fixture, org);
    let manager = actor(&fixture);
    assert_eq!(
        fixture.give(&manager, &change(Patch::Set(false))).unwrap_err(),
        Refusal::PartnerInactive(Inactivity::Suspended)
    );
}

#[test]
fn the_sets_of_an_inactive_organizer_are_not_sold_by_anybody() {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1_000);
    let agent = fixture.agent_at(90, 10);
    let org = fixture.org;
    let (reserved, begun, lapsed) = (
        fixture.order(set, 1),
        fixture.order_in(OrderStatusKind::AwaitingPayment, set),
        fixture.order_in(OrderStatusKind::Expired, set),
    );
    suspend(&mut fixture, org);
    let sale = |event, vendor, deal: Option<DealId>| CreateOrder { event, vendor, deal, edit: random(&[(set, 1)]) };
    let by_agent = sale(fixture.event, agent, None);
    assert_eq!(fixture.give(&Actor::Partner(agent), &by_agent).unwrap_err(), Refusal::EventNotOnSale);
    let stranger = fixture.partner();
    let by_stranger = sale(fixture.event, stranger, None);
    assert_eq!(
        fixture.give(&Actor::Partner(stranger), &by_stranger).unwrap_err(),
        Refusal::EventUnknown(fixture.event.to_string()),
        "it is as if the event were not public"
    );
    // Nothing is reserved any more, nor is anybody sent to pay; what has begun may end.
    assert_eq!(fixture.step(reserved, OrderTransition::AwaitingPayment).unwrap_err(), Refusal::EventNotOnSale);
    for unpaid in [reserved, lapsed] {
        assert_eq!(fixture.step(unpaid, OrderTransition::Paid).unwrap_err(), Refusal::EventNotOnSale);
    }
    fixture.step(begun, OrderTransition::Paid).unwrap();
    fixture.step(reserved, OrderTransition::Canceled).unwrap();
    fixture.give(&Actor::Operator, &RestorePartner { partner: org }).unwrap();
    fixture.give(&Actor::Partner(agent), &by_agent).unwrap();
}

#[test]
fn a_partner_that_requires_a_second_factor_is_closed_at_once_to_whoever_has_none() {
    let mut fixture = Fixture::new();
    let (org, ann) = (fixture.org, register(&mut fixture, "ann@example.org").unwrap().id);
    let admitted = |fixture: &Fixture, acting_for, has_second_factor| {
        let Actor::User(user) = session(ann, &[org], acting_for) else { panic!("a session is a user's") };
        let user = UserActor { has_second_factor, ..user };
        permission::admit_session(&user, &fixture.view)
            .map(|user| (user.managed_partners.clone(), user.locked_partners.clone()))
    };
    assert_eq!(admitted(&fixture, None, false), Ok((vec![Membership::owner(org)], Vec::new())));
    fixture.arrange(|view| {
        let mut partner = view.partners.get(org).unwrap().clone();
        partner.profile.require_second_factor = true;
        view.partners.put(partner);
    });
    assert_eq!(admitted(&fixture, Some(org), false), Err(Refusal::PartnerRequiresSecondFactor));
    assert_eq!(admitted(&fixture, None, false), Ok((Vec::new(), vec![org])));
    assert_eq!(admitted(&fixture, Some(org), true), Ok((vec![Membership::owner(org)], Vec::new())));
    remove(&mut fixture, org);
    assert_eq!(admitted(&fixture, None, false), Ok((Vec::new(), vec![org])), "nobody gets in by bringing it back");
    let locked = permission::admit(&session(ann, &[org], None), &fixture.view).unwrap().into_owned();
    let patch = PartnerPatch { removed: Patch::Set(false), ..PartnerPatch::default() };
    let restore = UpdatePartner { partner: org, patch, users: None };
    assert_eq!(fixture.give(&locked, &restore).unwrap_err(), Refusal::PartnerRequiresSecondFactor);
    suspend(&mut fixture, org);
    assert_eq!(admitted(&fixture, Some(org), false), Err(Refusal::PartnerInactive(Inactivity::Suspended)));
}
