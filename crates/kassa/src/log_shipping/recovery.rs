//! What an installation as of some moment is made of: a base, and the segments behind it.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use kassa_domain::Timestamp;
use kassa_store::sqlite::PageFile;

use super::name::{Base, LineFile, LineFileKind, LineName};
use super::segment;
use crate::backups::{BackupError, BackupFile, BackupPlace, on_thread, read_bytes};
use crate::error::Fatal;

/// As of when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecoveryTime {
    /// As new as can be.
    Latest,
    At(Timestamp),
}

/// What an installation is made of.
#[derive(Clone, Debug)]
pub(crate) struct Recovery {
    place: BackupPlace,
    line: LineName,
    base: Base,
    segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    number: u32,
    at: Timestamp,
}

/// Why an installation cannot be made as of that moment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum NoRecovery {
    #[error("no log was shipped there")]
    Nothing,
    #[error("the logs of several installations were shipped there: {0}; keep each in a folder of its own")]
    Several(String),
    #[error("the oldest moment that can be restored is {0}")]
    TooOld(Moment),
    #[error("segment {missing} is missing: what can be restored ends at {last}")]
    Gap { missing: u32, last: Moment },
}

/// A moment, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment(pub(crate) Timestamp);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = jiff::Timestamp::from_millisecond(self.0.ms()).map_err(|_| fmt::Error)?;
        write!(f, "{at:.3}")
    }
}

impl FromStr for RecoveryTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "latest" {
            return Ok(Self::Latest);
        }
        let at: Result<jiff::Timestamp, _> = text.parse();
        let at = at.map_err(|_| "it must be latest, or a time such as 2026-11-25T20:15:00Z".to_owned())?;
        Ok(Self::At(Timestamp::from_ms(at.as_millisecond())))
    }
}

impl RecoveryTime {
    fn includes(self, at: Timestamp) -> bool {
        match self {
            Self::Latest => true,
            Self::At(wanted) => at <= wanted,
        }
    }
}

impl Recovery {
    /// Looks for what is needed.
    pub(crate) async fn find(place: &BackupPlace, to: RecoveryTime) -> Result<Self, Fatal> {
        let files: Vec<LineFile> = place.names().await?.iter().filter_map(|name| name.parse().ok()).collect();
        let (line, base, segments) = choose(&files, to).map_err(|error| format!("{place}: {error}"))?;
        Ok(Self { place: place.clone(), line, base, segments })
    }

    /// The backup that it begins with.
    pub(crate) fn base(&self) -> BackupFile {
        let archive = self.line.file(LineFileKind::Archive { from: self.base.from });
        self.place.file(&archive.to_string())
    }

    /// All that was committed until then is in it, but for what was not shipped; and nothing that was committed later.
    pub(crate) fn as_of(&self) -> Moment {
        Moment(self.segments.last().map_or(self.base.at, |segment| segment.at.max(self.base.at)))
    }

    /// Puts what was written later into the database of the base.
    pub(crate) async fn complete(&self, database: &Path) -> Result<(), BackupError> {
        for Segment { number, at } in &self.segments {
            let name = self.line.file(LineFileKind::Segment { number: *number, at: *at }).to_string();
            let file = self.place.file(&name);
            let bytes = read_bytes(&file).await?;
            let (database, file) = (database.to_owned(), file.to_string());
            let put = move || {
                let pages = segment::decode(&bytes).map_err(|error| BackupError::at(&file, &error))?;
                PageFile::open(&database)
                    .and_then(|target| target.put(&pages))
                    .map_err(|error| BackupError::at(&file, &error))
            };
            on_thread(put).await??;
        }
        let file = database.to_owned();
        let settled = on_thread(move || PageFile::open(&file)?.settle()).await?;
        settled.map_err(|error| BackupError::at(&database.display(), &error))
    }
}

