//! The data folder of a server: database, secret, and a lock against a second server.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::{LogPosition, Sqlite, SqliteCopySource, connect, schema};
use crate::error::StoreError;
use crate::health::SqliteHealth;
use crate::schema_migrations::{SQLITE_MIGRATIONS, SchemaMigration};

/// The file that is locked.
const LOCK: &str = "lock";

/// A data folder that is in use.
pub struct DataFolder {
    path: PathBuf,
    /// Locked as long as a server runs; the lock goes with the process, however it ends.
    lock: Option<File>,
    /// What was made to open it, the innermost first.
    created_paths: Vec<PathBuf>,
}

impl DataFolder {
    /// Opens `path` for the one server that may run on it; makes the folder when it is not there.
    pub fn open_for_server(path: &Path) -> Result<Self, StoreError> {
        let lock_file = path.join(LOCK);
        let made = lock_file.ancestors().take_while(|path| !path.exists()).map(Path::to_owned).collect();
        // Names and addresses of customers are in it.
        let folder = DirBuilder::new().recursive(true).mode(0o700).create(path);
        folder.map_err(|error| folder_error(path, &error))?;
        reject_foreign_folder(path)?;
        Ok(Self { path: path.to_owned(), lock: Some(lock(path)?), created_paths: made })
    }

    /// Opens `path` for a command beside the server; the folder must be there.
    pub fn open_shared(path: &Path) -> Result<Self, StoreError> {
        reject_foreign_folder(path)?;
        if !path.join("kassa.db").exists() {
            let text = format!("{} is no data folder of Kassa: start the server on it first", path.display());
            return Err(StoreError::Foreign(text));
        }
        Ok(Self { path: path.to_owned(), lock: None, created_paths: Vec::new() })
    }

    /// Opens `path` for a command that no server may run beside; the folder must be there.
    pub fn open_exclusive(path: &Path) -> Result<Self, StoreError> {
        let folder = Self::open_shared(path)?;
        Ok(Self { lock: Some(lock(path)?), ..folder })
    }

    /// Its database, which nobody changes from now on. Its schema is brought up to date before. One with a step that this
    /// program does not know is refused: its columns would be left behind.
    pub fn copy_source(&self) -> Result<SqliteCopySource, StoreError> {
        self.migrate()?;
        let connection = connect(&self.path.join("kassa.db"), true)?;
        schema::noted_schema(&connection)?.require_all_known(SQLITE_MIGRATIONS)?;
        SqliteCopySource::open(&self.path.join("kassa.db"))
    }

    /// Its database. Of a server's own, nobody else may read the files, whatever the folder lets others do.
    pub fn database(&self) -> Result<Sqlite, StoreError> {
        let file = self.path.join("kassa.db");
        let _alone = self.keep_servers_away()?;
        if self.lock.is_some() {
            make_private(&file).map_err(|error| folder_error(&self.path, &error))?;
        }
        Sqlite::open(&file, self.lock.is_some())
    }

    /// The same of a server that keeps what is committed elsewhere, too: from where it did so before, if that is known.
    pub fn followed_database(&self, from: Option<LogPosition>) -> Result<Sqlite, StoreError> {
        let file = self.path.join("kassa.db");
        make_private(&file).map_err(|error| folder_error(&self.path, &error))?;
        Sqlite::open_followed(&file, from)
    }

    /// Whether there is a database already. One that is not ours is refused, and left as it is.
    pub fn has_database(&self) -> Result<bool, StoreError> {
        schema::inspect(&self.path.join("kassa.db"))
    }

    /// The steps of the schema that its database lacks; `None` where there is none. Changes nothing.
    pub fn pending_migrations(&self) -> Result<Option<Vec<SchemaMigration>>, StoreError> {
        schema::pending_migrations(&self.path.join("kassa.db"), SQLITE_MIGRATIONS)
    }

    /// How its database is set up. Changes nothing.
    pub fn health(&self) -> Result<SqliteHealth, StoreError> {
        let file = self.path.join("kassa.db");
        let journal_mode = connect(&file, true)?.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
        let log = file.with_extension("db-wal");
        let bytes = |file: &Path| fs::metadata(file).map_or(0, |found| found.len());
        Ok(SqliteHealth { journal_mode, bytes: bytes(&file) + bytes(&log) })
    }

    /// Brings the schema of its database up to date, and returns the steps that were applied.
    pub fn migrate(&self) -> Result<Vec<SchemaMigration>, StoreError> {
        let _alone = self.keep_servers_away()?;
        schema::migrate(&connect(&self.path.join("kassa.db"), false)?, SQLITE_MIGRATIONS)
    }

