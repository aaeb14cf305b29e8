//! Backups of a data folder, and what is made of them again.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;

use kassa_store::sqlite::scratch;
use serde_json::json;

use crate::buyers::{request_order, sell_out};
use crate::client::text;
use crate::commands::{CommandOutput, kassa, run_command};
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;
use crate::verify::{assert_no_mismatch, kassa_verify};
use crate::waiting::wait_for;

/// `kassa backup` of this folder into this file.
fn kassa_backup(data: &Path, file: &Path) -> Command {
    let mut command = kassa();
    command.arg("backup").arg(file).arg("--data").arg(data);
    command
}

/// `kassa restore` of this file into this folder.
pub(crate) fn kassa_restore(file: &Path, data: &Path) -> Command {
    let mut command = kassa();
    command.arg("restore").arg(file).arg("--data").arg(data);
    command
}

/// Sees that a backup is one that can be restored.
#[track_caller]
pub(crate) fn assert_whole(file: &Path) {
    let verified = run_successfully(kassa().args(["restore", "--verify"]).arg(file));
    assert!(verified.stdout.contains("is whole"), "{verified:?}");
}

#[track_caller]
pub(crate) fn run_successfully(command: &mut Command) -> CommandOutput {
    let ended = run_command(command, "");
    assert!(ended.status.success(), "{ended:?}");
    ended
}

#[test]
fn a_backup_made_under_load_is_complete_and_can_sell_again() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new, file) = (folder.path().join("old"), folder.path().join("new"), folder.path().join("backup.tar"));
    let server = Server::start(&old);
    let sale = Sale::open(&server, 20_000);
    let way = json!({"way": "follow the lights"});
    let url = text(&sale.client(&server).post("/v1/resources/attachments", &way).success_body()["url"]);
    let path = url.strip_prefix(&server.url).unwrap().to_owned();
    let process = server.process_id();
    let mut before = 0;
    let bought = sell_out(&server, &sale, |answered| {
        wait_for("orders are answered", || (answered.load(Ordering::Relaxed) >= 200).then_some(()));
        before = answered.load(Ordering::Relaxed);
        run_successfully(&mut kassa_backup(&old, &file));
        let after = answered.load(Ordering::Relaxed);
        wait_for("orders are answered", || (answered.load(Ordering::Relaxed) > after).then_some(()));
        process.kill();
    });
    server.assert_killed();

    assert_whole(&file);
    fs::create_dir(&new).unwrap();
    fs::copy(old.join("secret"), new.join("secret")).unwrap();
    run_successfully(&mut kassa_restore(&file, &new));
    assert_no_mismatch(&mut kassa_verify(&new));
    let server = Server::start(&new);
    let snapshot = SalesSnapshot::read(&server, &sale);
    snapshot.assert_consistent();
    assert!(
        (before..bought.len()).contains(&snapshot.orders.len()),
        "{before} {} {}",
        snapshot.orders.len(),
        bought.len()
    );
    let client = sale.client(&server);
    assert_eq!(client.get(&path).success_body(), way, "attachments are there, too");
    let order = request_order(&client, &sale, 2, true).unwrap().success_body();
    assert!(!snapshot.orders.contains_key(&text(&order["id"])));
    server.stop();
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "nothing is left of what was made on the way: {names:?}");
}

#[test]
fn backup_and_restore_never_overwrite_existing_files() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = (folder.path().join("data"), folder.path().join("backup.tar"));
    let server = Server::start(&data);
    run_successfully(&mut kassa_backup(&data, &file));
    let made = fs::read(&file).unwrap();
    run_command(&mut kassa_backup(&data, &file), "").assert_failed_naming(&["backup.tar", "exists"]);
    assert_eq!(fs::read(&file).unwrap(), made);
    run_command(&mut kassa_restore(&file, &data), "").assert_failed_naming(&["another server is running"]);
    server.stop();
    run_command(&mut kassa_restore(&file, &data), "").assert_failed_naming(&["a database already"]);
    let strange = folder.path().join("strange");
    fs::create_dir(&strange).unwrap();
    fs::write(strange.join("diary"), "mine").unwrap();
    run_command(&mut kassa_restore(&file, &strange), "").assert_failed_naming(&["diary"]);
    run_command(&mut kassa_backup(&strange, &folder.path().join("b.tar")), "").assert_failed_naming(&["diary"]);
    // A database that was emptied by accident: what lies beside it is still wanted.
    let emptied = folder.path().join("emptied");
    fs::create_dir_all(emptied.join("files")).unwrap();
    fs::write(emptied.join("kassa.db"), "").unwrap();
    fs::write(emptied.join("files/picture"), "mine").unwrap();
    run_command(&mut kassa_restore(&file, &emptied), "").assert_failed_naming(&["kassa.db already"]);
    assert_eq!(fs::read(emptied.join("files/picture")).unwrap(), b"mine");
    assert_eq!(fs::read_dir(&emptied).unwrap().count(), 2, "nothing is left there of the attempt");
    let part = folder.path().join("d.tar.part");
    fs::write(&part, "of another run").unwrap();
    run_command(&mut kassa_backup(&data, &folder.path().join("d.tar")), "")
        .assert_failed_naming(&["d.tar.part exists"]);
    assert_eq!(fs::read(&part).unwrap(), b"of another run");
    let url = "postgres://kassa:hush@127.0.0.1:1/kassa";
    let on_server = run_command(kassa_backup(&data, &folder.path().join("c.tar")).env("KASSA_DATABASE", url), "");
    on_server.assert_failed_naming(&["postgres://kassa@127.0.0.1:1/kassa"]);
    assert!(!folder.path().join("c.tar").exists());
}

#[test]
fn an_incomplete_backup_is_refused_and_leaves_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = (folder.path().join("data"), folder.path().join("backup.tar"));
    Server::start(&data).stop();
    let picture = "the first of all bytes of a picture";
    fs::write(data.join("files/picture"), picture).unwrap();
    run_successfully(&mut kassa_backup(&data, &file));
    let whole = fs::read(&file).unwrap();
    let mut repainted = whole.clone();
    let at = repainted.windows(picture.len()).position(|bytes| bytes == picture.as_bytes()).unwrap();
    repainted[at] ^= 1;
    scratch::execute_unchecked(&data.join("kassa.db"), "INSERT INTO migrations (number) VALUES (1000)");
    let newer = folder.path().join("newer.tar");
    run_command(&mut kassa_backup(&data, &newer), "").assert_failed_naming(&["newer"]);
    assert!(!newer.exists());
    let damaged = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at..at + 2_000].fill(b'x');
        bytes
    };
    // Cut off: within the database, before the last entry, and behind nothing.
    let bad = [whole[..whole.len() / 2].to_vec(), whole[..whole.len() - 2_048].to_vec(), Vec::new()];
    let bad = bad.into_iter().chain([damaged(20_000), damaged(0), b"a diary, and no archive".to_vec(), repainted]);
    for (at, bytes) in bad.enumerate() {
        let (file, new) = (folder.path().join(format!("bad{at}.tar")), folder.path().join(format!("bad{at}")));
        let data = new.join("data");
        fs::write(&file, bytes).unwrap();
        run_command(kassa().args(["restore", "--verify"]).arg(&file), "")
            .assert_failed_naming(&[&format!("bad{at}.tar")]);
        let ended = run_command(&mut kassa_restore(&file, &data), "");
        assert_eq!(ended.status.code(), Some(1), "{at}: {ended:?}");
        assert!(!new.exists(), "what was made for it has gone with it, {at}: {ended:?}");
        run_successfully(&mut kassa_restore(&folder.path().join("backup.tar"), &data));
    }
}
