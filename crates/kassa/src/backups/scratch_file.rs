//! A file that is needed while a backup is made, and not any longer.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::partial_file::create_private_file;

/// Goes when this is dropped.
pub(super) struct ScratchFile(PathBuf);

impl ScratchFile {
    /// An empty file, in place of one that somebody who was killed has left.
    pub(super) fn create(path: PathBuf) -> io::Result<Self> {
        let file = Self(path);
        file.clear()?;
        Ok(file)
    }

    /// It is empty, and a new one, as programs want it that write a whole file.
    pub(super) fn clear(&self) -> io::Result<()> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => create_private_file(&self.0).map(drop),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for ScratchFile {
    fn drop(&mut self) {
        // Another run removes what could not be removed.
        let _ = fs::remove_file(&self.0);
    }
}
