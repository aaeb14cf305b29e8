//! A connection: its settings, its prepared statements, and many statements in one round trip.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::TryStreamExt as _;
use tokio::time::Instant;
use tokio_postgres::error::{DbError, Severity, SqlState};
use tokio_postgres::{AsyncMessage, Client, Error, Row, Statement};

use super::errors::{PgError, error_text};
use super::params::Param;
use super::pipeline::{
    PipelineStep, Query, QueryResult, query_steps, refuse_exceeded, run_query_unprepared, run_steps, simple_query,
    typed_params,
};
use super::tls::Tls;
use super::url::DatabaseUrl;
use crate::error::StoreError;
use crate::lists;

/// How long it may take to connect, all hosts and the log-in included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// How long one round trip may take. The database gives up before, unless it is gone.
const ROUND_TRIP_TIMEOUT: Duration = Duration::from_secs(45);

/// The settings of every session, in milliseconds where it is a time. What a server does not know is left out.
const SESSION_SETTINGS: &[(&str, &str)] = &[
    ("statement_timeout", "30000"),
    ("lock_timeout", "5000"),
    // A node that is stopped in the middle of a batch holds the others up no longer than this.
    ("idle_in_transaction_session_timeout", "2000"),
    ("tcp_user_timeout", "5000"),
    ("jit", "off"),
    // A warning at a commit says that no standby has it.
    ("client_min_messages", "warning"),
];

/// How statements that are kept prepared are planned: once, and not for their values. Where a planner sees the tag of an
/// event that is newer than its statistics, it expects no rows of it, and reads all of them to find a few.
const PLANS_OF_PREPARED: (&str, &str) = ("plan_cache_mode", "force_generic_plan");

/// Further settings of those that read.
const READER_SETTINGS: &[(&str, &str)] = &[PLANS_OF_PREPARED];

/// Further settings of those that write: each of their statements is served by an index, and a planner
/// that has seen the tables when they were small shall not think otherwise. One that joins rows of its own with those of a
/// table looks for each of them there.
const WRITER_SETTINGS: &[(&str, &str)] = &[
    PLANS_OF_PREPARED,
    ("enable_seqscan", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
    ("max_parallel_workers_per_gather", "0"),
];

/// For how long a plan is used: one that was made when a table was nearly empty reads all of it. The database notices that by itself when
/// it gathers statistics, about a minute later.
const PLAN_TTL: Duration = Duration::from_secs(10);

/// How long a change of the schema waits for a table that others use: who comes after it waits behind it.
pub(super) const MIGRATOR_LOCK_TIMEOUT_MS: &str = "1000";

/// In place of that the settings of those that change the schema. A step takes as long as it takes, and its
/// session ends soon after its program.
const MIGRATOR_SETTINGS: &[(&str, &str)] = &[
    ("statement_timeout", "0"),
    ("lock_timeout", MIGRATOR_LOCK_TIMEOUT_MS),
    ("idle_session_timeout", "30000"),
    ("client_connection_check_interval", "1000"),
    ("tcp_keepalives_idle", "5"),
    ("tcp_keepalives_interval", "2"),
    ("tcp_keepalives_count", "3"),
];

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConnectionRole {
    Reader,
    Writer,
    Migrator,
}

/// A database, and how to reach it.
#[derive(Clone)]
pub(super) struct ConnectTarget {
    pub(super) url: DatabaseUrl,
    pub(super) tls: Tls,
}

impl ConnectTarget {
    /// The same on another server.
    pub(super) fn at(&self, host: &str, port: u16) -> Self {
        Self { url: self.url.at(host, port), tls: self.tls.clone() }
    }
}

/// What stands around the statements of one round trip.
#[derive(Clone, Copy, Debug)]
pub(super) enum TransactionFrame {
    /// Nothing.
    None,
    /// The beginning of a transaction that writes.
    Begin,
    /// The same for one that calls shards by their own names: Citus needs to see no values.
    BeginOnShards,
    /// The beginning of a transaction that reads: all is seen as of one moment.
    BeginSnapshot,
    /// The whole of one.
    WholeSnapshot,
}

/// How much of a transaction of lists one round trip has. All that is read in the transaction is seen as of one moment.
#[derive(Clone, Copy, Debug)]
pub(super) enum ListTrip {
    /// All of it. Whether its lists walk an index: see [`Filter::walks_index`](lists::Filter::walks_index).
    Whole { walks_index: bool },
    /// Its beginning, likewise.
    First { walks_index: bool },
    /// Its end.
    Last,
}

impl ListTrip {
    /// The statement that stands before all others.
    fn begin(self) -> Option<&'static str> {
        match self {
            Self::Whole { walks_index } | Self::First { walks_index } => {
                Some(if walks_index { BEGIN_WALK } else { BEGIN_LIST })
            }
            Self::Last => None,
        }
    }

    fn commits(self) -> bool {
        match self {
            Self::Whole { .. } | Self::Last => true,
            Self::First { .. } => false,
        }
    }
}

