//! A file that is there as a whole or not at all, and takes no other's place.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// What is made of a file so far: others beside it, which go with this.
pub(super) struct PartialFile {
    target: PathBuf,
}

impl PartialFile {
    /// Begins a file with a name that nobody has. Whoever begins the same meanwhile is refused.
    pub(super) fn create(file: &Path) -> io::Result<(Self, File)> {
        if file.try_exists()? {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it exists already, and is left alone"));
        }
        let part = sibling_path(file, "part");
        let begun = create_private_file(&part).map_err(|error| {
            if error.kind() != io::ErrorKind::AlreadyExists {
                return error;
            }
            let reason = "another is being made, or was broken off; remove it then";
            io::Error::new(error.kind(), format!("{} exists: {reason}", part.display()))
        })?;
        Ok((Self { target: file.to_owned() }, begun))
    }

    /// Another file, empty, for as long as this one is made.
    pub(super) fn create_database_copy(&self) -> io::Result<PathBuf> {
        let path = sibling_path(&self.target, "db");
        match fs::remove_file(&path) {
            // One that was killed has left it.
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => create_private_file(&path).map(|_| path),
        }
    }

    /// The file is complete, and on the disk: it takes its name, unless somebody has it by now.
    pub(super) fn publish(self) -> io::Result<()> {
        fs::hard_link(sibling_path(&self.target, "part"), &self.target)?;
        let folder = self.target.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        for left in ["db", "part"] {
            // It may not exist; the error was reported.
            let _ = fs::remove_file(sibling_path(&self.target, left));
        }
    }
}

fn sibling_path(file: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(format!(".{ending}"));
    name.into()
}

/// It holds what only the operator may read.
pub(super) fn create_private_file(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).mode(0o600).open(path)
}
