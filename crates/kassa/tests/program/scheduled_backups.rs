//! Backups that a server makes so often, or a command beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::backup::{assert_whole, kassa_restore, run_successfully};
use crate::buyers::{request_order, sell_out};
use crate::client::Client;
use crate::commands::{kassa, kassa_serve, run_command, wait_for_output};
use crate::crashes::configured_cycles;
use crate::metrics::read_sample;
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;
use crate::tenant::TestDatabase;
use crate::verify::{assert_no_mismatch, kassa_verify};
use crate::waiting::{assert_stays, wait_for};

/// How often a server is killed in the middle of a backup, unless `KASSA_CRASH_CYCLES` says.
const KILLS: usize = 2;
/// How far a backup has come when its server is killed: which file is there, and how long it is at least.
const MOMENTS: [(&str, u64); 5] = [("db", 0), ("db", 1_000_000), ("part", 0), ("part", 1_000_000), ("tar", 0)];

/// Makes a server one that makes backups.
fn with_backups<'a>(serve: &'a mut Command, every: &str, keep: &str, to: &Path) -> &'a mut Command {
    serve.args(["--backup-every", every, "--backup-keep", keep, "--backup-to"]).arg(to)
}

/// The backups in a folder, the newest last.
pub(crate) fn backups_in(folder: &Path) -> Vec<PathBuf> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut backups: Vec<PathBuf> = names.filter(|path| path.extension().is_some_and(|end| end == "tar")).collect();
    backups.sort();
    backups
}

/// How many backups this server has made.
#[track_caller]
pub(crate) fn count_made(server: &Server) -> u64 {
    let count = read_sample(&Client::anonymous(&server.ops), "kassa_backups_made_total").unwrap();
    // A whole number is written as one.
    count.to_string().parse().unwrap()
}

#[track_caller]
fn wait_for_backups(server: &Server, count: u64) {
    let before = count_made(server);
    wait_for("backups are made", || (count_made(server) >= before + count).then_some(()));
}

/// Which installation a backup is of.
fn installation_digits(backup: &Path) -> String {
    backup.file_name().unwrap().to_str().unwrap().split('-').nth(1).unwrap().to_owned()
}

#[test]
fn a_server_makes_backups_while_it_sells_and_keeps_only_some() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new, place] = ["old", "new", "backups"].map(|name| folder.path().join(name));
    fs::create_dir(&place).unwrap();
    let server = Server::run(with_backups(&mut kassa_serve(&old), "1s", "1h", &place));
    let sale = Sale::open(&server, 20_000);
    let mut before = 0;
    let bought = sell_out(&server, &sale, |answered| {
        wait_for("orders are answered", || (answered.load(Ordering::Relaxed) >= 200).then_some(()));
        before = answered.load(Ordering::Relaxed);
        // The first of them may have begun before.
        wait_for_backups(&server, 2);
        let after = answered.load(Ordering::Relaxed);
        wait_for("orders are answered", || (answered.load(Ordering::Relaxed) > after).then_some(()));
    });
    let ops = Client::anonymous(&server.ops);
    let sample = |name: &str| read_sample(&ops, name).unwrap();
    assert_eq!((sample("kassa_backup_interval_seconds"), sample("kassa_backup_failures_total")), (1.0, 0.0));
    assert!(sample("kassa_backup_timestamp_seconds") > 1.7e9 && sample("kassa_backup_bytes") > 1e6);
    assert!(sample("kassa_backup_duration_seconds") > 0.0);
    server.stop();

    let backups = backups_in(&place);
    // One of each hour, and two where an hour has ended meanwhile.
    assert!((1..=2).contains(&backups.len()), "{backups:?}");
    let newest = backups.last().unwrap();
    assert_whole(newest);
    fs::create_dir(&new).unwrap();
    fs::copy(old.join("secret"), new.join("secret")).unwrap();
    run_successfully(&mut kassa_restore(newest, &new));
    assert_no_mismatch(&mut kassa_verify(&new));
    let server = Server::start(&new);
    let snapshot = SalesSnapshot::read(&server, &sale);
    snapshot.assert_consistent();
    let orders = snapshot.orders.len();
    assert!((before..=bought.len()).contains(&orders), "{before} {orders} {}", bought.len());
    request_order(&sale.client(&server), &sale, 1, false).unwrap().success_body();
    server.stop();
}

