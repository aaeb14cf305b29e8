//! What an organizer keeps of a ticket that its customer gives back, and until when it takes it.

use serde::{Deserialize, Serialize};

use super::RefundRefusal;
use crate::event::{EffectiveEventStatus, Event};
use crate::money::Percent;
use crate::patch::Patch;
use crate::time::Timestamp;
use crate::view::View;

/// The most days before an event that customers can be asked to give tickets back.
pub const DAYS_BEFORE_MAX: u32 = 3_650;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The terms of refunds where the customer is the culprit. Unless anybody says otherwise, nothing is
/// kept, and tickets are taken back until the event starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RefundPolicy {
    /// What is kept of the nominal price, up to a hundred percent.
    pub retained: Percent,
    /// So many days before the event starts a customer must have asked.
    pub days_before: u32,
    /// Whether it may ask until the event ends; then `days_before` says nothing.
    pub after_start: bool,
}

/// A partial update of a policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefundPolicyPatch {
    /// What is kept.
    pub retained: Patch<Percent>,
    /// Days before the start.
    pub days_before: Patch<u32>,
    /// Whether customers may ask after the start.
    pub after_start: Patch<bool>,
}

impl RefundPolicyPatch {
    /// The policy that it makes of another, or of the default: null makes an event's that of its partner,
    /// and a partner's the default.
    pub(crate) fn apply(patch: Patch<Self>, policy: &mut Option<RefundPolicy>) {
        match patch {
            Patch::Keep => {}
            Patch::Clear => *policy = None,
            Patch::Set(patch) => {
                let policy = policy.get_or_insert_default();
                patch.retained.apply_or(&mut policy.retained, Percent::default());
                patch.days_before.apply_or(&mut policy.days_before, 0);
                patch.after_start.apply_or(&mut policy.after_start, false);
            }
        }
    }
}

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

/// The policy under which an event sells: its own, else its organizer's, which is in the view, else the
/// default.
pub(crate) fn effective_policy(event: &Event, view: &View) -> RefundPolicy {
    let by_partner = || view.partners.get(event.organizer).and_then(|org| org.profile.refund_policy);
    event.details.refund_policy.or_else(by_partner).unwrap_or_default()
}
