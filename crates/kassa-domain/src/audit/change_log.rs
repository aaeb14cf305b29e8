//! What rows say of their changes is what the log tells of them.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::finding::FindingChecker;
use super::{Audited, Findings};
use crate::context::followed::Followed;
use crate::model::api_key::ApiKey;
use crate::model::attachment::Attachment;
use crate::model::change::{AudienceEntry, ChangeBatch, FeedHead, FeedName, Subject};
use crate::model::deal::Deal;
use crate::model::event::Event;
use crate::model::hall_map::HallMap;
use crate::model::partner::Partner;
use crate::model::promocode::Promocode;
use crate::model::row::Row as _;
use crate::model::set::TicketSet;
use crate::model::venue::Venue;
use crate::values::revision::Revision;
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// Names the batch that tells of the last change of a row.
pub(super) fn read_last_change(revision: Revision, read_set: &mut ReadSet) {
    read_set.feed_heads.push(FeedName::Changes);
    read_set.change_batches_to_read.extend(revision.changed_in());
}

/// The batch that a row names has its last change, unless it is not kept any more.
pub(super) fn audit_last_change(row: &impl Followed, view: &View, about: &mut FindingChecker<'_>) {
    audit_revision(row.subject(), row.revision(), row.updated_at(), view, about);
}

fn audit_revision(
    subject: Subject,
    revision: Revision,
    updated_at: Option<Timestamp>,
    view: &View,
    about: &mut FindingChecker<'_>,
) {
    let Some(id) = revision.changed_in() else { return };
    let Some(batch) = view.change_batches.get(id) else {
        // Before the feed begins, there is nothing that could have been told.
        let Some(head) = view.feed_heads.get(FeedName::Changes) else { return };
        let may_be_gone = head.purged_until.ms() > 0 && updated_at.is_none_or(|at| at <= head.purged_until);
        about.expect("changed_in", may_be_gone, "a batch of the log", &id.to_string());
        return;
    };
    let told = batch.changes.iter().rfind(|change| change.subject == subject).map(|change| change.version);
    about.expect_equal("revision", &told, &Some(revision.number()));
}

macro_rules! told_in_log {
    ($($row:ty as $name:literal in $field:ident;)*) => {
        $(impl Audited for $row {
            fn audit_read_set(&self, read_set: &mut ReadSet) -> bool {
                read_set.$field.push(self.id);
                read_last_change(self.revision, read_set);
                true
            }

            fn audit(&self, view: &View, findings: &mut Findings) {
                audit_last_change(self, view, &mut findings.checker_for($name, &self.id));
            }
        })*
    };
}

told_in_log! {
    Partner as "partner" in partners;
    ApiKey as "api_key" in keys;
    Attachment as "attachment" in attachments;
    Promocode as "promocode" in promocodes;
    Venue as "venue" in venues;
    HallMap as "map" in hall_maps;
    Event as "event" in events;
    Deal as "deal" in deals;
}

impl Audited for TicketSet {
    fn audit_read_set(&self, read_set: &mut ReadSet) -> bool {
        read_set.sets.push(self.id);
        read_last_change(self.revision, read_set);
        read_last_change(self.inventory, read_set);
        true
    }

    fn audit(&self, view: &View, findings: &mut Findings) {
        let mut about = findings.checker_for("set", &self.id);
        audit_last_change(self, view, &mut about);
        audit_revision(Subject::Inventory(self.id), self.inventory, None, view, &mut about);
    }
}

impl Audited for ChangeBatch {
    fn audit_read_set(&self, read_set: &mut ReadSet) -> bool {
        read_set.change_batches_to_read.push(self.id);
        read_set.feed_heads.push(FeedName::Changes);
        for change in &*self.changes {
            match change.subject {
                Subject::Resource(resource) => resource.read_set(read_set),
                Subject::Inventory(set) => read_set.sets.push(set),
            }
        }
        if let Some(place) = self.place {
            read_set.audience_entries.extend(self.audiences().into_iter().map(|audience| (audience, place)));
        }
        true
    }

