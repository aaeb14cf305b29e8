//! A file that is there as a whole or not at all, and takes no other's place.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// The end of the name of a file that is being made.
pub(super) const PART_ENDING: &str = "part";
/// The end of the name of what is needed beside it.
pub(super) const SCRATCH_ENDING: &str = "db";

/// What is made of a file so far.
pub(super) struct PartialFile {
    target: PathBuf,
}

impl PartialFile {
    /// Begins a file with a name that nobody has. Whoever begins the same meanwhile is refused.
    pub(super) fn create(file: &Path) -> io::Result<(Self, File)> {
        if file.try_exists()? {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it exists already, and is left alone"));
        }
        let part = sibling_path(file, PART_ENDING);
        let begun = create_private_file(&part).map_err(|error| {
            if error.kind() != io::ErrorKind::AlreadyExists {
                return error;
            }
            let reason = "another is being made, or was broken off; remove it then";
            io::Error::new(error.kind(), format!("{} exists: {reason}", part.display()))
        })?;
        Ok((Self { target: file.to_owned() }, begun))
    }

    /// Where it is as long as it is made.
    pub(super) fn path(&self) -> PathBuf {
        sibling_path(&self.target, PART_ENDING)
    }

    /// The file is complete, and on the disk: it takes its name, unless somebody has it by now.
    pub(super) fn publish(self) -> io::Result<()> {
        fs::hard_link(self.path(), &self.target)?;
        let folder = self.target.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        // The error was reported.
        let _ = fs::remove_file(self.path());
    }
}

/// Where what is needed beside a backup may be.
pub(super) fn scratch_path(file: &Path) -> PathBuf {
    sibling_path(file, SCRATCH_ENDING)
}

fn sibling_path(file: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(format!(".{ending}"));
    name.into()
}

/// It holds what only the operator may read.
pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).mode(0o600).open(path)
}