    /// Sees that no older server is at work, and keeps others away, while a step is applied that no older program may meet.
    fn keep_servers_away(&self) -> Result<Option<File>, StoreError> {
        let is_server = self.lock.is_some();
        // What this program cannot work with is refused, and left as it is, by the opening that follows.
        let missing = if is_server { None } else { self.pending_migrations().ok().flatten() };
        let missing = missing.unwrap_or_default();
        missing.iter().any(SchemaMigration::wants_no_other).then(|| lock(&self.path)).transpose()
    }

    /// Writes its database as of one moment into a new file, which is on the disk then. Whoever works on the database
    /// goes on meanwhile. (The other way, copying page by page, begins anew with each write of somebody else.)
    pub fn backup_to(&self, file: &Path) -> Result<(), StoreError> {
        let connection = connect(&self.path.join("kassa.db"), true)?;
        let name = file.to_str().ok_or_else(|| StoreError::Unavailable(format!("{} is not UTF-8", file.display())))?;
        connection.execute("VACUUM INTO ?1", [name])?;
        let sync = || File::open(file)?.sync_all();
        sync().map_err(|error| StoreError::Unavailable(format!("{}: {error}", file.display())))?;
        verify_database(file)
    }

    /// Makes a file in the folder its database, if it is a whole one that this program knows.
    pub fn restore_from(&self, file: &Path) -> Result<(), StoreError> {
        verify_database(file)?;
        let adopt = || {
            fs::rename(file, self.path.join("kassa.db"))?;
            File::open(&self.path)?.sync_all()
        };
        adopt().map_err(|error| folder_error(&self.path, &error))
    }

    /// Takes away what [`DataFolder::open_for_server`] has made, where nothing came of it: the lock, and folders that are empty.
    pub fn remove_created(&self) {
        for path in &self.created_paths {
            // What somebody has put there meanwhile stays, and so does what is around it.
            let _ = if path.is_dir() { fs::remove_dir(path) } else { fs::remove_file(path) };
        }
    }

    /// Where the secret is kept unless the operator keeps it.
    pub fn secret_file(&self) -> PathBuf {
        self.path.join("secret")
    }
}

/// Sees that a file is a whole database of ours, which this program knows.
pub fn verify_database(file: &Path) -> Result<(), StoreError> {
    if schema::pending_migrations(file, SQLITE_MIGRATIONS)?.is_none() {
        return Err(StoreError::Foreign("there is no database of Kassa in it".to_owned()));
    }
    let connection = connect(file, true)?;
    let found: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(StoreError::Corrupt(found)) }
}

fn folder_error(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Unavailable(format!("data folder {}: {error}", path.display()))
}

/// Makes the database and its log files of one user. Those that SQLite makes later get the mode of the database: so
/// that has it before it is written, as an empty file.
fn make_private(database: &Path) -> io::Result<()> {
    const MODE: u32 = 0o600;
    File::options().append(true).create(true).mode(MODE).open(database)?;
    for suffix in ["", "-wal", "-shm"] {
        let mut name = database.as_os_str().to_owned();
        name.push(suffix);
        match fs::metadata(&name) {
            Ok(found) if found.permissions().mode() & 0o777 == MODE => {}
            Ok(_) => fs::set_permissions(&name, Permissions::from_mode(MODE))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Keeps others out who want the same, until the file is closed.
fn lock(path: &Path) -> Result<File, StoreError> {
    let file = File::options().create(true).truncate(false).write(true).open(path.join(LOCK));
    let file = file.map_err(|error| folder_error(path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked(path.display().to_string())),
        Err(TryLockError::Error(error)) => Err(folder_error(path, &error)),
    }
}

/// What may be in a folder before its database is.
fn is_harmless(name: &OsStr) -> bool {
    name == "secret" || name == LOCK || name == "lost+found"
}

/// A folder with other things in it is left alone.
fn reject_foreign_folder(path: &Path) -> Result<(), StoreError> {
    if path.join("kassa.db").exists() {
        return Ok(());
    }
    let mut entries = fs::read_dir(path).map_err(|error| folder_error(path, &error))?;
    let foreign = entries.find_map(|entry| entry.ok().map(|entry| entry.file_name()).filter(|name| !is_harmless(name)));
    match foreign {
        Some(name) => Err(StoreError::Foreign(format!(
            "{} holds {} and no database of Kassa: choose an empty folder",
            path.display(),
            name.display()
        ))),
        None => Ok(()),
    }
}
