//! What the backups of a schedule are called: `kassa-3f9a2c1d-20261125T230000Z.tar`.

use std::fmt;
use std::str::FromStr;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use kassa_domain::Timestamp;

const PREFIX: &str = "kassa-";
const ENDING: &str = ".tar";
const TIME_FORMAT: &str = "%Y%m%dT%H%M%SZ";

/// A backup of one installation, as of one second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BackupName {
    /// Tells installations apart that are kept in one place.
    pub(crate) installation: String,
    /// A whole second.
    pub(crate) at: Timestamp,
}

/// How the names of all backups of an installation begin.
pub(super) fn prefix_of(installation: &str) -> String {
    format!("{PREFIX}{installation}-")
}

impl fmt::Display for BackupName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = jiff::Timestamp::from_millisecond(self.at.ms()).map_err(|_| fmt::Error)?;
        write!(f, "{}{}{ENDING}", prefix_of(&self.installation), at.strftime(TIME_FORMAT))
    }
}

/// A name that no backup of a schedule has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ForeignName;

impl FromStr for BackupName {
    type Err = ForeignName;

    fn from_str(name: &str) -> Result<Self, ForeignName> {
        let inner = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(ENDING)).ok_or(ForeignName)?;
        let (installation, at) = inner.rsplit_once('-').ok_or(ForeignName)?;
        let at = DateTime::strptime(TIME_FORMAT, at).map_err(|_| ForeignName)?;
        let at = TimeZone::UTC.to_timestamp(at).map_err(|_| ForeignName)?;
        let found = Self { installation: installation.to_owned(), at: Timestamp::from_ms(at.as_millisecond()) };
        // Whatever is written in another way is not ours.
        if found.to_string() == name { Ok(found) } else { Err(ForeignName) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_it_is_written() {
        let text = "kassa-3f9a2c1d-20261125T230000Z.tar";
        let name: BackupName = text.parse().unwrap();
        assert_eq!(name, BackupName { installation: "3f9a2c1d".into(), at: Timestamp::from_ms(1_795_647_600_000) });
        assert_eq!(name.to_string(), text);
        assert!(text.starts_with(&prefix_of("3f9a2c1d")));
        for foreign in [
            "kassa-monday.tar",
            "kassa-3f9a2c1d-20261125T230000Z.tar.part",
            "kassa-3f9a2c1d-20261125T230000Z",
            "kassa-20261125T230000Z.tar",
            "kassa-3f9a2c1d-20261325T230000Z.tar",
            "kassa-3f9a2c1d-2026112T230000Z.tar",
            "kassa-3f9a2c1d- 20261125T230000Z.tar",
        ] {
            assert_eq!(foreign.parse::<BackupName>(), Err(ForeignName), "{foreign}");
        }
    }
}
