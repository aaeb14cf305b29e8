//! Rows that are shown with others, a group at a time: how long those are, nobody knows before they are read.

use std::sync::Arc;

use kassa_engine::Failure;
use kassa_store::memory_budget::MemoryMeter;

/// How long the rows of a group may be together, in bytes, unless it is a group of one.
const GROUP_BYTES_MAX: usize = 1024 * 1024;
/// The most rows in a group.
const GROUP_SIZE_MAX: usize = 1_000;

/// How many rows are a group: as many as there are, until what they are shown with is too long.
pub(crate) struct GroupSize(usize);

impl Default for GroupSize {
    fn default() -> Self {
        Self(GROUP_SIZE_MAX)
    }
}

/// What a group is shown with.
pub(crate) struct LoadedGroup<T> {
    /// How many rows are in the group.
    pub(crate) size: usize,
    /// What they are shown with.
    pub(crate) related: T,
    /// What that takes.
    _meter: Arc<MemoryMeter>,
}

/// A group whose related rows are to be loaded.
pub(crate) struct GroupAttempt {
    /// How many rows are in the group.
    pub(crate) size: usize,
    /// The meter under which that is done.
    pub(crate) meter: Arc<MemoryMeter>,
}

impl GroupSize {
    /// The first of `available` rows.
    pub(crate) fn begin(&self, available: usize) -> GroupAttempt {
        let (size, current) = (self.0.min(available), MemoryMeter::current());
        let meter = if size > 1 { current.part_of_at_most(GROUP_BYTES_MAX) } else { current.part() };
        GroupAttempt { size, meter }
    }

    /// The group with what was loaded; `None` if that is too long, and a smaller group has to be tried.
    pub(crate) fn finish<T>(
        &mut self,
        GroupAttempt { size, meter }: GroupAttempt,
        related: Result<T, Failure>,
    ) -> Result<Option<LoadedGroup<T>>, Failure> {
        if size > 1 && matches!(related, Err(Failure::TooLarge)) {
            self.0 = size.div_ceil(4);
            return Ok(None);
        }
        self.0 = (self.0 * 2).min(GROUP_SIZE_MAX);
        Ok(Some(LoadedGroup { size, related: related?, _meter: meter }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes of groups of which each row is shown with so many bytes.
    fn sizes(groups: &mut GroupSize, bytes: usize, count: usize) -> Vec<usize> {
        let mut next = || loop {
            let attempt = groups.begin(100);
            let charged = attempt.meter.charge(attempt.size * bytes).map_err(Failure::from);
            if let Some(group) = groups.finish(attempt, charged).unwrap() {
                return group.size;
            }
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn groups_shrink_to_what_fits_and_grow_again() {
        let mut groups = GroupSize::default();
        assert_eq!(sizes(&mut groups, GROUP_BYTES_MAX / 10, 3), [7, 4, 8]);
        assert_eq!(sizes(&mut groups, 10, 4), [16, 32, 64, 100]);
        assert_eq!(sizes(&mut groups, 2 * GROUP_BYTES_MAX, 2), [1, 1], "one row is shown however long it is");
        let attempt = groups.begin(9);
        assert_eq!(groups.finish(attempt, Err::<(), _>(Failure::Unavailable)).err(), Some(Failure::Unavailable));
    }
}
