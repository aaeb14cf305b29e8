//! Random choices and times, from a seed.

use kassa_domain::context::RandomBits;
use kassa_engine::random;

use super::numbers::{float, rounded};

/// The same sequence for the same seed.
pub(super) struct RandomStream(Box<dyn RandomBits>);

impl RandomStream {
    pub(super) fn from_seed(seed: u64) -> Self {
        Self(random::from_seed(seed)())
    }

    /// Evenly between 0 and 1, without 1.
    pub(super) fn unit(&mut self) -> f64 {
        const STEPS: u64 = 1 << 52;
        float(self.0.next_u64() % STEPS) / float(STEPS)
    }

    /// Any number below a bound that is not zero.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }

    /// Whether something happens that has this probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A time without memory, with this mean.
    pub(super) fn exponential(&mut self, mean_us: u64) -> u64 {
        rounded(-(1.0 - self.unit()).ln() * float(mean_us))
    }
}
