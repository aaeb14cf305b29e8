//! `kassa doctor`: what is amiss, and what to do about it.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::commands::{CommandOutput, kassa, run_command};
use crate::server::Server;
use crate::tenant::TestDatabase;

fn doctor(data: &Path) -> Command {
    let mut command = kassa();
    command.arg("doctor").arg("--data").arg(data);
    command
}

/// The finding about a thing, without the line that says what to do.
#[track_caller]
fn finding<'a>(output: &'a CommandOutput, subject: &str) -> &'a str {
    let is_about = |line: &&str| line.get(8..).is_some_and(|line| line.starts_with(&format!("{subject}: ")));
    output.stdout.lines().find(is_about).unwrap_or_else(|| panic!("nothing on {subject}: {output:?}"))
}

/// Each problem says what to do, and makes the exit status.
#[track_caller]
fn assert_consistent(output: &CommandOutput) {
    let lines: Vec<&str> = output.stdout.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let next_is_advice = lines.get(at + 1).is_some_and(|line| line.starts_with("        to do: "));
        assert_eq!(line.starts_with("PROBLEM "), next_is_advice, "{output:?}");
    }
    let has_problems = lines.iter().any(|line| line.starts_with("PROBLEM "));
    assert_eq!(output.status.code(), Some(i32::from(has_problems)), "{output:?}");
    assert_eq!(output.stderr, "");
}

#[test]
fn a_data_folder_is_looked_at_while_its_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let output = run_command(&mut doctor(&data), "");
    assert_consistent(&output);
    assert!(finding(&output, "database").starts_with("?       "), "{output:?}");
    let server = Server::start(&data);
    let output = run_command(&mut doctor(&data), "");
    assert_consistent(&output);
    for subject in ["settings", "data folder", "database", "mails"] {
        assert!(finding(&output, subject).starts_with("ok      "), "{output:?}");
    }
    assert!(finding(&output, "database").contains("journal_mode wal"), "{output:?}");
    fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).unwrap();
    let output = run_command(doctor(&data).args(["--smtp-host", "mail.example.org"]), "");
    assert_consistent(&output);
    assert!(finding(&output, "settings").contains("--mail-from"), "{output:?}");
    assert!(finding(&output, "data folder").starts_with("PROBLEM "), "{output:?}");
    assert_eq!(output.status.code(), Some(1));
    server.stop();
}

#[test]
fn old_backups_are_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    let (data, backups) = (folder.path().join("data"), folder.path().join("backups"));
    let look = || {
        let output = run_command(doctor(&data).arg("--backups").arg(&backups), "");
        assert_consistent(&output);
        finding(&output, "backups").to_owned()
    };
    assert!(look().contains("No such file"), "{}", look());
    fs::create_dir(&backups).unwrap();
    // What a killed backup has left is none.
    fs::write(backups.join("kassa.tar.part"), "half").unwrap();
    assert!(look().starts_with("PROBLEM backups: there is none"), "{}", look());
    fs::write(backups.join("kassa.tar"), "whole").unwrap();
    assert!(look().starts_with("ok      backups: the newest"), "{}", look());
    let file = File::options().write(true).open(backups.join("kassa.tar")).unwrap();
    let age = Duration::from_hours(26) + Duration::from_mins(1);
    file.set_modified(SystemTime::UNIX_EPOCH + now().checked_sub(age).unwrap()).unwrap();
    assert!(look().starts_with("PROBLEM backups: the newest") && look().ends_with("26 hours old"), "{}", look());
}

#[test]
fn backups_that_a_server_makes_are_found_by_its_settings() {
    let folder = tempfile::tempdir().unwrap();
    let (data, place) = (folder.path().join("data"), folder.path().join("backups"));
    let look = || {
        let mut command = doctor(&data);
        command.args(["--backup-every", "1h", "--backup-to"]).arg(&place);
        let output = run_command(&mut command, "");
        assert_consistent(&output);
        finding(&output, "backups").to_owned()
    };
    assert!(look().starts_with("PROBLEM ") && look().contains("No such file"), "{}", look());
    fs::create_dir(&place).unwrap();
    fs::write(place.join("kassa-0a1b2c3d-20200101T000000Z.tar.part"), "half").unwrap();
    assert!(look().contains("there is none"), "{}", look());
    fs::write(place.join("kassa-0a1b2c3d-20200101T000000Z.tar"), "old").unwrap();
    assert!(look().starts_with("PROBLEM backups: the newest"), "{}", look());
    let now = jiff::Timestamp::from_second(now().as_secs().try_into().unwrap()).unwrap();
    for (minutes, is_fine) in [(125, true), (135, false)] {
        for entry in fs::read_dir(&place).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        let at = now.checked_sub(jiff::SignedDuration::from_mins(minutes)).unwrap();
        fs::write(place.join(format!("kassa-0a1b2c3d-{}.tar", at.strftime("%Y%m%dT%H%M%SZ"))), "whole").unwrap();
        assert_eq!(look().starts_with("ok      backups: "), is_fine, "{}", look());
    }
}

/// Since 1970.
fn now() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Realtime);
    Duration::from_secs(now.tv_sec.unsigned_abs())
}

#[test]
fn a_database_on_a_server_is_looked_at() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let server = Server::run(&mut tenant.serve(folder.path()));
    let mut command = doctor(folder.path());
    command.env("KASSA_DATABASE", tenant.url());
    let output = run_command(&mut command, "");
    assert_consistent(&output);
    assert!(finding(&output, "database").contains("PostgreSQL "), "{output:?}");
    for subject in ["connections", "mails"] {
        assert!(output.stdout.contains(&format!(" {subject}: ")), "{output:?}");
    }
    assert!(output.stdout.contains("fsync is o"), "{output:?}");
    tenant.block_connections();
    let output = run_command(&mut command, "");
    assert_consistent(&output);
    assert!(finding(&output, "database").starts_with("PROBLEM "), "{output:?}");
    tenant.allow_connections();
    server.stop();
}

#[test]
fn the_version_says_how_it_was_built() {
    let output = run_command(kassa().arg("--version"), "");
    let (name, build) = output.stdout.trim_end().split_once(" (").unwrap();
    assert_eq!(name, concat!("kassa ", env!("CARGO_PKG_VERSION")));
    assert!(build.ends_with(')') && build.len() > 1, "{output:?}");
}
