//! A database of a test on the PostgreSQL server for tests, as a user of its own sees it.

use std::path::Path;
use std::process::Command;

use kassa_store::StoreError;
use kassa_store::postgres::scratch;
use tokio::runtime::{Builder, Runtime};

use crate::commands::kassa_serve;

/// An empty database. It goes with the test.
pub(crate) struct TestDatabase {
    runtime: Runtime,
    inner: Option<scratch::TestUser>,
}

impl TestDatabase {
    pub(crate) fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let inner = Some(runtime.block_on(scratch::TestUser::new()));
        Self { runtime, inner }
    }

    fn inner(&self) -> &scratch::TestUser {
        self.inner.as_ref().unwrap()
    }

    /// Its URL, with its password.
    pub(crate) fn url(&self) -> &str {
        &self.inner().url
    }

    /// The password; it stands in the URL as the name does.
    pub(crate) fn name(&self) -> &str {
        &self.inner().name
    }

    /// `kassa serve` on it, with this folder for the rest.
    pub(crate) fn serve(&self, data: &Path) -> Command {
        let mut command = kassa_serve(data);
        command.env("KASSA_DATABASE", self.url());
        command
    }

    /// What a statement gives, as text; `None` where it gives no row. Tables are named by [`Tenant::name`].
    pub(crate) fn query(&self, text: &str) -> Option<String> {
        self.runtime.block_on(self.inner().query_text(text))
    }

    /// Statements of the one who owns the server. Tables are named by [`Tenant::name`].
    pub(crate) fn execute_as_owner(&self, text: &str) {
        self.runtime.block_on(self.inner().execute(text));
    }

    /// The same; the server may refuse them.
    pub(crate) fn try_execute_as_owner(&self, text: &str) -> Result<(), StoreError> {
        self.runtime.block_on(self.inner().try_execute(text))
    }

    /// Brings the schema one step further than this program knows, as the next release does.
    pub(crate) fn migrate_to_next_step(&self, sql: &'static str) {
        self.runtime.block_on(self.inner().migrate_to_next_step(sql));
    }

    /// The database goes away.
    pub(crate) fn block_connections(&self) {
        self.runtime.block_on(self.inner().lock_out());
    }

    /// The database comes back.
    pub(crate) fn allow_connections(&self) {
        self.runtime.block_on(self.inner().let_in());
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.take() {
            self.runtime.block_on(inner.remove());
        }
    }
}
