//! A database that an installation is copied into. What was copied is noted beside it, in the same transactions,
//! so that it can go on whenever it was interrupted.

use kassa_domain::every_table;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::cells::{Param, RowSource};
use super::connection::{Ask, Connection, Frame, Role, Target};
use super::writer::Rows;
use super::{schema, statements};
use crate::cell::{self, Cell};
use crate::error::StoreError;
use crate::rows::{Mapped, versioned};

/// Where a copy is noted: values by name. `state` is `unfinished` or `complete`.
const RECORD: &str = "CREATE TABLE IF NOT EXISTS kassa_copy (name TEXT PRIMARY KEY, value TEXT NOT NULL)";

const NOTE: &str = "INSERT INTO kassa_copy (name, value) VALUES ($1, $2) \
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";

/// A database that rows are copied into.
pub(crate) struct PostgresTarget {
    connection: Connection,
    target: Target,
}

impl PostgresTarget {
    pub(super) async fn open(target: &Target) -> Result<Self, StoreError> {
        Ok(Self { connection: connect(target).await?, target: target.clone() })
    }

    /// What is noted of the copy: its state and where it is from; `None` where none was begun.
    pub(crate) async fn noted<T: DeserializeOwned>(&self) -> Result<Option<(bool, T)>, StoreError> {
        if !schema::inspect(&self.connection).await?.copy {
            return Ok(None);
        }
        let unfinished = schema::is_unfinished_copy(&self.connection).await?;
        Ok(self.value("source").await?.map(|source| (unfinished, source)))
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
        Ok(self.connection.row(&any, &[]).await?.is_none())
    }

    /// Notes that a copy is begun. What was copied before goes.
    pub(crate) async fn begin<T: Serialize>(&mut self, source: &T) -> Result<(), StoreError> {
        let mut tables = vec!["kassa_copy"];
        macro_rules! name {
            ($($field:ident: $row:ty,)*) => {
                $(tables.push(<$row>::TABLE);)*
            };
        }
        every_table!(name);
        self.connection.execute(RECORD).await?;
        let asks = [
            Ask { text: format!("TRUNCATE {}", tables.join(", ")), params: Vec::new() },
            note("source", cell::json(source)),
            note("state", "unfinished".into()),
        ];
        self.commit(&asks).await
    }

    /// How far a table was copied.
    pub(crate) async fn reached<R: Mapped, T: DeserializeOwned>(&self) -> Result<Option<T>, StoreError> {
        self.value(R::TABLE).await
    }

    /// Adds rows with their versions to a table, and notes how far it was copied.
    pub(crate) async fn put<R: Mapped, T: Serialize>(
        &mut self,
        copied: &[(R, i64)],
        reached: &T,
    ) -> Result<(), StoreError> {
        let mut rows = Rows::default();
        for (row, version) in copied {
            let mut cells = Vec::with_capacity(R::COLUMNS.len() + 1);
            row.write(&mut cells);
            rows.add(cells.into_iter().chain([(*version).into()]));
        }
        let params = rows.arrays.into_iter().map(Param::Many).collect();
        let asks = [Ask { text: statements::copy::<R>(), params }, note(R::TABLE, cell::json(reached))];
        self.commit(&asks).await
    }

    /// Gives the cells of every row of a table as they lie there, with the version, in no order. Each must be one
    /// that can be read.
    pub(crate) async fn every<R: Mapped>(&self, mut give: impl FnMut(&[Cell<'_>])) -> Result<(), StoreError> {
        let text = format!("SELECT {} FROM {} AS t", statements::columns::<R>(), R::TABLE);
        let each = self.connection.each(&text, |row| {
            versioned::<R>(&mut RowSource::new(row))?;
            let cells = (0..=R::COLUMNS.len()).map(|at| row.try_get(at)).collect::<Result<Vec<_>, _>>()?;
            give(&cells);
            Ok(())
        });
        each.await
    }

    /// Notes that the copy is complete. Much time may have passed since the connection was used.
    pub(crate) async fn finish(&mut self) -> Result<(), StoreError> {
        self.connection = connect(&self.target).await?;
        self.commit(&[note("state", "complete".into())]).await
    }

    async fn commit(&mut self, asks: &[Ask<'_>]) -> Result<(), StoreError> {
        self.connection.run(Frame::Begin, asks).await?;
        Ok(self.connection.commit().await?)
    }

    async fn value<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        let text = "SELECT value FROM kassa_copy WHERE name = $1";
        let row = self.connection.row(text, &[Param::one(name)]).await?;
        row.map(|row| {
            let source: &mut dyn crate::cell::Source = &mut RowSource::new(&row);
            source.json()
        })
        .transpose()
    }
}

/// A whole table is read in one statement, which takes as long as it takes.
async fn connect(target: &Target) -> Result<Connection, StoreError> {
    let connection = Connection::open(target, Role::Reader).await?;
    connection.execute("SET statement_timeout = 0").await?;
    Ok(connection)
}

fn exists(selections: &[String]) -> String {
    let parts: Vec<String> = selections.iter().map(|selection| format!("EXISTS {selection}")).collect();
    parts.join(" OR ")
}

fn note<'a>(name: &'a str, value: Cell<'a>) -> Ask<'a> {
    Ask { text: NOTE.to_owned(), params: vec![Param::one(name), Param::One(value)] }
}
