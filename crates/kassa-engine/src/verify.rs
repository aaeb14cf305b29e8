//! Whether a database holds what it should: all that can be counted is counted again, beside a server that sells.
//!
//! Each row is read by itself, and compared with the rows that it names as of one moment; each event is counted again
//! as of one moment (see [`kassa_domain::audit`]). Sales go on meanwhile: what changes while it is looked at is looked
//! at again. Nothing is locked and nothing is written.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use kassa_domain::audit::{Audited, Finding, Findings, audit_places, audit_waiting, read_waiting};
use kassa_domain::change::FeedName;
use kassa_domain::event::Event;
use kassa_domain::partner::Partner;
use kassa_domain::view::Table;
use kassa_domain::{ReadSet, Timestamp, View, every_table};
use kassa_store::rows::MappedRow;
use kassa_store::{RowCursor, ScannedRow, Store, StoreError};
use parking_lot::Mutex;
use tokio::time::Instant;

/// Rows that are read at a time.
const PAGE_ROWS: usize = 500;
/// Rows that are compared with others at a time: an order may have a hundred tickets.
const COMPARE_ROWS: usize = 25;
/// Places of the feed that are looked at at a time: at each is a batch of changes.
const PLACES: usize = 100;
/// How often a row is looked at that changes every time.
const REREADS_MAX: usize = 10;

/// How much a database is kept busy by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyPace(u32);

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Rows that were read.
    pub rows: u64,
    /// Events that were counted again.
    pub events: u64,
    /// Rows that changed each time they were read: the next verification will check them.
    pub unsettled: u64,
    /// What does not agree.
    pub findings: Findings,
}

/// The recounts of a server.
#[derive(Default)]
pub(crate) struct Verifications {
    /// Held during a recount: one runs at a time.
    pub(crate) running: Arc<tokio::sync::Mutex<()>>,
    pub(crate) last: Mutex<Option<Verified>>,
}

/// What the last recount has found.
#[derive(Clone, Debug)]
pub struct Verified {
    /// When it was done.
    pub at: Timestamp,
    /// What was found.
    pub report: Arc<VerifyReport>,
}

impl VerifyPace {
    /// Beside sales, which go first.
    pub const BESIDE_SALES: Self = Self(25);

    /// Reads during so many percent of the time, 1 to 100, and pauses in between.
    pub fn percent(share: u32) -> Self {
        Self(share.clamp(1, 100))
    }

    /// The pause after work that took so long.
    fn pause(self, worked: Duration) -> Duration {
        worked * (100 - self.0) / self.0
    }
}

/// Recounts everything. An error says that it could not be determined: the database is unavailable.
pub fn verify(store: &Store, pace: VerifyPace) -> BoxFuture<'_, Result<VerifyReport, StoreError>> {
    Box::pin(async move {
        let mut verifier = Verifier { store, pace, report: VerifyReport::default() };
        macro_rules! each_table {
            ($($field:ident: $row:ty,)*) => {
                $(verifier.verify_table::<$row>(|view| &view.$field).await?;)*
            };
        }
        every_table!(each_table);
        verifier.verify_events().await?;
        verifier.verify_usage().await?;
        verifier.verify_places().await?;
        Ok(verifier.report)
    })
}

struct Verifier<'a> {
    store: &'a Store,
    pace: VerifyPace,
    report: VerifyReport,
}

