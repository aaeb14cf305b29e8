//! Work that is longer than one command: a row that says what is to be done, and one bounded
//! command per step.

use serde::{Deserialize, Serialize};

use super::row::Row;
pub use crate::values::resource_ids::JobId;
use crate::values::resource_ids::{EventId, OrderId, PartnerId, SetId};
use crate::values::time::Timestamp;

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum JobKind {
    /// Makes or takes away tickets until a set has as many as it should: the command
    /// `AdvanceSetResize`.
    Resize {
        /// The set's event.
        event: EventId,
        /// The set.
        set: SetId,
    },
    /// Opens refund requests for the paid orders of a canceled event: the command
    /// `RefundCanceledEvent`.
    Refund {
        /// The event.
        event: EventId,
        /// The last order that it has come to.
        after: Option<OrderId>,
    },
}

/// A job that is not done yet. Where it stands is in the rows that it works on, or in `work`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The id.
    pub id: JobId,
    /// The organizer of its event, on whose account it runs and with whose jobs it takes turns. Jobs of releases that did
    /// not note it have none.
    pub organizer: Option<PartnerId>,
    /// What is to be done.
    pub kind: JobKind,
    /// The lane that works on it, by its number. The steps of a job are commands of one event, and so a
    /// node gives all of them to one lane.
    pub lease_node: Option<u16>,
    /// Until when no other node takes it.
    pub lease_till: Timestamp,
}

/// How long a node may take for one step before another node tries, in milliseconds. A job whose node has
/// died stands still for as long; two that believe to have it do no harm, for each step looks at the rows.
const STEP_LEASE_MS: i64 = 3_000;

/// What a step has to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobProgress {
    /// There is more to do.
    HasMore,
    /// The job is done and gone.
    Done,
    /// Another node works on it.
    LeasedElsewhere,
}

impl Job {
    /// A new job, leased to nobody.
    pub fn new(id: JobId, organizer: PartnerId, work: JobKind) -> Self {
        Self { id, organizer: Some(organizer), kind: work, lease_node: None, lease_till: Timestamp::from_ms(0) }
    }

    /// Its turn: organizers have theirs by their keys, and jobs without one by 0.
    pub fn turn(&self) -> i64 {
        self.organizer.map_or(0, PartnerId::key)
    }

    /// The job as the node holds it from now on; `None` while another node does.
    pub fn with_lease(&self, node: u16, now: Timestamp) -> Option<Self> {
        let free = self.lease_node.is_none_or(|holder| holder == node) || self.lease_till <= now;
        free.then(|| Self { lease_node: Some(node), lease_till: now.plus_ms(STEP_LEASE_MS), ..self.clone() })
    }
}

impl Row for Job {
    type Key = JobId;

    fn key(&self) -> JobId {
        self.id
    }
}