/// The base, and the segments behind it, without a gap.
fn choose(files: &[LineFile], to: RecoveryTime) -> Result<(LineName, Base, Vec<Segment>), NoRecovery> {
    let mut installations: Vec<&str> = files.iter().map(|file| file.line.installation.as_str()).collect();
    installations.sort_unstable();
    installations.dedup();
    if installations.len() > 1 {
        return Err(NoRecovery::Several(installations.join(", ")));
    }
    let bases = || files.iter().filter_map(|file| Some((&file.line, file.base()?)));
    let oldest = bases().map(|(_, base)| base.at).min().ok_or(NoRecovery::Nothing)?;
    let newest = bases().filter(|(_, base)| to.includes(base.at)).max_by_key(|(_, base)| base.at);
    let (line, base) = newest.ok_or(NoRecovery::TooOld(Moment(oldest)))?;
    let of_line = files.iter().filter(|file| file.line == *line);
    let mut segments: Vec<Segment> = of_line
        .filter_map(|file| match file.kind {
            LineFileKind::Segment { number, at } => Some(Segment { number, at }),
            LineFileKind::Archive { .. } | LineFileKind::Base(_) => None,
        })
        .filter(|segment| segment.number > base.from)
        .filter(|segment| segment.number <= base.up_to || to.includes(segment.at))
        .collect();
    // One that was shipped again, since it was not noted that it was, has all that the first one has.
    segments.sort_unstable_by_key(|segment| (segment.number, segment.at));
    let (mut last, mut last_at) = (base.from, base.at);
    for segment in &segments {
        if segment.number > last + 1 {
            return Err(NoRecovery::Gap { missing: last + 1, last: Moment(last_at) });
        }
        (last, last_at) = (segment.number, last_at.max(segment.at));
    }
    if last < base.up_to {
        return Err(NoRecovery::Gap { missing: last + 1, last: Moment(base.at) });
    }
    Ok((line.clone(), base, segments))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    fn line(line: &str) -> LineName {
        LineName { installation: "3f9a2c1d".into(), line: line.into() }
    }

    fn segments(of: &LineName, numbers: impl IntoIterator<Item = u32>, ms: impl Fn(u32) -> i64) -> Vec<LineFile> {
        numbers.into_iter().map(|number| of.file(LineFileKind::Segment { number, at: at(ms(number)) })).collect()
    }

    fn base(of: &LineName, from: u32, up_to: u32, ms: i64) -> LineFile {
        of.file(LineFileKind::Base(Base { from, up_to, at: at(ms) }))
    }

    /// Two lines: the first has bases at 1,300 and 2,000, and ends at 3,000; the second has one at 5,000.
    fn two_lines() -> Vec<LineFile> {
        let (one, other) = (line("aaaaaaaa"), line("bbbbbbbb"));
        let mut files = vec![base(&one, 0, 3, 1_300), base(&one, 8, 10, 2_000), base(&other, 0, 0, 5_000)];
        files.extend(segments(&one, 1..=20, |number| 1_000 + 100 * i64::from(number)));
        files.extend(segments(&other, 1..=3, |number| 5_000 + 100 * i64::from(number)));
        files
    }

    fn chosen(files: &[LineFile], to: RecoveryTime) -> Result<(String, u32, Vec<u32>), String> {
        let chosen = choose(files, to).map_err(|error| error.to_string());
        chosen.map(|(line, base, segments)| {
            (line.line, base.from, segments.iter().map(|segment| segment.number).collect())
        })
    }

    #[test]
    fn a_moment_is_made_of_the_newest_base_before_it_and_what_follows() {
        for (to, expected) in [
            (RecoveryTime::At(at(1_300)), ("aaaaaaaa", 0, 1..=3)),
            (RecoveryTime::At(at(1_999)), ("aaaaaaaa", 0, 1..=9)),
            (RecoveryTime::At(at(2_000)), ("aaaaaaaa", 8, 9..=10)),
            (RecoveryTime::At(at(4_999)), ("aaaaaaaa", 8, 9..=20)),
            (RecoveryTime::At(at(5_250)), ("bbbbbbbb", 0, 1..=2)),
            (RecoveryTime::Latest, ("bbbbbbbb", 0, 1..=3)),
        ] {
            let (line, from, numbers) = expected;
            assert_eq!(chosen(&two_lines(), to), Ok((line.to_owned(), from, numbers.collect())), "{to:?}");
        }
    }

    #[test]
    fn what_cannot_be_made_says_what_can() {
        let before = RecoveryTime::At(at(1_299));
        assert_eq!(
            chosen(&two_lines(), before),
            Err("the oldest moment that can be restored is 1970-01-01T00:00:01.300Z".into())
        );
        assert_eq!(chosen(&[], RecoveryTime::Latest), Err("no log was shipped there".into()));
        let without = |gone: u32| {
            let is_gone = |file: &LineFile| matches!(file.kind, LineFileKind::Segment { number, .. } if number == gone);
            two_lines().into_iter().filter(|file| !is_gone(file)).collect::<Vec<_>>()
        };
        let to = RecoveryTime::At(at(2_500));
        let ends = |missing, last| {
            Err(format!("segment {missing} is missing: what can be restored ends at 1970-01-01T00:00:0{last}Z"))
        };
        assert_eq!(chosen(&without(13), to), ends(13, "2.200"));
        assert_eq!(chosen(&without(9), to), ends(9, "2.000"), "it may have some of what the base has");
        assert_eq!(chosen(&without(10), RecoveryTime::At(at(2_000))), ends(10, "2.000"));
        assert!(chosen(&without(13), RecoveryTime::At(at(2_200))).is_ok());
        let mut mixed = two_lines();
        mixed.push(LineFile {
            line: LineName { installation: "00000000".into(), line: "c".into() },
            ..base(&line("c"), 0, 0, 1)
        });
        assert!(
            chosen(&mixed, to).unwrap_err().contains("several installations were shipped there: 00000000, 3f9a2c1d")
        );
    }

    #[test]
    fn a_segment_that_was_shipped_twice_is_put_in_twice() {
        let mut files = two_lines();
        files.extend(segments(&line("bbbbbbbb"), [2], |_| 5_210));
        assert_eq!(chosen(&files, RecoveryTime::Latest), Ok(("bbbbbbbb".into(), 0, vec![1, 2, 2, 3])));
    }

    #[test]
    fn a_time_is_a_moment_or_the_latest() {
        assert_eq!("latest".parse(), Ok(RecoveryTime::Latest));
        let moment = at(1_795_647_600_250);
        assert_eq!("2026-11-25T23:00:00.25Z".parse(), Ok(RecoveryTime::At(moment)));
        assert_eq!(Moment(moment).to_string(), "2026-11-25T23:00:00.250Z");
        assert_eq!("2026-11-26T01:00:00.25+02:00".parse(), Ok(RecoveryTime::At(moment)));
        for text in ["", "yesterday", "2026-11-25", "2026-11-25T23:00:00"] {
            assert!(text.parse::<RecoveryTime>().is_err(), "{text}");
        }
    }
}
