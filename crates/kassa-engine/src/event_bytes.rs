//! How much events say: whatever is done with one event reads its texts and all its sets, of which each may say much.

use std::collections::BTreeMap;

use kassa_domain::{ShardTag, View};

/// How much these events say with their sets in a view, in bytes.
pub(crate) fn event_bytes(view: &View, events: impl Iterator<Item = ShardTag>) -> BTreeMap<ShardTag, usize> {
    let mut bytes: BTreeMap<ShardTag, usize> = events.map(|event| (event, 0)).collect();
    let of_texts = view.events.rows().map(|event| (event.id.tag(), event.details.text_bytes()));
    let of_sets = view.sets.rows().map(|set| (set.event.tag(), set.approximate_bytes()));
    for (event, said) in of_texts.chain(of_sets) {
        if let Some(bytes) = bytes.get_mut(&event) {
            *bytes += said;
        }
    }
    bytes
}
