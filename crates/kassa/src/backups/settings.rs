//! Flags of backups that are made so often.

use std::str::FromStr;
use std::time::Duration;

use clap::Args;

use super::place::BackupPlace;
use super::retention::Retention;
use super::schedule::BackupSchedule;
use super::source::BackupSource;
use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::files::FileStorageLocation;

/// Which backups are kept by default.
pub(crate) const RETENTION_DEFAULT: &str = "24h,7d,4w";

/// Flags of a server that makes backups.
#[derive(Clone, Debug, Args)]
pub(crate) struct BackupScheduleArguments {
    /// Makes a backup so often: a number of seconds, minutes, hours or days, such as `15m` or `1h`. One server of an
    /// installation at a time does it.
    #[arg(long = "backup-every", env = "KASSA_BACKUP_EVERY", value_name = "TIME")]
    every: Option<BackupInterval>,
    /// Where backups go: a folder that is there, or `s3://<bucket>/<prefix>`, at the service and with the keys of
    /// attachments.
    #[arg(long = "backup-to", env = "KASSA_BACKUP_TO", value_name = "PLACE")]
    to: Option<FileStorageLocation>,
    /// Which backups are kept: the newest of each of the last hours, days and weeks that have any.
    #[arg(long = "backup-keep", env = "KASSA_BACKUP_KEEP", value_name = "NUMBERS", default_value = RETENTION_DEFAULT)]
    keep: Retention,
}

/// How often backups are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BackupInterval(pub(crate) Duration);

impl FromStr for BackupInterval {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let malformed =
            || "it must be a number of seconds, minutes, hours or days, such as 90s, 15m, 1h or 1d".to_owned();
        let unit = text.chars().next_back().ok_or_else(malformed)?;
        let seconds: u32 = match unit {
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            'd' => 86_400,
            _ => return Err(malformed()),
        };
        let count: u32 = text[..text.len() - 1].parse().map_err(|_| malformed())?;
        if count == 0 {
            return Err(malformed());
        }
        Ok(Self(Duration::from_secs(u64::from(count) * u64::from(seconds))))
    }
}

impl BackupScheduleArguments {
    /// What is to be made, if anything.
    pub(crate) fn schedule(&self, place: &InstallationArguments) -> Result<Option<BackupSchedule>, Fatal> {
        let Some(BackupInterval(every)) = self.every else { return Ok(None) };
        let to = self.to.as_ref().ok_or("--backup-every needs --backup-to: where backups go")?;
        Ok(Some(BackupSchedule {
            source: BackupSource::of(place)?,
            place: BackupPlace::open(to, &place.files)?,
            every,
            keep: self.keep.clone(),
        }))
    }

    /// Where backups are to be found, and how often they are made, as far as that was said.
    pub(crate) fn place(
        &self,
        place: &InstallationArguments,
    ) -> Result<Option<(BackupPlace, Option<Duration>)>, Fatal> {
        let open = |to: &FileStorageLocation| {
            Ok((BackupPlace::open(to, &place.files)?, self.every.map(|interval| interval.0)))
        };
        self.to.as_ref().map(open).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_has_a_unit() {
        for (text, seconds) in [("1s", 1), ("15m", 900), ("1h", 3_600), ("2d", 172_800)] {
            assert_eq!(text.parse(), Ok(BackupInterval(Duration::from_secs(seconds))), "{text}");
        }
        for text in ["", "1", "h", "0h", "-1h", "1.5h", "1w", "1 h", "1ä"] {
            assert!(text.parse::<BackupInterval>().is_err(), "{text}");
        }
    }
}
