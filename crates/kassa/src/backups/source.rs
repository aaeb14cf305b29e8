//! What a backup is made of.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kassa_store::postgres::DatabaseUrl;
use kassa_store::sqlite::{self, DataFolder, LogTap};

use super::archive::{DatabaseKind, FILES_ENTRY};
use super::worker_thread::on_thread;
use super::{BackupError, postgres_tools};
use crate::config::InstallationArguments;
use crate::error::Fatal;

/// An installation, as far as it is backed up.
#[derive(Clone, Debug)]
pub(crate) struct BackupSource {
    /// Its data folder.
    pub(super) data: PathBuf,
    /// Its database, if that is not in the data folder.
    database: Option<DatabaseUrl>,
    /// Its attachments, if they are in the data folder.
    pub(super) attachments: Option<PathBuf>,
    /// What copies it page by page, if it shall be copied so.
    tap: Option<Arc<LogTap>>,
}

impl BackupSource {
    pub(crate) fn of(place: &InstallationArguments) -> Result<Self, Fatal> {
        let attachments = (!place.files.are_outside_data_folder()).then(|| place.data.join(FILES_ENTRY));
        Ok(Self { data: place.data.clone(), database: place.database()?, attachments, tap: None })
    }

    /// The same, with the database page by page, so that pages that were written later can be put into it.
    pub(crate) fn page_by_page(&self, tap: &Arc<LogTap>) -> Self {
        Self { tap: Some(Arc::clone(tap)), ..self.clone() }
    }

    pub(crate) fn data_folder(&self) -> &Path {
        &self.data
    }

    pub(crate) fn database_kind(&self) -> DatabaseKind {
        if self.database.is_some() { DatabaseKind::Postgres } else { DatabaseKind::Sqlite }
    }

    /// Writes the database as of one moment into an empty file. Whoever works on it goes on meanwhile.
    pub(super) async fn copy_database(&self, file: &Path) -> Result<(), BackupError> {
        if let Some(url) = &self.database {
            return postgres_tools::dump(url, file).await;
        }
        let (data, file) = (self.data.clone(), file.to_owned());
        let tap = self.tap.clone();
        let copy = move || match tap {
            Some(tap) => tap.copy_to(&file),
            None => DataFolder::open_shared(&data)?.backup_to(&file),
        };
        let copied = on_thread(copy).await?;
        copied.map_err(|error| BackupError::at(&format!("data folder {}", self.data.display()), &error))
    }
}

/// Sees that a file is a whole database of ours, which this program knows, or a dump that can be read to its end.
pub(super) async fn check_database(kind: DatabaseKind, file: &Path) -> Result<(), BackupError> {
    match kind {
        DatabaseKind::Postgres => postgres_tools::check_dump(file).await,
        DatabaseKind::Sqlite => {
            let database = file.to_owned();
            let checked = on_thread(move || sqlite::verify_database(&database)).await?;
            checked.map_err(|error| BackupError::at(&file.display(), &error))
        }
    }
}
