//! A database that an installation is copied into. What was copied is noted beside it, in the same transactions,
//! so that it can go on whenever it was interrupted.

use std::hash::{BuildHasher as _, RandomState};

use kassa_domain::every_table;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::batch_statements::RowArrays;
use super::connection::{ConnectTarget, Connection, ConnectionRole, TransactionFrame};
use super::params::{Param, PostgresRowReader};
use super::pipeline::Query;
use super::{schema, statements};
use crate::cell::{self, Cell};
use crate::error::StoreError;
use crate::lists::Statement;
use crate::rows::{MappedRow, read_with_version};

/// Where a copy is noted: values by name. `state` is `unfinished` or `complete`, `run` the name of the program that
/// works on it: whoever goes on with a copy gives it another, and the one before writes no more.
const COPY_TABLE: &str = "CREATE TABLE IF NOT EXISTS kassa_copy (name TEXT PRIMARY KEY, value TEXT NOT NULL)";

const SET_VALUE: &str = "INSERT INTO kassa_copy (name, value) VALUES ($1, $2) \
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";

/// Gives a row as long as the copy is that of this program. It stays so until the transaction ends.
const LOCK_OWN_RUN: &str = "SELECT 1::bigint FROM kassa_copy WHERE name = 'run' AND value = $1 FOR UPDATE";

const COMPLETE: &str =
    "UPDATE kassa_copy SET value = 'complete' WHERE name = 'state' AND value = 'unfinished' RETURNING 1::bigint";

/// Times that the record is made again after another has made it at the same moment.
const CONFLICT_RETRIES_MAX: u32 = 5;

/// A database that rows are copied into.
pub(crate) struct PostgresCopyTarget {
    connection: Connection,
    target: ConnectTarget,
    /// What no other run is named.
    run: String,
}

impl PostgresCopyTarget {
    pub(super) async fn open(target: &ConnectTarget) -> Result<Self, StoreError> {
        let run = format!("{:016x}", RandomState::new().hash_one(std::process::id()));
        Ok(Self { connection: connect(target).await?, target: target.clone(), run })
    }

    /// Begins the transaction in which it is decided what becomes of the database: until its end nobody else
    /// decides that, and no page of another copy is written. Dropped before that, it has changed nothing. Tells what
    /// is noted of the copy: its state and where it is from; `None` where none was begun.
    pub(crate) async fn open_record<T: DeserializeOwned>(&mut self) -> Result<Option<(bool, T)>, StoreError> {
        let text = format!("BEGIN; {COPY_TABLE}; LOCK TABLE kassa_copy IN ACCESS EXCLUSIVE MODE");
        let mut meetings = 0;
        while let Err(fault) = self.connection.execute(&text).await {
            if !fault.is_duplicate() || meetings >= CONFLICT_RETRIES_MAX {
                return Err(fault.into());
            }
            meetings += 1;
            self.connection.execute("ROLLBACK").await?;
        }
        let unfinished = schema::is_unfinished_copy(&self.connection).await?;
        Ok(self.read_value("source").await?.map(|source| (unfinished, source)))
    }

    /// Keeps everybody else away from all tables until the transaction ends: no server claims a number between the
    /// look whether they are empty and what follows from it.
    pub(crate) async fn lock_tables(&self) -> Result<(), StoreError> {
        Ok(self.connection.execute(&format!("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE", table_list())).await?)
    }

    /// Whether no table has a row.
    pub(crate) async fn is_empty(&self) -> Result<bool, StoreError> {
        let mut texts = Vec::new();
        macro_rules! look {
            ($($field:ident: $row:ty,)*) => {
                $(texts.push(format!("(SELECT 1 FROM {} LIMIT 1)", <$row>::TABLE));)*
            };
        }
        every_table!(look);
        let any = format!("SELECT 1::bigint WHERE {}", exists(&texts));
        Ok(self.connection.query_row(&any, &[]).await?.is_none())
    }

    /// Notes that a copy is begun, and ends the transaction. What was copied before goes.
    pub(crate) async fn begin<T: Serialize>(&mut self, source: &T) -> Result<(), StoreError> {
        let empty = Query { text: format!("TRUNCATE kassa_copy, {}", table_list()), params: Vec::new() };
        let run = self.run.clone();
        let queries = [
            empty,
            set_value_query("source", cell::json_cell(source)),
            set_value_query("state", "unfinished".into()),
            set_value_query("run", run.into()),
        ];
        self.connection.run_pipeline(TransactionFrame::None, &queries).await?;
        Ok(self.connection.commit().await?)
    }

