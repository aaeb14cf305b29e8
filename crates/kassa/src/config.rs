//! Flags that several commands share. Every flag is also an environment variable.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use clap::builder::ArgPredicate;
use kassa_store::postgres::{DatabaseUrl, InvalidDatabaseUrl};

use crate::error::Fatal;
use crate::files::FilesArguments;
use crate::secrets::DATABASE_URL;

/// Where an installation is.
#[derive(Debug, Args)]
pub(crate) struct InstallationArguments {
    /// The data folder; it is created if missing.
    #[arg(long, env = "KASSA_DATA", value_name = "DIR", default_value = "./kassa-data")]
    pub(crate) data: PathBuf,
    /// A PostgreSQL database, such as `postgres://user:password@host/name?sslmode=verify-full`. By default the
    /// database is an SQLite file in the data folder. Command lines are visible to other users of the machine: pass a
    /// URL with a password in the variable.
    // A file that a flag or the environment names comes before a URL in the configuration file.
    #[arg(
        long,
        env = "KASSA_DATABASE",
        value_name = "URL",
        hide_env_values = true,
        default_value_if("database_file", ArgPredicate::IsPresent, None)
    )]
    pub(crate) database: Option<DatabaseArgument>,
    /// A file with the URL of the database, if `--database` does not say it.
    #[arg(long, env = "KASSA_DATABASE_FILE", value_name = "FILE")]
    pub(crate) database_file: Option<PathBuf>,
    /// A file with the server's secret, at least 32 bytes of text. `KASSA_SECRET` sets the secret itself. By default
    /// it is the credential `secret` of the service manager, or generated and kept in the data folder.
    #[arg(long, env = "KASSA_SECRET_FILE", value_name = "FILE")]
    pub(crate) secret_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) files: FilesArguments,
    /// Whether the database is in the data folder, whatever was said.
    #[arg(skip)]
    pub(crate) is_self_contained: bool,
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
    pub(crate) fn database(&self) -> Result<Option<DatabaseUrl>, Fatal> {
        if self.is_self_contained {
            return Ok(None);
        }
        database_url(self.database.as_ref(), self.database_file.as_deref())
    }
}

/// The database that a flag says, or a file, or a credential of the service manager.
pub(crate) fn database_url(said: Option<&DatabaseArgument>, file: Option<&Path>) -> Result<Option<DatabaseUrl>, Fatal> {
    if let Some(said) = said {
        return Ok(Some(said.url()?.clone()));
    }
    let text = DATABASE_URL.read(file)?;
    Ok(text.map(|text| text.trim().parse()).transpose()?)
}
