//! Other programs, and what they print.

use std::process::Command;

use super::Failure;

/// Runs a program to its end.
pub(super) fn run(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(|error| format!("{}: {error}", name(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{} failed: {status}", name(command)).into()) }
}

/// What a program prints.
pub(super) fn output_of(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(|error| format!("{}: {error}", name(command)))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} failed: {}: {}", name(command), output.status, said.trim()).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}
