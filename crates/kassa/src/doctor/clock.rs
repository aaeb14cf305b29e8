//! Whether the clock is kept right.

use std::process::Command;

use super::finding::Finding;

/// Asks systemd, which knows of whatever sets the clock.
pub(super) fn look() -> Finding {
    let mut ask = Command::new("timedatectl");
    ask.args(["show", "--property=NTPSynchronized", "--value"]);
    match ask.output() {
        Ok(answer) if answer.status.success() => finding(String::from_utf8_lossy(&answer.stdout).trim()),
        Ok(_) | Err(_) => Finding::unknown("clock", "nobody could be asked whether it is kept right (timedatectl)"),
    }
}

fn finding(is_synchronized: &str) -> Finding {
    match is_synchronized {
        "yes" => Finding::fine("clock", "it is kept right"),
        "no" => Finding::problem(
            "clock",
            "it is not synchronized",
            "turn NTP on, as by timedatectl set-ntp true: holds end and sales begin by the clock",
        ),
        other => Finding::unknown("clock", format!("timedatectl says {other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_nobody_sets_is_a_problem() {
        assert!(finding("no").is_problem());
        assert!(!finding("yes").is_problem() && !finding("").is_problem());
    }
}
