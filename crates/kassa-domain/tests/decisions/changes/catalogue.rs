//! What is stated of events, sets, deals, promocodes and promotions.

use kassa_domain::change::{Audience, Fact, FactName};
use kassa_domain::deal::{CreateDeal, DealId, DealStatus, EffectiveDealStatus, ProposedTerms, UpdateDeal};
use kassa_domain::event::{CreateEvent, EventPatch, EventStatus};
use kassa_domain::partner::PartnerId;
use kassa_domain::price::Share;
use kassa_domain::promocode::UpdatePromocode;
use kassa_domain::promotion::{RemovePromotion, UpdatePromotion};
use kassa_domain::{Actor, Money, Patch, Percent, Window};

use crate::fixture::{END, Fixture, NOON, levels, remove_set};

#[test]
fn the_life_of_an_event_is_stated() {
    let mut fixture = Fixture::new();
    fixture.set(1, 1000);
    let mut change = |patch: fn(&mut EventPatch)| fixture.stated(|fixture| drop(fixture.change_event(patch).unwrap()));
    // The fixture's event was made public at once: versions 1 and 2.
    assert_eq!(change(|event| event.details.title = Patch::Set("Gala".into())), "event.changed 3");
    assert_eq!(change(|event| event.details.title = Patch::Set("Gala".into())), "");
    assert_eq!(change(|event| event.status = Patch::Set(EventStatus::StandBy)), "event.changed 4");
    assert_eq!(change(|event| event.status = Patch::Set(EventStatus::Public)), "event.published 5");
    let longer = |event: &mut EventPatch| {
        event.lifetime = Patch::Set(Window { start: NOON, finish: Some(END.plus_minutes(1)) });
    };
    assert_eq!(change(longer), "set.changed 2, event.changed 6", "plain prices end with the event");
    assert_eq!(change(|event| event.status = Patch::Set(EventStatus::Canceled)), "event.canceled 7");
    assert_eq!(change(|event| event.removed = Patch::Set(true)), "event.removed 8");
    assert_eq!(fixture.last_change().audience, Audience::of(fixture.org).and_agents_of(fixture.event));
}

#[test]
fn a_new_event_that_sells_at_once_was_published() {
    let mut fixture = Fixture::new();
    let organizer = fixture.org;
    let command = CreateEvent { organizer, patch: EventPatch::default() };
    let stated = fixture.stated(|fixture| drop(fixture.give(&Actor::Partner(organizer), &command).unwrap()));
    assert_eq!(stated, "event.created 1");
    assert_eq!(fixture.stated(|fixture| drop(fixture.event_of(organizer))), "event.created 1, event.published 2");
}

#[test]
fn the_life_of_a_set_is_stated() {
    let mut fixture = Fixture::new();
    let mut made = None;
    let created = fixture.stated(|fixture| made = Some(fixture.set(2, 1000)));
    assert_eq!(created, "set.created 1, inventory.available 1");
    let set = made.unwrap();
    assert_eq!(fixture.stated(|fixture| drop(fixture.reprice(set, 2000))), "set.changed 2");
    let step = Fact::step(Money::from_minor(1000), Money::from_minor(2000));
    assert_eq!(fixture.last_change().facts.get(FactName::Price), Some(&step));
    assert_eq!(fixture.stated(|fixture| drop(fixture.reprice(set, 2000))), "");
    let tickets = fixture.tickets(set);
    let blocked = fixture.stated(|fixture| drop(fixture.block(set, &tickets).unwrap()));
    assert_eq!(blocked, "set.changed 3, inventory.sold_out 2");
    assert_eq!(fixture.stated(|fixture| drop(fixture.resize(set, 3).unwrap())), "set.changed 4, inventory.available 3");
    let (event, organizer) = (fixture.event, fixture.organizer());
    let command = remove_set(event, set);
    let removed = fixture.stated(|fixture| drop(fixture.give(&organizer, &command).unwrap()));
    assert_eq!(removed, "set.removed 5", "what it has left nobody can buy");
    assert_eq!(fixture.stated(|fixture| drop(fixture.give(&organizer, &command).unwrap())), "");
}

