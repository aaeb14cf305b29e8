//! What an organizer keeps of a ticket that its customer gives back, and until when it takes it.

use serde::{Deserialize, Serialize};

use super::money::Percent;
use super::patch::{Patch, patchable};

/// The most days before an event that customers can be asked to give tickets back.
pub const DAYS_BEFORE_MAX: u32 = 3_650;

patchable! {
    /// The terms of refunds where the customer is the culprit. Unless anybody says otherwise, nothing is
    /// kept, and tickets are taken back until the event starts.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct RefundPolicy {
        /// What is kept of the nominal price, up to a hundred percent.
        retained: Percent = Patch<Percent>,
        /// So many days before the event starts a customer must have asked.
        days_before: u32 = Patch<u32>,
        /// Whether it may ask until the event ends; then `days_before` says nothing.
        after_start: bool = Patch<bool>,
    }

    /// A partial update of a policy. `null` in place of one makes an event's that of its partner, and a partner's the
    /// default.
    pub struct RefundPolicyPatch;
}
