//! The log of changes: what happened to rows, as others are told of it.
//!
//! A command states what it changes where it decides; a batch of commands writes all that they stated as one row, in
//! its own transaction. Changes are written in a binary format that knows kinds by their numbers and fields by their
//! order: both are only added to, at the end.

mod attribution;
mod audience;
mod change_type;
mod fact_name;
mod facts;
mod feed_head;
mod id_list;
mod numbered;
mod subject;

pub use attribution::{AddressClass, Attribution, Author};
pub use audience::{Audience, AudienceEntry, AudienceKey};
pub use change_type::ChangeType;
pub use fact_name::FactName;
pub use facts::{Fact, FactStep, FactValue, Facts};
pub use feed_head::{FeedHead, FeedName, SEQUENCER_LEASE_MS, SequencerClaim, WAITING_ENTRIES_MAX};
pub use id_list::IdList;
pub use subject::Subject;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::row::Row;
use crate::values::batch_id::BatchId;
use crate::values::resource_ids::EventId;
use crate::values::time::Timestamp;

/// A change of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What happened.
    pub kind: ChangeType,
    /// To what.
    pub subject: Subject,
    /// Which change of the subject it is, from 1 on, without a gap.
    pub version: i64,
    /// The event that the row hangs on.
    pub event: Option<EventId>,
    /// Who may see it.
    pub audience: Audience,
    /// What is said of it.
    pub facts: Facts,
    /// Who made it, and from where.
    pub attribution: Attribution,
    /// The batch with the subject's version before this one, which may be this change's own: so one goes from a row
    /// back through all that happened to it. `None` for the first.
    pub previous: Option<BatchId>,
}

/// The changes that one batch of commands stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeBatch {
    /// Which batch.
    pub id: BatchId,
    /// Its place in the feed, from 1 on; `None` until the sequencer has given it one.
    pub place: Option<i64>,
    /// When the batch was decided.
    pub committed_at: Timestamp,
    /// The changes, in the order in which they were stated. Whoever keeps the batch shares them.
    pub changes: Arc<[Change]>,
}

impl ChangeBatch {
    /// In whose indexes of the feed it is found, each once.
    pub fn audiences(&self) -> BTreeSet<AudienceKey> {
        self.changes.iter().flat_map(|change| change.audience.keys()).collect()
    }
}

impl Row for ChangeBatch {
    type Key = BatchId;

    fn key(&self) -> BatchId {
        self.id
    }
}
