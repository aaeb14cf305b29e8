//! The files of a package, and archives of them that have the same bytes whenever they are made.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use flate2::{Compression, GzBuilder};

/// A file or a folder.
#[derive(Clone, Debug)]
enum Entry {
    File { mode: u32, bytes: Vec<u8> },
    Folder { mode: u32, owner: u64 },
}

/// Files by their paths, which begin with no slash.
#[derive(Clone, Debug, Default)]
pub(super) struct Files(BTreeMap<String, Entry>);

impl Files {
    /// A file that everybody may read.
    pub(super) fn add(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.insert(path, Entry::File { mode: 0o644, bytes: bytes.into() });
    }

    /// A file that everybody may run.
    pub(super) fn add_program(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.insert(path, Entry::File { mode: 0o755, bytes: bytes.into() });
    }

    /// A file that only its owner and its group may read.
    pub(super) fn add_private(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.insert(path, Entry::File { mode: 0o640, bytes: bytes.into() });
    }

    /// A folder that is there without files, of a user with this number.
    pub(super) fn add_folder(&mut self, path: &str, mode: u32, owner: u64) {
        self.insert(path, Entry::Folder { mode, owner });
    }

    fn insert(&mut self, path: &str, entry: Entry) {
        let mut above = path;
        while let Some((folder, _)) = above.rsplit_once('/') {
            self.0.entry(folder.to_owned()).or_insert(Entry::Folder { mode: 0o755, owner: 0 });
            above = folder;
        }
        self.0.insert(path.to_owned(), entry);
    }

    /// Files with their bytes.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().filter_map(|(path, entry)| match entry {
            Entry::File { bytes, .. } => Some((path.as_str(), bytes.as_slice())),
            Entry::Folder { .. } => None,
        })
    }

    /// A tar archive of them. Owners are numbers, and all is of this time.
    pub(super) fn write_tar<W: Write>(&self, time: u64, out: W) -> io::Result<W> {
        let mut archive = tar::Builder::new(out);
        for (path, entry) in &self.0 {
            let mut header = tar::Header::new_gnu();
            header.set_mtime(time);
            match entry {
                Entry::File { mode, bytes } => {
                    header.set_mode(*mode);
                    header.set_uid(0);
                    header.set_gid(0);
                    header.set_size(bytes.len() as u64);
                    archive.append_data(&mut header, path, bytes.as_slice())?;
                }
                Entry::Folder { mode, owner } => {
                    header.set_entry_type(tar::EntryType::Directory);
                    header.set_mode(*mode);
                    header.set_uid(*owner);
                    header.set_gid(*owner);
                    header.set_size(0);
                    archive.append_data(&mut header, format!("{path}/"), io::empty())?;
                }
            }
        }
        archive.into_inner()
    }

    /// The same in a folder, which must be empty, for programs that make archives themselves.
    pub(super) fn write_folder(&self, folder: &Path) -> io::Result<()> {
        for (path, entry) in &self.0 {
            let place = folder.join(path);
            let mode = match entry {
                Entry::File { mode, bytes } => {
                    fs::write(&place, bytes)?;
                    mode
                }
                Entry::Folder { mode, .. } => {
                    fs::create_dir(&place)?;
                    mode
                }
            };
            // Whatever the umask is.
            fs::set_permissions(place, Permissions::from_mode(*mode))?;
        }
        Ok(())
    }
}

/// Packed by gzip, without a name and a time.
pub(super) fn gzipped(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut out = GzBuilder::new().write(Vec::new(), Compression::best());
    out.write_all(bytes)?;
    out.finish()
}

/// As digests are written.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        // A string takes whatever is written.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn sample() -> Files {
        let mut files = Files::default();
        files.add_program("usr/bin/kassa", "program");
        files.add_private("etc/kassa/kassa.env", "secret");
        files.add_folder("var/lib/kassa", 0o700, 65_532);
        files
    }

    #[test]
    fn an_archive_has_nothing_of_its_making() {
        let archive = sample().write_tar(1_000, Vec::new()).unwrap();
        let mut found = Vec::new();
        for entry in tar::Archive::new(archive.as_slice()).entries().unwrap() {
            let mut entry = entry.unwrap();
            let (path, header) = (entry.path().unwrap().display().to_string(), entry.header().clone());
            assert_eq!((header.mtime().unwrap(), header.username().unwrap()), (1_000, Some("")));
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            found.push((path, header.mode().unwrap(), header.uid().unwrap(), text));
        }
        let expected = [
            ("etc/", 0o755, 0, ""),
            ("etc/kassa/", 0o755, 0, ""),
            ("etc/kassa/kassa.env", 0o640, 0, "secret"),
            ("usr/", 0o755, 0, ""),
            ("usr/bin/", 0o755, 0, ""),
            ("usr/bin/kassa", 0o755, 0, "program"),
            ("var/", 0o755, 0, ""),
            ("var/lib/", 0o755, 0, ""),
            ("var/lib/kassa/", 0o700, 65_532, ""),
        ];
        let expected = expected.map(|(path, mode, owner, text)| (path.to_owned(), mode, owner, text.to_owned()));
        assert_eq!(found, expected);
        assert_eq!(gzipped(&archive).unwrap(), gzipped(&sample().write_tar(1_000, Vec::new()).unwrap()).unwrap());
    }

    #[test]
    fn a_folder_gets_the_same_files() {
        let folder = tempfile::tempdir().unwrap();
        sample().write_folder(folder.path()).unwrap();
        let mode = |path: &str| fs::metadata(folder.path().join(path)).unwrap().permissions().mode() & 0o7777;
        assert_eq!([mode("usr/bin/kassa"), mode("etc/kassa/kassa.env"), mode("var/lib/kassa")], [0o755, 0o640, 0o700]);
        assert_eq!(fs::read(folder.path().join("usr/bin/kassa")).unwrap(), b"program");
    }
}
