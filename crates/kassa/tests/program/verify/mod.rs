//! `kassa verify`: all that can be counted is counted again. PostgreSQL is given some of the damages, as what is counted is
//! the same and only the way of the rows differs; `KASSA_DAMAGES_STEP=1` gives it all.

mod damages;
mod online;

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use kassa_store::sqlite::scratch;
use tempfile::TempDir;

use crate::commands::{CommandOutput, kassa, kassa_copy, kassa_demo, run_command};
use crate::server::Server;
use crate::tenant::TestDatabase;
use damages::{DAMAGES, Damage};

/// Of so many damages PostgreSQL is given one.
const DAMAGES_STEP: usize = 4;

/// `kassa verify` of this folder, as fast as it goes.
pub(crate) fn kassa_verify(data: &Path) -> Command {
    let mut command = kassa();
    command.args(["verify", "--share", "100", "--data"]).arg(data);
    command
}

/// Sees that a database holds what it should.
#[track_caller]
pub(crate) fn assert_no_mismatch(verify: &mut Command) {
    let ended = run_command(verify, "");
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert!(ended.stdout.starts_with("all agrees: "), "{ended:?}");
}

/// An installation in which everything has happened once.
fn demo() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    Server::run(&mut kassa_demo(folder.path())).stop();
    assert_no_mismatch(&mut kassa_verify(folder.path()));
    folder
}

/// Sees that each damage is told, by a line that names the finding.
#[track_caller]
fn assert_each_damage_is_reported(damages: &[&Damage], verify_after: impl Fn(&str) -> CommandOutput) {
    let tells = |(damage, (what, part)): &Damage| {
        let ended = verify_after(damage);
        let (head, tail) = (format!("{what} "), format!(": {part}: expected "));
        let is_told = ended.stdout.lines().any(|line| line.starts_with(&head) && line.contains(&tail));
        let is_seen = is_told && ended.status.code() == Some(1);
        if !is_seen {
            eprintln!("no {what}: {part} after {damage}: {ended:#?}");
        }
        is_seen
    };
    let unseen: Vec<&Damage> = damages.iter().copied().filter(|damage| !tells(damage)).collect();
    assert_eq!(unseen, Vec::<&Damage>::new());
}

#[test]
fn every_damage_of_a_file_is_found() {
    let demo = demo();
    assert_each_damage_is_reported(&DAMAGES.iter().collect::<Vec<_>>(), |damage| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("kassa.db");
        fs::copy(demo.path().join("kassa.db"), &file).unwrap();
        scratch::execute_unchecked(&file, damage);
        run_command(&mut kassa_verify(folder.path()), "")
    });
}

#[test]
fn damages_of_a_database_on_postgres_are_found() {
    let (demo, tenant) = (demo(), TestDatabase::new());
    let copied = run_command(&mut kassa_copy(demo.path(), tenant.url()), "");
    assert!(copied.status.success(), "{copied:?}");
    let verify = || {
        let mut command = kassa_verify(demo.path());
        command.env("KASSA_DATABASE", tenant.url());
        command
    };
    assert_no_mismatch(&mut verify());
    let of_each = |what: &str| each_table(tenant.name(), what);
    tenant.execute_as_owner(&without_checks(tenant.name()));
    tenant.execute_as_owner(&of_each("CREATE TABLE kept_%1$s AS TABLE %1$s"));
    let step = env::var("KASSA_DAMAGES_STEP").map_or(DAMAGES_STEP, |text| text.parse().unwrap());
    assert_each_damage_is_reported(&DAMAGES.iter().step_by(step).collect::<Vec<_>>(), |damage| {
        tenant.execute_as_owner(&format!("SET search_path TO {}; {damage}", tenant.name()));
        let ended = run_command(&mut verify(), "");
        tenant.execute_as_owner(&of_each("DELETE FROM %1$s; INSERT INTO %1$s SELECT * FROM kept_%1$s"));
        ended
    });
    assert_no_mismatch(&mut verify());
}

#[test]
fn an_unreadable_database_is_not_a_mismatch() {
    let folder = tempfile::tempdir().unwrap();
    let nothing = run_command(&mut kassa_verify(&folder.path().join("nothing")), "");
    let foreign =
        run_command(kassa_verify(folder.path()).env("KASSA_DATABASE", "postgres://nobody@127.0.0.1:1/none"), "");
    fs::write(folder.path().join("kassa.db"), "this is no database, and long enough to be seen as none").unwrap();
    let broken = run_command(&mut kassa_verify(folder.path()), "");
    for ended in [nothing, foreign, broken] {
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(3), ""), "{ended:?}");
        assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    }
}

/// Takes all CHECK constraints away.
fn without_checks(schema: &str) -> String {
    let of_schema = format!("c.contype = 'c' AND n.nspname = '{schema}'");
    format!(
        "DO $$ DECLARE r record; BEGIN
            FOR r IN SELECT c.conname, c.conrelid::regclass AS owner FROM pg_constraint AS c
                JOIN pg_namespace AS n ON n.oid = c.connamespace WHERE {of_schema}
            LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', r.owner, r.conname); END LOOP;
        END $$"
    )
}

/// A statement for each table of the house.
fn each_table(schema: &str, statement: &str) -> String {
    let of_house = format!("schemaname = '{schema}' AND tablename NOT LIKE 'kassa%' AND tablename NOT LIKE 'kept%'");
    format!(
        "SET search_path TO {schema}; DO $$ DECLARE r record; BEGIN
            FOR r IN SELECT tablename FROM pg_tables WHERE {of_house}
            LOOP EXECUTE format('{statement}', r.tablename); END LOOP;
        END $$"
    )
}