/// Why statements that were sent with their commit have failed.
#[derive(Debug)]
pub(super) struct CommitFailure {
    pub(super) fault: PgError,
    /// Which of them has failed, if it was one of them.
    pub(super) statement: Option<usize>,
    /// Whether nothing of it is there for sure.
    pub(super) is_rolled_back: bool,
}

impl CommitFailure {
    fn in_doubt(fault: PgError) -> Self {
        Self { fault, statement: None, is_rolled_back: false }
    }
}

pub(super) const DISCARD_PLANS: &str = "DISCARD PLANS";
const BEGIN_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
const BEGIN_ON_SHARDS: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; \
    SET LOCAL plan_cache_mode = force_generic_plan";
/// The server's limit does not end a commit: one that waits for a standby and is canceled is told as a success, too.
const COMMIT_WRITE: &str = "SET LOCAL statement_timeout = 0; COMMIT";
/// Sees the database as it is at the first statement.
const BEGIN_SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// The same, for statements that are planned for their values: one partner has a million orders, and another has ten.
pub(super) const BEGIN_LIST: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL plan_cache_mode = auto";

/// The same, for statements that read their rows by an index in its order.
const BEGIN_WALK: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
    SET LOCAL plan_cache_mode = auto; SET LOCAL enable_sort = off";

const SERVER_START_US: &str = "SELECT (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint";

pub(super) struct Connection {
    client: Client,
    prepared: HashMap<String, Statement>,
    /// Whether the server has warned of something that was done nevertheless.
    warned: Arc<AtomicBool>,
    plans_since: Instant,
    /// When the server was started, in µs; `None` as long as nobody has asked.
    server_start_us: Option<i64>,
}

