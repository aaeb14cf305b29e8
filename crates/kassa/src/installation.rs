//! An installation: its folder, its secret, and an engine on it.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::Arc;

use kassa_domain::{DecisionSettings, hex};
use kassa_engine::clock::SystemClock;
use kassa_engine::secret::SECRET_BYTES_MIN;
use kassa_engine::{Clock, Engine, EngineParts, ReadLimits, Secret, StartError, random};
use kassa_store::postgres::{DatabaseStatus, DatabaseUrl, Postgres};
use kassa_store::sqlite::{DataFolder, LogPosition, LogTap};
use kassa_store::{SchemaMigration, Store, StoreError};

use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::secrets::SERVER_SECRET;

/// How many lanes a server has on a database that lets several write at the same time, by default.
pub(crate) const POSTGRES_LANES_DEFAULT: usize = 4;

/// An engine, and the folder that it works on: that stays locked as long as this lives, unless the database is
/// elsewhere.
pub(crate) struct Installation {
    pub(crate) engine: Engine,
    /// Where the database is.
    pub(crate) database: String,
    /// What follows the log of the database, if that shall be shipped.
    pub(crate) log_tap: Option<Arc<LogTap>>,
    _folder: Option<DataFolder>,
}

/// Who needs the log of a database in the data folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogUse {
    /// The database alone.
    Own,
    /// It is shipped, too; the position up to which that was done before, if that is known.
    Shipped(Option<LogPosition>),
}

/// Opens an installation for a server, and makes it when there is none. `lanes` is how many it shall have, if
/// that was said.
pub(crate) async fn open_for_server(
    place: &InstallationArguments,
    settings: DecisionSettings,
    lanes: Option<usize>,
    read_limits: ReadLimits,
    log: LogUse,
) -> Result<Installation, Fatal> {
    open_with_clock(place, settings, lanes, read_limits, log, Arc::new(SystemClock)).await
}

/// The same by another clock.
pub(crate) async fn open_with_clock(
    place: &InstallationArguments,
    settings: DecisionSettings,
    lanes: Option<usize>,
    read_limits: ReadLimits,
    log: LogUse,
    clock: Arc<dyn Clock>,
) -> Result<Installation, Fatal> {
    let lanes = lane_count(place, lanes)?;
    let parts =
        |store, secret| Ok(EngineParts { read_limits, ..engine_parts(place, store, secret, lanes, settings, clock)? });
    match place.database()? {
        Some(url) => {
            let (postgres, survey) = connect(&url).await?;
            open_postgres(place, &url, postgres, survey, parts).await
        }
        None => open_sqlite(place, DataFolder::open_for_server(&place.data)?, log, parts).await,
    }
}

/// Opens an installation for a command that may run beside the server.
pub(crate) async fn open_alongside_server(place: &InstallationArguments) -> Result<Installation, Fatal> {
    let parts =
        |store, secret| engine_parts(place, store, secret, 1, DecisionSettings::default(), Arc::new(SystemClock));
    match place.database()? {
        Some(url) => {
            let (postgres, survey) = connect(&url).await?;
            if survey.pending_migrations.is_none() {
                return Err(
                    format!("database {url}: there is nothing of Kassa in it: start the server on it first").into()
                );
            }
            open_postgres(place, &url, postgres, survey, parts).await
        }
        None => open_sqlite(place, DataFolder::open_shared(&place.data)?, LogUse::Own, parts).await,
    }
}

/// Opens the database of an installation for a command that only reads: it needs no secret, and no number. The schema
/// must be up to date, and is left as it is.
pub(crate) async fn open_read_only(place: &InstallationArguments) -> Result<Store, Fatal> {
    let Some(url) = place.database()? else {
        let named = |error: &dyn std::error::Error| format!("data folder {}: {error}", place.data.display());
        let folder = DataFolder::open_shared(&place.data).map_err(|error| named(&error))?;
        require_current_schema(folder.pending_migrations().map_err(|error| named(&error))?.as_deref())?;
        return Ok(Store::Sqlite(folder.database().map_err(|error| named(&error))?));
    };
    let (postgres, survey) = connect(&url).await?;
    require_current_schema(survey.pending_migrations.as_deref())?;
    Ok(Store::Postgres(postgres))
}

