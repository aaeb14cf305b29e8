//! A database of a test on the PostgreSQL server for tests, as a user of its own sees it.

use std::path::Path;
use std::process::Command;

use kassa_store::postgres::scratch;
use tokio::runtime::{Builder, Runtime};

use crate::program::kassa_serve;

/// An empty database. It goes with the test.
pub(crate) struct Tenant {
    runtime: Runtime,
    inner: Option<scratch::Tenant>,
}

impl Tenant {
    pub(crate) fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let inner = Some(runtime.block_on(scratch::Tenant::new()));
        Self { runtime, inner }
    }

    fn inner(&self) -> &scratch::Tenant {
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
    pub(crate) fn ask(&self, text: &str) -> Option<String> {
        self.runtime.block_on(self.inner().ask(text))
    }

    /// Statements of the one who owns the server. Tables are named by [`Tenant::name`].
    pub(crate) fn order(&self, text: &str) {
        self.runtime.block_on(self.inner().order(text));
    }

    /// The database goes away.
    pub(crate) fn lock_out(&self) {
        self.runtime.block_on(self.inner().lock_out());
    }

    /// The database comes back.
    pub(crate) fn let_in(&self) {
        self.runtime.block_on(self.inner().let_in());
    }
}

impl Drop for Tenant {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.take() {
            self.runtime.block_on(inner.remove());
        }
    }
}
