//! Many statements in one round trip: all are sent before the first is answered.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

use futures_util::TryStreamExt as _;
use futures_util::future::{MaybeDone, maybe_done};
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Error, Row, Statement};

use super::errors::PgError;
use super::params::{Param, sql_type_of};
use crate::lists;
use crate::memory_budget::{MemoryExceeded, MemoryMeter};

/// A statement that is kept prepared, with its arguments.
pub(super) struct Query<'a> {
    pub(super) text: String,
    pub(super) params: Vec<Param<'a>>,
}

/// What came of a statement.
pub(super) struct QueryResult {
    pub(super) rows: Vec<Row>,
    /// How many rows it has written.
    pub(super) affected: u64,
    /// Why it has no rows, if there is no memory for them.
    exceeded: Option<MemoryExceeded>,
}

impl QueryResult {
    /// The one number that it has; 0 without rows.
    pub(super) fn number(&self) -> Result<u64, PgError> {
        let number = self.rows.first().map(|row| row.try_get::<_, i64>(0)).transpose().map_err(PgError::Server)?;
        Ok(number.and_then(|number| u64::try_from(number).ok()).unwrap_or_default())
    }
}

/// Why steps have failed, by the first that did.
pub(super) struct StepFailure {
    pub(super) step: usize,
    pub(super) error: Error,
    /// Whether all of them were sent.
    pub(super) all_were_sent: bool,
}

pub(super) type PipelineStep<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// What came of statements, unless there was no memory for it.
pub(super) fn refuse_exceeded(answers: Vec<QueryResult>) -> Result<Vec<QueryResult>, PgError> {
    match answers.iter().find_map(|answer| answer.exceeded) {
        Some(exceeded) => Err(PgError::Memory(exceeded)),
        None => Ok(answers),
    }
}

pub(super) fn simple_query<'a>(client: &'a Client, text: &'static str) -> PipelineStep<'a, QueryResult> {
    Box::pin(async move {
        client.batch_execute(text).await?;
        Ok(QueryResult { rows: Vec::new(), affected: 0, exceeded: None })
    })
}

pub(super) fn query_steps<'a>(
    client: &'a Client,
    queries: &'a [Query<'_>],
    statements: &'a [Statement],
) -> impl Iterator<Item = PipelineStep<'a, QueryResult>> {
    let pairs = queries.iter().zip(statements);
    pairs.map(|(query, statement)| {
        Box::pin(run_query(client, statement, &query.params)) as PipelineStep<'a, QueryResult>
    })
}

async fn run_query(client: &Client, statement: &Statement, params: &[Param<'_>]) -> Result<QueryResult, Error> {
    collect_result(client.query_raw(statement, params).await?).await
}

pub(super) async fn run_query_unprepared(client: &Client, statement: &lists::Statement) -> Result<QueryResult, Error> {
    collect_result(client.query_typed_raw(&statement.text, typed_params(statement)).await?).await
}

pub(super) fn typed_params(statement: &lists::Statement) -> Vec<(Param<'static>, Type)> {
    let args = statement.args.iter().cloned().map(super::params::without_zero_bytes);
    args.map(|cell| (sql_type_of(&cell), cell)).map(|(its, cell)| (Param::One(cell), its)).collect()
}

async fn collect_result(stream: tokio_postgres::RowStream) -> Result<QueryResult, Error> {
    let mut stream = pin!(stream);
    let meter = MemoryMeter::try_current();
    let (mut rows, mut exceeded) = (Vec::new(), None);
    while let Some(row) = stream.try_next().await? {
        // Rows for which there is no memory are dropped as they come: what comes behind them is read all the same.
        exceeded = exceeded.or_else(|| meter.as_ref()?.charge(row.raw_size_bytes()).err());
        if exceeded.is_none() {
            rows.push(row);
        } else {
            rows = Vec::new();
        }
    }
    Ok(QueryResult { rows, affected: stream.rows_affected().unwrap_or(0), exceeded })
}

/// Begins all steps in their order before it waits for the first: that sends them. Where one cannot be sent, as for an argument
/// that is not what its statement takes, the server does not hear of it, and shall not hear of those behind it: they would be run
/// as if nothing had failed. Waits for all that were sent, also when one has failed, so that the connection is ready for others.
pub(super) async fn run_steps<T>(steps: Vec<PipelineStep<'_, T>>) -> Result<Vec<T>, StepFailure> {
    let count = steps.len();
    let mut steps: Vec<_> = steps.into_iter().map(maybe_done).collect();
    poll_fn(|cx| {
        let mut sent = 0;
        for step in &mut steps {
            sent += 1;
            // What is ready stays ready.
            let _ = Pin::new(&mut *step).poll(cx);
            if matches!(step, MaybeDone::Done(Err(_))) {
                break;
            }
        }
        steps.truncate(sent);
        Poll::Ready(())
    })
    .await;
    let all_were_sent = steps.len() == count && !matches!(steps.last(), Some(MaybeDone::Done(Err(_))));
    let mut answers = Vec::with_capacity(steps.len());
    let mut failed = None;
    for (step, mut running) in steps.into_iter().enumerate() {
        (&mut running).await;
        match Pin::new(&mut running).take_output() {
            Some(Ok(answer)) => answers.push(answer),
            Some(Err(error)) => failed = failed.or(Some(StepFailure { step, error, all_were_sent })),
            None => {}
        }
    }
    failed.map_or(Ok(answers), Err)
}
