//! How far the log was shipped, as noted in the data folder: a server that starts anew goes on from there.

use std::fs;
use std::io;
use std::path::Path;

use kassa_store::sqlite::LogPosition;

use super::name::LineName;

const FILE: &str = "log-shipping";
const DRAFT: &str = "log-shipping.new";

/// How far the log was shipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(super) line: LineName,
    /// Of the last segment.
    pub(super) number: u32,
    /// Where it ends.
    pub(crate) position: LogPosition,
}

impl Progress {
    /// What was noted last; `None` if that is not known, and another line begins.
    pub(crate) fn read(data: &Path) -> io::Result<Option<Self>> {
        match fs::read_to_string(data.join(FILE)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            text => Ok(Self::parse(&text?)),
        }
    }

    /// Notes it. If that is lost, as with the power, another line begins: nothing wrong is told.
    pub(super) fn write(&self, data: &Path) -> io::Result<()> {
        let Self { line, number, position } = self;
        let text = format!("{} {} {number} {position}\n", line.installation, line.line);
        fs::write(data.join(DRAFT), text)?;
        fs::rename(data.join(DRAFT), data.join(FILE))
    }

    fn parse(text: &str) -> Option<Self> {
        let mut words = text.strip_suffix('\n')?.split(' ').map(str::to_owned);
        let line = LineName { installation: words.next()?, line: words.next()? };
        let found = Self { line, number: words.next()?.parse().ok()?, position: words.next()?.parse().ok()? };
        words.next().is_none().then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_read_as_it_was_noted_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Progress::read(folder.path()).unwrap(), None);
        let line = LineName { installation: "3f9a2c1d".into(), line: "0badcafe".into() };
        let position = "00000001ffffffff-17-000000ab00000002".parse().unwrap();
        let progress = Progress { line, number: 21, position };
        progress.write(folder.path()).unwrap();
        assert_eq!(Progress::read(folder.path()).unwrap(), Some(progress));
        let written = fs::read_to_string(folder.path().join(FILE)).unwrap();
        for torn in ["", &written[..written.len() - 1], &written[..20]] {
            fs::write(folder.path().join(FILE), torn).unwrap();
            assert_eq!(Progress::read(folder.path()).unwrap(), None, "{torn:?}");
        }
    }
}
