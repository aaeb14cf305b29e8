//! What is stated of partners, and of what they keep.

use kassa_domain::actor::UserActor;
use kassa_domain::api_key::{ApiKeyId, CreateApiKey, UpdateApiKey};
use kassa_domain::attachment::{CreateAttachment, Hex128, NoteDiscardedBytes, RemoveAttachment};
use kassa_domain::change::{Audience, Author, Fact, FactName};
use kassa_domain::hall_map::{CreateHallMap, UpdateHallMap};
use kassa_domain::invitation::{AnswerInvitation, InvitationAnswer};
use kassa_domain::order::OrderTransition;
use kassa_domain::partner::{
    CreatePartner, ManagerRef, Membership, PartnerId, PartnerManager, PartnerPatch, RestorePartner, Role,
    SetPartnerQuotas, SuspendPartner, UpdatePartner,
};
use kassa_domain::quota::QuotaKind;
use kassa_domain::user::{ConfirmEmail, UserId};
use kassa_domain::venue::{CreateVenue, UpdateVenue, VenuePatch};
use kassa_domain::widget_token::{CreateWidgetToken, RevokeWidgetToken};
use kassa_domain::{Actor, Command, Patch, Refusal};

use crate::accounts::{acting, register};
use crate::fixture::{Fixture, steps};

/// What a command states.
fn states<C: Command>(fixture: &mut Fixture, actor: &Actor, command: &C) -> String {
    fixture.stated(|fixture| drop(fixture.give(actor, command).unwrap()))
}

fn named(name: &str) -> PartnerPatch {
    PartnerPatch { name: Patch::Set(name.to_owned()), ..PartnerPatch::default() }
}

#[test]
fn the_life_of_a_partner_is_stated() {
    let mut fixture = Fixture::new();
    let manager = register(&mut fixture, "ann@example.org").unwrap().id;
    let created = states(&mut fixture, &Actor::Operator, &CreatePartner { manager, patch: named("Old") });
    assert_eq!(created, "partner.created 1");
    let partner = fixture.view.partners_of(manager)[0];
    let actor = Actor::Partner(partner);
    let update = |patch| UpdatePartner { partner, patch, users: None };
    assert_eq!(states(&mut fixture, &actor, &update(named("New"))), "partner.changed 2");
    assert_eq!(states(&mut fixture, &actor, &update(named("New"))), "");
    let remove = PartnerPatch { removed: Patch::Set(true), ..PartnerPatch::default() };
    assert_eq!(states(&mut fixture, &actor, &update(remove)), "partner.removed 3");
    assert_eq!(states(&mut fixture, &Actor::Operator, &RestorePartner { partner }), "partner.restored 4");
    let suspend = |reason: &str| SuspendPartner { partner, reason: Some(reason.to_owned()) };
    assert_eq!(states(&mut fixture, &Actor::Operator, &suspend("fraud")), "partner.suspended 5");
    assert_eq!(states(&mut fixture, &Actor::Operator, &suspend("fraud")), "");
    assert_eq!(states(&mut fixture, &Actor::Operator, &suspend("debts")), "partner.changed 6");
    assert_eq!(states(&mut fixture, &Actor::Operator, &RestorePartner { partner }), "partner.restored 7");
    let quotas = SetPartnerQuotas { partner, quotas: vec![(QuotaKind::Events, Some(7))] };
    assert_eq!(states(&mut fixture, &Actor::Operator, &quotas), "partner.changed 8");
    assert_eq!(states(&mut fixture, &Actor::Operator, &quotas), "");
    assert_eq!(fixture.last_change().audience, Audience::of(partner));
    assert_eq!(fixture.last_change().attribution.author, Author::Operator);
}

/// A user who has proved to have an e-mail.
fn confirmed(fixture: &mut Fixture, email: &str) -> UserId {
    let user = register(fixture, email).unwrap();
    let command = ConfirmEmail { user: user.id, email: user.email, password_hash: None, new_password_hash: None };
    fixture.give(&Actor::System, &command).unwrap().id
}

#[test]
fn who_manages_a_partner_is_stated_when_somebody_is_asked_and_when_it_answers() {
    let mut fixture = Fixture::new();
    let (boss, partner) = (register(&mut fixture, "boss@example.org").unwrap().id, fixture.org);
    fixture.arrange(|view| view.managers.put(PartnerManager { partner, user: boss, role: Role::Owner }));
    let user = confirmed(&mut fixture, "ann@example.org");
    let users = Some(vec![ManagerRef::User(boss), ManagerRef::User(user)]);
    let invite = UpdatePartner { partner, patch: PartnerPatch::default(), users };
    assert_eq!(states(&mut fixture, &Actor::Partner(partner), &invite), "partner.changed 2");
    assert_eq!(fixture.last_change().facts.get(FactName::Managers), Some(&Fact::Hidden));
    let answer = |answer| AnswerInvitation { user, partner, answer };
    assert_eq!(states(&mut fixture, &acting(user), &answer(InvitationAnswer::Decline)), "partner.changed 3");
    assert_eq!(states(&mut fixture, &acting(user), &answer(InvitationAnswer::Accept)), "partner.changed 4");
    assert_eq!(states(&mut fixture, &acting(user), &answer(InvitationAnswer::Accept)), "");
    assert_eq!(fixture.last_change().attribution.author, Author::User(user));
}

