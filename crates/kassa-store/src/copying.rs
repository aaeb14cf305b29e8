//! A whole installation is copied from a SQLite file into an empty PostgreSQL database: each row as it is, with
//! its id, its tag and its version. Nothing is decided, and so nothing of it is a command: both sides are closed
//! to all others. Nobody changes the file as long as it is read, and no server starts on the database before the
//! copy is complete. It can be interrupted at any moment, and goes on where it was.

use kassa_domain::attachment::{Attachment, AttachmentId};
use kassa_domain::every_table;
use kassa_domain::node::{Fact, FactName, Node};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::cell::Cell;
use crate::error::StoreError;
use crate::postgres::{Postgres, PostgresTarget};
use crate::rows::{Key as _, Mapped};
use crate::sqlite::SqliteSource;

/// Rows of a page, and bytes, about: what is in memory, and lost by an interruption.
const PAGE_ROWS: usize = 4_000;
const PAGE_BYTES: usize = 8 * 1024 * 1024;

/// Why a copy is not begun, or not complete.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CopyError {
    /// A database has failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is nothing to copy.
    #[error("no server has ever run on it: there is nothing to copy")]
    NothingThere,
    /// The target is in use.
    #[error("the target holds data already: it must be an empty database")]
    NotEmpty,
    /// The target holds another copy.
    #[error("the target holds a copy of another installation that is not finished: give another database")]
    OfAnother,
    /// The source is not as it was when the copy was begun.
    #[error("the installation has changed since the copy was begun: the copy must be begun anew")]
    Changed,
    /// Another copy goes on in its place.
    #[error("another copy into this database was begun meanwhile, and this one has written no more")]
    Overtaken,
    /// There is nothing left to do.
    #[error("the target holds a complete copy of this installation already")]
    Complete,
    /// The rows of a table could not be copied.
    #[error("table {table}: {error}")]
    Table {
        /// Which one.
        table: &'static str,
        /// Why not.
        error: StoreError,
    },
    /// What was copied is not what there is.
    #[error("table {table}: {there} rows were copied of {here}, or some are not the same: the copy must be begun anew")]
    Differs {
        /// Which one.
        table: &'static str,
        /// Rows of the source.
        here: u64,
        /// Rows of the target.
        there: u64,
    },
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Rows are copied.
    Copying,
    /// What was copied is read again, on both sides.
    Verifying,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// With what.
    pub stage: Stage,
    /// With which table.
    pub table: &'static str,
    /// Rows that are done.
    pub done: u64,
    /// Rows of the table.
    pub total: u64,
}

/// Is told how far it is.
pub type Tell<'a> = dyn FnMut(Progress) + 'a;

/// Which installation is copied, and as of when.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Origin {
    /// The fingerprint of its secret.
    installation: String,
    /// Of the rows that each batch writes.
    batches: Sum,
}

/// How far a table was copied: rows, and the cells of the last one's key.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Reached {
    rows: u64,
    last: Vec<Saved>,
}

/// A cell, as it is noted.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Saved {
    Int(i64),
    Text(String),
    Blob(Vec<u8>),
}

/// A number of rows, and a sum of their hashes: it does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Sum {
    rows: u64,
    hashes: u64,
}

/// A copy that was begun.
pub struct Copying {
    source: SqliteSource,
    target: PostgresTarget,
    fingerprint: String,
}

impl Copying {
    /// Begins a copy, or goes on with one. With `anew`, one that is not finished is thrown away first.
    pub async fn begin(source: SqliteSource, target: &Postgres, anew: bool) -> Result<Self, CopyError> {
        let origin = Origin::of(&source)?;
        target.migrate().await?;
        let mut target = target.copying().await?;
        match target.open_record::<Origin>().await? {
            None => {
                target.hold_tables().await?;
                if !target.is_empty().await? {
                    return Err(CopyError::NotEmpty);
                }
                target.begin(&origin).await?;
            }
            Some((false, found)) if found.installation == origin.installation => return Err(CopyError::Complete),
            Some((false, _)) => return Err(CopyError::NotEmpty),
            Some((true, _)) if anew => {
                target.hold_tables().await?;
                target.begin(&origin).await?;
            }
            Some((true, found)) if found.installation != origin.installation => return Err(CopyError::OfAnother),
            Some((true, found)) if found != origin => return Err(CopyError::Changed),
            Some((true, _)) => target.go_on().await?,
        }
        Ok(Self { source, target, fingerprint: origin.installation })
    }

    /// The fingerprint of the installation's secret.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Copies the rows that are not copied yet. Tells how many there are in all.
    pub async fn rows(&mut self, tell: &mut Tell<'_>) -> Result<u64, CopyError> {
        let mut rows = 0;
        macro_rules! copy {
            ($($field:ident: $row:ty,)*) => {
                $(rows += named::<$row, _>(self.table::<$row>(tell).await)?;)*
            };
        }
        every_table!(copy);
        Ok(rows)
    }