    /// Notes that this program goes on with the copy, and ends the transaction. No other does from then on.
    pub(crate) async fn resume(&mut self) -> Result<(), StoreError> {
        let run = self.run.clone();
        self.connection.run_pipeline(TransactionFrame::None, &[set_value_query("run", run.into())]).await?;
        Ok(self.connection.commit().await?)
    }

    /// How far a table was copied.
    pub(crate) async fn table_progress<R: MappedRow, T: DeserializeOwned>(&self) -> Result<Option<T>, StoreError> {
        self.read_value(R::TABLE).await
    }

    /// Adds rows with their versions to a table, and notes how far it was copied.
    pub(crate) async fn append_rows<R: MappedRow, T: Serialize>(
        &mut self,
        copied: &[(R, i64)],
        reached: &T,
    ) -> Result<(), StoreError> {
        let mut rows = RowArrays::default();
        for (row, version) in copied {
            let mut cells = Vec::with_capacity(R::COLUMNS.len() + 1);
            row.write(&mut cells);
            rows.add(cells.into_iter().chain([(*version).into()]));
        }
        let params = rows.arrays.into_iter().map(Param::Many).collect();
        let queries =
            [Query { text: statements::copy::<R>(), params }, set_value_query(R::TABLE, cell::json_cell(reached))];
        self.commit(&queries).await
    }

    /// Gives the cells of every row of a table as they lie there, with the version, in no order. Each must be one
    /// that can be read.
    pub(crate) async fn each_row<R: MappedRow>(&self, mut give: impl FnMut(&[Cell<'_>])) -> Result<(), StoreError> {
        let text = format!("SELECT {} FROM {} AS t", statements::qualified_columns::<R>(), R::TABLE);
        let statement = Statement { text, args: Vec::new() };
        let each = self.connection.for_each_row(&statement, |row| {
            read_with_version::<R>(&mut PostgresRowReader::new(row))?;
            let cells = (0..=R::COLUMNS.len()).map(|at| row.try_get(at)).collect::<Result<Vec<_>, _>>()?;
            give(&cells);
            Ok(())
        });
        each.await
    }

    /// Notes that the copy is complete. Much time may have passed since the connection was used. The first
    /// statements of servers shall not be planned as for empty tables.
    pub(crate) async fn finish(&mut self) -> Result<(), StoreError> {
        self.connection = connect(&self.target).await?;
        self.connection.execute_without_timeout(&format!("ANALYZE {}", table_list())).await?;
        self.commit(&[Query { text: COMPLETE.to_owned(), params: Vec::new() }]).await
    }

    /// Commits what this does, of which each statement must write, as long as the copy is ours:
    /// [`StoreError::Conflict`] when it is another's by now.
    async fn commit(&mut self, queries: &[Query<'_>]) -> Result<(), StoreError> {
        let run = self.run.clone();
        let is_ours = Query { text: LOCK_OWN_RUN.to_owned(), params: vec![Param::one(run)] };
        let found = self.connection.run_pipeline(TransactionFrame::Begin, &[is_ours]).await?;
        let is_ours = found.iter().all(|answer| answer.rows.len() == 1);
        let has_written = is_ours && {
            let answers = self.connection.run_pipeline(TransactionFrame::None, queries).await?;
            answers.iter().all(|answer| answer.affected > 0)
        };
        if !has_written {
            self.connection.execute("ROLLBACK").await?;
            return Err(StoreError::Conflict("the copy is another program's".to_owned()));
        }
        Ok(self.connection.commit().await?)
    }

    async fn read_value<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        let text = "SELECT value FROM kassa_copy WHERE name = $1";
        let row = self.connection.query_row(text, &[Param::one(name)]).await?;
        row.map(|row| {
            let source: &mut dyn crate::cell::RowReader = &mut PostgresRowReader::new(&row);
            source.json()
        })
        .transpose()
    }
}

/// A whole table is read in one statement, which takes as long as it takes.
async fn connect(target: &ConnectTarget) -> Result<Connection, StoreError> {
    let connection = Connection::open(target, ConnectionRole::Reader).await?;
    connection.execute("SET statement_timeout = 0").await?;
    Ok(connection)
}

/// The names of all tables with rows of Kassa.
fn table_list() -> String {
    let mut tables = Vec::new();
    macro_rules! name {
        ($($field:ident: $row:ty,)*) => {
            $(tables.push(<$row>::TABLE);)*
        };
    }
    every_table!(name);
    tables.join(", ")
}

fn exists(selections: &[String]) -> String {
    let parts: Vec<String> = selections.iter().map(|selection| format!("EXISTS {selection}")).collect();
    parts.join(" OR ")
}

fn set_value_query<'a>(name: &'a str, value: Cell<'a>) -> Query<'a> {
    Query { text: SET_VALUE.to_owned(), params: vec![Param::one(name), Param::One(value)] }
}
