//! `kassa verify`: all that can be counted is counted again.

mod damages;
mod online;

use std::fs;
use std::path::Path;
use std::process::Command;

use kassa_store::sqlite::scratch;
use tempfile::TempDir;

use crate::commands::{CommandOutput, kassa, kassa_copy, kassa_demo, run_command};
use crate::server::Server;
use crate::tenant::TestDatabase;
use damages::{DAMAGES, DAMAGES_OF_FILES, Damage};

/// How many damages are made before all is counted again.
const DAMAGES_TOGETHER: usize = 8;

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

/// Sees that each damage is told, by a line that names the finding. Some are made together, each to another part of the
/// database; what is not told then is made alone.
#[track_caller]
fn assert_each_damage_is_reported(damages: &[Damage], verify_after: impl Fn(&[&Damage]) -> CommandOutput) {
    let groups = damages.len().div_ceil(DAMAGES_TOGETHER);
    let mut unseen: Vec<&Damage> = Vec::new();
    for group in 0..groups {
        // Neighbours in the list are of one table.
        let together: Vec<&Damage> = damages.iter().skip(group).step_by(groups).collect();
        let ended = verify_after(&together);
        unseen.extend(together.into_iter().filter(|damage| !tells(&ended, damage)));
    }
    unseen.retain(|damage| {
        let ended = verify_after(&[damage]);
        let is_seen = tells(&ended, damage);
        if !is_seen {
            eprintln!("{damage:?}: {ended:#?}");
        }
        !is_seen
    });
    assert_eq!(unseen, Vec::<&Damage>::new());
}

/// Whether an output names the finding of a damage.
fn tells(ended: &CommandOutput, (_, (what, part)): &Damage) -> bool {
    let (head, tail) = (format!("{what} "), format!(": {part}: expected "));
    let is_told = ended.stdout.lines().any(|line| line.starts_with(&head) && line.contains(&tail));
    is_told && ended.status.code() == Some(1)
}

#[test]
fn every_damage_of_a_file_is_found() {
    let demo = demo();
    assert_each_damage_is_reported(&[DAMAGES, DAMAGES_OF_FILES].concat(), |damages| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("kassa.db");
        fs::copy(demo.path().join("kassa.db"), &file).unwrap();
        for (damage, _) in damages {
            scratch::execute_unchecked(&file, damage);
        }
        run_command(&mut kassa_verify(folder.path()), "")
    });
}

#[test]
fn every_damage_of_a_database_on_postgres_is_found() {
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
    assert_each_damage_is_reported(DAMAGES, |damages| {
        for (damage, _) in damages {
            tenant.execute_as_owner(&format!("SET search_path TO {}; {damage}", tenant.name()));
        }
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
