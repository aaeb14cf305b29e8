//! What a batch writes of the changes that its commands stated.

use super::place::list_entries;
use crate::model::change::{ChangeBatch, FeedHead, FeedName};
use crate::model::node::Node;
use crate::values::batch_id::BatchId;
use crate::values::time::Timestamp;
use crate::view::View;

/// Puts the changes that the commands of a batch stated as its row of the log, and counts the batch. `None` where they
/// stated nothing. The caller stores the node.
pub fn seal_batch(node: &mut Node, now: Timestamp, view: &mut View) -> Option<BatchId> {
    let changes = view.changes.take_accepted();
    if changes.is_empty() {
        return None;
    }
    let id = node.next_batch_id();
    node.batches = id.number;
    view.change_batches.put(ChangeBatch { id, place: None, committed_at: now, changes: changes.into() });
    Some(id)
}

/// The same, where one writer at a time commits: the batch takes the next place of the feed at once. The view has the
/// head of the feed.
pub fn seal_and_place_batch(node: &mut Node, now: Timestamp, view: &mut View) -> Option<BatchId> {
    let id = seal_batch(node, now, view)?;
    let mut head = view.feed_heads.get(FeedName::Changes).cloned().unwrap_or_else(|| FeedHead::new(FeedName::Changes));
    if let Some(batch) = view.change_batches.get(id).cloned() {
        view.change_batches.put(head.place(batch));
        if head.has_many_waiting() {
            list_entries(&mut head, view);
        }
        view.feed_heads.put(head);
    }
    Some(id)
}
