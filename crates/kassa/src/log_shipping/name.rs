//! What the files of lines are called. All begin with `kassa-log-`, the digits of the installation, and those of the line:
//!
//! - `…-00000017-1795647600250.pages`: a segment, its number, and when it was read, in milliseconds since 1970;
//! - `…-00000017.tar`: a backup, page by page, that has all that is in segments up to this number;
//! - `…-00000017-00000021-1795647602750.base`: says that this backup is complete, up to which segment all must be put into
//!   it at least, and when that was read.

use std::fmt;
use std::str::FromStr;

use kassa_domain::Timestamp;

const PREFIX: &str = "kassa-log-";
const SEGMENT_ENDING: &str = ".pages";
const ARCHIVE_ENDING: &str = ".tar";
const BASE_ENDING: &str = ".base";

/// A line of one installation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LineName {
    /// Tells installations apart that are kept in one place.
    pub(super) installation: String,
    /// Tells its lines apart: hexadecimal digits.
    pub(super) line: String,
}

/// A file of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineFile {
    pub(super) line: LineName,
    pub(super) kind: LineFileKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineFileKind {
    Segment { number: u32, at: Timestamp },
    Archive { from: u32 },
    Base(Base),
}

/// A backup that segments can be put into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Base {
    /// It has all that is in the segments up to this one.
    pub(super) from: u32,
    /// It may have some of what is in those up to this one.
    pub(super) up_to: u32,
    /// As of when the database can be made of it, at the earliest.
    pub(super) at: Timestamp,
}

/// A name that no file of a line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ForeignFile;

impl LineName {
    /// How the names of all files of an installation begin.
    pub(super) fn prefix_of(installation: &str) -> String {
        format!("{PREFIX}{installation}-")
    }

    pub(super) fn file(&self, kind: LineFileKind) -> LineFile {
        LineFile { line: self.clone(), kind }
    }
}

impl LineFile {
    pub(super) fn base(&self) -> Option<Base> {
        if let LineFileKind::Base(base) = self.kind { Some(base) } else { None }
    }

    pub(super) fn segment_number(&self) -> Option<u32> {
        if let LineFileKind::Segment { number, .. } = self.kind { Some(number) } else { None }
    }
}

impl fmt::Display for LineFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}-{}-", self.line.installation, self.line.line)?;
        match self.kind {
            LineFileKind::Segment { number, at } => write!(f, "{number:08}-{:013}{SEGMENT_ENDING}", at.ms()),
            LineFileKind::Archive { from } => write!(f, "{from:08}{ARCHIVE_ENDING}"),
            LineFileKind::Base(Base { from, up_to, at }) => {
                write!(f, "{from:08}-{up_to:08}-{:013}{BASE_ENDING}", at.ms())
            }
        }
    }
}

impl FromStr for LineFile {
    type Err = ForeignFile;

    fn from_str(name: &str) -> Result<Self, ForeignFile> {
        let inner = name.strip_prefix(PREFIX).ok_or(ForeignFile)?;
        let (inner, ending) = inner.rfind('.').map(|at| inner.split_at(at)).ok_or(ForeignFile)?;
        let parts: Vec<&str> = inner.split('-').collect();
        let number = |digits: &str| digits.parse::<u32>().map_err(|_| ForeignFile);
        let time = |digits: &str| digits.parse().map(Timestamp::from_ms).map_err(|_| ForeignFile);
        let (installation, line, kind) = match (parts.as_slice(), ending) {
            ([installation, line, own, at], SEGMENT_ENDING) => {
                (installation, line, LineFileKind::Segment { number: number(own)?, at: time(at)? })
            }
            ([installation, line, from], ARCHIVE_ENDING) => {
                (installation, line, LineFileKind::Archive { from: number(from)? })
            }
            ([installation, line, from, up_to, at], BASE_ENDING) => {
                let base = Base { from: number(from)?, up_to: number(up_to)?, at: time(at)? };
                (installation, line, LineFileKind::Base(base))
            }
            _ => return Err(ForeignFile),
        };
        let line = LineName { installation: (*installation).to_owned(), line: (*line).to_owned() };
        let found = line.file(kind);
        // Whatever is written in another way is not ours.
        if found.to_string() == name { Ok(found) } else { Err(ForeignFile) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_it_is_written() {
        let line = LineName { installation: "3f9a2c1d".into(), line: "0badcafe".into() };
        let at = Timestamp::from_ms(1_795_647_600_250);
        for (kind, text) in [
            (LineFileKind::Segment { number: 17, at }, "kassa-log-3f9a2c1d-0badcafe-00000017-1795647600250.pages"),
            (LineFileKind::Archive { from: 17 }, "kassa-log-3f9a2c1d-0badcafe-00000017.tar"),
            (
                LineFileKind::Base(Base { from: 17, up_to: 21, at }),
                "kassa-log-3f9a2c1d-0badcafe-00000017-00000021-1795647600250.base",
            ),
        ] {
            let file = line.file(kind);
            assert_eq!((file.to_string().as_str(), text.parse()), (text, Ok(file)));
        }
        for foreign in [
            "kassa-3f9a2c1d-20261125T230000Z.tar",
            "kassa-log-3f9a2c1d-0badcafe-00000017.tar.part",
            "kassa-log-3f9a2c1d-0badcafe-17-1795647600250.pages",
            "kassa-log-3f9a2c1d-0badcafe-00000017.pages",
            "kassa-log-3f9a2c1d-00000017-1795647600250-.pages",
        ] {
            assert_eq!(foreign.parse::<LineFile>(), Err(ForeignFile), "{foreign}");
        }
    }
}
