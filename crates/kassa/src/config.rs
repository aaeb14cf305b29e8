//! Flags that several commands share. Every flag is also an environment variable.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use kassa_store::postgres::{DatabaseUrl, InvalidDatabaseUrl};

use crate::files::FilesArguments;

/// Where an installation is.
#[derive(Debug, Args)]
pub(crate) struct InstallationArguments {
    /// The data folder; it is created if missing.
    #[arg(long, env = "KASSA_DATA", value_name = "DIR", default_value = "./kassa-data")]
    pub(crate) data: PathBuf,
    /// A PostgreSQL database, such as `postgres://user:password@host/name?sslmode=verify-full`. By default the
    /// database is an SQLite file in the data folder. Command lines are visible to other users of the machine: pass a
    /// URL with a password in the variable.
    #[arg(long, env = "KASSA_DATABASE", value_name = "URL", hide_env_values = true)]
    pub(crate) database: Option<DatabaseArgument>,
    /// A file with the server's secret, at least 32 bytes of text. `KASSA_SECRET` sets the secret itself. By default
    /// it is generated and kept in the data folder.
    #[arg(long, env = "KASSA_SECRET_FILE", value_name = "FILE")]
    pub(crate) secret_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) files: FilesArguments,
}

/// A URL that is parsed after the flags: the error of a flag shows its value, and this one may hold a password.
#[derive(Clone, Debug)]
pub(crate) struct DatabaseArgument(Result<DatabaseUrl, InvalidDatabaseUrl>);

impl FromStr for DatabaseArgument {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.parse()))
    }
}

impl DatabaseArgument {
    /// What it says.
    pub(crate) fn url(&self) -> Result<&DatabaseUrl, InvalidDatabaseUrl> {
        self.0.as_ref().map_err(Clone::clone)
    }
}

impl InstallationArguments {
    /// The PostgreSQL database, where there is one.
    pub(crate) fn database(&self) -> Result<Option<&DatabaseUrl>, InvalidDatabaseUrl> {
        self.database.as_ref().map(DatabaseArgument::url).transpose()
    }
}
