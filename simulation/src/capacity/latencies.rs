//! How long answers took, in steps of a sixteenth.

use super::numbers::{count, rounded, share};

/// Powers of two, each in so many steps.
const STEPS: u64 = 16;
const BUCKETS: usize = 64 * 16;

/// A histogram of times in microseconds.
pub(super) struct Latencies {
    buckets: Vec<u64>,
    total: u64,
    sum_us: u64,
}

impl Latencies {
    pub(super) fn new() -> Self {
        Self { buckets: vec![0; BUCKETS], total: 0, sum_us: 0 }
    }

    pub(super) fn record(&mut self, us: u64) {
        if let Some(bucket) = self.buckets.get_mut(bucket(us)) {
            *bucket += 1;
        }
        self.total += 1;
        self.sum_us += us;
    }

    pub(super) fn mean_us(&self) -> f64 {
        share(self.sum_us, self.total)
    }

    /// The time that this share of all do not exceed, in microseconds.
    pub(super) fn quantile(&self, quantile: f64) -> u64 {
        let wanted = rounded(quantile * super::numbers::float(self.total)).max(1);
        let mut seen = 0;
        for (at, here) in self.buckets.iter().enumerate() {
            seen += here;
            if seen >= wanted {
                return upper_end(count(at));
            }
        }
        0
    }
}

fn bucket(us: u64) -> usize {
    let power = us.max(1).ilog2();
    let step = if power < 4 { us.max(1) - (1 << power) } else { (us >> (power - 4)) - STEPS };
    usize::try_from(u64::from(power) * STEPS + step).unwrap_or(BUCKETS - 1)
}

/// The largest time of a bucket.
fn upper_end(bucket: u64) -> u64 {
    let (power, step) = (bucket / STEPS, bucket % STEPS);
    if power < 4 { (1 << power) + step } else { ((STEPS + step + 1) << (power - 4)) - 1 }
}

#[cfg(test)]
mod tests {
    use super::Latencies;

    #[test]
    fn quantiles_are_right_to_a_sixteenth() {
        let mut latencies = Latencies::new();
        (1..=10_000).for_each(|us| latencies.record(us));
        for (quantile, us) in [(0.5, 5_000_u64), (0.99, 9_900)] {
            let found = latencies.quantile(quantile);
            assert!((us..us + us / 16 + 1).contains(&found), "{quantile}: {found}");
        }
        assert!((latencies.mean_us() - 5_000.5).abs() < 1e-6);
    }
}
