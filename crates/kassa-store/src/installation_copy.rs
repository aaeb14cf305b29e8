//! A whole installation is copied from a SQLite file into an empty PostgreSQL database: each row as it is, with
//! its id, its tag and its version. Nothing is decided, and so nothing of it is a command: both sides are closed
//! to all others. Nobody changes the file as long as it is read, and no server starts on the database before the
//! copy is complete. It can be interrupted at any moment, and goes on where it was.

use futures_util::future::BoxFuture;
use kassa_domain::attachment::{Attachment, AttachmentId};
use kassa_domain::every_table;
use kassa_domain::node::{InstallationSetting, InstallationSettingName, Node};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::cell::Cell;
use crate::error::StoreError;
use crate::postgres::{Postgres, PostgresCopyTarget};
use crate::rows::{MappedRow, RowKey as _};
use crate::sqlite::SqliteCopySource;

/// Rows of a page, and bytes, about: what is in memory, and lost by an interruption.
const PAGE_ROWS: usize = 4_000;
const PAGE_BYTES: usize = 8 * 1024 * 1024;

/// Why a copy is not begun, or not complete.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InstallationCopyError {
    /// A database has failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is nothing to copy.
    #[error("no server has ever run on it: there is nothing to copy")]
    SourceEmpty,
    /// The target is in use.
    #[error("the target holds data already: it must be an empty database")]
    TargetNotEmpty,
    /// The target holds another copy.
    #[error("the target holds a copy of another installation that is not finished: give another database")]
    DifferentInstallation,
    /// The source is not as it was when the copy was begun.
    #[error("the installation has changed since the copy was begun: the copy must be begun anew")]
    SourceChanged,
    /// Another copy goes on in its place.
    #[error("another copy into this database was begun meanwhile, and this one has written no more")]
    Superseded,
    /// There is nothing left to do.
    #[error("the target holds a complete copy of this installation already")]
    AlreadyComplete,
    /// The rows of a table could not be copied.
    #[error("table {table}: {error}")]
    Table {
        /// Which one.
        table: &'static str,
        /// Why not.
        error: StoreError,
    },
    /// What was copied is not what there is.
    #[error(
        "table {table}: {target_rows} rows were copied of {source_rows}, or some are not the same: the copy must be begun anew"
    )]
    ContentMismatch {
        /// Which one.
        table: &'static str,
        /// Rows of the source.
        source_rows: u64,
        /// Rows of the target.
        target_rows: u64,
    },
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyStage {
    /// Rows are copied.
    Copying,
    /// What was copied is read again, on both sides.
    Verifying,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyProgress {
    /// With what.
    pub stage: CopyStage,
    /// With which table.
    pub table: &'static str,
    /// Rows that are done.
    pub done: u64,
    /// Rows of the table.
    pub total: u64,
}

/// Is called with the progress.
pub type CopyProgressFn<'a> = dyn FnMut(CopyProgress) + Send + 'a;

/// Which installation is copied, and as of when.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SourceSnapshot {
    /// The fingerprint of its secret.
    installation: String,
    /// Of the rows that each batch writes.
    batches: TableChecksum,
}

/// How far a table was copied: rows, and the cells of the last one's key.
#[derive(Debug, Default, Serialize, Deserialize)]
struct TableProgress {
    rows: u64,
    last: Vec<KeyCell>,
}

/// A cell, as it is noted.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum KeyCell {
    Int(i64),
    Text(String),
    Blob(Vec<u8>),
}

/// A number of rows, and a sum of their hashes: it does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct TableChecksum {
    rows: u64,
    hashes: u64,
}

/// A copy that was begun.
pub struct InstallationCopy {
    source: SqliteCopySource,
    target: PostgresCopyTarget,
    fingerprint: String,
}

