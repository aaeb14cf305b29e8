//! A file that is there as a whole or not at all, and takes no other's place.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// The name of a file that is being made, and what is made of it so far: others beside it, which go with this.
pub(super) struct Draft {
    file: PathBuf,
    is_done: bool,
}

impl Draft {
    /// Takes a name that nobody has.
    pub(super) fn of(file: &Path) -> io::Result<Self> {
        new_file(file)?;
        let draft = Self { file: file.to_owned(), is_done: false };
        // What one has left that was killed.
        for left in draft.parts() {
            match fs::remove_file(left) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
        Ok(draft)
    }

    /// The name of another file for as long as this one is made.
    pub(super) fn beside(&self, ending: &str) -> PathBuf {
        let mut name = OsString::from(&self.file);
        name.push(format!(".{ending}"));
        name.into()
    }

    fn parts(&self) -> [PathBuf; 2] {
        ["db", "part"].map(|ending| self.beside(ending))
    }

    /// Begins the file itself.
    pub(super) fn create(&self) -> io::Result<File> {
        new_file(&self.beside("part"))
    }

    /// The file is complete, and on the disk: it takes its name.
    pub(super) fn finish(mut self) -> io::Result<()> {
        fs::rename(self.beside("part"), &self.file)?;
        self.is_done = true;
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let own = (!self.is_done).then(|| self.file.clone());
        for left in self.parts().into_iter().chain(own) {
            // It may not be there; what went wrong was told.
            let _ = fs::remove_file(left);
        }
    }
}

/// It holds what only the operator may read.
fn new_file(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).mode(0o600).open(path)
}
