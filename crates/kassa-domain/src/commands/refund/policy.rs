//! Until when a customer may ask for a refund.

use crate::model::event::{EffectiveEventStatus, Event};
use crate::refusal::RefundRefusal;
use crate::values::refund_policy::RefundPolicy;
use crate::values::time::{DAY_MS, Timestamp};

impl RefundPolicy {
    /// Refuses a customer that asked too late, or asks when the event is over.
    pub(super) fn check_request(
        &self,
        asked_at: Timestamp,
        event: &Event,
        now: Timestamp,
    ) -> Result<(), RefundRefusal> {
        let Some(lifetime) = event.lifetime else { return Ok(()) };
        if !self.after_start && lifetime.start <= asked_at {
            return Err(RefundRefusal::EventStarted);
        }
        if event.effective_status(now) == EffectiveEventStatus::Finished || lifetime.has_ended_at(asked_at) {
            return Err(RefundRefusal::EventEnded);
        }
        let last = lifetime.start.plus_ms(-i64::from(self.days_before) * DAY_MS);
        if !self.after_start && last < asked_at {
            return Err(RefundRefusal::TooLate(self.days_before));
        }
        Ok(())
    }
}
