//! What a batch writes of the changes that its commands stated.

use crate::model::change::ChangeBatch;
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
    view.change_batches.put(ChangeBatch { id, place: None, committed_at: now, changes });
    Some(id)
}