fn require_current_schema(missing: Option<&[SchemaMigration]>) -> Result<(), Fatal> {
    match missing {
        Some([]) => Ok(()),
        Some(_) => Err("the schema of the database is not up to date: run kassa migrate".into()),
        None => Err("there is nothing of Kassa in the database: start the server on it first".into()),
    }
}

pub(crate) fn lane_count(place: &InstallationArguments, wanted: Option<usize>) -> Result<usize, Fatal> {
    match (place.database()?, wanted) {
        (Some(_), wanted) => Ok(wanted.unwrap_or(POSTGRES_LANES_DEFAULT)),
        (None, None | Some(1)) => Ok(1),
        (None, Some(wanted)) => {
            Err(format!("--lanes {wanted}: a database in the data folder takes one; more need --database").into())
        }
    }
}

/// A database on a server, and what there is in it.
async fn connect(url: &DatabaseUrl) -> Result<(Postgres, DatabaseStatus), Fatal> {
    let named = |error: StoreError| database_error_text(url, &error);
    let postgres = Postgres::connect(url).await.map_err(named)?;
    let survey = postgres.status().await.map_err(named)?;
    if survey.is_unfinished_copy {
        return Err(unfinished_copy_text(url).into());
    }
    Ok((postgres, survey))
}

fn unfinished_copy_text(url: &DatabaseUrl) -> String {
    format!("database {url}: a copy into it was begun and is not complete: run kassa copy again")
}

pub(crate) fn database_error_text(url: &DatabaseUrl, error: &dyn std::error::Error) -> String {
    format!("database {url}: {error}")
}

fn engine_parts(
    place: &InstallationArguments,
    store: Store,
    secret: Secret,
    lanes: usize,
    settings: DecisionSettings,
    clock: Arc<dyn Clock>,
) -> Result<EngineParts, Fatal> {
    let files = place.files.open(&place.data)?;
    Ok(EngineParts {
        store,
        files,
        clock,
        random: random::from_system(),
        settings,
        secret,
        lanes,
        read_limits: ReadLimits::default(),
    })
}

/// The database is a file in the data folder.
async fn open_sqlite(
    place: &InstallationArguments,
    folder: DataFolder,
    log: LogUse,
    parts: impl FnOnce(Store, Secret) -> Result<EngineParts, Fatal>,
) -> Result<Installation, Fatal> {
    let named = |error: &dyn std::error::Error| format!("data folder {}: {error}", place.data.display());
    let had_database = folder.has_database().map_err(|error| named(&error))?;
    let (secret, _) = load_or_create_secret(place, &folder.secret_file(), had_database)?;
    let sqlite = match &log {
        LogUse::Own => folder.database(),
        LogUse::Shipped(from) => folder.followed_database(*from),
    };
    let sqlite = sqlite.map_err(|error| named(&error))?;
    let log_tap = sqlite.log_tap().cloned();
    let engine = Engine::start(parts(Store::Sqlite(sqlite), secret)?).await.map_err(|error| named(&error))?;
    Ok(Installation { engine, database: "sqlite".to_owned(), log_tap, _folder: Some(folder) })
}

