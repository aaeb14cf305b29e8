//! The feed as partners read it, page after page. What an agent sees depends on what it sells, and that changes on the way.

use std::time::Duration;

use kassa_domain::change::{Change, ChangeType};
use kassa_domain::partner::PartnerId;
use tokio::time::Instant;

use crate::engine::{ChangeSelector, Engine};
use crate::failure::Failure;
use crate::feed::{FeedAudience, FeedCursor, FeedError, FeedPage};

/// How often who sells what is looked up anew, besides when a deal changes.
const AUDIENCE_AGE_MAX: Duration = Duration::from_mins(1);

/// The feed of some partners.
pub struct PartnerFeed {
    engine: Engine,
    audience: FeedAudience,
    /// When it was looked up what they sell.
    looked_up_at: Instant,
}

impl PartnerFeed {
    /// The feed of these partners, whichever of them sees a change.
    pub async fn open(engine: &Engine, partners: &[PartnerId]) -> Result<Self, Failure> {
        let looked_up_at = Instant::now();
        Ok(Self { engine: engine.clone(), audience: engine.feed_audience(partners).await?, looked_up_at })
    }

    /// Goes on for these partners.
    pub async fn set_partners(&mut self, partners: &[PartnerId]) -> Result<(), Failure> {
        if self.audience.partners != partners {
            *self = Self::open(&self.engine, partners).await?;
        }
        Ok(())
    }

    /// The next changes that are wanted, up to so many. There may be none though others follow.
    pub async fn read(
        &mut self,
        from: FeedCursor,
        limit: usize,
        wanted: &ChangeSelector<'_>,
    ) -> Result<FeedPage, FeedError> {
        if self.looked_up_at.elapsed() > AUDIENCE_AGE_MAX {
            self.look_up().await?;
        }
        let selected = |change: &Change| wanted(change) || changes_audience(change);
        let mut page = self.engine.read_feed_of(&self.audience, from, limit, &selected).await?;
        // Who sells what has changed: what follows is read by whoever sells it then.
        if let Some(at) = page.changes.iter().position(|found| changes_audience(found.change())) {
            page.changes.truncate(at + 1);
            page.next = page.changes[at].cursor();
            page.is_at_end = false;
            self.look_up().await?;
        }
        page.changes.retain(|found| wanted(found.change()));
        Ok(page)
    }

    async fn look_up(&mut self) -> Result<(), Failure> {
        *self = Self::open(&self.engine, &self.audience.partners).await?;
        Ok(())
    }
}

/// Whether an agent may see more, or less, from a change on.
pub(crate) fn changes_audience(change: &Change) -> bool {
    matches!(change.kind, ChangeType::DealAccepted | ChangeType::DealTerminated)
}
