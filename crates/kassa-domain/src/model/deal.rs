//! Deals: the terms under which an agent sells an organizer's event.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::event::Event;
use super::row::Row;
use crate::values::price::Terms;
use crate::values::resource_ids::{DealId, EventId, PartnerId};
use crate::values::revision::Revision;
use crate::values::time::Timestamp;

/// Where a deal is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DealStatus {
    /// Proposed by the agent.
    New,
    /// In force.
    Accepted,
    /// Refused by the organizer.
    Declined,
    /// Taken back by the agent before an answer.
    Revoked,
    /// Ended by either side.
    Terminated,
}

impl DealStatus {
    /// Every status.
    pub const ALL: [Self; 5] = [Self::New, Self::Accepted, Self::Declined, Self::Revoked, Self::Terminated];

    /// Its name, which is also how it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Accepted => "accepted",
            Self::Declined => "declined",
            Self::Revoked => "revoked",
            Self::Terminated => "terminated",
        }
    }
}

impl fmt::Display for DealStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What the world sees of it: the end of its event finishes a deal that is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectiveDealStatus {
    /// As its sides left it.
    Stored(DealStatus),
    /// Over with its event.
    Finished,
}

/// A deal. Its terms never change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The id.
    pub id: DealId,
    /// The event.
    pub event: EventId,
    /// The agent.
    pub agent: PartnerId,
    /// The organizer.
    pub organizer: PartnerId,
    /// Where it is in its life.
    pub status: DealStatus,
    /// Whether the agent proposed it.
    pub proposed_by_agent: bool,
    /// Whether the organizer declined or terminated it.
    pub ended_by_organizer: bool,
    /// What the proposer wrote.
    pub message: String,
    /// Who gets how much.
    pub terms: Terms,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its status last changed.
    pub updated_at: Timestamp,
    /// Counts changes.
    pub revision: Revision,
}

impl Deal {
    /// Whether tickets are sold under it.
    pub fn is_accepted(&self) -> bool {
        self.status == DealStatus::Accepted
    }

    /// The partner that proposed it.
    pub fn proposer(&self) -> PartnerId {
        if self.proposed_by_agent { self.agent } else { self.organizer }
    }

    /// Whether it is between a partner and one of the others.
    pub fn is_between(&self, partner: PartnerId, others: &[PartnerId]) -> bool {
        (self.agent == partner && others.contains(&self.organizer))
            || (self.organizer == partner && others.contains(&self.agent))
    }

    /// The status that the world sees at `now`, while `event` is the deal's: the end of the event finishes
    /// it, whether the event was canceled or not.
    pub fn effective_status(&self, event: &Event, now: Timestamp) -> EffectiveDealStatus {
        if self.is_accepted() && event.lifetime.is_some_and(|lifetime| lifetime.has_ended_at(now)) {
            EffectiveDealStatus::Finished
        } else {
            EffectiveDealStatus::Stored(self.status)
        }
    }
}

impl Row for Deal {
    type Key = DealId;

    fn key(&self) -> DealId {
        self.id
    }
}