#[test]
fn a_place_that_is_away_is_told_once_and_used_when_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let [data, place] = ["data", "backups"].map(|name| folder.path().join(name));
    let server = Server::run(with_backups(&mut kassa_serve(&data), "1s", "24h", &place));
    let ops = Client::anonymous(&server.ops);
    let failures = || read_sample(&ops, "kassa_backup_failures_total").unwrap();
    wait_for("it was tried again", || (failures() >= 2.0).then_some(()));
    assert!(!place.exists(), "a disk that is not mounted is not replaced by a folder");
    fs::create_dir(&place).unwrap();
    wait_for_backups(&server, 1);
    fs::rename(&place, folder.path().join("away")).unwrap();
    let before = failures();
    wait_for("it is away again", || (failures() > before).then_some(()));
    fs::rename(folder.path().join("away"), &place).unwrap();
    wait_for_backups(&server, 1);
    let told = |text: &str| server.log().iter().filter(|line| line.contains(text)).count();
    // It is told once the claim was given back.
    wait_for("it is told that it is there again", || (told("backups can be made again") == 2).then_some(()));
    assert_eq!(told("there is no new backup"), 2, "{:?}", server.log());
    server.stop();
    assert_whole(backups_in(&place).last().unwrap());
}

#[test]
fn a_server_that_starts_anew_makes_none_too_many_and_removes_what_a_killed_one_has_left() {
    let folder = tempfile::tempdir().unwrap();
    let [data, place] = ["data", "backups"].map(|name| folder.path().join(name));
    fs::create_dir(&place).unwrap();
    let start = |every: &str| Server::run(with_backups(&mut kassa_serve(&data), every, "1h", &place));
    let server = start("1d");
    wait_for("the first is made", || (count_made(&server) == 1).then_some(()));
    server.stop();
    let [first] = backups_in(&place).try_into().unwrap();
    let digits = installation_digits(&first);

    let server = start("1d");
    let ops = Client::anonymous(&server.ops);
    wait_for("it has seen the first", || {
        (read_sample(&ops, "kassa_backup_timestamp_seconds").unwrap() > 0.0).then_some(())
    });
    assert_eq!(count_made(&server), 0);
    server.stop();
    assert_eq!(backups_in(&place), std::slice::from_ref(&first));

    // Another installation keeps its backups there, too, and somebody has put a file there.
    let of_others = ["kassa-ffffffff-20200101T000000Z.tar", "kassa-ffffffff-20200101T000000Z.tar.part", "monday.tar"];
    let left = ["tar.part", "tar.db"].map(|ending| format!("kassa-{digits}-20200101T000000Z.{ending}"));
    let superseded = format!("kassa-{digits}-20200101T000000Z.tar");
    for name in of_others.into_iter().chain(left.iter().map(String::as_str)).chain([superseded.as_str()]) {
        fs::write(place.join(name), "something").unwrap();
    }
    let server = start("1s");
    wait_for_backups(&server, 2);
    server.stop();
    for name in of_others {
        assert_eq!(fs::read(place.join(name)).unwrap(), b"something", "{name}");
    }
    for name in left.into_iter().chain([superseded]) {
        assert!(!place.join(&name).exists(), "{name}");
    }
}

#[test]
fn a_killed_server_leaves_no_half_backup_under_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let [data, place] = ["data", "backups"].map(|name| folder.path().join(name));
    fs::create_dir(&place).unwrap();
    let start = || Server::run(with_backups(&mut kassa_serve(&data), "1s", "10000h", &place));
    let server = start();
    Sale::open(&server, 20_000);
    let mut server = Some(server);
    for cycle in 0..configured_cycles("KASSA_CRASH_CYCLES", KILLS) {
        let running = server.take().unwrap_or_else(start);
        let (ending, bytes_min) = MOMENTS[cycle % MOMENTS.len()];
        let there = backups_in(&place).len();
        wait_for("a backup has come so far", || {
            let is_there = |path: &Path| {
                path.extension().is_some_and(|end| end == ending)
                    && fs::metadata(path).is_ok_and(|file| file.len() >= bytes_min)
            };
            let found = fs::read_dir(&place).unwrap().filter(|entry| is_there(&entry.as_ref().unwrap().path())).count();
            (found > if ending == "tar" { there } else { 0 }).then_some(())
        });
        running.process_id().kill();
        running.assert_killed();
        for backup in backups_in(&place) {
            assert_whole(&backup);
        }
    }
    let server = start();
    wait_for_backups(&server, 1);
    server.stop();
    assert_whole(backups_in(&place).last().unwrap());
}

