//! A file that is there as a whole or not at all, and takes no other's place.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// What is made of a file so far: others beside it, which go with this.
pub(super) struct Draft {
    file: PathBuf,
}

impl Draft {
    /// Begins a file with a name that nobody has. Whoever begins the same meanwhile is refused.
    pub(super) fn of(file: &Path) -> io::Result<(Self, File)> {
        if file.try_exists()? {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it exists already, and is left alone"));
        }
        let part = beside(file, "part");
        let begun = new_file(&part).map_err(|error| {
            if error.kind() != io::ErrorKind::AlreadyExists {
                return error;
            }
            let reason = "another is being made, or was broken off; remove it then";
            io::Error::new(error.kind(), format!("{} exists: {reason}", part.display()))
        })?;
        Ok((Self { file: file.to_owned() }, begun))
    }

    /// Another file, empty, for as long as this one is made.
    pub(super) fn copy(&self) -> io::Result<PathBuf> {
        let path = beside(&self.file, "db");
        match fs::remove_file(&path) {
            // One that was killed has left it.
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => new_file(&path).map(|_| path),
        }
    }

    /// The file is complete, and on the disk: it takes its name, unless somebody has it by now.
    pub(super) fn finish(self) -> io::Result<()> {
        fs::hard_link(beside(&self.file, "part"), &self.file)?;
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        for left in ["db", "part"] {
            // It may not be there; what went wrong was told.
            let _ = fs::remove_file(beside(&self.file, left));
        }
    }
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(format!(".{ending}"));
    name.into()
}

/// It holds what only the operator may read.
pub(super) fn new_file(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).mode(0o600).open(path)
}
