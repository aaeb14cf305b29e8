//! How old the newest backup is.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::finding::Finding;
use super::machine::now_s;
use crate::backups::BackupPlace;
use crate::error::Fatal;

/// A newest backup that is older is a problem, in seconds, unless it is known how often one is made: one a day, and the
/// time that it takes.
const SECONDS_MAX: i64 = 25 * 3_600;
/// The time that one takes, beside twice the time after which the next is due.
const SPARE_SECONDS: i64 = 600;

/// Those that a server makes, by its settings: where, and how often.
pub(super) async fn look(place: Result<Option<(BackupPlace, Option<Duration>)>, Fatal>) -> Finding {
    let (place, every) = match place {
        Ok(Some(found)) => found,
        Ok(None) => {
            let text = "none are made by the server (--backup-every, --backup-to); --backups says where others are";
            return Finding::unknown("backups", text);
        }
        Err(error) => return Finding::unknown("backups", error.to_string()),
    };
    let seconds_max = every.map_or(SECONDS_MAX, |every| {
        let every = i64::try_from(every.as_secs()).unwrap_or(i64::MAX / 4);
        2 * every + SPARE_SECONDS
    });
    let newest = place.list().await.map(|names| names.iter().map(|name| name.at.ms() / 1_000).max());
    finding(
        &place.to_string(),
        newest.map_err(|error| error.to_string()),
        seconds_max,
        "the log of the server says why",
    )
}

/// Whatever is in a folder.
pub(super) fn look_into(folder: &Path) -> Finding {
    let newest = newest(folder).map_err(|error| format!("{}: {error}", folder.display()));
    let advice = "make one: kassa backup FILE, every day at least, or let the server make them (--backup-every)";
    finding(&folder.display().to_string(), newest, SECONDS_MAX, advice)
}

/// What is to be said of a place whose newest backup is as of this time, in seconds since 1970.
fn finding(place: &str, newest: Result<Option<i64>, String>, seconds_max: i64, advice: &str) -> Finding {
    match newest {
        Ok(Some(made_at)) => {
            let age = (now_s() - made_at).max(0);
            let text = match age {
                ..7_200 => format!("the newest in {place} is {} minutes old", age / 60),
                7_200.. => format!("the newest in {place} is {} hours old", age / 3_600),
            };
            if age > seconds_max { Finding::problem("backups", text, advice) } else { Finding::fine("backups", text) }
        }
        Ok(None) => Finding::problem("backups", format!("there is none in {place}"), advice),
        Err(error) => Finding::problem("backups", error, advice),
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
