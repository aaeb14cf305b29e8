//! How old the newest backup is.

use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use super::finding::Finding;
use super::machine::now_s;

/// A newest backup that is older is a problem, in hours: one a day, and the time that it takes.
const HOURS_MAX: i64 = 25;

pub(super) fn look(folder: Option<&Path>) -> Finding {
    let Some(folder) = folder else {
        return Finding::unknown("backups", "--backups says where they are, to see how old the newest is");
    };
    let advice = "make one: kassa backup FILE, or pg_dump, every day at least";
    match newest(folder) {
        Ok(Some(made_at)) => {
            let hours = (now_s() - made_at).max(0) / 3_600;
            let text = format!("the newest in {} is {hours} hours old", folder.display());
            if hours > HOURS_MAX { Finding::problem("backups", text, advice) } else { Finding::fine("backups", text) }
        }
        Ok(None) => Finding::problem("backups", format!("there is none in {}", folder.display()), advice),
        Err(error) => Finding::problem("backups", format!("{}: {error}", folder.display()), advice),
    }
}

/// When the newest whole file in it was written, in seconds since 1970.
fn newest(folder: &Path) -> io::Result<Option<i64>> {
    let mut newest = None;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (file, path) = (entry.metadata()?, entry.path());
        // Whatever is being made, or was left behind by one that was killed.
        let is_draft = path.extension().is_some_and(|end| end == "part" || end == "db");
        if file.is_file() && file.len() > 0 && !is_draft {
            let made = file.modified()?.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
            newest = newest.max(i64::try_from(made).ok());
        }
    }
    Ok(newest)
}
