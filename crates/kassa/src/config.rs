//! Flags that several commands share. Every flag is also an environment variable.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use kassa_store::postgres::{BadUrl, DatabaseUrl};

use crate::files::FilesArguments;

/// Where an installation is.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// The data folder; it is made when it is not there.
    #[arg(long, env = "KASSA_DATA", value_name = "DIR", default_value = "./kassa-data")]
    pub(crate) data: PathBuf,
    /// A PostgreSQL database, as `postgres://user:password@host/name?sslmode=verify-full`. Without it, the
    /// database is a file in the data folder. Others see a command line: give a password by the variable.
    #[arg(long, env = "KASSA_DATABASE", value_name = "URL", hide_env_values = true)]
    pub(crate) database: Option<Database>,
    /// A file with the server's secret: any text of at least 32 bytes. The variable `KASSA_SECRET`
    /// holds the secret itself. Without either, it is kept in the data folder.
    #[arg(long, env = "KASSA_SECRET_FILE", value_name = "FILE")]
    pub(crate) secret_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) files: FilesArguments,
}

/// A URL that is looked at later: what is wrong with a flag is told with its value, and this one holds a password.
#[derive(Clone, Debug)]
pub(crate) struct Database(Result<DatabaseUrl, BadUrl>);

impl FromStr for Database {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.parse()))
    }
}

impl Database {
    /// What it says.
    pub(crate) fn url(&self) -> Result<&DatabaseUrl, BadUrl> {
        self.0.as_ref().map_err(Clone::clone)
    }
}

impl Place {
    /// The PostgreSQL database, where there is one.
    pub(crate) fn database(&self) -> Result<Option<&DatabaseUrl>, BadUrl> {
        self.database.as_ref().map(Database::url).transpose()
    }
}
