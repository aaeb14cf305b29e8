//! How much is kept of late for each tenant under its Idempotency-Keys. Large answers count against the quota of a partner,
//! in its row; these are all of them, counted in memory: no order meets another at a row for it.

use std::collections::BTreeMap;

use kassa_domain::Timestamp;
use parking_lot::Mutex;

use crate::failure::Failure;
use crate::tenant::Tenant;

/// What is kept in an hour for one tenant: so many answers, and so many bytes.
const ANSWERS_MAX: u64 = 100_000;
const BYTES_MAX: u64 = 256 * 1024 * 1024;
/// What a database needs for an answer besides what it says.
const ROW_BYTES: u64 = 256;
const WINDOW_MS: i64 = 3_600_000;
/// So many tenants are remembered before those whose hour is over are looked for.
const SWEEP_MIN: usize = 1_024;

/// The counts of all tenants, each within an hour that begins with its first answer.
pub(crate) struct KeptAnswers(Mutex<Windows>);

struct Windows {
    by_tenant: BTreeMap<Tenant, Window>,
    sweep_at: usize,
}

struct Window {
    ends_at: Timestamp,
    answers: u64,
    bytes: u64,
}

impl Default for KeptAnswers {
    fn default() -> Self {
        Self(Mutex::new(Windows { by_tenant: BTreeMap::new(), sweep_at: SWEEP_MIN }))
    }
}

impl KeptAnswers {
    /// Counts one more answer, of which nobody knows yet how long it will be. [`Failure::TooManyAnswers`] if enough of the
    /// tenant are kept.
    pub(crate) fn admit(&self, tenant: Tenant, now: Timestamp) -> Result<(), Failure> {
        self.0.lock().with(tenant, now, |window| {
            if window.answers >= ANSWERS_MAX || window.bytes >= BYTES_MAX {
                let wait_s = window.ends_at.ms().abs_diff(now.ms()).div_ceil(1_000);
                return Err(Failure::TooManyAnswers { wait_s });
            }
            window.answers += 1;
            Ok(())
        })
    }

    /// Counts the bytes of an answer that was kept.
    pub(crate) fn record(&self, tenant: Tenant, bytes: usize, now: Timestamp) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_add(ROW_BYTES);
        self.0.lock().with(tenant, now, |window| window.bytes = window.bytes.saturating_add(bytes));
    }
}

impl Windows {
    fn with<T>(&mut self, tenant: Tenant, now: Timestamp, count: impl FnOnce(&mut Window) -> T) -> T {
        if self.by_tenant.len() >= self.sweep_at {
            self.by_tenant.retain(|_, window| now < window.ends_at);
            self.sweep_at = SWEEP_MIN.max(2 * self.by_tenant.len());
        }
        let new = || Window { ends_at: now.plus_ms(WINDOW_MS), answers: 0, bytes: 0 };
        let window = self.by_tenant.entry(tenant).or_insert_with(new);
        // A clock that was set back does not make it longer.
        if now >= window.ends_at || window.ends_at.ms() - now.ms() > WINDOW_MS {
            *window = new();
        }
        count(window)
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::Id;

    use super::*;

    fn partner(key: i64) -> Tenant {
        Tenant::Partner(Id::root(key))
    }

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    #[test]
    fn answers_are_counted_by_tenant_and_hour() {
        let kept = KeptAnswers::default();
        for _ in 0..ANSWERS_MAX {
            assert_eq!(kept.admit(partner(1), at(0)), Ok(()));
        }
        assert_eq!(kept.admit(partner(1), at(1_000)), Err(Failure::TooManyAnswers { wait_s: 3_599 }));
        assert_eq!(kept.admit(partner(2), at(1_000)), Ok(()));
        assert_eq!(kept.admit(partner(1), at(WINDOW_MS - 1)), Err(Failure::TooManyAnswers { wait_s: 1 }));
        assert_eq!(kept.admit(partner(1), at(WINDOW_MS)), Ok(()));
    }

    #[test]
    fn bytes_are_counted_too_and_a_row_without_any_has_some() {
        let kept = KeptAnswers::default();
        let length = usize::try_from(BYTES_MAX / 2).unwrap();
        kept.record(partner(1), length - 2 * 256, at(0));
        kept.record(partner(1), length - 1, at(0));
        assert_eq!(kept.admit(partner(1), at(0)), Ok(()));
        kept.record(partner(1), 0, at(0));
        assert!(matches!(kept.admit(partner(1), at(0)), Err(Failure::TooManyAnswers { .. })));
    }

    #[test]
    fn tenants_whose_hour_is_over_are_forgotten() {
        let kept = KeptAnswers::default();
        for key in 0..10_000 {
            kept.admit(partner(key), at(key * WINDOW_MS / 100)).unwrap();
        }
        assert!(kept.0.lock().by_tenant.len() <= SWEEP_MIN);
    }
}
