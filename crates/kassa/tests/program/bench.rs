//! `kassa bench` when it does not come to its end.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};

use crate::commands::{kassa, run_command, wait_for_exit};

/// `kassa bench`, with this folder for what is temporary.
fn kassa_bench(temporary: &Path) -> Command {
    let mut command = kassa();
    command.arg("bench").arg("--quick").env("TMPDIR", temporary);
    command
}

/// The programs that run out of a folder or are given it.
fn running_in(folder: &Path) -> Vec<String> {
    let folder = folder.to_str().unwrap();
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    // One that has just ended cannot be read.
    let lines = processes.filter_map(|process| fs::read_to_string(process.path().join("cmdline")).ok());
    lines.filter(|line| line.contains(folder)).collect()
}

#[test]
fn a_bench_that_is_interrupted_leaves_nothing_behind() {
    for signal in [Signal::INT, Signal::TERM] {
        let temporary = tempfile::tempdir().unwrap();
        let mut bench = kassa_bench(temporary.path()).args(["--rows", "i"]).spawn().unwrap();
        let mut said = BufReader::new(bench.stderr.take().unwrap()).lines().map(Result::unwrap);
        said.find(|line| line.contains("seats, round 1")).unwrap();
        assert_eq!(running_in(temporary.path()).len(), 1, "a server runs");
        kill_process(Pid::from_child(&bench), signal).unwrap();
        assert_eq!(wait_for_exit(&mut bench).code(), Some(1));
        assert!(said.any(|line| line.starts_with("kassa: it was ")), "it says why it has ended");
        assert_eq!(running_in(temporary.path()), [] as [&str; 0]);
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0, "its folder is gone");
    }
}

#[test]
fn an_invalid_adapter_is_named() {
    let temporary = tempfile::tempdir().unwrap();
    let adapter = temporary.path().join("other.json");
    fs::write(&adapter, r#"{"name": "other", "order": {"method": "POST"}}"#).unwrap();
    let mut bench = kassa_bench(temporary.path());
    bench.arg("--adapter").arg(&adapter).args(["--url", "http://127.0.0.1:1"]);
    run_command(&mut bench, "").assert_failed_naming(&["other.json", "path"]);
}

#[test]
fn an_incomplete_big_database_is_not_resumed() {
    let (temporary, big) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(big.path().join("kassa.db"), "").unwrap();
    let mut bench = kassa_bench(temporary.path());
    bench.args(["--rows", "f", "--prepare"]).arg(big.path());
    run_command(&mut bench, "").assert_failed_naming(&["is not empty"]);
}

#[test]
fn what_needs_servers_of_its_own_is_left_out_beside_a_given_one() {
    let temporary = tempfile::tempdir().unwrap();
    let ran = run_command(kassa_bench(temporary.path()).args(["--rows", "b,k,l", "--url", "http://127.0.0.1:1"]), "");
    assert!(ran.status.success(), "{ran:?}");
    for row in ["b", "k", "l"] {
        assert!(ran.stderr.contains(&format!("{row} is left out")), "{ran:?}");
    }
}

#[test]
fn two_builds_are_measured_in_turns_and_compared() {
    let temporary = tempfile::tempdir().unwrap();
    let figures = temporary.path().join("figures.json");
    let mut bench = kassa_bench(temporary.path());
    bench
        .args([
            "--rows",
            "m",
            "--seconds",
            "1",
            "--rounds",
            "2",
            "--in-turns-with",
            env!("CARGO_BIN_EXE_kassa"),
            "--json",
        ])
        .arg(&figures);
    let ran = run_command(&mut bench, "");
    assert!(ran.status.success(), "{ran:?}");
    assert!(ran.stdout.contains("before") && ran.stdout.contains("gain"), "{ran:?}");
    let turns = ran.stderr.lines().filter(|line| line.contains("of 2: /")).count();
    assert_eq!(turns, 4, "each build has two rounds: {ran:?}");
    // What was written is what a later run is held against.
    let mut later = kassa_bench(temporary.path());
    later.args(["--rows", "m", "--seconds", "1", "--compare-with"]).arg(&figures);
    let ran = run_command(&mut later, "");
    assert!(ran.status.success() && ran.stdout.contains("pages of an event"), "{ran:?}");
}

#[test]
fn a_share_that_fell_too_far_fails_after_a_second_look() {
    let temporary = tempfile::tempdir().unwrap();
    let figures = temporary.path().join("figures.json");
    let row = r#"{"row": "m", "what": "pages of an event", "unit": "/s", "rounds": [[9.0, 0.001]]}"#;
    fs::write(&figures, format!(r#"{{"rows": [{row}]}}"#)).unwrap();
    let mut bench = kassa_bench(temporary.path());
    bench.args(["--rows", "m", "--seconds", "1", "--fall-at-most", "0.33", "--compare-with"]).arg(&figures);
    let ran = run_command(&mut bench, "");
    assert!(!ran.status.success() && ran.stderr.contains("measured once more"), "{ran:?}");
    assert!(ran.stderr.contains("kassa: m pages of an event fell from 9000 to"), "{ran:?}");
}

#[test]
fn figures_that_do_not_fit_are_named() {
    let temporary = tempfile::tempdir().unwrap();
    let figures = temporary.path().join("figures.json");
    let with_figures = |more: &[&str]| {
        let mut bench = kassa_bench(temporary.path());
        bench.args(["--rows", "m", "--seconds", "1"]).args(more).arg("--compare-with").arg(&figures);
        run_command(&mut bench, "")
    };
    with_figures(&[]).assert_failed_naming(&["figures.json"]);
    fs::write(&figures, r#"{"rows": []}"#).unwrap();
    let ran = with_figures(&[]);
    assert!(
        !ran.status.success() && ran.stderr.contains("nothing was measured that the other figures have"),
        "{ran:?}"
    );
    let alone = run_command(kassa_bench(temporary.path()).args(["--fall-at-most", "0.5"]), "");
    alone.assert_failed_naming(&["--compare-with"]);
    // A share of itself is below all of it.
    assert_eq!(with_figures(&["--fall-at-most", "33"]).status.code(), Some(2));
}
