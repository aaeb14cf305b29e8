//! How often each of many may do a thing.

use std::fmt;
use std::hash::{BuildHasher, Hash, RandomState};
use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use kassa_domain::Timestamp;
use moka::sync::Cache;

const SECOND_US: i64 = 1_000_000;
const MINUTE_US: i64 = 60 * SECOND_US;
const HOUR_US: i64 = 60 * MINUTE_US;
const DAY_US: i64 = 24 * HOUR_US;
/// The most that one can owe, unless the period is longer. It also bounds what a clock that was set back makes anybody
/// wait.
const DEBT_US_MAX: i64 = 10 * MINUTE_US;
/// When somebody has all of its period who was never seen.
const LONG_AGO_US: i64 = i64::MIN;
/// Of how many it is known at a time. Beyond that, those who seldom come are forgotten first.
const KEYS_MAX: u64 = 100_000;

/// So many in a period, or as many as one likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate(Option<NonZeroU32>);

/// The text is no rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a number of 1 or more, or off")]
pub struct InvalidRate;

impl Rate {
    /// No limit.
    pub const OFF: Self = Self(None);

    /// So many a minute; 0 is no limit.
    pub const fn per_minute(times: u32) -> Self {
        Self(NonZeroU32::new(times))
    }

    /// So many an hour, of what is counted by the hour; 0 is no limit.
    pub const fn per_hour(times: u32) -> Self {
        Self(NonZeroU32::new(times))
    }

    /// So many a day, of what is counted by the day; 0 is no limit.
    pub const fn per_day(times: u32) -> Self {
        Self(NonZeroU32::new(times))
    }
}

impl FromStr for Rate {
    type Err = InvalidRate;

    fn from_str(text: &str) -> Result<Self, InvalidRate> {
        if text == "off" {
            return Ok(Self::OFF);
        }
        text.parse().map(|times| Self(Some(times))).map_err(|_| InvalidRate)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(times) => write!(f, "{times}"),
            None => f.write_str("off"),
        }
    }
}

/// Somebody was too quick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimitExceeded {
    /// When to come back.
    pub wait_s: u64,
}

/// A rate for each key: what is allowed in a period may come at once, and then grows again evenly. So nobody is refused
/// who stays below the rate in every period. Memory is bounded; the time is that of the engine's clock.
///
/// A thing may be counted that nobody could refuse, because it was known too late what it is: it is owed then.
pub struct RateLimiter<K> {
    /// How long it takes until one more is allowed; 0 where there is no limit.
    interval_us: AtomicI64,
    period_us: i64,
    debt_us_max: i64,
    /// When each key will have all of its period again. Keys are hashed, under a secret that nobody can know: so the
    /// cache, which is long, is compiled for one type of key. It is asked for every order: a key that is there is found
    /// without a lock, and counted by one exchange.
    full_at_us: Cache<u64, Arc<AtomicI64>>,
    hasher: RandomState,
    key: PhantomData<fn(&K)>,
}

impl<K: Hash> RateLimiter<K> {
    /// So many a minute.
    pub fn new(rate: Rate) -> Self {
        Self::with_capacity(KEYS_MAX, rate, MINUTE_US)
    }

    /// So many an hour.
    pub fn per_hour(rate: Rate) -> Self {
        Self::with_capacity(KEYS_MAX, rate, HOUR_US)
    }

    /// So many a day.
    pub fn per_day(rate: Rate) -> Self {
        Self::with_capacity(KEYS_MAX, rate, DAY_US)
    }

    fn with_capacity(kept_max: u64, rate: Rate, period_us: i64) -> Self {
        let keys = Cache::builder().max_capacity(kept_max);
        let debt_us_max = period_us.max(DEBT_US_MAX);
        Self {
            interval_us: AtomicI64::new(interval_us(rate, period_us)),
            period_us,
            debt_us_max,
            full_at_us: keys.time_to_idle(std::time::Duration::from_micros(debt_us_max.unsigned_abs())).build(),
            hasher: RandomState::new(),
            key: PhantomData,
        }
    }

