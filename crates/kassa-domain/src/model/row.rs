//! What is stored.

use std::fmt::Debug;
use std::hash::Hash;

/// Something that is stored as a row.
pub trait Row: Clone + Debug {
    /// What identifies it.
    type Key: Copy + Debug + Eq + Ord + Hash;

    /// Its key.
    fn key(&self) -> Self::Key;

    /// Whether it has given a unique value up that another row may take at the same time: it is written before that one.
    fn makes_room(&self) -> bool {
        false
    }
}