#[test]
fn servers_of_one_database_share_the_work() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let [one, other, place] = ["one", "other", "backups"].map(|name| folder.path().join(name));
    fs::create_dir(&place).unwrap();
    let secret = "a secret that is long enough for it";
    let start = |data: &Path| {
        let mut serve = tenant.serve(data);
        Server::run(with_backups(serve.env("KASSA_SECRET", secret), "2s", "24h", &place))
    };
    let servers = [start(&one), start(&other)];
    let sale = Sale::open(&servers[0], 100);
    request_order(&sale.client(&servers[1]), &sale, 2, true).unwrap().success_body();
    let made = || servers.iter().map(count_made).sum::<u64>();
    let before = made();
    wait_for("backups are made", || (made() >= before + 2).then_some(()));
    // However often both look, and whoever makes it: there are as many as are due.
    let begun = backups_in(&place).len();
    assert_eq!(servers.iter().flat_map(Server::log).filter(|line| line.contains("there is no new backup")).count(), 0);
    for server in servers {
        server.stop();
    }
    assert!(begun >= 1);
    let backups = backups_in(&place);
    for backup in &backups {
        assert_whole(backup);
    }
    let into_folder = run_command(&mut kassa_restore(&backups[0], &folder.path().join("new")), "");
    into_folder.assert_failed_naming(&["dump of PostgreSQL", "--database"]);
    let onto_itself =
        run_command(kassa_restore(&backups[0], &folder.path().join("new")).env("KASSA_DATABASE", tenant.url()), "");
    onto_itself.assert_failed_naming(&["an installation already"]);
}

#[test]
fn a_claim_of_another_holds_up_backups_until_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let [data, place] = ["data", "backups"].map(|name| folder.path().join(name));
    fs::create_dir(&place).unwrap();
    Server::start(&data).stop();
    let claim = |till: &str| {
        let statement = format!(
            "INSERT OR REPLACE INTO installation_settings (name, value, version) VALUES ('backups', '7 {till}', 1)"
        );
        kassa_store::sqlite::scratch::execute_unchecked(&data.join("kassa.db"), &statement);
    };
    // Far in the future.
    claim("9999999999999");
    let server = Server::run(with_backups(&mut kassa_serve(&data), "1s", "24h", &place));
    assert_stays("nobody else makes any", Duration::from_secs(3), || backups_in(&place).is_empty());
    claim("1");
    wait_for_backups(&server, 1);
    server.stop();
}

#[test]
fn a_command_makes_backups_as_a_server_does() {
    let folder = tempfile::tempdir().unwrap();
    let [data, place] = ["data", "backups"].map(|name| folder.path().join(name));
    fs::create_dir(&place).unwrap();
    let backup = || {
        let mut command = kassa();
        command.arg("backup").arg("--data").arg(&data).arg("--to").arg(&place);
        command
    };
    run_command(&mut backup(), "").assert_failed_naming(&["no database"]);
    assert!(!data.exists(), "nothing is made of what is not there");
    let server = Server::start(&data);
    let sale = Sale::open(&server, 100);
    let made = run_successfully(&mut backup());
    let [first] = backups_in(&place).try_into().unwrap();
    assert!(made.stdout.contains(first.to_str().unwrap()), "{made:?}");
    let running = backup().args(["--every", "1s", "--keep", "1h"]).stderr(Stdio::piped()).spawn().unwrap();
    let process = Pid::from_child(&running);
    wait_for("the next is made, and the first goes", || {
        let there = backups_in(&place);
        (!there.is_empty() && there[0] != first).then_some(())
    });
    request_order(&sale.client(&server), &sale, 1, true).unwrap().success_body();
    kill_process(process, Signal::TERM).unwrap();
    let ended = wait_for_output(running);
    assert!(ended.status.success() && ended.stderr.contains("a backup was made"), "{ended:?}");
    server.stop();
    assert_whole(backups_in(&place).last().unwrap());
    run_command(kassa().arg("backup").arg("--data").arg(&data), "").assert_failed_naming(&["--to"]);
}

#[test]
fn settings_of_backups_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let check = |flags: &[&str]| run_command(kassa().args(["config", "check"]).args(flags), "");
    assert!(check(&["--backup-every", "1h", "--backup-to", "/backups"]).status.success());
    check(&["--backup-every", "1h"]).assert_failed_naming(&["--backup-to"]);
    let bucket = ["--backup-every", "1h", "--backup-to", "s3://backups/kassa"];
    check(&bucket).assert_failed_naming(&["KASSA_S3_ACCESS_KEY"]);
    for flags in [["--backup-every", "1w"], ["--backup-keep", "24"], ["--backup-to", "gs://backups"]] {
        let ended = check(&flags);
        assert!(ended.status.code() == Some(2) && ended.stderr.contains(flags[0]), "{ended:?}");
    }
    let file = folder.path().join("kassa.toml");
    fs::write(&file, "backup-every = '1h'\nbackup-to = '/backups'\nbackup-keep = '24h,7d'\n").unwrap();
    let shown = run_command(kassa().args(["config", "show", "--config"]).arg(&file), "");
    for line in ["backup-every = \"1h\"", "backup-to = \"/backups\"", "backup-keep = \"24h,7d\""] {
        assert!(shown.stdout.contains(line), "{shown:?}");
    }
}
