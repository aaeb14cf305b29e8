//! Databases of tests, on the server that `TEST_DATABASE_URL` names. Each is a schema that belongs to one test
//! at a time: one that another test has left is emptied, which is much quicker than to make one.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher, RandomState};

use kassa_domain::every_table;
use tokio_postgres::config::Host;

use super::connection::{ConnectTarget, Connection, ConnectionRole};
use super::errors::PgError;
use super::migrator::migrate;
use super::shards::has_citus;
use super::tls::Tls;
use super::{DatabaseUrl, Postgres};
use crate::rows::MappedRow as _;
use crate::schema_migrations::{POSTGRES_MIGRATIONS, next_step};

/// The variable that names the server.
const SERVER_URL_VARIABLE: &str = "TEST_DATABASE_URL";
/// The constraints of the tables of rows: how each is called, and what takes it away and puts it back.
const CONSTRAINTS_SQL: &str = "\
    SELECT t.relname || '.' || c.conname AS called, \
        format('ALTER TABLE %I DROP CONSTRAINT %I', t.relname, c.conname) AS takes_away, \
        format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.relname, c.conname, pg_get_constraintdef(c.oid)) AS puts_back \
    FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid \
    WHERE c.contype = 'c' AND t.relnamespace = current_schema()::regnamespace AND t.relname NOT LIKE 'kassa%' \
    UNION ALL \
    SELECT t.relname || '(' || (SELECT string_agg(a.attname, ', ' ORDER BY k.at) \
            FROM unnest(x.indkey::int[]) WITH ORDINALITY AS k(number, at) \
            JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = k.number WHERE a.attname <> 'tag') || ')', \
        CASE WHEN c.oid IS NULL THEN format('DROP INDEX %I', i.relname) \
            ELSE format('ALTER TABLE %I DROP CONSTRAINT %I', t.relname, c.conname) END, \
        CASE WHEN c.oid IS NULL THEN pg_get_indexdef(i.oid) \
            ELSE format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.relname, c.conname, pg_get_constraintdef(c.oid)) END \
    FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid \
        LEFT JOIN pg_constraint AS c ON c.conindid = i.oid \
    WHERE x.indisunique AND NOT x.indisprimary AND t.relnamespace = current_schema()::regnamespace AND t.relname NOT LIKE 'kassa%'";
/// The schemas that tests may share.
const SCHEMAS_MAX: u32 = 1_000;

/// Opens a database, spread over several servers where it can be.
async fn open(url: &str) -> Postgres {
    let opened = async {
        let postgres = Postgres::open(&parse_url(url)).await?;
        postgres.distribute().await?;
        Ok::<_, crate::StoreError>(postgres)
    };
    opened.await.unwrap_or_else(|error| panic!("{error}"))
}

/// A schema of the test that holds this.
pub struct TestDatabase {
    /// How to connect to it.
    pub url: String,
    name: String,
    /// Holds the lock on the schema.
    lock_holder: Connection,
}

impl TestDatabase {
    /// An empty database with our tables.
    ///
    /// # Panics
    /// When the server does not make it: a test that did not run has not succeeded.
    pub async fn new() -> (Postgres, Self) {
        Self::try_new().await.unwrap_or_else(|fault| panic!("{}", crate::StoreError::from(fault)))
    }

    async fn try_new() -> Result<(Postgres, Self), PgError> {
        let claim = connect().await;
        // Tests of another version of the tables have others.
        let version = BuildHasherDefault::<DefaultHasher>::default().hash_one(POSTGRES_MIGRATIONS);
        let mut number = 0;
        let name = loop {
            let name = format!("kassa_test_{version:016x}_{number}");
            let lock = format!("SELECT 1::bigint WHERE pg_try_advisory_lock(hashtextextended('{name}', 0))");
            if claim.query_row(&lock, &[]).await?.is_some() {
                break name;
            }
            number += 1;
            assert!(number < SCHEMAS_MAX, "all schemas for tests are in use");
        };
        claim.execute(&format!("CREATE SCHEMA IF NOT EXISTS {name}; SET search_path = {name}")).await?;
        let url = url_in_schema(&name);
        let postgres = open(&url).await;
        let mut empty = String::new();
        macro_rules! delete {
            ($($field:ident: $row:ty,)*) => {
                $(empty.push_str(&format!("DELETE FROM {name}.{};", <$row>::TABLE));)*
            };
        }
        every_table!(delete);
        claim.execute(&empty).await?;
        Ok((postgres, Self { url, name, lock_holder: claim }))
    }