    /// Nothing is told of a row that the row does not know of, and those who may see it find it.
    fn audit(&self, view: &View, findings: &mut Findings) {
        let mut about = findings.checker_for("batch", &self.id);
        for change in &*self.changes {
            let found = match change.subject {
                Subject::Resource(resource) => resource.revision(view),
                Subject::Inventory(set) => view.sets.get(set).map(|set| set.inventory),
            };
            let is_known = found.is_some_and(|found| {
                found.number() > change.version
                    || found.number() == change.version && found.changed_in() == Some(self.id)
            });
            about.expect("changes", is_known, "those that the rows have", &(change.subject, change.version, found));
        }
        let Some(place) = self.place else { return };
        let is_within = |head: &FeedHead| (head.oldest_place..=head.last_place).contains(&place);
        let head = view.feed_heads.get(FeedName::Changes);
        about.expect("place", head.is_some_and(is_within), "one within the feed", &(place, head));
        for audience in self.audiences() {
            let waits = |head: &FeedHead| head.waiting.contains(&AudienceEntry { audience, place });
            let is_found = view.audience_entries.get((audience, place)).is_some() || head.is_some_and(waits);
            about.expect("audience", is_found, "an entry for each who may see it", &audience);
        }
    }
}

impl Audited for AudienceEntry {
    fn audit_read_set(&self, read_set: &mut ReadSet) -> bool {
        read_set.audience_entries.push((self.audience, self.place));
        read_set.change_batches_at.push(self.place);
        true
    }

    fn audit(&self, view: &View, findings: &mut Findings) {
        let place = Some(self.place);
        let leads_there = |batch: &ChangeBatch| batch.place == place && batch.audiences().contains(&self.audience);
        let mut about = findings.checker_for("audience_entry", &self.place);
        about.expect("place", view.change_batches.rows().any(leads_there), "a batch that it may see", self);
    }
}

/// Sees that there is a batch at each of these places, as far as they are kept.
pub fn audit_places(places: RangeInclusive<i64>, view: &View, findings: &mut Findings) {
    let oldest = view.feed_heads.get(FeedName::Changes).map_or(1, |head| head.oldest_place);
    let taken: BTreeSet<i64> = view.change_batches.rows().filter_map(|batch| batch.place).collect();
    for place in places.filter(|place| *place >= oldest) {
        findings.checker_for("feed", &place).expect("place", taken.contains(&place), "a batch", &"none");
    }
}

/// Names what entries that wait in the head of the feed are compared with, which is to be read with the head.
pub fn read_waiting(entries: &[AudienceEntry], read_set: &mut ReadSet) {
    read_set.change_batches_at.extend(entries.iter().map(|entry| entry.place));
    read_set.audience_entries.extend(entries.iter().map(AudienceEntry::key));
}

/// Sees that those of these entries that still wait lead to batches, and are neither twice there nor in the index already, where
/// they could not be put any more.
pub fn audit_waiting(entries: &[AudienceEntry], view: &View, findings: &mut Findings) {
    let Some(head) = view.feed_heads.get(FeedName::Changes) else { return };
    for entry in entries.iter().filter(|entry| head.waiting.contains(entry)) {
        let leads_there =
            |batch: &ChangeBatch| batch.place == Some(entry.place) && batch.audiences().contains(&entry.audience);
        let mut about = findings.checker_for("feed", &entry.place);
        about.expect("waiting", view.change_batches.rows().any(leads_there), "a batch that it may see", entry);
        let is_listed = view.audience_entries.get(entry.key()).is_some();
        let times = head.waiting.iter().filter(|other| *other == entry).count();
        about.expect("waiting", !is_listed && times == 1, "an entry that is there once", &(entry, is_listed, times));
    }
}