impl Connection {
    /// Connects to the first host that will do.
    pub(super) async fn open(target: &ConnectTarget, role: ConnectionRole) -> Result<Self, StoreError> {
        let connecting = target.url.config.connect(target.tls.clone());
        let connected = tokio::time::timeout(CONNECT_TIMEOUT, connecting).await;
        let (client, mut connection) = connected
            .map_err(|_| StoreError::Unavailable("it does not answer".to_owned()))?
            .map_err(|error| connect_error(&target.url, &error))?;
        let shown = target.url.to_string();
        let warned = Arc::new(AtomicBool::new(false));
        let heard = Arc::clone(&warned);
        tokio::spawn(async move {
            // What the server notices comes in the order in which it is said, before the answer that follows.
            while let Some(message) = poll_fn(|cx| connection.poll_message(cx)).await {
                match message {
                    Ok(AsyncMessage::Notice(notice)) => note_warning(&notice, &heard),
                    Ok(_) => {}
                    Err(error) => {
                        tracing::debug!(database = shown, error = error_text(&error), "a connection was lost");
                        return;
                    }
                }
            }
        });
        let own = match role {
            ConnectionRole::Reader => READER_SETTINGS,
            ConnectionRole::Writer => WRITER_SETTINGS,
            ConnectionRole::Migrator => MIGRATOR_SETTINGS,
        };
        let of_all = SESSION_SETTINGS.iter().filter(|(name, _)| own.iter().all(|(other, _)| other != name));
        with_timeout(client.batch_execute(&settings_statement(of_all.chain(own)))).await?;
        Ok(Self { client, prepared: HashMap::new(), warned, plans_since: Instant::now(), server_start_us: None })
    }

    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// What has prepared statements planned anew, if their plans are old. Whoever asks sends it.
    fn plan_renewal(&mut self) -> Option<&'static str> {
        let are_old = self.plans_since.elapsed() >= PLAN_TTL;
        are_old.then(|| {
            self.plans_since = Instant::now();
            DISCARD_PLANS
        })
    }

    /// Statements without arguments and answers, in one round trip.
    pub(super) async fn execute(&self, text: &str) -> Result<(), PgError> {
        with_timeout(self.client.batch_execute(text)).await
    }

    /// The same for a statement that may take as long as it takes. The database sees to it that it ends.
    pub(super) async fn execute_without_timeout(&self, text: &str) -> Result<(), PgError> {
        self.client.batch_execute(text).await.map_err(PgError::Server)
    }

    /// Commits what was written, and returns when it is as durable as it was asked to be. A server that no longer
    /// waits for its standby, because it was told so, has committed, says so in a warning and no more: then
    /// nobody knows whether the standby has it, and the commit counts as one whose answer was lost. Our own limit ends in a fault.
    pub(super) async fn commit(&mut self) -> Result<(), PgError> {
        self.run_and_commit(&[]).await.map_err(|failure| failure.fault)
    }

    /// The row that a statement gives; `None` where it gives none.
    pub(super) async fn query_row(&self, text: &str, params: &[Param<'_>]) -> Result<Option<Row>, PgError> {
        let rows =
            with_timeout(async { self.client.query_raw(text, params).await?.try_collect::<Vec<Row>>().await }).await?;
        Ok(rows.into_iter().next())
    }

    /// A number for the database as this server has it: one that has taken over may not have all that another had.
    pub(super) async fn database_number(&mut self) -> Result<i64, PgError> {
        if let Some(known) = self.server_start_us {
            return Ok(known);
        }
        let row = self.query_row(SERVER_START_US, &[]).await?;
        let start = row.map_or(Ok(0), |row| row.try_get(0)).map_err(PgError::Server)?;
        Ok(*self.server_start_us.insert(start))
    }

    /// Gives each row of a statement that may give very many. None of them may be long in coming.
    pub(super) async fn for_each_row(
        &self,
        statement: &lists::Statement,
        mut give: impl FnMut(&Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let rows = with_timeout(self.client.query_typed_raw(&statement.text, typed_params(statement))).await?;
        let mut rows = pin!(rows);
        while let Some(row) = with_timeout(rows.try_next()).await? {
            give(&row)?;
        }
        Ok(())
    }

    /// The rows of a statement as the server writes them.
    #[cfg(test)]
    pub(super) async fn query_json(&self, text: &str) -> String {
        use tokio_postgres::SimpleQueryMessage::Row;
        let messages = self.client.simple_query(text).await.unwrap();
        messages.iter().filter_map(|message| if let Row(row) = message { row.get(0) } else { None }).collect()
    }

    /// Runs statements in one round trip, and one more where some of them were never run before. They are sent
    /// together, and run in turn. The first error is returned; within a transaction those after it do nothing.
    pub(super) async fn run_pipeline(
        &mut self,
        frame: TransactionFrame,
        queries: &[Query<'_>],
    ) -> Result<Vec<QueryResult>, PgError> {
        with_timeout(async {
            let statements = self.prepare(queries).await?;
            let writes = matches!(frame, TransactionFrame::Begin | TransactionFrame::BeginOnShards);
            let renewal = if writes { self.plan_renewal() } else { None };
            let client = &self.client;
            let mut steps: Vec<PipelineStep<'_, QueryResult>> = Vec::with_capacity(queries.len() + 2);
            steps.extend(renewal.map(|discard| simple_query(client, discard)));
            match frame {
                TransactionFrame::None => {}
                TransactionFrame::Begin => steps.push(simple_query(client, BEGIN_WRITE)),
                TransactionFrame::BeginOnShards => steps.push(simple_query(client, BEGIN_ON_SHARDS)),
                TransactionFrame::BeginSnapshot | TransactionFrame::WholeSnapshot => {
                    steps.push(simple_query(client, BEGIN_SNAPSHOT));
                }
            }
            let before = steps.len();
            steps.extend(query_steps(client, queries, &statements));
            if matches!(frame, TransactionFrame::WholeSnapshot) {
                steps.push(simple_query(client, "COMMIT"));
            }
            let mut answers = run_steps(steps).await.map_err(|failure| failure.error)?;
            answers.drain(..before);
            answers.truncate(queries.len());
            Ok(answers)
        })
        .await
        .and_then(refuse_exceeded)
    }

    /// Runs statements and commits, in one round trip, and one more where some of them were never run before. Where a statement
    /// fails, the commit does nothing, and the transaction waits to be rolled back.
    pub(super) async fn run_and_commit(&mut self, queries: &[Query<'_>]) -> Result<(), CommitFailure> {
        let preparing = with_timeout(self.prepare(queries)).await;
        let statements = preparing.map_err(|fault| CommitFailure { fault, statement: None, is_rolled_back: true })?;
        self.warned.store(false, Ordering::Release);
        let mut steps: Vec<PipelineStep<'_, QueryResult>> = query_steps(&self.client, queries, &statements).collect();
        steps.push(simple_query(&self.client, COMMIT_WRITE));
        // Statements and commit have as long as one after the other.
        let trips = if queries.is_empty() { 1 } else { 2 };
        let failure = match tokio::time::timeout(trips * ROUND_TRIP_TIMEOUT, run_steps(steps)).await {
            Ok(Ok(_)) if !self.warned.load(Ordering::Acquire) => return Ok(()),
            Ok(Ok(_)) => return Err(CommitFailure::in_doubt(PgError::CommitInDoubt)),
            Err(_) => return Err(CommitFailure::in_doubt(PgError::Timeout)),
            Ok(Err(failure)) => failure,
        };
        let statement = Some(failure.step).filter(|step| *step < queries.len());
        // A transaction of which a statement has failed is not committed. Whoever says that the session has ended may not know.
        let is_of_statement = statement.is_some() && failure.error.as_db_error().is_some_and(is_of_statement_only);
        let fault = PgError::Server(failure.error);
        let is_rolled_back = !failure.all_were_sent || is_of_statement || fault.proves_rollback();
        Err(CommitFailure { fault, statement, is_rolled_back })
    }

    /// The same for statements of lists, which are many and are not kept. Those that walk an index are not to sort.
    pub(super) async fn run_unprepared(
        &self,
        trip: ListTrip,
        statements: &[lists::Statement],
    ) -> Result<Vec<QueryResult>, PgError> {
        with_timeout(async {
            let client = &self.client;
            let mut steps: Vec<PipelineStep<'_, QueryResult>> = Vec::with_capacity(statements.len() + 2);
            steps.extend(trip.begin().map(|begin| simple_query(client, begin)));
            let before = steps.len();
            for statement in statements {
                steps.push(Box::pin(run_query_unprepared(client, statement)));
            }
            if trip.commits() {
                steps.push(simple_query(client, "COMMIT"));
            }
            let mut answers = run_steps(steps).await.map_err(|failure| failure.error)?;
            answers.drain(..before);
            answers.truncate(statements.len());
            Ok(answers)
        })
        .await
        .and_then(refuse_exceeded)
    }

    /// The prepared form of each.
    async fn prepare(&mut self, queries: &[Query<'_>]) -> Result<Vec<Statement>, Error> {
        let mut missing: Vec<&str> =
            queries.iter().map(|query| query.text.as_str()).filter(|text| !self.prepared.contains_key(*text)).collect();
        missing.sort_unstable();
        missing.dedup();
        let steps: Vec<PipelineStep<'_, Statement>> =
            missing.iter().map(|text| Box::pin(self.client.prepare(text)) as PipelineStep<'_, Statement>).collect();
        let made = run_steps(steps).await.map_err(|failure| failure.error)?;
        let missing: Vec<String> = missing.into_iter().map(str::to_owned).collect();
        self.prepared.extend(missing.into_iter().zip(made));
        Ok(queries.iter().filter_map(|query| self.prepared.get(&query.text).cloned()).collect())
    }
}

/// Keeps in mind that the server warns. Its sentence is in any language, and has no code of its own.
fn note_warning(notice: &DbError, warned: &AtomicBool) {
    let is_warning = notice.parsed_severity() == Some(Severity::Warning) && notice.code() == &SqlState::WARNING;
    if is_warning {
        warned.store(true, Ordering::Release);
        tracing::warn!(notice = notice.message(), "the database warns");
    } else {
        tracing::debug!(notice = notice.message(), "the database notices");
    }
}

/// A database that does not answer in time has lost the connection, as far as we are concerned.
async fn with_timeout<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, PgError> {
    match tokio::time::timeout(ROUND_TRIP_TIMEOUT, work).await {
        Ok(result) => result.map_err(PgError::Server),
        Err(_) => Err(PgError::Timeout),
    }
}

/// Whether an error leaves the session as it is.
fn is_of_statement_only(error: &DbError) -> bool {
    error.parsed_severity() == Some(Severity::Error)
}

/// One statement that sets what the server knows, and raises `synchronous_commit` where it is too low for a reply to be
/// durable. How prepared statements are planned is left to Citus, where that is: it must see values to find their shards.
fn settings_statement<'a>(wanted: impl Iterator<Item = &'a (&'a str, &'a str)>) -> String {
    let values: Vec<String> = wanted.map(|(name, value)| format!("('{name}', '{value}')")).collect();
    format!(
        "SELECT set_config(known.name, wanted.value, false) FROM pg_catalog.pg_settings AS known \
         JOIN (VALUES {}) AS wanted(name, value) ON known.name = wanted.name \
         WHERE known.name <> '{}' OR NOT EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'citus'); \
         SELECT set_config('synchronous_commit', 'on', false) \
         WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')",
        values.join(", "),
        PLANS_OF_PREPARED.0
    )
}

/// Why there is no connection, as an operator needs to know it.
fn connect_error(url: &DatabaseUrl, error: &Error) -> StoreError {
    let reason = match error.code() {
        Some(&SqlState::INVALID_PASSWORD) => format!("it does not know the user {} by this password", url.user()),
        Some(&SqlState::INVALID_CATALOG_NAME) => "there is no such database".to_owned(),
        Some(&SqlState::TOO_MANY_CONNECTIONS) => "it has no connection left for us".to_owned(),
        _ => error_text(error),
    };
    StoreError::Unavailable(reason)
}