    /// A database that no other test has had or will have: its tables may be changed. [`Scratch::remove`] it.
    ///
    /// # Panics
    /// When the server does not make it.
    pub async fn new_dedicated() -> (Postgres, Self) {
        let claim = connect().await;
        let name = format!("kassa_own_{:016x}", RandomState::new().hash_one(std::process::id()));
        execute_or_panic(&claim, &format!("CREATE SCHEMA {name}; SET search_path = {name}")).await;
        let scratch = Self { url: url_in_schema(&name), name, lock_holder: claim };
        let postgres = open(&scratch.url).await;
        (postgres, scratch)
    }

    /// The schema goes, with all that is in it.
    pub async fn remove(self) {
        execute_or_panic(&self.lock_holder, &format!("DROP SCHEMA {} CASCADE", self.name)).await;
    }

    /// The constraints there are: a CHECK as `table.name`, and what is unique as `table(columns)`, but for the keys of
    /// rows. The tag, which is in every unique index of an event's rows, is left out.
    pub async fn constraints(&self) -> Vec<String> {
        let names =
            format!("SELECT string_agg(called, '\n' ORDER BY called COLLATE \"C\") FROM ({CONSTRAINTS_SQL}) AS c");
        self.query_text(&names).await.lines().map(str::to_owned).collect()
    }

    /// Takes a constraint away, and nothing else; what puts it back is one more order.
    ///
    /// # Panics
    /// When there is none that is called so.
    pub async fn drop_constraint(&self, constraint: &str) -> String {
        let of_this = format!("FROM ({CONSTRAINTS_SQL}) AS c WHERE called = '{constraint}'");
        let undo = self.query_text(&format!("SELECT puts_back {of_this}")).await;
        self.execute(&self.query_text(&format!("SELECT takes_away {of_this}")).await)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        undo
    }

    /// Whether somebody waits for a lock in this schema.
    pub async fn has_lock_waiters(&self) -> bool {
        let waits = "SELECT count(*)::text FROM pg_locks AS waits JOIN pg_locks AS holds USING (pid) \
            JOIN pg_class AS t ON t.oid = holds.relation \
            WHERE NOT waits.granted AND t.relnamespace = current_schema()::regnamespace";
        self.query_text(waits).await != "0"
    }

    /// Writes past everything but the constraints.
    pub async fn execute(&self, text: &str) -> Result<(), crate::StoreError> {
        Ok(self.lock_holder.execute(text).await?)
    }

    /// The text that a statement gives.
    async fn query_text(&self, text: &str) -> String {
        let found = self.lock_holder.query_row(text, &[]).await;
        let row = found.unwrap_or_else(|fault| panic!("{text}: {}", crate::StoreError::from(fault)));
        row.unwrap_or_else(|| panic!("{text}: nothing")).get(0)
    }

    /// No batch of a lane gets an answer from now on. Those who read do.
    ///
    /// # Panics
    /// When the server does not do it.
    pub async fn block_writers(&self) {
        let limits = "SET idle_in_transaction_session_timeout = 0";
        let lock = format!("BEGIN; LOCK TABLE {}.nodes IN EXCLUSIVE MODE", self.name);
        execute_or_panic(&self.lock_holder, &format!("{limits}; {lock}")).await;
    }

    /// Batches go on.
    ///
    /// # Panics
    /// When the server does not do it.
    pub async fn unblock_writers(&self) {
        execute_or_panic(&self.lock_holder, "ROLLBACK").await;
    }
}

/// A schema without tables, and a user of its own that works in it. Where a database has Citus, it has tables, and they are spread:
/// no server runs while that is done.
pub struct TestUser {
    /// How to connect to it; its password is the name.
    pub url: String,
    /// Of the schema and of the user.
    pub name: String,
    admin: Connection,
}

impl TestUser {
    /// A new one; it stays until it is removed.
    ///
    /// # Panics
    /// When the server does not make it.
    pub async fn new() -> Self {
        let name = format!("kassa_tenant_{:016x}", RandomState::new().hash_one(std::process::id()));
        let tenant = Self { url: url_for_user(&name, &name, &name), admin: connect().await, name: name.clone() };
        let schema = format!("CREATE SCHEMA {name} AUTHORIZATION {name}");
        tenant.execute(&format!("CREATE ROLE {name} LOGIN PASSWORD '{name}'")).await;
        tenant.execute(&schema).await;
        if has_citus(&tenant.admin).await.unwrap_or_else(|error| panic!("{error}")) {
            open(&tenant.url).await;
        }
        tenant
    }

