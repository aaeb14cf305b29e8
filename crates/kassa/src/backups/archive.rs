//! The archive that a backup is.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};

use tar::{Archive, Builder, EntryType, Header};

use super::digest::{DigestReader, DigestWriter};

pub(crate) const FILES_ENTRY: &str = "files";
pub(crate) const COMPLETE_ENTRY: &str = "complete";
/// The line of the last entry that holds the digest of all before it begins so.
const DIGEST_LINE_PREFIX: &str = "sha256 ";
/// Longer than the last entry is, in bytes.
const COMPLETE_ENTRY_BYTES_MAX: u64 = 1_024;

/// Which kind of database an archive holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DatabaseKind {
    /// A database of SQLite.
    Sqlite,
    /// A dump of PostgreSQL, in the custom format of `pg_dump`.
    Postgres,
}

/// What an archive holds besides its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ArchiveEntry {
    Database(DatabaseKind),
    /// By its path, which begins with [`FILES_ENTRY`].
    Attachment(PathBuf),
}

/// What there was in an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ArchiveContents {
    pub(crate) database: DatabaseKind,
    /// How many attachments.
    pub(crate) files: u64,
}

/// What was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrittenArchive {
    pub(super) bytes: u64,
    pub(super) files: u64,
}

/// Why an archive is of no use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is no backup of Kassa: it holds {0:?}")]
    UnexpectedEntry(PathBuf),
    #[error("it is not complete: it breaks off before its end")]
    Truncated,
    #[error("it is damaged: it holds other bytes than were written")]
    Damaged,
    #[error("it holds no database")]
    NoDatabase,
}

impl DatabaseKind {
    /// What its entry is called.
    pub(crate) fn entry(self) -> &'static str {
        match self {
            Self::Sqlite => "kassa.db",
            Self::Postgres => "kassa.dump",
        }
    }
}

/// Writes the archive: the database, which is in this file, and the attachments below this folder, if they belong to it.
pub(super) fn write_archive<W: Write>(
    out: W,
    database: (DatabaseKind, &Path),
    attachments: Option<&Path>,
) -> io::Result<(W, WrittenArchive)> {
    let mut archive = Builder::new(DigestWriter::new(out));
    archive.append_path_with_name(database.1, database.0.entry())?;
    let files = attachments.map_or(Ok(0), |folder| append_files(&mut archive, folder))?;
    append_complete_entry(&mut archive)?;
    let mut out = archive.into_inner()?;
    out.flush()?;
    let written = WrittenArchive { bytes: out.length(), files };
    Ok((out.into_inner(), written))
}

/// Adds the bytes of attachments. A row never names bytes that are not there yet: those of the database, which was
/// copied before, are all among them, but for what was removed since.
fn append_files<W: Write>(archive: &mut Builder<DigestWriter<W>>, own: &Path) -> io::Result<u64> {
    let (mut count, mut folders) = (0, vec![own.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            // What is being uploaded has a `#` in its name.
            let is_whole = path.file_name().is_some_and(|name| !name.to_string_lossy().contains('#'));
            let mut file = match File::open(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                file => file?,
            };
            if file.metadata()?.is_dir() {
                folders.push(path);
            } else if is_whole {
                let name = path.strip_prefix(own).map_err(io::Error::other)?;
                archive.append_file(Path::new(FILES_ENTRY).join(name), &mut file)?;
                count += 1;
            }
        }
    }
    Ok(count)
}

fn append_complete_entry<W: Write>(archive: &mut Builder<DigestWriter<W>>) -> io::Result<()> {
    let digest = archive.get_ref().hex_digest();
    let text = format!("kassa {}\n{DIGEST_LINE_PREFIX}{digest}\n", env!("CARGO_PKG_VERSION"));
    let mut header = Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o600);
    archive.append_data(&mut header, COMPLETE_ENTRY, text.as_bytes())
}

/// Reads an archive from its beginning to its end, and hands each entry to `take`, as it comes. Only when that is over it is
/// known whether it is whole, and as it was written.
pub(crate) fn read_archive(
    archive: impl Read,
    mut take: impl FnMut(&ArchiveEntry, &mut dyn Read) -> io::Result<()>,
) -> Result<ArchiveContents, ArchiveError> {
    let (reader, digest) = DigestReader::new(BufReader::new(archive));
    let (mut files, mut database, mut is_complete) = (0, None, false);
    for entry in Archive::new(reader).entries()? {
        let mut entry = entry?;
        let path = entry.path()?.into_owned();
        if is_complete || entry.header().entry_type() != EntryType::Regular {
            return Err(ArchiveError::UnexpectedEntry(path));
        }
        if path == Path::new(COMPLETE_ENTRY) {
            let found = digest.hex_digest_before(entry.raw_header_position());
            let mut text = String::new();
            entry.by_ref().take(COMPLETE_ENTRY_BYTES_MAX).read_to_string(&mut text)?;
            let expected = text.lines().find_map(|line| line.strip_prefix(DIGEST_LINE_PREFIX));
            if expected.is_none() || expected != found.as_deref() {
                return Err(ArchiveError::Damaged);
            }
            is_complete = true;
            continue;
        }
        let found = ArchiveEntry::named(path).map_err(ArchiveError::UnexpectedEntry)?;
        match &found {
            ArchiveEntry::Database(kind) => database = Some(*kind),
            ArchiveEntry::Attachment(_) => files += 1,
        }
        let size = entry.size();
        let mut counted = CountingReader { inner: entry.by_ref().take(size), count: 0 };
        take(&found, &mut counted)?;
        io::copy(&mut counted, &mut io::sink())?;
        if counted.count != size {
            return Err(ArchiveError::Truncated);
        }
    }
    if !is_complete {
        return Err(ArchiveError::Truncated);
    }
    database.map(|database| ArchiveContents { database, files }).ok_or(ArchiveError::NoDatabase)
}

impl ArchiveEntry {
    /// What is called so; anything else is given back.
    fn named(path: PathBuf) -> Result<Self, PathBuf> {
        let kinds = [DatabaseKind::Sqlite, DatabaseKind::Postgres];
        match kinds.into_iter().find(|kind| path == Path::new(kind.entry())) {
            Some(kind) => Ok(Self::Database(kind)),
            None if is_attachment_path(&path) => Ok(Self::Attachment(path)),
            None => Err(path),
        }
    }
}

/// Whether it is below `files`, and leads nowhere else.
fn is_attachment_path(path: &Path) -> bool {
    let mut parts = path.components();
    parts.next() == Some(Component::Normal(FILES_ENTRY.as_ref()))
        && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Counts what is read.
struct CountingReader<R> {
    inner: R,
    count: u64,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.count += read as u64;
        Ok(read)
    }
}
