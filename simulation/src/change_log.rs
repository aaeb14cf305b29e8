//! The log of changes as a reader hears it, held against the rows: each committed change once, and none that is not
//! there.

use std::collections::{BTreeMap, BTreeSet};

use kassa_domain::api_key::ApiKey;
use kassa_domain::attachment::Attachment;
use kassa_domain::change::{BatchId, Followed, Revision, Subject};
use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::hall_map::HallMap;
use kassa_domain::order::Order;
use kassa_domain::partner::Partner;
use kassa_domain::payment::OrderPayment;
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::RefundRequest;
use kassa_domain::set::TicketSet;
use kassa_domain::venue::Venue;
use kassa_engine::Engine;
use kassa_engine::feed::{FeedCursor, FeedError};
use kassa_store::rows::MappedRow;

use crate::Violation;
use crate::play::SimServer;

/// What a reader has heard so far.
#[derive(Default)]
pub(crate) struct ChangeLog {
    cursor: FeedCursor,
    revisions: BTreeMap<Subject, (i64, BatchId)>,
    batches: BTreeSet<BatchId>,
}

impl ChangeLog {
    /// Hears up to so many changes. Whether that was the end.
    pub(crate) async fn read(&mut self, engine: &Engine, limit: usize) -> Result<bool, Violation> {
        let page = match engine.read_feed(self.cursor, limit, &|_| true).await {
            Ok(page) => page,
            Err(FeedError::Failure(failure)) => return Err(failure.into()),
            Err(error @ (FeedError::Gone(_) | FeedError::Ahead(_))) => {
                return Err(Violation::new("the feed has lost its place", (self.cursor, error)));
            }
        };
        for told in &page.changes {
            let (change, batch) = (told.change(), told.batch.id);
            if told.index == 0 && !self.batches.insert(batch) {
                return Err(Violation::new("a batch was told twice", (told.batch.place, batch)));
            }
            let known = self.revisions.insert(change.subject, (change.version, batch));
            let (version, previous) = known.map_or((0, None), |(version, batch)| (version, Some(batch)));
            if change.version != version + 1 || change.previous != previous {
                return Err(Violation::new("a change was told out of its turn", (known, batch, change)));
            }
        }
        self.cursor = page.next;
        Ok(page.is_at_end)
    }

    /// Compares all that was heard with all rows; the reader is at the end.
    pub(crate) async fn compare(&self, server: &SimServer) -> Result<(), Violation> {
        let mut stored = BTreeMap::new();
        macro_rules! collect {
            ($($row:ty,)*) => {
                $(stored.extend(revisions_of::<$row>(server).await?);)*
            };
        }
        collect!(
            ApiKey,
            Attachment,
            Deal,
            Event,
            HallMap,
            Order,
            OrderPayment,
            Partner,
            Promocode,
            Promotion,
            RefundRequest,
            TicketSet,
            Venue,
        );
        let sets: Vec<TicketSet> = server.rows().await?;
        stored.extend(sets.iter().map(|set| (Subject::Inventory(set.id), set.inventory)));
        let stored = stored.into_iter().filter(|(_, revision)| revision.number() > 0);
        let stored: BTreeMap<Subject, Option<(i64, BatchId)>> =
            stored.map(|(subject, row)| (subject, row.changed_in().map(|batch| (row.number(), batch)))).collect();
        let mut told = self.revisions.iter().map(|(subject, told)| (*subject, Some(*told)));
        if let Some(other) = told.find(|(subject, told)| stored.get(subject) != Some(told)) {
            return Err(Violation::new("a change was told that no row has", (other, stored.get(&other.0))));
        }
        let untold = stored.iter().find(|(subject, _)| !self.revisions.contains_key(subject));
        untold.map_or(Ok(()), |row| Err(Violation::new("a row has changed, and nobody was told", row)))
    }
}

async fn revisions_of<R: MappedRow + Followed>(server: &SimServer) -> Result<Vec<(Subject, Revision)>, Violation> {
    let rows: Vec<R> = server.rows().await?;
    Ok(rows.iter().map(|row| (row.subject(), row.revision())).collect())
}
