//! What will happen, in the order of time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Events in the order of their times; of one time, in the order in which they were added.
pub(super) struct EventQueue<E> {
    waiting: BinaryHeap<Reverse<Entry<E>>>,
    added: u64,
}

struct Entry<E> {
    key: (u64, u64),
    event: E,
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<E> Eq for Entry<E> {}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Entry<E> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

impl<E> EventQueue<E> {
    pub(super) fn new() -> Self {
        Self { waiting: BinaryHeap::new(), added: 0 }
    }

    pub(super) fn push(&mut self, at_us: u64, event: impl Into<E>) {
        let key = (at_us, self.added);
        self.waiting.push(Reverse(Entry { key, event: event.into() }));
        self.added += 1;
    }

    /// The next event, and when it happens.
    pub(super) fn pop(&mut self) -> Option<(u64, E)> {
        self.waiting.pop().map(|Reverse(entry)| (entry.key.0, entry.event))
    }
}
