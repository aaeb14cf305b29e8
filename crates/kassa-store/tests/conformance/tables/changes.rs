//! The log of changes, and the feed.

use std::cmp::Ordering;

use kassa_domain::change::{
    Attribution, Audience, AudienceEntry, AudienceKey, Author, BatchId, Change, ChangeBatch, ChangeType, Facts,
    FeedHead, FeedName, Revision, SequencerClaim, Subject,
};
use kassa_domain::precondition::ResourceRef;
use kassa_domain::view::Row as _;
use kassa_domain::{Id, ReadSet, View};
use kassa_store::StoreError;
use kassa_store::queries::{AgentEntries, PartnerEntries};

use crate::database::Database;
use crate::dice::{CHANGE_BATCHES, Dice};
use crate::kinds::{UniquePair, kind};
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::PlanCases;
use crate::samples::{self, at, id_in_event, party};

pub(crate) fn batch_id(number: i64) -> BatchId {
    BatchId { node: 3, epoch: 2, number }
}

/// Of a row that was changed so often, the last time by a batch of that number.
pub(crate) fn revision(number: i64) -> Revision {
    Revision::stored(number, Some(batch_id(number)))
}

pub(crate) fn change(number: i64) -> Change {
    let event = party().id;
    Change {
        kind: ChangeType::OrderPaid,
        subject: Subject::Resource(ResourceRef::Order(id_in_event(event, number))),
        version: number,
        event: Some(event),
        audience: Audience::between(Id::root(1), Id::root(2)).and_agents_of(event),
        facts: Facts::none(),
        attribution: Attribution { author: Author::System, address: None },
        previous: Some(batch_id(number - 1)),
    }
}

/// A batch without a place.
pub(crate) fn change_batch(number: i64) -> ChangeBatch {
    let changes = [change(number), change(number + 1)];
    ChangeBatch { id: batch_id(number), place: None, committed_at: at(number), changes: changes.into() }
}

pub(crate) fn placed_batch(number: i64, place: i64) -> ChangeBatch {
    ChangeBatch { place: Some(place), ..change_batch(number) }
}

pub(crate) fn feed_head() -> FeedHead {
    FeedHead { last_place: 7, oldest_place: 3, purged_until: at(5), ..FeedHead::new(FeedName::Changes) }
}

pub(crate) fn audience_entry(audience: AudienceKey, place: i64) -> AudienceEntry {
    AudienceEntry { audience, place }
}

kind!(FeedHead, feed_heads, |row, read_set| read_set.feed_heads.push(row.name), [samples::feed_head()], |row| {
    let waiting = vec![samples::audience_entry(AudienceKey::AgentsOf(party().id), i64::MAX)];
    let claim = SequencerClaim { node: 1023, epoch: i64::MAX, lease_till: at(-1) };
    FeedHead {
        last_place: i64::MAX - 1,
        oldest_place: i64::MAX,
        purged_until: at(9),
        sequencer: Some(claim),
        waiting,
        ..row
    }
});

kind!(
    ChangeBatch,
    change_batches,
    |row, read_set| read_set.change_batches.push(row.id),
    [
        samples::change_batch(1),
        ChangeBatch { id: BatchId { node: 1023, epoch: 1, number: 9 }, ..samples::placed_batch(9, 4) },
    ],
    |row| ChangeBatch { place: row.place.or(Some(99)), ..row },
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            for number in 1..=CHANGE_BATCHES {
                let place = dice.flip().then_some(number);
                view.change_batches.put(ChangeBatch { place, ..samples::change_batch(number) });
            }
        }

        fn unique_pairs() -> Vec<UniquePair> {
            vec![UniquePair::new(
                "place",
                |view| view.change_batches.put(samples::placed_batch(1, 5)),
                |view| view.change_batches.put(samples::placed_batch(2, 5)),
            )]
        }
    }
);

kind!(
    AudienceEntry,
    audience_entries,
    |row, read_set| read_set.audience_entries.push(row.key()),
    [
        samples::audience_entry(AudienceKey::Partner(Id::root(1)), 2),
        samples::audience_entry(AudienceKey::Partner(Id::root(1)), 3),
        samples::audience_entry(AudienceKey::AgentsOf(party().id), 2),
    ],
    |row| row,
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            for place in 1..=CHANGE_BATCHES {
                let partner = AudienceKey::Partner(dice.partner());
                view.audience_entries.put(samples::audience_entry(partner, place));
                let agents = dice.maybe(|dice| AudienceKey::AgentsOf(dice.event()));
                let entries = agents.map(|agents| samples::audience_entry(agents, place));
                if let Some(entry) = entries {
                    view.audience_entries.put(entry);
                }
            }
        }

        fn plan_cases(cases: &mut PlanCases) {
            let own = PartnerEntries { partners: vec![Id::root(1)], after_place: 3, last_place: 50 };
            cases.add_sorted(&own);
            let of_events = AgentEntries { agents: vec![Id::root(1), Id::root(2)], after_place: 3, last_place: 50 };
            cases.add_sorted(&of_events);
        }
    }
);