    /// Allows another rate from now on. What is owed stays owed.
    pub fn set_rate(&self, rate: Rate) {
        self.interval_us.store(interval_us(rate, self.period_us), Ordering::Relaxed);
    }

    fn interval_us(&self) -> Option<i64> {
        Some(self.interval_us.load(Ordering::Relaxed)).filter(|interval_us| *interval_us > 0)
    }

    /// Whether anybody is counted at all.
    pub fn is_enabled(&self) -> bool {
        self.interval_us().is_some()
    }

    /// Counts one more, if it is allowed.
    pub fn try_acquire(&self, key: &K, now: Timestamp) -> Result<(), RateLimitExceeded> {
        self.try_acquire_many(key, 1, now)
    }

    /// Counts so many more, if all of them are allowed. Who asks for more than a whole period has it all taken.
    pub fn try_acquire_many(&self, key: &K, count: u32, now: Timestamp) -> Result<(), RateLimitExceeded> {
        self.account(key).map_or(Ok(()), |account| account.try_acquire_many(count, now))
    }

    /// Whether one more would be allowed.
    pub fn check(&self, key: &K, now: Timestamp) -> Result<(), RateLimitExceeded> {
        let Some(step_us) = self.interval_us() else { return Ok(()) };
        let known = self.full_at_us.get(&self.hasher.hash_one(key));
        let settled_at_us = known.map_or(LONG_AGO_US, |known| known.load(Ordering::Acquire));
        self.check_debt(self.debt_us(settled_at_us, now), step_us)
    }

    /// Counts one more, allowed or not.
    pub fn record(&self, key: &K, now: Timestamp) {
        let Some((account, step_us)) = self.account(key).zip(self.interval_us()) else { return };
        account.update(now, &mut |owed_us| Some((owed_us + step_us).min(self.debt_us_max)));
    }

    /// Counts one less: what was allowed has not been done.
    pub fn give_back(&self, key: &K, now: Timestamp) {
        if let Some(account) = self.account(key) {
            account.give_back(now);
        }
    }

    /// What a key may still do, for whoever counts and gives back: `None` where nobody is counted.
    pub fn account(&self, key: &K) -> Option<RateAccount<'_, K>> {
        self.is_enabled().then(|| {
            let hash = self.hasher.hash_one(key);
            let full_at_us = self.full_at_us.get_with(hash, || Arc::new(AtomicI64::new(LONG_AGO_US)));
            RateAccount { limiter: self, full_at_us }
        })
    }

    /// What is taken of the period, and beyond it.
    fn debt_us(&self, settled_at_us: i64, now: Timestamp) -> i64 {
        settled_at_us.saturating_sub(micros(now)).clamp(0, self.debt_us_max)
    }

    fn check_debt(&self, owed_us: i64, step_us: i64) -> Result<(), RateLimitExceeded> {
        let beyond_us = owed_us + step_us - self.period_us;
        if beyond_us <= 0 {
            return Ok(());
        }
        Err(RateLimitExceeded { wait_s: beyond_us.unsigned_abs().div_ceil(SECOND_US.unsigned_abs()) })
    }
}

/// What one key may still do.
pub struct RateAccount<'a, K> {
    limiter: &'a RateLimiter<K>,
    full_at_us: Arc<AtomicI64>,
}

