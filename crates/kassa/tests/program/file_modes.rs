//! Who may read what lies in a data folder: the user of the server alone.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::commands::kassa_serve;
use crate::server::Server;
use crate::tenant::TestDatabase;

const DATABASE_FILES: [&str; 3] = ["kassa.db", "kassa.db-wal", "kassa.db-shm"];

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[track_caller]
fn assert_private_database(data: &Path) {
    for file in DATABASE_FILES {
        assert_eq!(mode(&data.join(file)), 0o600, "{file}");
    }
}

#[test]
fn nobody_else_reads_the_database_whatever_its_folder_lets_others_do() {
    let folder = tempfile::tempdir().unwrap();
    set_mode(folder.path(), 0o755);
    let server = Server::start(folder.path());
    assert_private_database(folder.path());
    // Its log is left behind, and is as readable as an older release or a restored archive made it.
    server.process_id().kill();
    server.assert_killed();
    for file in DATABASE_FILES {
        set_mode(&folder.path().join(file), 0o644);
    }
    let server = Server::start(folder.path());
    assert_private_database(folder.path());
    assert_eq!(mode(folder.path()), 0o755, "the folder is the operator's");
    server.stop();
}

#[test]
fn nobody_else_reads_a_data_folder_beside_a_database_on_a_server() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let data = folder.path().join("new").join("data");
    let server = Server::run(kassa_serve(&data).env("KASSA_DATABASE", tenant.url()));
    assert_eq!((mode(&data), mode(&data.join("secret"))), (0o700, 0o600));
    server.stop();
}
