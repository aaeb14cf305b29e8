//! What an organizer keeps of a ticket that its customer gives back, and until when it takes it.

use serde::{Deserialize, Serialize};

use super::money::Percent;
use super::patch::Patch;

/// The most days before an event that customers can be asked to give tickets back.
pub const DAYS_BEFORE_MAX: u32 = 3_650;

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
