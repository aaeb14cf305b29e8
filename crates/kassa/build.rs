//! What `kassa --version` says of a build: its commit and its profile, and nothing else that could differ between two
//! builds of the same commit.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=KASSA_COMMIT");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let profile = profile();
    // A build for development is one of whatever lies there, and would be made anew at each commit.
    let commit = env::var("KASSA_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = commit.or_else(|| (profile != "debug").then(git_commit).flatten());
    let build = commit.map_or_else(|| profile.clone(), |commit| format!("{commit}, {profile}"));
    println!("cargo::rustc-env=KASSA_VERSION={version} ({build})");
}

/// By the folder that is built in, which has its name: `PROFILE` knows only the two that all others are made of.
fn profile() -> String {
    let folder = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    let name = folder.ancestors().nth(3).and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "unknown profile".to_owned())
}

/// The commit that is checked out; none where this is no repository.
fn git_commit() -> Option<String> {
    let head = git(&["rev-parse", "--short=12", "HEAD"])?;
    for name in ["HEAD", "logs/HEAD"] {
        let file = git(&["rev-parse", "--git-path", name])?;
        println!("cargo::rerun-if-changed={file}");
    }
    Some(head)
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}
