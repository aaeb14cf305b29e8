//! Checks of this repository that the compiler does not make.
//!
//! `cargo run -p xtask -- tidy` runs them all; `cargo nextest run` does so, too. `cargo run --release -p xtask --
//! simulate` builds the simulation and runs it, and `cargo run -p xtask -- package` makes packages.

mod dependency_order;
mod file_style;
mod finding;
mod floors;
mod imports;
mod links;
mod manifest;
mod name_scopes;
mod package;
mod source_code;
mod tidy;
mod tree;
mod type_names;

use std::process::{Command, ExitCode};

use tree::Tree;

const USAGE: &str = "usage: cargo run -p xtask -- tidy
       cargo run --release -p xtask -- simulate [--seeds N] [--ops M] [--help]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [task] if task == "tidy" => tidy(),
        [task, rest @ ..] if task == "simulate" => simulate(rest),
        [task, rest @ ..] if task == "package" => match package::run(rest) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("package: {error}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("{USAGE}\n       {}", package::USAGE);
            ExitCode::from(2)
        }
    }
}

fn tidy() -> ExitCode {
    let tree = match Tree::of_repository() {
        Ok(tree) => tree,
        Err(error) => {
            eprintln!("tidy: the repository cannot be read: {error}");
            return ExitCode::FAILURE;
        }
    };
    let findings = tidy::check(&tree);
    for finding in &findings {
        eprintln!("{finding}");
    }
    if findings.is_empty() {
        println!("tidy: {} files, nothing found", tree.files.len());
        ExitCode::SUCCESS
    } else {
        eprintln!("tidy: {} found", findings.len());
        ExitCode::FAILURE
    }
}

/// Runs the simulation, built as this program was: it is not part of it, so that `tidy` need not build the engine.
fn simulate(arguments: &[String]) -> ExitCode {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--package", "kassa-simulation"]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    match cargo.arg("--").args(arguments).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("simulate: cargo does not run: {error}");
            ExitCode::FAILURE
        }
    }
}
