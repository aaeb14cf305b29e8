//! The outbox: with mail off, messages are files in a folder.

use std::fmt;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::tz::TimeZone;
use kassa_domain::Timestamp;

use super::{MailMessage, MailerError, SendError};

/// A folder of messages, each a file `<time>-<id>.eml`. Clones share it.
#[derive(Clone, Debug)]
pub struct Outbox {
    folder: Arc<Path>,
}

impl fmt::Display for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.folder.display().fmt(f)
    }
}

impl Outbox {
    /// In a folder.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.into() }
    }

    /// Makes the folder when it is not there. Others do not look into it: mails hold tokens and
    /// barcodes.
    pub(super) fn prepare(&self) -> Result<(), MailerError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&self.folder);
        made.map_err(|error| MailerError::Outbox(format!("{}: {error}", self.folder.display())))
    }

    pub(super) async fn send(&self, message: &MailMessage) -> Result<(), SendError> {
        let (outbox, message) = (self.clone(), message.clone());
        let written = tokio::task::spawn_blocking(move || outbox.write(&message)).await;
        written.map_err(|error| SendError::transient(&error))?.map_err(|error| {
            let folder = self.folder.display();
            SendError::transient(&format!("{folder}: {error}"))
        })
    }

    /// Writes the whole message or no file at all; it is on the disk then. A message that is written
    /// again replaces itself.
    fn write(&self, message: &MailMessage) -> io::Result<()> {
        let file = self.path(message);
        let draft = file.with_extension("new");
        let write = || {
            let mut out = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
            out.write_all(&message.bytes)?;
            out.sync_all()?;
            fs::rename(&draft, &file)?;
            File::open(&self.folder)?.sync_all()
        };
        write().inspect_err(|_| {
            // It may not exist; the first error is the one to report.
            let _ = fs::remove_file(&draft);
        })
    }

    fn path(&self, message: &MailMessage) -> PathBuf {
        self.folder.join(format!("{}-{}.eml", stamp(message.written_at), message.id))
    }
}

/// As `20260131T200000Z`.
fn stamp(at: Timestamp) -> String {
    let at = jiff::Timestamp::from_millisecond(at.ms()).unwrap_or_default();
    at.to_zoned(TimeZone::UTC).strftime("%Y%m%dT%H%M%SZ").to_string()
}