#[test]
fn a_user_is_stated_with_the_partner_whose_row_it_changes() {
    let mut fixture = Fixture::new();
    let (org, agent, stranger) = (fixture.org, fixture.partner(), fixture.partner());
    let user = UserId::root(77);
    let Actor::User(nobody) = acting(user) else { unreachable!() };
    let acts = |managed_partners: &[PartnerId], acting_for| {
        Actor::User(UserActor {
            managed_partners: managed_partners.iter().copied().map(Membership::owner).collect(),
            acting_for,
            ..nobody.clone()
        })
    };
    for (actor, partner) in [
        (acts(&[stranger, org], None), org),
        (acts(&[agent, org], Some(org)), org),
        (acts(&[agent, stranger], None), agent),
    ] {
        let set = fixture.set(2, 1000);
        let order = fixture.order(set, 1);
        fixture.hand_over(order, agent);
        let command = fixture.update_of(order, steps(OrderTransition::Canceled));
        assert_eq!(states(&mut fixture, &actor, &command), "order.canceled 2");
        let author = fixture.last_change().attribution.author;
        assert_eq!((author, author.partner()), (Author::Manager { user, partner }, Some(partner)));
    }
}

#[test]
fn keys_are_stated_to_their_partner() {
    let mut fixture = Fixture::new();
    let (partner, actor) = (fixture.org, fixture.organizer());
    let (name, secret_hash, encrypted_secret) = ("till".to_owned(), [7; 32], vec![7]);
    let create = CreateApiKey { partner, name, secret_hash, encrypted_secret, has_customers: false };
    assert_eq!(states(&mut fixture, &actor, &create), "api_key.created 1");
    let key: ApiKeyId = fixture.view.keys.rows().next().unwrap().id;
    let update = |name: &str, remove| UpdateApiKey { partner, key, name: Some(name.to_owned()), remove };
    assert_eq!(states(&mut fixture, &actor, &update("till", false)), "");
    assert_eq!(states(&mut fixture, &actor, &update("door", false)), "api_key.changed 2");
    assert_eq!(states(&mut fixture, &actor, &update("door", true)), "api_key.removed 3");
    assert_eq!(fixture.last_change().audience, Audience::of(partner));
}

#[test]
fn tokens_of_a_shop_are_stated_as_a_part_of_their_partner() {
    let mut fixture = Fixture::new();
    let (partner, actor) = (fixture.org, fixture.organizer());
    let before = fixture.view.partners.get(partner).unwrap().revision.number();
    let create = CreateWidgetToken { partner, event: Some(fixture.event) };
    assert_eq!(states(&mut fixture, &actor, &create), format!("partner.changed {}", before + 1));
    let token = fixture.view.partners.get(partner).unwrap().profile.widget_tokens[0].id;
    let revoke = RevokeWidgetToken { partner, token };
    assert_eq!(states(&mut fixture, &actor, &revoke), format!("partner.changed {}", before + 2));
    assert_eq!(fixture.last_change().audience, Audience::of(partner));
    assert_eq!(fixture.give(&actor, &revoke).unwrap_err(), Refusal::NotFound("widget token"));
    let other = Actor::Partner(fixture.partner());
    assert_eq!(fixture.give(&other, &create).unwrap_err(), Refusal::NotFound("partner"), "others do not learn of them");
}

#[test]
fn venues_and_their_maps_are_stated_to_who_made_them() {
    let mut fixture = Fixture::new();
    let (owner, actor) = (fixture.org, fixture.organizer());
    let named = |name: &str| VenuePatch { name: Patch::Set(name.to_owned()), ..VenuePatch::default() };
    assert_eq!(states(&mut fixture, &actor, &CreateVenue { owner, patch: named("Hall") }), "venue.created 1");
    let venue = fixture.view.venues.rows().next().unwrap().id;
    assert_eq!(states(&mut fixture, &actor, &UpdateVenue { venue, patch: named("Barn") }), "venue.changed 2");
    let create = CreateHallMap { venue, name: "Stalls".to_owned(), desc: None, sectors: Vec::new() };
    assert_eq!(states(&mut fixture, &actor, &create), "map.created 1");
    let hall_map = fixture.view.hall_maps.rows().next().unwrap().id;
    let (name, desc, sectors) = (Patch::Set("Circle".to_owned()), Patch::Keep, None);
    let update = UpdateHallMap { venue, hall_map, name, desc, sectors };
    assert_eq!(states(&mut fixture, &actor, &update), "map.changed 2");
    assert_eq!(fixture.last_change().audience, Audience::of(owner));
    assert_eq!(states(&mut fixture, &actor, &UpdateVenue::remove(venue)), "venue.removed 3");
}

#[test]
fn attachments_are_stated_to_their_author() {
    let mut fixture = Fixture::new();
    let (author, actor, token) = (fixture.org, fixture.organizer(), Hex128([2; 16]));
    let content_type = "image/png".parse().unwrap();
    let create = CreateAttachment { author, content_type, length: 3, md5: Hex128([1; 16]), token };
    assert_eq!(states(&mut fixture, &actor, &create), "attachment.created 1");
    let attachment = fixture.view.attachments.rows().next().unwrap().id;
    let remove = RemoveAttachment { attachment, author, token };
    assert_eq!(states(&mut fixture, &actor, &remove), "attachment.removed 2");
    assert_eq!(states(&mut fixture, &actor, &remove), "");
    assert_eq!(states(&mut fixture, &Actor::System, &NoteDiscardedBytes { attachment }), "");
}
