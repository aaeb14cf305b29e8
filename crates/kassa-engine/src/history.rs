//! What happened to one row: from its last change back, from batch to batch, as far as the log is kept.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use kassa_domain::ReadSet;
use kassa_domain::change::{BatchId, Change, ChangeBatch, MalformedCursor, Revision, Subject};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::list_turns::ListTurn;

/// Where a reader of a row's history goes on: at a change of the row, which it has not seen.
///
/// As text: `version-batch`, where the batch is `node.epoch.number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryCursor {
    /// Which change of the row, from 1 on.
    pub version: i64,
    /// The batch that has it.
    pub batch: BatchId,
}

impl fmt::Display for HistoryCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.version, self.batch)
    }
}

impl FromStr for HistoryCursor {
    type Err = MalformedCursor;

    fn from_str(text: &str) -> Result<Self, MalformedCursor> {
        let (version, batch) = text.split_once('-').ok_or(MalformedCursor)?;
        let cursor = Self {
            version: version.parse().map_err(|_| MalformedCursor)?,
            batch: batch.parse().map_err(|_| MalformedCursor)?,
        };
        // One cursor has one text.
        if cursor.version >= 1 && cursor.to_string() == text { Ok(cursor) } else { Err(MalformedCursor) }
    }
}

/// A change of the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryChange {
    /// The batch that it is of.
    pub batch: Arc<ChangeBatch>,
    /// Which change of the batch, from 0 on.
    pub index: u32,
}

impl HistoryChange {
    /// The change itself.
    pub fn change(&self) -> &Change {
        &self.batch.changes[self.index as usize]
    }
}

/// A part of a row's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryPage {
    /// The changes, the newest first.
    pub changes: Vec<HistoryChange>,
    /// What comes behind them.
    pub rest: HistoryRest,
}

/// What comes behind a part of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryRest {
    /// Older changes, which may be kept or not.
    From(HistoryCursor),
    /// So many older changes, none of which is kept; 0 behind the first change of the row.
    Forgotten(i64),
}

/// Why a part of a history cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// The cursor is not one of this row.
    #[error(transparent)]
    Cursor(#[from] MalformedCursor),
    /// The database was not to be had.
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl Engine {
    /// Changes of a row that has this revision, from a cursor of its history on, or from the last one: up to so many.
    pub async fn history(
        &self,
        subject: Subject,
        revision: Revision,
        from: Option<HistoryCursor>,
        limit: usize,
    ) -> Result<HistoryPage, HistoryError> {
        if from.is_some_and(|from| from.version > revision.number()) {
            return Err(MalformedCursor.into());
        }
        let last = revision.changed_in().map(|batch| HistoryCursor { version: revision.number(), batch });
        let (mut next, mut changes) = (from.or(last), Vec::new());
        let mut rest = HistoryRest::Forgotten(revision.number());
        // One batch after the other is read: that is a list's work.
        ListTurn::begin().await?;
        while let Some(at) = next {
            rest = HistoryRest::From(at);
            if changes.len() >= limit {
                break;
            }
            rest = HistoryRest::Forgotten(at.version);
            let Some(batch) = self.change_batch(at.batch).await? else { break };
            let own = |(_, change): &(u32, &Change)| change.subject == subject && change.version <= at.version;
            let told: Vec<(u32, &Change)> = (0..).zip(&*batch.changes).filter(own).collect();
            if told.last().is_none_or(|(_, change)| change.version != at.version) {
                // A batch that a change names has the one before it; one that a client names may be any.
                let is_given = from == Some(at);
                let untold =
                    || Failure::internal(&format!("batch {} does not tell version {} of a row", at.batch, at.version));
                return Err(if is_given { MalformedCursor.into() } else { untold().into() });
            }
            for (index, change) in told.iter().rev() {
                if changes.len() >= limit {
                    break;
                }
                changes.push(HistoryChange { batch: Arc::clone(&batch), index: *index });
                let version = change.version - 1;
                next = change.previous.map(|batch| HistoryCursor { version, batch });
                rest = HistoryRest::Forgotten(version);
            }
        }
        Ok(HistoryPage { changes, rest })
    }

    async fn change_batch(&self, id: BatchId) -> Result<Option<Arc<ChangeBatch>>, Failure> {
        let view = self.view(&ReadSet { change_batches_to_read: vec![id], ..ReadSet::default() }).await?;
        Ok(view.change_batches.into_row(id).map(Arc::new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_has_one_text() {
        let cursor = HistoryCursor { version: 12, batch: BatchId { node: 3, epoch: 2, number: 77 } };
        assert_eq!((cursor.to_string().as_str(), "12-3.2.77".parse()), ("12-3.2.77", Ok(cursor)));
        for text in ["", "12", "12-", "-3.2.77", "0-3.2.77", "012-3.2.77", "12-3.2", "12-3.2.77-4", "+12-3.2.77"] {
            assert_eq!(text.parse::<HistoryCursor>(), Err(MalformedCursor), "{text}");
        }
    }
}