impl<K: Hash> RateAccount<'_, K> {
    /// Counts one more, if it is allowed.
    pub fn try_acquire(&self, now: Timestamp) -> Result<(), RateLimitExceeded> {
        self.try_acquire_many(1, now)
    }

    fn try_acquire_many(&self, count: u32, now: Timestamp) -> Result<(), RateLimitExceeded> {
        let Some(interval_us) = self.limiter.interval_us() else { return Ok(()) };
        let step_us = interval_us.saturating_mul(i64::from(count)).min(self.limiter.period_us);
        let mut allowed = Ok(());
        self.update(now, &mut |owed_us| {
            allowed = self.limiter.check_debt(owed_us, step_us);
            allowed.is_ok().then_some(owed_us + step_us)
        });
        allowed
    }

    /// Counts one less: what was allowed has not been done.
    pub fn give_back(&self, now: Timestamp) {
        let Some(step_us) = self.limiter.interval_us() else { return };
        self.update(now, &mut |owed_us| Some((owed_us - step_us).max(0)));
    }

    /// Replaces what it owes by what `next` makes of it, if anything, at one go.
    fn update(&self, now: Timestamp, next: &mut dyn FnMut(i64) -> Option<i64>) {
        // What `next` allowed last is what counts: it is asked again where another was quicker. Where it allows nothing,
        // nothing changes.
        let _ = self.full_at_us.fetch_update(Ordering::AcqRel, Ordering::Acquire, |at| {
            next(self.limiter.debt_us(at, now)).map(|owed_us| micros(now) + owed_us)
        });
    }
}

/// At least one: more than a million a second are not told apart.
fn interval_us(rate: Rate, period_us: i64) -> i64 {
    rate.0.map_or(0, |times| (period_us / i64::from(times.get())).max(1))
}