impl Verifier<'_> {
    /// Every row of a table, by itself and with those that it names.
    async fn verify_table<R: MappedRow + Audited>(&mut self, of: fn(&View) -> &Table<R>) -> Result<(), StoreError> {
        let mut after = None;
        loop {
            let start = Instant::now();
            let page = self.store.scan::<R>(after.as_ref(), PAGE_ROWS).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.cursor.clone());
            self.report.rows += page.len() as u64;
            let rows: Vec<R> = page.into_iter().filter_map(|row| self.check_readable(row)).collect();
            self.throttle(start).await;
            for rows in rows.chunks(COMPARE_ROWS) {
                let start = Instant::now();
                self.compare(rows.to_vec(), of).await?;
                self.throttle(start).await;
            }
        }
    }

    /// The row, if it can be read; notes what is odd about it.
    fn check_readable<R: MappedRow>(&mut self, scanned: ScannedRow<R>) -> Option<R> {
        let ScannedRow { cursor: place, row, mismatches: strays } = scanned;
        let mut report = |id: String, part, expected, found| {
            self.report.findings.push(Finding { resource: R::TABLE, id, aspect: part, expected, actual: found });
        };
        match row {
            Ok(row) => {
                for stray in strays {
                    report(format!("{:?}", row.key()), stray.column, stray.expected, stray.found);
                }
                Some(row)
            }
            Err(error) => {
                report(place.to_string(), "row", "one that can be read".to_owned(), error.to_string());
                None
            }
        }
    }

    /// Compares rows with those that they name. One that has changed since it was read is looked at again, as it is
    /// by then; of one that is gone nothing is left to be said.
    async fn compare<R: MappedRow + Audited>(
        &mut self,
        mut rows: Vec<R>,
        of: fn(&View) -> &Table<R>,
    ) -> Result<(), StoreError> {
        for _ in 0..REREADS_MAX {
            let mut read_set = ReadSet::default();
            rows.retain(|row| row.audit_read_set(&mut read_set));
            if rows.is_empty() {
                return Ok(());
            }
            let view = match self.store.view(&read_set).await {
                Ok(view) => view,
                Err(StoreError::Corrupt(error)) => return self.compare_individually(rows, of, &error).await,
                Err(error) => return Err(error),
            };
            let now = |row: &R| of(&view).get(row.key()).cloned();
            let (settled, moved): (Vec<R>, Vec<R>) = rows.into_iter().partition(|row| now(row).as_ref() == Some(row));
            for row in settled {
                row.audit(&view, &mut self.report.findings);
            }
            rows = moved.iter().filter_map(now).collect();
        }
        self.report.unsettled += rows.len() as u64;
        Ok(())
    }

    /// A row that these are compared with cannot be read: the other findings are reported all the same.
    async fn compare_individually<R: MappedRow + Audited>(
        &mut self,
        rows: Vec<R>,
        of: fn(&View) -> &Table<R>,
        error: &str,
    ) -> Result<(), StoreError> {
        if let [row] = rows.as_slice() {
            self.report_unreadable(R::TABLE, format!("{:?}", row.key()), "others", error.to_owned());
            return Ok(());
        }
        for row in rows {
            Box::pin(self.compare(vec![row], of)).await?;
        }
        Ok(())
    }

    /// What adds up over each event.
    async fn verify_events(&mut self) -> Result<(), StoreError> {
        let mut after: Option<RowCursor> = None;
        loop {
            let page = self.store.scan::<Event>(after.as_ref(), PAGE_ROWS).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.cursor.clone());
            for event in page.into_iter().filter_map(|scanned| scanned.row.ok()) {
                let start = Instant::now();
                match self.store.recount_event(event.id).await {
                    Ok(findings) => self.report.findings.extend(findings),
                    Err(StoreError::Corrupt(error)) => {
                        self.report_unreadable("event", event.id.to_string(), "books", error);
                    }
                    Err(error) => return Err(error),
                }
                self.report.events += 1;
                self.throttle(start).await;
            }
        }
    }

    /// What each partner stores.
    async fn verify_usage(&mut self) -> Result<(), StoreError> {
        let mut after: Option<RowCursor> = None;
        loop {
            let page = self.store.scan::<Partner>(after.as_ref(), PAGE_ROWS).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.cursor.clone());
            for partner in page.into_iter().filter_map(|scanned| scanned.row.ok()) {
                let start = Instant::now();
                let findings = self.store.recount_usage(partner.id).await?;
                self.report.findings.extend(findings);
                self.throttle(start).await;
            }
        }
    }

    /// That the feed has a batch at each place.
    async fn verify_places(&mut self) -> Result<(), StoreError> {
        let feed_heads = vec![FeedName::Changes];
        let view = self.store.view(&ReadSet { feed_heads: feed_heads.clone(), ..ReadSet::default() }).await?;
        let Some(head) = view.feed_heads.get(FeedName::Changes) else { return Ok(()) };
        let mut read_set = ReadSet { feed_heads: feed_heads.clone(), ..ReadSet::default() };
        read_waiting(&head.waiting, &mut read_set);
        if let Some(view) = self.view_of_feed(&read_set, "waiting", "entries").await? {
            audit_waiting(&head.waiting, &view, &mut self.report.findings);
        }
        for first in (head.oldest_place..=head.last_place).step_by(PLACES) {
            let start = Instant::now();
            let places = first..=head.last_place.min(first.saturating_add_unsigned(PLACES as u64 - 1));
            let read_set = ReadSet {
                feed_heads: feed_heads.clone(),
                change_batches_at: places.clone().collect(),
                ..ReadSet::default()
            };
            let named = format!("{}-{}", places.start(), places.end());
            if let Some(view) = self.view_of_feed(&read_set, &named, "places").await? {
                audit_places(places, &view, &mut self.report.findings);
            }
            self.throttle(start).await;
        }
        Ok(())
    }

    /// Rows of the feed; notes where some cannot be read.
    async fn view_of_feed(
        &mut self,
        read_set: &ReadSet,
        id: &str,
        aspect: &'static str,
    ) -> Result<Option<View>, StoreError> {
        match self.store.view(read_set).await {
            Ok(view) => Ok(Some(view)),
            Err(StoreError::Corrupt(error)) => {
                self.report_unreadable("feed", id.to_owned(), aspect, error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Notes that something cannot be looked at, as rows that belong to it cannot be read.
    fn report_unreadable(&mut self, resource: &'static str, id: String, aspect: &'static str, error: String) {
        let expected = "rows that can be read".to_owned();
        self.report.findings.push(Finding { resource, id, aspect, expected, actual: error });
    }

    /// Leaves the database to others, as the pace says.
    async fn throttle(&self, start: Instant) {
        tokio::time::sleep(self.pace.pause(start.elapsed())).await;
    }
}
