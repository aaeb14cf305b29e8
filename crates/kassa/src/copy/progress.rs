//! How far a copy is, on standard error: one line that changes on a terminal, and a line now and then elsewhere.

use std::io::{self, IsTerminal as _, Write as _};

use kassa_store::installation_copy::{CopyProgress, CopyStage};

/// Lines that a table has at most where lines stay.
const LINES_PER_TABLE_MAX: u64 = 10;

/// What was shown last.
pub(super) struct ProgressDisplay {
    is_terminal: bool,
    last_shown: Option<(CopyStage, &'static str, u64)>,
}

impl ProgressDisplay {
    pub(super) fn new() -> Self {
        Self { is_terminal: io::stderr().is_terminal(), last_shown: None }
    }

    pub(super) fn show(&mut self, progress: CopyProgress) {
        let CopyProgress { stage, table, done, total } = progress;
        // Of an empty table there is nothing to show.
        let Some(part) = (done * LINES_PER_TABLE_MAX).checked_div(total) else { return };
        let now = Some((stage, table, part));
        let is_news = done > 0 && self.last_shown != now;
        if !(is_news || self.is_terminal) {
            return;
        }
        self.last_shown = now;
        let word = match stage {
            CopyStage::Copying => "copying",
            CopyStage::Verifying => "verifying",
        };
        let line = format!("{word} {table}: {done} of {total} rows ({} %)", done * 100 / total);
        if self.is_terminal {
            eprint!("\r\x1b[2K{line}{}", if done == total { "\n" } else { "" });
            // A line that is not seen yet is seen with the next.
            let _ = io::stderr().flush();
        } else {
            eprintln!("{line}");
        }
    }
}