/// The database is elsewhere. The data folder has the secret and the files, unless these are elsewhere, too.
async fn open_postgres(
    place: &InstallationArguments,
    url: &DatabaseUrl,
    postgres: Postgres,
    survey: DatabaseStatus,
    parts: impl FnOnce(Store, Secret) -> Result<EngineParts, Fatal>,
) -> Result<Installation, Fatal> {
    create_data_folder(&place.data).map_err(|error| format!("data folder {}: {error}", place.data.display()))?;
    let own = place.data.join("secret");
    let (secret, is_new) = load_or_create_secret(place, &own, survey.in_use)?;
    postgres.migrate().await.map_err(|error| database_error_text(url, &error))?;
    let parts = parts(Store::Postgres(postgres.clone()), secret)?;
    match Engine::start(parts).await {
        Ok(engine) => {
            // From now on no copy begins: it would find our number. One that has begun since the first look is seen.
            let found = postgres.status().await;
            if found.as_ref().is_ok_and(|survey| !survey.is_unfinished_copy) {
                return Ok(Installation { engine, database: url.to_string(), log_tap: None, _folder: None });
            }
            engine.close().await;
            found.map_err(|error| database_error_text(url, &error))?;
            Err(discard_new_secret(is_new, &own, unfinished_copy_text(url)))
        }
        Err(error @ StartError::WrongSecret) if is_new => {
            let text = format!(
                "{}; another server has begun on it at the same moment: {} is removed again, copy that of the other",
                database_error_text(url, &error),
                own.display()
            );
            Err(discard_new_secret(is_new, &own, text))
        }
        Err(error) => Err(database_error_text(url, &error).into()),
    }
}

/// Makes a data folder without a database, if it is not there: the secret and what attachments hold are in it.
pub(crate) fn create_data_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Ends a start with this sentence. A secret that was made in it belongs to nothing, and would bar all later ones.
fn discard_new_secret(is_new: bool, own: &Path, text: String) -> Fatal {
    match is_new.then(|| fs::remove_file(own)) {
        None | Some(Ok(())) => text.into(),
        Some(Err(error)) => format!("{text}; remove {} before you start again: {error}", own.display()).into(),
    }
}

/// The secret from the environment, from the file that was named, from the service manager, or from the data folder, where
/// a new installation gets one of its own. Tells whether it was made just now.
fn load_or_create_secret(
    place: &InstallationArguments,
    own: &Path,
    had_database: bool,
) -> Result<(Secret, bool), Fatal> {
    if let Some(secret) = given_secret(place)? {
        return Ok((secret, false));
    }
    let is_new = !own.exists();
    if is_new {
        if had_database {
            let text = format!("{} is missing: give the secret that this database was made with", own.display());
            return Err(text.into());
        }
        write_new_secret(own).map_err(|error| format!("{}: {error}", own.display()))?;
    }
    let text = fs::read_to_string(own).map_err(|error| format!("{}: {error}", own.display()))?;
    let secret = Secret::new(&text).map_err(|error| format!("{}: {error}", own.display()))?;
    Ok((secret, is_new))
}

/// The secret, if the operator says what it is.
pub(crate) fn given_secret(place: &InstallationArguments) -> Result<Option<Secret>, Fatal> {
    let Some(from) = SERVER_SECRET.place(place.secret_file.as_deref()) else { return Ok(None) };
    Ok(Some(Secret::new(&from.read()?).map_err(|error| format!("{from}: {error}"))?))
}

fn write_new_secret(file: &Path) -> io::Result<()> {
    let mut random = (random::from_system())();
    let bytes: Vec<u8> = (0..SECRET_BYTES_MIN).map(|_| random.next_u64().to_le_bytes()[0]).collect();
    write_secret(file, &hex::encode(&bytes))
}

/// Writes the whole secret or no file at all: half of one would bar every later start. It is on the disk, under its
/// name, before anything is made with it: without it, a database could not be opened again.
pub(crate) fn write_secret(file: &Path, text: &str) -> io::Result<()> {
    let draft = file.with_extension("new");
    let write = || {
        let mut secret = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
        writeln!(secret, "{text}")?;
        secret.sync_all()?;
        fs::rename(&draft, file)?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()
    };
    write().inspect_err(|_| {
        // It may not be there at all; the first error is the one to tell.
        let _ = fs::remove_file(&draft);
    })
}