    /// Brings the schema one step further than this program knows, as the next release does while others work with it.
    ///
    /// # Panics
    /// When that fails.
    pub async fn migrate_to_next_step(&self, sql: &'static str) {
        let url = parse_url(&self.url);
        let tls = Tls::new(&url).unwrap_or_else(|error| panic!("{error}"));
        let steps = [POSTGRES_MIGRATIONS, &[next_step(POSTGRES_MIGRATIONS, sql)]].concat();
        let applied = migrate(&ConnectTarget { url, tls }, &steps).await;
        assert_eq!(applied.map(|applied| applied.len()), Ok(1));
    }

    /// The user is thrown out and not let in: the database is away, as far as it can see.
    pub async fn lock_out(&self) {
        let name = &self.name;
        self.execute(&format!("ALTER ROLE {name} NOLOGIN")).await;
        // A session that was let in just before is listed only when it is ready.
        let mut starting = self.starting_sessions("true").await;
        while let Some(ids) = starting {
            starting = self.starting_sessions(&format!("pid IN ({ids})")).await;
        }
        self.execute(&format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{name}'")).await;
    }

    /// Process ids, separated by commas, of sessions that are being set up: each is in a transaction, and not listed yet.
    async fn starting_sessions(&self, condition: &str) -> Option<String> {
        let unlisted = "pid NOT IN (SELECT pid FROM pg_stat_activity)";
        self.query_text(&format!(
            "SELECT string_agg(pid::text, ',') FROM pg_locks WHERE locktype = 'virtualxid' AND {unlisted} AND {condition} \
             HAVING count(*) > 0"
        ))
        .await
    }

    /// The user is let in again.
    pub async fn let_in(&self) {
        self.execute(&format!("ALTER ROLE {} LOGIN", self.name)).await;
    }

    /// All that was made goes.
    pub async fn remove(self) {
        self.lock_out().await;
        let name = &self.name;
        self.execute(&format!("DROP SCHEMA {name} CASCADE; DROP ROLE {name}")).await;
    }

    /// What a statement gives, as text; `None` where it gives no row. It runs as the administrator, and names schemas.
    ///
    /// # Panics
    /// When the server does not answer.
    pub async fn query_text(&self, text: &str) -> Option<String> {
        let found = self.admin.query_row(text, &[]).await;
        found.unwrap_or_else(|fault| panic!("{text}: {}", crate::StoreError::from(fault))).map(|row| row.get(0))
    }

    /// Statements of the one who owns the server.
    ///
    /// # Panics
    /// When they fail.
    pub async fn execute(&self, text: &str) {
        execute_or_panic(&self.admin, text).await;
    }

    /// The same; errors are of the server.
    pub async fn try_execute(&self, text: &str) -> Result<(), crate::StoreError> {
        Ok(self.admin.execute(text).await?)
    }
}

async fn execute_or_panic(connection: &Connection, text: &str) {
    let done = connection.execute(text).await;
    done.unwrap_or_else(|fault| panic!("{text}: {}", crate::StoreError::from(fault)));
}

/// The URL of the server.
///
/// # Panics
/// Where there is none.
pub fn server_url() -> String {
    match std::env::var(SERVER_URL_VARIABLE) {
        Ok(url) if !url.is_empty() => url,
        _ => panic!("{SERVER_URL_VARIABLE} is not set: run ./check, or .ci/postgres with this command behind it"),
    }
}

/// The server's URL in this schema.
fn url_in_schema(schema: &str) -> String {
    let config = parse_url(&server_url()).config;
    let password = String::from_utf8_lossy(config.get_password().unwrap_or_default()).into_owned();
    url_for_user(schema, config.get_user().unwrap_or_default(), &password)
}

/// The server's URL for this user in this schema.
fn url_for_user(schema: &str, user: &str, password: &str) -> String {
    let config = parse_url(&server_url()).config;
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        Some(Host::Unix(folder)) => folder.display().to_string().replace('/', "%2F"),
        None => panic!("{SERVER_URL_VARIABLE} names no host"),
    };
    let (port, name) = (config.get_ports().first().unwrap_or(&5432), config.get_dbname().unwrap_or("postgres"));
    format!("postgres://{user}:{password}@{host}:{port}/{name}?options=-c%20search_path%3D{schema}")
}

fn parse_url(url: &str) -> DatabaseUrl {
    url.parse().unwrap_or_else(|error| panic!("{SERVER_URL_VARIABLE}: {error}"))
}

async fn connect() -> Connection {
    let url = parse_url(&server_url());
    let tls = Tls::new(&url).unwrap_or_else(|error| panic!("{error}"));
    Connection::open(&ConnectTarget { url, tls }, ConnectionRole::Reader)
        .await
        .unwrap_or_else(|error| panic!("{error}"))
}
