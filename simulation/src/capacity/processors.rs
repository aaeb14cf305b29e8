//! Processors that work is given to in the order in which it comes.

/// Some processors of one machine.
pub(super) struct ProcessorPool {
    /// When each of them has done what it was given.
    free_at: Vec<u64>,
    busy_us: u64,
}

impl ProcessorPool {
    pub(super) fn new(processors: usize) -> Self {
        Self { free_at: vec![0; processors.max(1)], busy_us: 0 }
    }

    /// Gives work to the processor that is free first: when it is done. Work is given in the order of time.
    pub(super) fn run(&mut self, now_us: u64, work_us: u64) -> u64 {
        self.busy_us += work_us;
        let Some(first) = self.free_at.iter_mut().min() else { return now_us };
        *first = (*first).max(now_us) + work_us;
        *first
    }

    /// Processor time of all of them so far.
    pub(super) fn busy_us(&self) -> u64 {
        self.busy_us
    }

    pub(super) fn processors(&self) -> usize {
        self.free_at.len()
    }
}

#[cfg(test)]
mod tests {
    use super::ProcessorPool;

    #[test]
    fn work_waits_when_all_processors_are_busy() {
        let mut pool = ProcessorPool::new(2);
        assert_eq!([0, 0, 0].map(|now| pool.run(now, 10)), [10, 10, 20]);
        assert_eq!(pool.run(50, 10), 60);
        assert_eq!(pool.busy_us(), 40);
    }
}
