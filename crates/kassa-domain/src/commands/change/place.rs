//! The place of a batch in the feed.

use std::collections::BTreeSet;

use crate::model::change::{AudienceEntry, AudienceKey, ChangeBatch};
use crate::view::View;

/// Gives a batch its place in the feed, and puts the entries by which those who may see its changes find it.
pub fn place_batch(batch: ChangeBatch, place: i64, view: &mut View) {
    let audiences: BTreeSet<AudienceKey> = batch.changes.iter().flat_map(|change| change.audience.keys()).collect();
    for audience in audiences {
        view.audience_entries.put(AudienceEntry { audience, place });
    }
    view.change_batches.put(ChangeBatch { place: Some(place), ..batch });
}
