//! Flags that several commands share. Every flag is also an environment variable.

use std::path::PathBuf;

use clap::Args;

use crate::files::FilesArguments;

/// Where an installation is.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// The data folder; it is made when it is not there.
    #[arg(long, env = "KASSA_DATA", value_name = "DIR", default_value = "./kassa-data")]
    pub(crate) data: PathBuf,
    /// A file with the server's secret: any text of at least 32 bytes. The variable `KASSA_SECRET`
    /// holds the secret itself. Without either, it is kept in the data folder.
    #[arg(long, env = "KASSA_SECRET_FILE", value_name = "FILE")]
    pub(crate) secret_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) files: FilesArguments,
}