#[test]
fn each_step_of_a_job_that_makes_tickets_is_stated() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    fixture.promise(set, 2);
    let step = fixture.next_step(set).unwrap();
    let stated = fixture.stated(|fixture| assert!(fixture.give(&Actor::System, &step).is_ok()));
    assert_eq!(stated, "set.changed 2");
    let left = Fact::step(2_i64, 0_i64);
    assert_eq!(fixture.last_change().facts.get(FactName::Pending), Some(&left));
    assert_eq!(fixture.stated(|fixture| assert!(fixture.give(&Actor::System, &step).is_ok())), "", "it is done");
}

fn propose(fixture: &mut Fixture, by: PartnerId, agent: PartnerId) -> DealId {
    let share = |percent| Share::Percent(Percent::from_percent(percent));
    let terms = ProposedTerms { organizer_share: share(90), markup: share(10), platform_fee_on_top: false };
    let (event, organizer, agent, message) = (fixture.event, fixture.org, Some(agent), String::new());
    let command = CreateDeal { event, proposer: by, agent, organizer, terms, message };
    fixture.give(&Actor::Partner(by), &command).unwrap().id
}

#[test]
fn the_life_of_a_deal_is_stated_to_its_sides() {
    let mut fixture = Fixture::new();
    let (org, agent) = (fixture.org, fixture.partner());
    let cases = [
        (
            agent,
            &[(org, DealStatus::Accepted, "deal.accepted 2"), (agent, DealStatus::Terminated, "deal.terminated 3")][..],
        ),
        (agent, &[(org, DealStatus::Declined, "deal.declined 2")][..]),
        (agent, &[(agent, DealStatus::Revoked, "deal.revoked 2")][..]),
        (org, &[(org, DealStatus::Terminated, "deal.terminated 2")][..]),
    ];
    for (by, steps) in cases {
        let mut made = None;
        let stated = fixture.stated(|fixture| made = Some(propose(fixture, by, agent)));
        assert_eq!(stated, if by == org { "deal.accepted 1" } else { "deal.proposed 1" });
        let (deal, event) = (made.unwrap(), fixture.event);
        for (by, status, expected) in steps {
            let command = UpdateDeal { deal, event, status: Some(EffectiveDealStatus::Stored(*status)) };
            let mut give = || fixture.stated(|fixture| drop(fixture.give(&Actor::Partner(*by), &command).unwrap()));
            assert_eq!((give().as_str(), give().as_str()), (*expected, ""));
            assert_eq!(fixture.last_change().audience, Audience::between(org, agent));
        }
    }
}

#[test]
fn promocodes_are_stated_to_their_organizer() {
    let mut fixture = Fixture::new();
    let (mut made, event) = (None, fixture.event);
    let created = fixture.stated(|fixture| made = Some(fixture.promocode("SPRING", |_| ())));
    assert_eq!(created, "promocode.created 1");
    let limit = |limit| {
        let uses_limit = Patch::Set(limit);
        UpdatePromocode { uses_limit, ..UpdatePromocode::unchanged(event, made.unwrap()) }
    };
    for (uses_limit, expected) in
        [(9, "promocode.changed 2"), (9, ""), (0, "promocode.changed 3, promocode.exhausted 4")]
    {
        let command = limit(uses_limit);
        let stated = fixture.stated(|fixture| drop(fixture.give(&fixture.organizer(), &command).unwrap()));
        assert_eq!(stated, expected);
    }
    assert_eq!(fixture.last_change().audience, Audience::of(fixture.org), "agents do not see promocodes");
}

#[test]
fn promotions_are_stated_to_their_organizer() {
    let mut fixture = Fixture::new();
    let (mut made, event) = (None, fixture.event);
    let created = fixture.stated(|fixture| made = Some(fixture.promotion(&[(2, 10)], |_| ())));
    assert_eq!(created, "promotion.created 1");
    let promotion = made.unwrap();
    let change = UpdatePromotion { levels: Some(levels(&[(3, 10)])), ..UpdatePromotion::unchanged(event, promotion) };
    let changed = fixture.stated(|fixture| drop(fixture.give(&fixture.organizer(), &change).unwrap()));
    assert_eq!(changed, "promotion.changed 2");
    let remove = RemovePromotion { event, promotion };
    let removed = fixture.stated(|fixture| fixture.give(&fixture.organizer(), &remove).unwrap());
    assert_eq!(removed, "promotion.removed 3");
    assert_eq!(fixture.last_change().audience, Audience::of(fixture.org));
}
