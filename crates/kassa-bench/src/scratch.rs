//! A folder for what a run leaves behind.

use std::fs;
use std::path::PathBuf;

use crate::error::BenchError;

/// A folder that goes with the value.
pub(crate) struct ScratchFolder(pub(crate) PathBuf);

impl ScratchFolder {
    pub(crate) fn new() -> Result<Self, BenchError> {
        let folder = std::env::temp_dir().join(format!("kassa-bench-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("kassa bench: {} stays behind: {error}", self.0.display());
        }
    }
}
