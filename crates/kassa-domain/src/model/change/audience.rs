//! Who may see a change.

use serde::{Deserialize, Serialize};

use crate::model::row::Row;
use crate::values::resource_ids::{EventId, PartnerId};

/// The partners that may see a change: those whose own the row is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audience {
    /// By id, each once. No row has more sides than two.
    partners: [Option<PartnerId>; 2],
    /// The event whose agents, those with an accepted deal, may see it, too.
    agents_of: Option<EventId>,
}

impl Audience {
    /// One partner.
    pub const fn of(partner: PartnerId) -> Self {
        Self { partners: [Some(partner), None], agents_of: None }
    }

    /// The two sides of a row, which may be one partner.
    pub fn between(one: PartnerId, other: PartnerId) -> Self {
        let second = if one == other { None } else { Some(one.max(other)) };
        Self { partners: [Some(one.min(other)), second], agents_of: None }
    }

    /// These, and the agents of an event.
    #[must_use]
    pub const fn and_agents_of(self, event: EventId) -> Self {
        Self { agents_of: Some(event), ..self }
    }

    /// The partners, by id.
    pub fn partners(&self) -> impl Iterator<Item = PartnerId> {
        self.partners.into_iter().flatten()
    }

    /// The event whose agents may see it, too.
    pub const fn agents_of(&self) -> Option<EventId> {
        self.agents_of
    }

    /// Under what the change is found.
    pub fn keys(&self) -> impl Iterator<Item = AudienceKey> {
        self.partners().map(AudienceKey::Partner).chain(self.agents_of.map(AudienceKey::AgentsOf))
    }

    /// Whether nobody sees it but the operator.
    pub const fn is_empty(&self) -> bool {
        matches!(self, Self { partners: [None, None], agents_of: None })
    }
}

/// Whose index of the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AudienceKey {
    /// A partner's.
    Partner(PartnerId),
    /// That of the agents of an event.
    AgentsOf(EventId),
}

/// An entry of the index by which readers find what they may see: some change of the batch at a place of the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AudienceEntry {
    /// Whose index.
    pub audience: AudienceKey,
    /// The place of the batch.
    pub place: i64,
}

impl Row for AudienceEntry {
    type Key = (AudienceKey, i64);

    fn key(&self) -> Self::Key {
        (self.audience, self.place)
    }
}
