//! What is stored.

use std::fmt::Debug;
use std::hash::Hash;

/// Something that is stored as a row.
pub trait Row: Clone + Debug {
    /// What identifies it.
    type Key: Copy + Debug + Eq + Ord + Hash;

    /// Its key.
    fn key(&self) -> Self::Key;
}
