//! What holds for all commands: a refusal states nothing, what is taken back is not stated, and whoever changes rows
//! states something.

use kassa_domain::change::{
    AddressClass, Attribution, AudienceKey, Author, BatchId, ChangeBatch, FeedHead, FeedName, Origin, Subject,
    WAITING_ENTRIES_MAX, seal_and_place_batch, seal_batch,
};
use kassa_domain::command::decide;
use kassa_domain::context::RandomBits;
use kassa_domain::id::ShardTag;
use kassa_domain::order::{OrderEdit, OrderStatusKind, OrderTransition};
use kassa_domain::partner::PartnerId;
use kassa_domain::precondition::ResourceRef;
use kassa_domain::venue::{CreateVenue, VenuePatch};
use kassa_domain::{Actor, Command, Context, DecisionSettings, Id, ReadSet, Refusal, View};

use crate::fixture::{Fixture, NOON, random, steps};

/// Renames a partner, and states what it is told to state.
#[derive(Debug)]
struct Rename<const IS_SILENT: bool> {
    partner: PartnerId,
    fails: bool,
}

impl<const IS_SILENT: bool> Command for Rename<IS_SILENT> {
    type Outcome = ();

    const SILENT: Option<&'static str> = if IS_SILENT { Some("a test") } else { None };

    fn shard(&self) -> ShardTag {
        self.partner.tag()
    }

    fn read_set(&self, _: &mut ReadSet) {}

    fn decide(&self, _: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let mut partner = view.partners.get(self.partner).unwrap().clone();
        partner.name = "New".to_owned();
        view.partners.put(partner);
        if self.fails { Err(Refusal::Stale) } else { Ok(()) }
    }
}

#[test]
#[should_panic(expected = "a command changes rows and states nothing")]
fn a_command_that_changes_rows_and_states_nothing_is_found() {
    let mut fixture = Fixture::new();
    let command = Rename::<false> { partner: fixture.org, fails: false };
    let _ = fixture.give(&Actor::System, &command);
}

#[test]
fn a_command_with_a_reason_states_nothing() {
    let mut fixture = Fixture::new();
    let partner = fixture.org;
    fixture.give(&Actor::System, &Rename::<true> { partner, fails: false }).unwrap();
    fixture.give(&Actor::System, &Rename::<false> { partner, fails: true }).unwrap_err();
}

#[test]
fn a_refusal_states_nothing() {
    let mut fixture = Fixture::new();
    let set = fixture.set(2, 1000);
    let order = fixture.order(set, 1);
    fixture.step(order, OrderTransition::Paid).unwrap();
    let stated = fixture.stated(|fixture| {
        fixture.step(order, OrderTransition::Canceled).unwrap_err();
        // It takes tickets first, and is refused because of its step.
        let edit =
            OrderEdit { transition: Some(OrderTransition::Remain(OrderStatusKind::Expired)), ..random(&[(set, 1)]) };
        fixture.try_order(edit).unwrap_err();
    });
    assert_eq!(stated, "");
    assert!(fixture.view.changes.accepted().is_empty() && fixture.view.changes.pending().is_empty());
}

#[test]
fn what_is_taken_back_was_not_stated() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let order = fixture.order(set, 1);
    let update = fixture.update_of(order, steps(OrderTransition::Paid));
    let before = fixture.log.changes.len();
    fixture.rehearse(&fixture.organizer(), &update).unwrap();
    assert!(fixture.view.changes.pending().is_empty());
    assert_eq!(fixture.log.changes.len(), before);
    let stated = fixture.stated(|fixture| drop(fixture.step(order, OrderTransition::Paid).unwrap()));
    assert_eq!(stated, "order.paid 2, ticket.issued 3");
}

/// A decision that needs no random bits.
struct NoBits;

impl RandomBits for NoBits {
    fn next_u64(&mut self) -> u64 {
        panic!("nothing is random here")
    }
}