impl InstallationCopy {
    /// Begins a copy, or goes on with one. With `anew`, one that is not finished is thrown away first.
    pub fn begin(
        source: SqliteCopySource,
        target: &Postgres,
        anew: bool,
    ) -> BoxFuture<'_, Result<Self, InstallationCopyError>> {
        Box::pin(async move {
            let origin = SourceSnapshot::of(&source)?;
            target.migrate().await?;
            let mut target = target.copy_target().await?;
            match target.open_record::<SourceSnapshot>().await? {
                None => {
                    target.lock_tables().await?;
                    if !target.is_empty().await? {
                        return Err(InstallationCopyError::TargetNotEmpty);
                    }
                    target.begin(&origin).await?;
                }
                Some((false, found)) if found.installation == origin.installation => {
                    return Err(InstallationCopyError::AlreadyComplete);
                }
                Some((false, _)) => return Err(InstallationCopyError::TargetNotEmpty),
                Some((true, _)) if anew => {
                    target.lock_tables().await?;
                    target.begin(&origin).await?;
                }
                Some((true, found)) if found.installation != origin.installation => {
                    return Err(InstallationCopyError::DifferentInstallation);
                }
                Some((true, found)) if found != origin => return Err(InstallationCopyError::SourceChanged),
                Some((true, _)) => target.resume().await?,
            }
            Ok(Self { source, target, fingerprint: origin.installation })
        })
    }

    /// The fingerprint of the installation's secret.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Copies the rows that are not copied yet. Tells how many there are in all.
    pub fn copy_rows<'a>(
        &'a mut self,
        tell: &'a mut CopyProgressFn<'_>,
    ) -> BoxFuture<'a, Result<u64, InstallationCopyError>> {
        Box::pin(async move {
            let mut rows = 0;
            macro_rules! copy {
                ($($field:ident: $row:ty,)*) => {
                    $(rows += with_table_name::<$row, _>(self.copy_table::<$row>(tell).await)?;)*
                };
            }
            every_table!(copy);
            Ok(rows)
        })
    }

    async fn copy_table<R: MappedRow>(&mut self, tell: &mut CopyProgressFn<'_>) -> Result<u64, StoreError> {
        let total = self.source.count::<R>()?;
        let mut reached: TableProgress = self.target.table_progress::<R, _>().await?.unwrap_or_default();
        loop {
            tell(CopyProgress { stage: CopyStage::Copying, table: R::TABLE, done: reached.rows, total });
            let rows = self.source.page::<R>(&reached.key_cells(), PAGE_ROWS, PAGE_BYTES)?;
            let Some((last, _)) = rows.last() else { return Ok(reached.rows) };
            reached = TableProgress { rows: reached.rows + rows.len() as u64, last: key_cells_of(last) };
            self.target.append_rows(&rows, &reached).await?;
        }
    }

    /// Reads all rows again, on both sides, and compares them, cell by cell, by sums that do not depend on their
    /// order.
    pub fn verify<'a>(
        &'a mut self,
        tell: &'a mut CopyProgressFn<'_>,
    ) -> BoxFuture<'a, Result<(), InstallationCopyError>> {
        Box::pin(async move {
            macro_rules! verify {
                ($($field:ident: $row:ty,)*) => {
                    $({
                        let (source, target) = with_table_name::<$row, _>(self.table_checksums::<$row>(tell).await)?;
                        if source != target {
                            return Err(InstallationCopyError::ContentMismatch { table: <$row>::TABLE, source_rows: source.rows, target_rows: target.rows });
                        }
                    })*
                };
            }
            every_table!(verify);
            Ok(())
        })
    }

    async fn table_checksums<R: MappedRow>(
        &mut self,
        tell: &mut CopyProgressFn<'_>,
    ) -> Result<(TableChecksum, TableChecksum), StoreError> {
        let here = source_checksum::<R>(&self.source)?;
        let mut there = TableChecksum::default();
        let mut report =
            |done| tell(CopyProgress { stage: CopyStage::Verifying, table: R::TABLE, done, total: here.rows });
        report(0);
        let each = self.target.each_row::<R>(|cells| {
            there.add(cells);
            if there.rows.is_multiple_of(PAGE_ROWS as u64) {
                report(there.rows);
            }
        });
        each.await?;
        report(there.rows);
        Ok((here, there))
    }

    /// Attachments by id, from behind this one on; none behind the last.
    pub fn attachments(&self, after: Option<AttachmentId>) -> Result<Vec<Attachment>, StoreError> {
        let after: Vec<Cell<'_>> = after.iter().map(|id| id.key().into()).collect();
        let rows = self.source.page::<Attachment>(&after, PAGE_ROWS, PAGE_BYTES)?;
        Ok(rows.into_iter().map(|(attachment, _)| attachment).collect())
    }

    /// Opens the target to servers. All must have been copied and verified.
    pub fn finish(mut self) -> BoxFuture<'static, Result<(), InstallationCopyError>> {
        Box::pin(async move {
            self.target.finish().await.map_err(|error| superseded(error).unwrap_or_else(InstallationCopyError::from))
        })
    }
}

