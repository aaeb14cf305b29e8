//! When payments are looked at.

use super::{OrderPayment, PaymentStatus};
use crate::values::time::{DAY_MS, HOUR_MS, MINUTE_MS, Timestamp};

/// How long after the last look, or after something has happened, the next one is.
const DELAYS_MS: [i64; 5] = [30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS];
/// How long after its time a payment is still looked at: money may come late.
const LATE_MS: i64 = 7 * DAY_MS;
/// The hold of the order ends first.
const AFTER_HOLD_MS: i64 = 1_000;

impl OrderPayment {
    /// When it is to be looked at next, if ever: `None` where only people can say what becomes of it.
    pub fn next_poll(&self, now: Timestamp) -> Option<Timestamp> {
        let delay = DELAYS_MS[usize::try_from(self.polls).unwrap_or(usize::MAX).min(DELAYS_MS.len() - 1)];
        let again = now.plus_ms(delay);
        let lapses_at = self.due_at.plus_ms(AFTER_HOLD_MS);
        let is_asked = self.provider.can_be_asked();
        match self.status {
            // The order may have been given more time than was known.
            PaymentStatus::Pending if lapses_at <= now => Some(again),
            PaymentStatus::Pending if is_asked => Some(again.min(lapses_at).min(self.news_after(now).unwrap_or(again))),
            PaymentStatus::Pending => Some(lapses_at),
            PaymentStatus::Failed | PaymentStatus::Canceled if is_asked => {
                let next = again.min(self.news_after(now).unwrap_or(again));
                (next < self.due_at.plus_ms(LATE_MS)).then_some(next)
            }
            PaymentStatus::Returning if is_asked => Some(again),
            // Somebody may have paid twice.
            PaymentStatus::Paid | PaymentStatus::Returned if is_asked => {
                usize::try_from(self.polls).is_ok_and(|polls| polls < DELAYS_MS.len()).then_some(again)
            }
            PaymentStatus::Failed
            | PaymentStatus::Canceled
            | PaymentStatus::Returning
            | PaymentStatus::Paid
            | PaymentStatus::Returned => None,
        }
    }

    fn news_after(&self, now: Timestamp) -> Option<Timestamp> {
        self.plan.and_then(|plan| plan.news_at(self.due_at)).filter(|at| now < *at)
    }
}
