//! Checks of this repository that the compiler does not make.
//!
//! `cargo run -p xtask -- tidy` runs them all; `cargo nextest run` does so, too.

mod arrows;
mod code;
mod finding;
mod links;
mod manifest;
mod names;
mod shape;
mod tidy;
mod tree;

use std::process::ExitCode;

use tree::Tree;

const USAGE: &str = "usage: cargo run -p xtask -- tidy";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [task] if task == "tidy" => tidy(),
        _ => {
            eprintln!("{USAGE}");
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
