//! The log of a database: commits share flushes.

/// The log of one shard. One flush runs at a time; who commits meanwhile shares the next.
#[derive(Default)]
pub(super) struct CommitLog {
    /// The flush that was begun or planned last.
    starts_at: u64,
    ends_at: u64,
    flushes: u64,
}

impl CommitLog {
    /// When what is committed now is on the disk.
    pub(super) fn commit(&mut self, now_us: u64, flush_us: u64) -> u64 {
        // The planned flush takes it along.
        if self.starts_at <= now_us {
            self.starts_at = self.ends_at.max(now_us);
            self.ends_at = self.starts_at + flush_us;
            self.flushes += 1;
        }
        self.ends_at
    }

    pub(super) fn flushes(&self) -> u64 {
        self.flushes
    }
}

#[cfg(test)]
mod tests {
    use super::CommitLog;

    #[test]
    fn who_commits_during_a_flush_shares_the_next() {
        let mut log = CommitLog::default();
        assert_eq!([10, 15, 19, 25].map(|now| log.commit(now, 10)), [20, 30, 30, 40]);
        assert_eq!(log.flushes(), 3);
    }
}