fn micros(now: Timestamp) -> i64 {
    now.ms().saturating_mul(1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_ms(1_767_225_600_000 + ms)
    }

    /// How many are allowed at once.
    fn allowed(limiter: &RateLimiter<&'static str>, key: &'static str, ms: i64) -> usize {
        (0..1_000).take_while(|_| limiter.try_acquire(&key, at(ms)).is_ok()).count()
    }

    #[test]
    fn another_rate_holds_from_now_on() {
        let limiter = RateLimiter::new(Rate::per_minute(30));
        assert_eq!(allowed(&limiter, "a", 0), 30);
        limiter.set_rate(Rate::per_minute(60));
        assert_eq!(allowed(&limiter, "b", 0), 60);
        assert_eq!(allowed(&limiter, "a", 2_000), 2, "what was taken is taken");
        limiter.set_rate(Rate::OFF);
        assert!(!limiter.is_enabled());
        assert_eq!(allowed(&limiter, "a", 2_000), 1_000);
        limiter.set_rate(Rate::per_minute(1));
        assert_eq!(allowed(&limiter, "c", 0), 1);
    }

    #[test]
    fn burst_of_one_minute_is_allowed_and_refills_evenly() {
        let limiter = RateLimiter::new(Rate::per_minute(30));
        assert_eq!(allowed(&limiter, "a", 0), 30);
        assert_eq!(allowed(&limiter, "b", 0), 30, "each has its own");
        assert_eq!(limiter.try_acquire(&"a", at(0)), Err(RateLimitExceeded { wait_s: 2 }));
        assert_eq!(limiter.try_acquire(&"a", at(1_999)), Err(RateLimitExceeded { wait_s: 1 }));
        assert_eq!(allowed(&limiter, "a", 2_000), 1);
        assert_eq!(allowed(&limiter, "a", 12_000), 5);
        assert_eq!(allowed(&limiter, "a", 100_000), 30, "and no more than a minute's");
    }

    #[test]
    fn what_was_not_done_does_not_count() {
        let limiter = RateLimiter::new(Rate::per_minute(1));
        for _ in 0..3 {
            assert_eq!(limiter.try_acquire(&"a", at(0)), Ok(()));
            limiter.give_back(&"a", at(0));
        }
        assert_eq!(allowed(&limiter, "a", 0), 1);
    }

    #[test]
    fn an_hour_may_come_at_once_and_refills_evenly() {
        let limiter = RateLimiter::per_hour(Rate::per_hour(20));
        assert_eq!(allowed(&limiter, "a", 0), 20);
        assert_eq!(limiter.try_acquire(&"a", at(0)), Err(RateLimitExceeded { wait_s: 180 }));
        assert_eq!(allowed(&limiter, "a", 180_000), 1);
        assert_eq!(allowed(&limiter, "a", 3_780_000), 20);
    }

    #[test]
    fn client_below_the_rate_is_never_refused() {
        for times in [1, 7, 30, 60] {
            let limiter = RateLimiter::new(Rate::per_minute(times));
            for minute in 0..5 {
                for _ in 0..times {
                    assert_eq!(limiter.try_acquire(&"a", at(minute * 60_000)), Ok(()), "{times} in minute {minute}");
                }
            }
        }
    }

    #[test]
    fn recorded_attempts_beyond_the_rate_extend_the_wait() {
        let limiter = RateLimiter::new(Rate::per_minute(10));
        for _ in 0..10 {
            assert_eq!(limiter.check(&"a", at(0)), Ok(()));
            limiter.record(&"a", at(0));
        }
        assert_eq!(limiter.check(&"a", at(0)), Err(RateLimitExceeded { wait_s: 6 }));
        (0..20).for_each(|_| limiter.record(&"a", at(0)));
        assert_eq!(limiter.check(&"a", at(0)), Err(RateLimitExceeded { wait_s: 126 }));
        assert_eq!(limiter.check(&"a", at(126_000)), Ok(()));
        (0..1_000).for_each(|_| limiter.record(&"a", at(0)));
        assert_eq!(limiter.check(&"a", at(0)), Err(RateLimitExceeded { wait_s: 546 }), "ten minutes at most");
    }

    #[test]
    fn many_are_counted_at_once_or_not_at_all() {
        let limiter = RateLimiter::new(Rate::per_minute(10));
        assert_eq!(limiter.try_acquire_many(&"a", 7, at(0)), Ok(()));
        assert_eq!(limiter.try_acquire_many(&"a", 4, at(0)), Err(RateLimitExceeded { wait_s: 6 }));
        assert_eq!(limiter.try_acquire_many(&"a", 3, at(0)), Ok(()));
        assert_eq!(limiter.try_acquire_many(&"a", 0, at(0)), Ok(()));
        assert_eq!(limiter.try_acquire_many(&"b", 1_000, at(0)), Ok(()), "all that there is");
        assert_eq!(limiter.check(&"b", at(0)), Err(RateLimitExceeded { wait_s: 6 }));
    }

    #[test]
    fn a_clock_that_is_set_back_locks_nobody_out_for_long() {
        let limiter = RateLimiter::new(Rate::per_minute(30));
        assert_eq!(limiter.try_acquire(&"a", at(0)), Ok(()));
        assert_eq!(limiter.check(&"a", at(-86_400_000)), Err(RateLimitExceeded { wait_s: 542 }));
    }

    #[test]
    fn limiter_that_is_off_counts_nothing() {
        let limiter = RateLimiter::new(Rate::OFF);
        assert_eq!(allowed(&limiter, "a", 0), 1_000);
        limiter.record(&"a", at(0));
        limiter.full_at_us.run_pending_tasks();
        assert_eq!(limiter.full_at_us.entry_count(), 0);
    }

    #[test]
    fn number_of_remembered_keys_is_bounded() {
        let limiter = RateLimiter::with_capacity(100, Rate::per_minute(1), MINUTE_US);
        (0..1_000).for_each(|key| limiter.record(&key, at(0)));
        limiter.full_at_us.run_pending_tasks();
        assert_eq!(limiter.full_at_us.entry_count(), 100);
    }

    #[test]
    fn rates_are_numbers_or_off() {
        assert_eq!("30".parse(), Ok(Rate::per_minute(30)));
        assert_eq!("off".parse(), Ok(Rate::OFF));
        for text in ["", "0", "-1", "many", "1.5", "4294967296"] {
            assert_eq!(text.parse::<Rate>(), Err(InvalidRate), "{text}");
        }
        assert_eq!([Rate::per_minute(7), Rate::OFF].map(|rate| rate.to_string()), ["7", "off"]);
    }
}
