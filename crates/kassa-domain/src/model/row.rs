//! What is stored.

use std::fmt::Debug;
use std::hash::Hash;

use crate::values::batch_id::BatchId;
use crate::values::id::{Id, ShardTag};
use crate::values::time::Timestamp;

/// Something that is stored as a row.
pub trait Row: Clone + Debug {
    /// What identifies it.
    type Key: RowKey;

    /// Its key.
    fn key(&self) -> Self::Key;

    /// Names the moments from which on it says something else, though nobody changes it: when a price begins or ends.
    /// What is shown of a row holds until the next of them.
    fn moments(&self, _note: &mut dyn FnMut(Timestamp)) {}

    /// Whether it has given a unique value up that another row may take at the same time: it is written before that one.
    fn makes_room(&self) -> bool {
        false
    }
}

/// What identifies a row.
pub trait RowKey: Copy + Debug + Eq + Ord + Hash {
    /// Whether it says the shard of its row.
    const HAS_TAG: bool = false;

    /// The shard of the row, if its key says that: of whatever belongs to an event, the event's.
    fn shard_tag(&self) -> Option<ShardTag> {
        None
    }
}

impl<K> RowKey for Id<K> {
    const HAS_TAG: bool = true;

    fn shard_tag(&self) -> Option<ShardTag> {
        Some(self.tag())
    }
}

impl RowKey for u16 {}

impl RowKey for [u8; 32] {}

impl RowKey for BatchId {}

impl<A: Copy + Debug + Eq + Ord + Hash, B: Copy + Debug + Eq + Ord + Hash> RowKey for (A, B) {}
