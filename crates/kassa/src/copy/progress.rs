//! How far a copy is, on standard error: one line that changes on a terminal, and a line now and then elsewhere.

use std::io::{self, IsTerminal as _, Write as _};

use kassa_store::copying::{Progress, Stage};

/// Lines that a table has at most where lines stay.
const LINES: u64 = 10;

/// What was shown last.
pub(super) struct Shown {
    terminal: bool,
    last: Option<(Stage, &'static str, u64)>,
}

impl Shown {
    pub(super) fn new() -> Self {
        Self { terminal: io::stderr().is_terminal(), last: None }
    }

    pub(super) fn show(&mut self, progress: Progress) {
        let Progress { stage, table, done, total } = progress;
        // Of an empty table there is nothing to show.
        let Some(part) = (done * LINES).checked_div(total) else { return };
        let now = Some((stage, table, part));
        let is_news = done > 0 && self.last != now;
        if !(is_news || self.terminal) {
            return;
        }
        self.last = now;
        let word = match stage {
            Stage::Copying => "copying",
            Stage::Verifying => "verifying",
        };
        let line = format!("{word} {table}: {done} of {total} rows ({} %)", done * 100 / total);
        if self.terminal {
            eprint!("\r\x1b[2K{line}{}", if done == total { "\n" } else { "" });
            // A line that is not seen yet is seen with the next.
            let _ = io::stderr().flush();
        } else {
            eprintln!("{line}");
        }
    }
}
