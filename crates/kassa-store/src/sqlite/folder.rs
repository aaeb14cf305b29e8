//! The data folder of a server: database, secret, and a lock against a second server.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::{STEPS, Sqlite, connect, schema};
use crate::error::StoreError;
use crate::steps::Step;

/// A data folder that is in use.
pub struct DataFolder {
    path: PathBuf,
    /// Locked as long as a server runs; the lock goes with the process, however it ends.
    lock: Option<File>,
}

impl DataFolder {
    /// Opens `path` for the one server that may run on it; makes the folder when it is not there.
    pub fn serve(path: &Path) -> Result<Self, StoreError> {
        let unusable =
            |error: std::io::Error| StoreError::Unavailable(format!("data folder {}: {error}", path.display()));
        fs::create_dir_all(path).map_err(unusable)?;
        refuse_foreign(path)?;
        let lock =
            File::options().create(true).truncate(false).write(true).open(path.join("lock")).map_err(unusable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::Locked(path.display().to_string())),
            Err(TryLockError::Error(error)) => return Err(unusable(error)),
        }
        Ok(Self { path: path.to_owned(), lock: Some(lock) })
    }

    /// Opens `path` for a command beside the server; the folder must be there.
    pub fn beside(path: &Path) -> Result<Self, StoreError> {
        refuse_foreign(path)?;
        if !path.join("kassa.db").exists() {
            let text = format!("{} is no data folder of Kassa: start the server on it first", path.display());
            return Err(StoreError::Foreign(text));
        }
        Ok(Self { path: path.to_owned(), lock: None })
    }

    /// Its database.
    pub fn database(&self) -> Result<Sqlite, StoreError> {
        Sqlite::open(&self.path.join("kassa.db"), self.lock.is_some())
    }

    /// Whether there is a database already. One that is not ours is refused, and left as it is.
    pub fn has_database(&self) -> Result<bool, StoreError> {
        schema::inspect(&self.path.join("kassa.db"))
    }

    /// The steps of the schema that its database lacks; `None` where there is none. Changes nothing.
    pub fn missing_steps(&self) -> Result<Option<Vec<Step>>, StoreError> {
        schema::missing(&self.path.join("kassa.db"), STEPS)
    }

    /// Brings the schema of its database up to date, and tells the steps that were applied.
    pub fn migrate(&self) -> Result<Vec<Step>, StoreError> {
        schema::migrate(&connect(&self.path.join("kassa.db"), false)?, STEPS)
    }

    /// Where the secret is kept unless the operator keeps it.
    pub fn secret_file(&self) -> PathBuf {
        self.path.join("secret")
    }
}

/// A folder with other things in it is left alone.
fn refuse_foreign(path: &Path) -> Result<(), StoreError> {
    let unusable = |error: std::io::Error| StoreError::Unavailable(format!("data folder {}: {error}", path.display()));
    if path.join("kassa.db").exists() {
        return Ok(());
    }
    let mut entries = fs::read_dir(path).map_err(unusable)?;
    let harmless = |name: &std::ffi::OsStr| name == "secret" || name == "lock" || name == "lost+found";
    let foreign = entries.find_map(|entry| entry.ok().map(|entry| entry.file_name()).filter(|name| !harmless(name)));
    match foreign {
        Some(name) => Err(StoreError::Foreign(format!(
            "{} holds {} and no database of Kassa: choose an empty folder",
            path.display(),
            name.display()
        ))),
        None => Ok(()),
    }
}
