//! Which requests are traced.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many are traced in a second of those whose clients ask for it: nobody makes a server trace all.
const ASKED_PER_SECOND_MAX: u64 = 100;
/// The low bits of the count of a second.
const COUNT_BITS: u32 = 24;

/// Which requests are traced.
#[derive(Debug)]
pub(super) struct Sampling {
    /// Numbers below are traced.
    threshold: u64,
    seen: AtomicU64,
    /// The last second in which a client has asked, and how many have.
    asked: AtomicU64,
}

impl Sampling {
    /// A share of all, from 0 to 1.
    pub(super) fn new(share: f64) -> Self {
        // Saturates: everything is below the largest number, but for that itself.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share"
        )]
        let threshold = (share.clamp(0.0, 1.0) * u64::MAX as f64) as u64;
        Self { threshold, seen: AtomicU64::new(0), asked: AtomicU64::new(0) }
    }

    /// Whether the next request is one of the share.
    pub(super) fn takes_next(&self) -> bool {
        self.threshold > 0 && scattered(self.seen.fetch_add(1, Ordering::Relaxed)) <= self.threshold
    }

    /// Whether one is traced whose client asks for it, in a second that is counted from any time on.
    pub(super) fn takes_asked(&self, second: u64) -> bool {
        let begun = second << COUNT_BITS;
        let count = |known: u64| {
            let so_far = if known >= begun { known } else { begun };
            (so_far - begun < ASKED_PER_SECOND_MAX).then_some(so_far + 1)
        };
        self.asked.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count).is_ok()
    }
}

/// A number that looks random, and another for each number (the end of SplitMix64): what comes every so often is not
/// always, or never, traced.
fn scattered(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_traced_of_all_and_of_what_comes_every_so_often() {
        for (share, expected) in [(0.0, 0..=0), (0.01, 80..=120), (0.5, 4_800..=5_200), (1.0, 10_000..=10_000)] {
            for step in [1, 7, 100] {
                let sampling = Sampling::new(share);
                let mut taken = 0;
                for request in 0..10_000 * step {
                    taken += i32::from(sampling.takes_next() && request % step == 0);
                }
                assert!(expected.contains(&taken), "{share} {step}: {taken}");
            }
        }
    }

    #[test]
    fn of_those_that_clients_ask_for_only_so_many_are_traced_in_a_second() {
        let sampling = Sampling::new(0.0);
        for second in [1_795_647_600, 1_795_647_601, 1_795_647_609] {
            let taken = (0..10_000).filter(|_| sampling.takes_asked(second)).count();
            assert_eq!(taken as u64, ASKED_PER_SECOND_MAX);
        }
        assert!(!sampling.takes_asked(1_795_647_600), "a clock that is set back counts on");
    }
}