impl SourceSnapshot {
    fn of(source: &SqliteCopySource) -> Result<Self, InstallationCopyError> {
        let mut installation = None;
        source.each_row(|setting: InstallationSetting, _| {
            if setting.name == InstallationSettingName::SecretFingerprint {
                installation = Some(setting.value);
            }
        })?;
        let installation = installation.ok_or(InstallationCopyError::SourceEmpty)?;
        Ok(Self { installation, batches: source_checksum::<Node>(source)? })
    }
}

impl TableProgress {
    fn key_cells(&self) -> Vec<Cell<'_>> {
        let cells = self.last.iter().map(|cell| match cell {
            KeyCell::Int(value) => (*value).into(),
            KeyCell::Text(text) => text.as_str().into(),
            KeyCell::Blob(bytes) => bytes.as_slice().into(),
        });
        cells.collect()
    }
}

fn key_cells_of<R: MappedRow>(row: &R) -> Vec<KeyCell> {
    let key = row.key();
    let mut cells = Vec::new();
    key.write(&mut cells);
    let saved = cells.into_iter().filter_map(|cell| match cell {
        // No part of a key is nothing.
        Cell::Null => None,
        Cell::Int(value) => Some(KeyCell::Int(value)),
        Cell::Text(text) => Some(KeyCell::Text(text.into_owned())),
        Cell::Blob(bytes) => Some(KeyCell::Blob(bytes.into_owned())),
    });
    saved.collect()
}

impl TableChecksum {
    /// It is stored, and compared by programs that another compiler has made.
    fn add(&mut self, cells: &[Cell<'_>]) {
        let mut hasher = Sha256::new();
        for cell in cells {
            let (kind, bytes) = match cell {
                Cell::Null => (0_u8, &[][..]),
                Cell::Int(value) => (1, &value.to_le_bytes()[..]),
                Cell::Text(text) => (2, text.as_bytes()),
                Cell::Blob(bytes) => (3, bytes.as_ref()),
            };
            hasher.update([kind]);
            hasher.update((bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        }
        let hash: [u8; 32] = hasher.finalize().into();
        let first = hash.iter().take(8).rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        self.rows += 1;
        self.hashes = self.hashes.wrapping_add(first);
    }
}

/// Of the rows as this program writes them.
fn source_checksum<R: MappedRow>(source: &SqliteCopySource) -> Result<TableChecksum, StoreError> {
    let mut sum = TableChecksum::default();
    source.each_row::<R>(|row, version| {
        let mut cells = Vec::with_capacity(R::COLUMNS.len() + 1);
        row.write(&mut cells);
        cells.push(version.into());
        sum.add(&cells);
    })?;
    Ok(sum)
}

/// Says which table it was.
fn with_table_name<R: MappedRow, T>(result: Result<T, StoreError>) -> Result<T, InstallationCopyError> {
    let of_table = |error| InstallationCopyError::Table { table: R::TABLE, error };
    result.map_err(|error| superseded(error).unwrap_or_else(of_table))
}

/// Whether the target has said that the copy is another's now; if not, what it has said.
fn superseded(error: StoreError) -> Result<InstallationCopyError, StoreError> {
    match error {
        StoreError::Conflict(_) => Ok(InstallationCopyError::Superseded),
        error @ (StoreError::Constraint(_)
        | StoreError::Unavailable(_)
        | StoreError::Busy(_)
        | StoreError::TooLarge
        | StoreError::MemorySpent
        | StoreError::Corrupt(_)
        | StoreError::Abandoned
        | StoreError::NewerSchema { .. }
        | StoreError::Migration { .. }
        | StoreError::Foreign(_)
        | StoreError::ReadTimeout
        | StoreError::Locked(_)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_is_stable_across_builds() {
        let mut sum = TableChecksum::default();
        sum.add(&[1_i64.into(), "a".into(), Cell::Null, [7_u8].as_slice().into()]);
        assert_eq!((sum.rows, sum.hashes), (1, 0x2743_f1e1_c271_6274));
    }
}
