//! A PostgreSQL database: a few connections that read, and one for each lane that writes.
//!
//! A batch takes three round trips whatever its size: begin and load (which locks), write, commit; one or two
//! more where tickets with seats lead to further rows, and one where a statement is new to the connection.

mod cells;
mod connection;
mod errors;
mod hall;
#[cfg(test)]
mod lint;
mod load;
mod migrating;
mod pool;
mod schema;
#[cfg(feature = "scratch")]
pub mod scratch;
mod script;
mod statements;
mod target;
mod tls;
#[cfg(test)]
mod upgrades;
mod url;
mod writer;

pub(crate) use schema::STEPS;
pub(crate) use target::PostgresTarget;
pub use url::{BadUrl, DatabaseUrl};
pub use writer::PostgresWriter;

use std::collections::BTreeMap;
use std::sync::Arc;

use kassa_domain::audit::Findings;
use kassa_domain::event::EventId;
use kassa_domain::user::UserId;
use kassa_domain::{Needs, View};

use crate::error::StoreError;
use crate::queries::{self, Crm, CrmOf, CrmSums, Filter, Page, Slice, Statement};
use crate::rows::Mapped;
use crate::scanning::{Order, Place, Scanned};
use crate::steps::Step;
use cells::RowSource;
use connection::{Answer, Target};
use pool::{Pool, Tally};
use tls::Tls;

/// A database. Clones share it.
#[derive(Clone)]
pub struct Postgres {
    pool: Arc<Pool>,
}

/// What there is in a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// The steps of the schema that are missing; `None` where there is nothing of ours.
    pub missing: Option<Vec<Step>>,
    /// Whether an installation has begun there, and so has a secret.
    pub in_use: bool,
    /// Whether a copy into it was begun and is not finished: it is of no use yet.
    pub is_unfinished_copy: bool,
}

impl Postgres {
    /// Connects, and sees that the server will do. Changes nothing.
    pub async fn connect(url: &DatabaseUrl) -> Result<Self, StoreError> {
        let target = Target { url: url.clone(), tls: Tls::new(url)? };
        let pool = Arc::new(Pool::new(target));
        let connection = pool.connection().await?;
        schema::check_server(&connection).await?;
        pool.give_back(connection);
        Ok(Self { pool })
    }

    /// What there is, without changing anything. A database that is not ours, or newer, is refused.
    pub async fn survey(&self) -> Result<Survey, StoreError> {
        let connection = self.pool.connection().await?;
        let missing = schema::missing(&connection, STEPS).await?;
        let has_facts = missing.as_ref().is_some_and(|missing| missing.iter().all(|step| step.number > 1));
        let in_use = has_facts && schema::has_facts(&connection).await?;
        let was_copied = schema::inspect(&connection).await?.copy;
        let is_unfinished_copy = was_copied && schema::is_unfinished_copy(&connection).await?;
        self.pool.give_back(connection);
        Ok(Survey { missing, in_use, is_unfinished_copy })
    }

    /// Brings the schema up to date, or says why not. Tells the steps that were applied here, and not by
    /// another program at the same time.
    pub async fn migrate(&self) -> Result<Vec<Step>, StoreError> {
        match self.survey().await?.missing {
            Some(missing) if missing.is_empty() => Ok(missing),
            Some(_) | None => migrating::migrate(self.pool.target(), STEPS).await,
        }
    }

    /// Connects, and brings the schema up to date.
    pub async fn open(url: &DatabaseUrl) -> Result<Self, StoreError> {
        let postgres = Self::connect(url).await?;
        postgres.migrate().await?;
        Ok(postgres)
    }

    /// The database as the target of a copy.
    pub(crate) async fn copying(&self) -> Result<PostgresTarget, StoreError> {
        PostgresTarget::open(self.pool.target()).await
    }

    pub(crate) fn writer(&self, seed: u64) -> PostgresWriter {
        PostgresWriter::new(self.pool.target().clone(), seed)
    }

    pub(crate) async fn view(&self, needs: &Needs) -> Result<View, StoreError> {
        let mut needs = needs.clone();
        needs.normalize();
        self.pool.read(&needs).await
    }

    pub(crate) async fn page<F: Filter>(&self, filter: F, slice: Slice) -> Result<Page<F::Row>, StoreError> {
        let mut statements = vec![queries::select(&filter, slice)];
        if slice.count {
            statements.push(queries::count(&filter));
        }
        let answers = self.list(&statements).await?;
        let mut answers = answers.iter();
        let found = answers.next().map_or(&[][..], |answer| &answer.rows);
        let rows = found.iter().map(|row| F::Row::read(&mut RowSource::new(row))).collect::<Result<Vec<_>, _>>()?;
        let total = match answers.next().and_then(|answer| answer.rows.first()) {
            Some(row) => u64::try_from(row.try_get::<_, i64>(0)?).unwrap_or_default(),
            None => rows.len() as u64,
        };
        Ok(Page { rows, total })
    }

    pub(crate) async fn crm(&self, query: Crm) -> Result<CrmSums, StoreError> {
        let answers = self.list(&[query.statement()]).await?;
        let row = answers.first().and_then(|answer| answer.rows.first());
        row.map_or_else(|| Ok(CrmSums::default()), |row| CrmSums::read(&mut RowSource::new(row)))
    }

    pub(crate) async fn crm_of(&self, query: CrmOf) -> Result<BTreeMap<UserId, CrmSums>, StoreError> {
        let answers = self.list(&[query.statement()]).await?;
        let rows = answers.iter().flat_map(|answer| &answer.rows);
        rows.map(|row| CrmOf::read(&mut RowSource::new(row))).collect()
    }

    pub(crate) async fn scan<R: Mapped>(
        &self,
        after: Option<&Place>,
        limit: usize,
    ) -> Result<Vec<Scanned<R>>, StoreError> {
        let answers = self.list(&[Order::TagAndKey.scan::<R>(after, limit)]).await?;
        let rows = answers.iter().flat_map(|answer| &answer.rows);
        rows.map(|row| Order::TagAndKey.scanned(&mut RowSource::new(row))).collect()
    }

    pub(crate) async fn tally(&self, event: EventId) -> Result<Findings, StoreError> {
        self.pool.read(Tally(event)).await
    }

    async fn list(&self, statements: &[Statement]) -> Result<Vec<Answer>, StoreError> {
        self.pool.read(statements).await
    }
}
