//! When a message is tried again.

use crate::values::time::{DAY_MS, HOUR_MS, MINUTE_MS, Timestamp};

/// The pause after each try that came to nothing; there is one try more than there are pauses.
const RETRY_PAUSES_MS: [i64; 9] = [
    5_000,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    24 * HOUR_MS,
];

/// The longest that a receiver can ask us to wait.
const RETRY_AFTER_MAX_MS: i64 = DAY_MS;

/// Random numbers that [`spread`] takes are below this.
pub(crate) const SPREAD_PARTS: u64 = 4_001;

/// A time up to a fifth shorter or longer, so that what failed together does not come back together. `part` is below
/// [`SPREAD_PARTS`].
pub(crate) fn spread(pause_ms: i64, part: u64) -> i64 {
    pause_ms * (8_000 + i64::try_from(part).unwrap_or(0)) / 10_000
}

/// The pause after so many tries, `None` after the last.
pub(crate) fn retry_pause_ms(tries: u32) -> Option<i64> {
    let at = usize::try_from(tries).ok()?.checked_sub(1)?;
    RETRY_PAUSES_MS.get(at).copied()
}

/// The pause of a message that has no tries left, while its endpoint has answered nothing else either.
pub(crate) const LAST_PAUSE_MS: i64 = RETRY_PAUSES_MS[RETRY_PAUSES_MS.len() - 1];

/// Until when a receiver has asked us to wait, within reason.
pub(crate) fn bounded_retry_at(asked: Timestamp, now: Timestamp) -> Timestamp {
    asked.min(now.plus_ms(RETRY_AFTER_MAX_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_from_five_seconds_to_a_day() {
        let pauses: Vec<i64> = (1..).map_while(retry_pause_ms).collect();
        let seconds: Vec<i64> = pauses.iter().map(|pause| pause / 1000).collect();
        assert_eq!(seconds, [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
        assert_eq!((retry_pause_ms(0), retry_pause_ms(10), LAST_PAUSE_MS), (None, None, DAY_MS));
    }

    #[test]
    fn a_pause_is_spread_by_a_fifth() {
        assert_eq!([0, 2_000, SPREAD_PARTS - 1].map(|part| spread(10_000, part)), [8_000, 10_000, 12_000]);
    }

    #[test]
    fn nobody_makes_us_wait_longer_than_a_day() {
        let at = Timestamp::from_ms;
        assert_eq!(bounded_retry_at(at(5_000), at(1_000)), at(5_000));
        assert_eq!(bounded_retry_at(at(i64::MAX), at(1_000)), at(1_000 + DAY_MS));
    }
}