    async fn table<R: Mapped>(&mut self, tell: &mut Tell<'_>) -> Result<u64, StoreError> {
        let total = self.source.count::<R>()?;
        let mut reached: Reached = self.target.reached::<R, _>().await?.unwrap_or_default();
        loop {
            tell(Progress { stage: Stage::Copying, table: R::TABLE, done: reached.rows, total });
            let rows = self.source.page::<R>(&reached.cells(), PAGE_ROWS, PAGE_BYTES)?;
            let Some((last, _)) = rows.last() else { return Ok(reached.rows) };
            reached = Reached { rows: reached.rows + rows.len() as u64, last: saved_key(last) };
            self.target.put(&rows, &reached).await?;
        }
    }

    /// Reads all rows again, on both sides, and compares them, cell by cell, by sums that do not depend on their
    /// order.
    pub async fn verify(&mut self, tell: &mut Tell<'_>) -> Result<(), CopyError> {
        macro_rules! verify {
            ($($field:ident: $row:ty,)*) => {
                $({
                    let (here, there) = named::<$row, _>(self.sums::<$row>(tell).await)?;
                    if here != there {
                        return Err(CopyError::Differs { table: <$row>::TABLE, here: here.rows, there: there.rows });
                    }
                })*
            };
        }
        every_table!(verify);
        Ok(())
    }

    async fn sums<R: Mapped>(&mut self, tell: &mut Tell<'_>) -> Result<(Sum, Sum), StoreError> {
        let here = sum_of::<R>(&self.source)?;
        let mut there = Sum::default();
        let mut told = |done| tell(Progress { stage: Stage::Verifying, table: R::TABLE, done, total: here.rows });
        told(0);
        let each = self.target.every::<R>(|cells| {
            there.add(cells);
            if there.rows.is_multiple_of(PAGE_ROWS as u64) {
                told(there.rows);
            }
        });
        each.await?;
        told(there.rows);
        Ok((here, there))
    }

    /// Attachments by id, from behind this one on; none behind the last.
    pub fn attachments(&self, after: Option<AttachmentId>) -> Result<Vec<Attachment>, StoreError> {
        let after: Vec<Cell<'_>> = after.iter().map(|id| id.key().into()).collect();
        let rows = self.source.page::<Attachment>(&after, PAGE_ROWS, PAGE_BYTES)?;
        Ok(rows.into_iter().map(|(attachment, _)| attachment).collect())
    }

    /// Opens the target to servers. All must have been copied and verified.
    pub async fn finish(mut self) -> Result<(), CopyError> {
        self.target.finish().await.map_err(|error| overtaken(error).unwrap_or_else(CopyError::from))
    }
}

impl Origin {
    fn of(source: &SqliteSource) -> Result<Self, CopyError> {
        let mut installation = None;
        source.every(|fact: Fact, _| {
            if fact.name == FactName::SecretFingerprint {
                installation = Some(fact.value);
            }
        })?;
        let installation = installation.ok_or(CopyError::NothingThere)?;
        Ok(Self { installation, batches: sum_of::<Node>(source)? })
    }
}

impl Reached {
    fn cells(&self) -> Vec<Cell<'_>> {
        let cells = self.last.iter().map(|cell| match cell {
            Saved::Int(value) => (*value).into(),
            Saved::Text(text) => text.as_str().into(),
            Saved::Blob(bytes) => bytes.as_slice().into(),
        });
        cells.collect()
    }
}

fn saved_key<R: Mapped>(row: &R) -> Vec<Saved> {
    let key = row.key();
    let mut cells = Vec::new();
    key.write(&mut cells);
    let saved = cells.into_iter().filter_map(|cell| match cell {
        // No part of a key is nothing.
        Cell::Null => None,
        Cell::Int(value) => Some(Saved::Int(value)),
        Cell::Text(text) => Some(Saved::Text(text.into_owned())),
        Cell::Blob(bytes) => Some(Saved::Blob(bytes.into_owned())),
    });
    saved.collect()
}

impl Sum {
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
fn sum_of<R: Mapped>(source: &SqliteSource) -> Result<Sum, StoreError> {
    let mut sum = Sum::default();
    source.every::<R>(|row, version| {
        let mut cells = Vec::with_capacity(R::COLUMNS.len() + 1);
        row.write(&mut cells);
        cells.push(version.into());
        sum.add(&cells);
    })?;
    Ok(sum)
}

/// Says which table it was.
fn named<R: Mapped, T>(result: Result<T, StoreError>) -> Result<T, CopyError> {
    let of_table = |error| CopyError::Table { table: R::TABLE, error };
    result.map_err(|error| overtaken(error).unwrap_or_else(of_table))
}

/// Whether the target has said that the copy is another's now; if not, what it has said.
fn overtaken(error: StoreError) -> Result<CopyError, StoreError> {
    match error {
        StoreError::Conflict(_) => Ok(CopyError::Overtaken),
        error @ (StoreError::Constraint(_)
        | StoreError::Unavailable(_)
        | StoreError::Busy(_)
        | StoreError::Corrupt(_)
        | StoreError::Abandoned
        | StoreError::NewerSchema { .. }
        | StoreError::Step { .. }
        | StoreError::Foreign(_)
        | StoreError::Locked(_)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_the_same_in_every_program() {
        let mut sum = Sum::default();
        sum.add(&[1_i64.into(), "a".into(), Cell::Null, [7_u8].as_slice().into()]);
        assert_eq!((sum.rows, sum.hashes), (1, 0x2743_f1e1_c271_6274));
    }
}
