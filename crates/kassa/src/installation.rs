//! An installation: its folder, its secret, and an engine on it.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Arc;

use kassa_domain::Settings;
use kassa_engine::clock::SystemClock;
use kassa_engine::secret::{SECRET_MIN, hex};
use kassa_engine::{Clock, Engine, Parts, Secret, random};
use kassa_store::Store;
use kassa_store::sqlite::DataFolder;

use crate::config::Place;

/// The writer that a server is, and the one that a command beside it is: their ids never meet.
const SERVER_NODE: u16 = 0;
const BESIDE_NODE: u16 = 1;

/// Any error that ends the program, as a sentence.
pub(crate) type Fatal = Box<dyn std::error::Error>;

/// An engine and the folder that it works on; the folder stays locked as long as this lives.
pub(crate) struct Installation {
    pub(crate) engine: Engine,
    _folder: DataFolder,
}

/// Opens an installation for the one server on it, and makes it when there is none.
pub(crate) async fn open_for_server(place: &Place, settings: Settings) -> Result<Installation, Fatal> {
    open_at(place, settings, Arc::new(SystemClock)).await
}

/// The same by another clock.
pub(crate) async fn open_at(place: &Place, settings: Settings, clock: Arc<dyn Clock>) -> Result<Installation, Fatal> {
    let folder = DataFolder::serve(&place.data)?;
    open(place, folder, SERVER_NODE, settings, clock).await
}

/// Opens an installation for a command that may run beside the server.
pub(crate) async fn open_beside(place: &Place) -> Result<Installation, Fatal> {
    let folder = DataFolder::beside(&place.data)?;
    open(place, folder, BESIDE_NODE, Settings::default(), Arc::new(SystemClock)).await
}

async fn open(
    place: &Place,
    folder: DataFolder,
    node: u16,
    settings: Settings,
    clock: Arc<dyn Clock>,
) -> Result<Installation, Fatal> {
    let named = |error: &dyn std::error::Error| format!("data folder {}: {error}", place.data.display());
    let had_database = folder.has_database().map_err(|error| named(&error))?;
    let secret = secret_of(place, &folder, had_database)?;
    let store = Store::Sqlite(folder.database().map_err(|error| named(&error))?);
    let files = place.files.open(&place.data)?;
    let parts = Parts { store, files, clock, random: random::from_system(), settings, secret, node };
    let engine = Engine::start(parts).await.map_err(|error| named(&error))?;
    Ok(Installation { engine, _folder: folder })
}

/// The secret from the environment, from the file that was named, or from the data folder, where a
/// new installation gets one of its own.
fn secret_of(place: &Place, folder: &DataFolder, had_database: bool) -> Result<Secret, Fatal> {
    if let Some(text) = std::env::var_os("KASSA_SECRET") {
        let text = text.into_string().map_err(|_| "KASSA_SECRET is not UTF-8")?;
        return Secret::new(&text).map_err(|error| format!("KASSA_SECRET: {error}").into());
    }
    let own = folder.secret_file();
    let file = place.secret_file.as_deref().unwrap_or(&own);
    if place.secret_file.is_none() && !own.exists() {
        if had_database {
            let text = format!("{} is missing: give the secret that this database was made with", own.display());
            return Err(text.into());
        }
        write_new_secret(&own).map_err(|error| format!("{}: {error}", own.display()))?;
    }
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Secret::new(&text).map_err(|error| format!("{}: {error}", file.display()).into())
}

/// Writes the whole secret or no file at all: half of one would bar every later start.
fn write_new_secret(file: &Path) -> io::Result<()> {
    let mut random = (random::from_system())();
    let bytes: Vec<u8> = (0..SECRET_MIN).map(|_| random.next_u64().to_le_bytes()[0]).collect();
    let draft = file.with_extension("new");
    let write = || {
        let mut secret = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
        writeln!(secret, "{}", hex(&bytes))?;
        secret.sync_all()?;
        fs::rename(&draft, file)
    };
    write().inspect_err(|_| {
        // It may not be there at all; the first error is the one to tell.
        let _ = fs::remove_file(&draft);
    })
}