fn place(dice: &mut Dice) -> i64 {
    i64::try_from(dice.below(CHANGE_BATCHES.unsigned_abs())).unwrap()
}

impl ListModel for PartnerEntries {
    fn includes(&self, entry: &AudienceEntry, _: &View) -> bool {
        let is_own = matches!(entry.audience, AudienceKey::Partner(partner) if self.partners.contains(&partner));
        is_own && self.after_place < entry.place && entry.place <= self.last_place
    }

    fn compare(&self, one: &AudienceEntry, other: &AudienceEntry) -> Ordering {
        (one.place, one.audience).cmp(&(other.place, other.audience))
    }
}

pub(crate) async fn entries_of_partners_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<PartnerEntries>(db, |dice| PartnerEntries {
        partners: dice.some(Dice::partner),
        after_place: place(dice),
        last_place: place(dice) + CHANGE_BATCHES / 2,
    })
    .await;
}

impl ListModel for AgentEntries {
    fn includes(&self, entry: &AudienceEntry, all: &View) -> bool {
        let AudienceKey::AgentsOf(event) = entry.audience else { return false };
        let is_sold =
            all.deals.rows().any(|deal| deal.event == event && deal.is_accepted() && self.agents.contains(&deal.agent));
        is_sold && self.after_place < entry.place && entry.place <= self.last_place
    }

    fn compare(&self, one: &AudienceEntry, other: &AudienceEntry) -> Ordering {
        (one.place, one.audience).cmp(&(other.place, other.audience))
    }
}

pub(crate) async fn entries_of_agents_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<AgentEntries>(db, |dice| AgentEntries {
        agents: vec![dice.partner(), dice.partner(), dice.partner()],
        after_place: place(dice) / 2,
        last_place: place(dice) + CHANGE_BATCHES / 2,
    })
    .await;
}

pub(crate) async fn a_batch_is_found_by_its_place(db: Database) {
    let batches = [placed_batch(1, 2), placed_batch(2, 1), change_batch(3)];
    db.insert(|view| batches.iter().for_each(|batch| view.change_batches.put(batch.clone()))).await;
    let view = db.view(ReadSet { change_batches_at: vec![1, 3], ..ReadSet::default() }).await;
    assert_eq!(view.change_batches.rows().collect::<Vec<_>>(), [&batches[1]]);
    let read_set = ReadSet { change_batches_to_read: vec![batches[2].id, batch_id(9)], ..ReadSet::default() };
    assert_eq!(db.view(read_set).await.change_batches.rows().collect::<Vec<_>>(), [&batches[2]]);
}

pub(crate) async fn batches_without_a_place_come_in_the_order_in_which_they_were_written(db: Database) {
    let [first, second, third] = [9, 4, 6].map(change_batch);
    for batch in [&first, &second, &third] {
        db.insert(|view| view.change_batches.put(batch.clone())).await;
    }
    let unplaced = async |limit| {
        let batches = db.store.unplaced_batches(limit).await.unwrap();
        assert!(batches.iter().all(|batch| batch.bytes > 0) && batches.is_sorted_by_key(|batch| batch.stamp));
        batches.into_iter().map(|batch| batch.id).collect::<Vec<_>>()
    };
    assert_eq!(unplaced(9).await, [first.id, second.id, third.id]);
    assert_eq!(unplaced(2).await, [first.id, second.id]);
    let read_set = ReadSet { change_batches: vec![second.id], ..ReadSet::default() };
    let place = |view: &mut View| view.change_batches.put(ChangeBatch { place: Some(1), ..second.clone() });
    db.write(read_set, place).await.unwrap();
    assert_eq!(unplaced(9).await, [first.id, third.id]);
}

pub(crate) async fn the_oldest_place_is_not_ahead_of_the_feed(db: Database) {
    let ahead = FeedHead { oldest_place: 9, ..feed_head() };
    let written = db.write(ReadSet::default(), |view| view.feed_heads.put(ahead.clone())).await;
    assert!(matches!(written, Err(StoreError::Constraint(_))), "{written:?}");
    db.insert(|view| view.feed_heads.put(FeedHead { oldest_place: 8, ..feed_head() })).await;
}
