//! Pages of the feed as JSON, for one caller.

use kassa_domain::Actor;
use kassa_domain::change::FeedCursor;
use kassa_domain::webhook::WebhookPayload;
use kassa_engine::feed::{FeedChange, FeedError, FeedPage};
use kassa_engine::{Engine, Failure, ListTurn, PartnerFeed};
use kassa_store::memory_budget::MemoryMeter;

use super::data::form_of;
use super::model::{ChangeBody, ChangeReader};
use super::request::WantedChanges;
use crate::caller::CustomersScope;
use crate::error::ApiError;

/// The longest change, in bytes: a longer one leaves the resource out.
pub(super) const CHANGE_BYTES_MAX: usize = 128 * 1024;

/// A change as JSON.
pub(super) struct WrittenChange {
    pub(super) cursor: FeedCursor,
    pub(super) kind: &'static str,
    pub(super) json: String,
}

/// A part of the feed as JSON.
pub(super) struct WrittenPage {
    pub(super) changes: Vec<WrittenChange>,
    /// From where one reads on.
    pub(super) next: FeedCursor,
    pub(super) is_at_end: bool,
}

/// The feed of a caller, as far as it is wanted.
pub(super) struct CallerFeed {
    engine: Engine,
    actor: Actor,
    feed: PartnerFeed,
    customers: CustomersScope,
    wanted: WantedChanges,
}

impl CallerFeed {
    /// For the partners that a caller acts for; a refusal if there is none.
    pub(super) async fn open(
        engine: &Engine,
        actor: Actor,
        customers: CustomersScope,
        wanted: WantedChanges,
    ) -> Result<Self, ApiError> {
        let partners = actor.acting_partners();
        if partners.is_empty() {
            actor.acting_partner()?;
        }
        // What is read for it is not held while somebody waits.
        let feed = MemoryMeter::current().part().scope(PartnerFeed::open(engine, &partners)).await?;
        Ok(Self { engine: engine.clone(), actor, feed, customers, wanted })
    }

    /// Goes on for the same caller, as it is now. Returns whether it acts for others than before: what was read may be none
    /// of theirs.
    pub(super) async fn set_actor(&mut self, actor: Actor) -> Result<bool, Failure> {
        let partners = actor.acting_partners();
        let acts_for_others = partners != self.actor.acting_partners();
        MemoryMeter::current().part().scope(self.feed.set_partners(&partners)).await?;
        self.actor = actor;
        Ok(acts_for_others)
    }

    /// What is wanted from a cursor on. What is read from the database is read in a turn, which may go on.
    pub(super) async fn read(&mut self, from: FeedCursor, limit: usize) -> Result<FeedPage, FeedError> {
        let Self { feed, wanted, .. } = self;
        // What is read is held in memory only until what is wanted of it is known.
        let meter = MemoryMeter::current().part();
        meter.scope(feed.read(from, limit, &|change| wanted.wants(change))).await
    }

    /// Writes a page, as much of it as the limit of bytes allows, and one change at least. What is written is charged to
    /// the meter of the task.
    pub(super) async fn write(&self, page: FeedPage, bytes_max: usize) -> Result<WrittenPage, Failure> {
        let mut written = WrittenPage { changes: Vec::new(), next: page.next, is_at_end: page.is_at_end };
        let mut bytes = 0;
        for found in &page.changes {
            if bytes >= bytes_max {
                written.next = FeedCursor { place: found.batch.place, index: found.index };
                written.is_at_end = false;
                break;
            }
            let change = self.write_change(found).await?;
            bytes += change.json.len();
            MemoryMeter::current().charge(change.json.len())?;
            written.changes.push(change);
        }
        Ok(written)
    }

    async fn write_change(&self, found: &FeedChange) -> Result<WrittenChange, Failure> {
        let change = found.change();
        let data = match self.wanted.payload {
            WebhookPayload::Thin => None,
            WebhookPayload::Full => {
                ListTurn::begin().await?;
                let form = form_of(&self.engine, &self.actor, change.subject, self.customers.0);
                match MemoryMeter::current().part().scope(form).await {
                    // It is read by its id, as what is too long here.
                    Err(Failure::TooLarge) => None,
                    form => form?,
                }
            }
        };
        let json = ChangeBody::of(found, ChangeReader::Partners(&self.actor.acting_partners()))
            .with_data(data)
            .into_json(CHANGE_BYTES_MAX)?;
        Ok(WrittenChange { cursor: found.cursor(), kind: change.kind.name(), json })
    }
}
