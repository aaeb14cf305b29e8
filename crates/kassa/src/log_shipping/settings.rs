//! Flags of a server that ships its log.

use clap::Args;

use super::shipper::LogShipping;
use crate::backups::{BackupInterval, BackupPlace, BackupSource, DatabaseKind};
use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::files::FileStorageLocation;

/// Flags of a server that ships its log.
#[derive(Clone, Debug, Args)]
pub(crate) struct LogShippingArguments {
    /// Keeps what is committed there, too, within a second, so that the installation can be restored as of any second: a
    /// folder that is there, on another disk, or `s3://<bucket>/<prefix>`, at the service and with the keys of attachments.
    /// For a database in the data folder.
    #[arg(long, env = "KASSA_SHIP_LOG_TO", value_name = "PLACE")]
    ship_log_to: Option<FileStorageLocation>,
    /// How far back it can be restored: a number of hours or days, such as `12h` or `7d`.
    #[arg(long, env = "KASSA_SHIP_LOG_KEEP", value_name = "TIME", default_value = "1d")]
    ship_log_keep: BackupInterval,
}

impl LogShippingArguments {
    /// What is to be shipped where, if anything.
    pub(crate) fn shipping(&self, place: &InstallationArguments) -> Result<Option<LogShipping>, Fatal> {
        let Some(to) = self.place(place)? else { return Ok(None) };
        let source = BackupSource::of(place)?;
        if source.database_kind() == DatabaseKind::Postgres {
            let instead = "PostgreSQL archives its own log (archive_command, pg_basebackup)";
            return Err(format!("--ship-log-to is for a database in the data folder: {instead}").into());
        }
        Ok(Some(LogShipping { source, place: to, keep: self.ship_log_keep.0 }))
    }

    /// Where the log is shipped to, if it is.
    pub(crate) fn place(&self, place: &InstallationArguments) -> Result<Option<BackupPlace>, Fatal> {
        self.ship_log_to.as_ref().map(|to| BackupPlace::open(to, &place.files)).transpose()
    }
}