#[test]
fn a_batch_writes_what_its_commands_stated_as_one_row() {
    let mut fixture = Fixture::new();
    let (owner, mut node, mut view) = (fixture.org, fixture.node.clone(), std::mem::take(&mut fixture.view));
    assert_eq!(seal_batch(&mut node, NOON, &mut view), None, "nothing was stated");
    let (actor, api_key, address) = (Actor::Partner(owner), Some(Id::root(7)), Some(AddressClass::Public));
    for _ in 0..2 {
        let (origin, settings) = (Origin { api_key, address }, DecisionSettings::default());
        let random = &mut NoBits;
        let mut cx = Context { actor: &actor, origin, now: NOON, settings: &settings, node: &mut node, random };
        decide(&CreateVenue { owner, patch: VenuePatch::default() }, &mut cx, &mut view).unwrap();
        view.accept_changes();
    }
    let id = BatchId { node: node.number, epoch: node.epoch, number: 1 };
    assert_eq!((seal_batch(&mut node, NOON, &mut view), node.batches), (Some(id), 1));
    let ChangeBatch { place, committed_at, changes, .. } = view.change_batches.get(id).unwrap().clone();
    assert_eq!((place, committed_at, changes.len()), (None, NOON, 2));
    let author = Author::ApiKey { partner: owner, key: api_key };
    assert!(changes.iter().all(|change| change.attribution == Attribution { author, address }));
    assert!(view.venues.rows().all(|venue| venue.revision.changed_in() == Some(id)));
    assert_eq!(seal_batch(&mut node, NOON, &mut view), None, "all is written");
}

#[test]
fn one_goes_from_a_row_back_through_the_batches_that_changed_it() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let order = fixture.order(set, 1);
    let first = fixture.node.next_batch_id();
    fixture.node.batches += 1;
    fixture.step(order, OrderTransition::Paid).unwrap();
    let second = fixture.node.next_batch_id();
    let subject = Subject::Resource(ResourceRef::Order(order));
    let chain = fixture.log.changes.iter().filter(|change| change.subject == subject);
    let previous: Vec<_> = chain.map(|change| change.previous).collect();
    assert_eq!(previous, [None, Some(first), Some(second)], "reserved, paid, issued");
    assert_eq!(fixture.found(order).revision.changed_in(), Some(second));
}

#[test]
fn a_placed_batch_is_found_by_those_who_may_see_it() {
    let mut fixture = Fixture::new();
    let agent = fixture.agent_at(90, 10);
    fixture.set(1, 1000);
    let (node, changes) = (&mut fixture.node, fixture.log.changes.clone());
    let (id, committed_at, place) = (node.next_batch_id(), fixture.now, None);
    let batch = ChangeBatch { id, place, committed_at, changes: changes.into() };
    let mut head = FeedHead { last_place: 6, ..FeedHead::new(FeedName::Changes) };
    assert_eq!(head.place(batch).place, Some(7));
    let mut found: Vec<AudienceKey> = head.waiting.iter().map(|entry| entry.audience).collect();
    found.sort_unstable();
    let mut expected =
        vec![AudienceKey::Partner(fixture.org), AudienceKey::Partner(agent), AudienceKey::AgentsOf(fixture.event)];
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert!(head.waiting.iter().all(|entry| entry.place == 7));
}

#[test]
fn entries_wait_in_the_head_until_they_are_many() {
    let mut fixture = Fixture::new();
    let (owner, mut node, mut view) = (fixture.org, fixture.node.clone(), std::mem::take(&mut fixture.view));
    for place in 1..=WAITING_ENTRIES_MAX {
        let (origin, settings) = (Origin::default(), DecisionSettings::default());
        let mut cx = Context {
            actor: &Actor::Partner(owner),
            origin,
            now: NOON,
            settings: &settings,
            node: &mut node,
            random: &mut NoBits,
        };
        decide(&CreateVenue { owner, patch: VenuePatch::default() }, &mut cx, &mut view).unwrap();
        view.accept_changes();
        seal_and_place_batch(&mut node, NOON, &mut view).unwrap();
        let (waiting, listed) = if place < WAITING_ENTRIES_MAX { (place, 0) } else { (0, place) };
        assert_eq!(view.feed_heads.get(FeedName::Changes).unwrap().waiting.len(), waiting);
        assert_eq!(view.audience_entries.rows().count(), listed);
    }
}
