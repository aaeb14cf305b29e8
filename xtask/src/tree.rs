//! The files of the repository, read once.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// Folders that hold what is built, kept or run here, and no source.
const SKIPPED: &[&str] = &[".git", "target", "node_modules", "kassa-data", "kassa-demo"];
/// Files above this size are data.
const BYTES_MAX: u64 = 1024 * 1024;

/// A text file.
#[derive(Debug)]
pub(crate) struct File {
    /// From the root of the repository, with `/` between the parts.
    pub(crate) path: String,
    /// All of it.
    pub(crate) text: String,
}

impl File {
    /// Whether it is Rust.
    pub(crate) fn is_rust(&self) -> bool {
        self.has_extension("rs")
    }

    /// Whether its name ends so.
    pub(crate) fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }
}

/// What is in the repository.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// Its text files, by path.
    pub(crate) files: Vec<File>,
    /// Every path, folders and data included.
    pub(crate) paths: BTreeSet<String>,
}

impl Tree {
    /// Reads the repository that this program belongs to.
    pub(crate) fn of_repository() -> io::Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut tree = Self::default();
        tree.add_folder(&root, "")?;
        tree.files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(tree)
    }

    fn add_folder(&mut self, root: &Path, folder: &str) -> io::Result<()> {
        for entry in fs::read_dir(root.join(folder))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let kind = entry.file_type()?;
            if kind.is_dir() && !SKIPPED.contains(&name.as_str()) {
                self.paths.insert(path.clone());
                self.add_folder(root, &path)?;
            } else if kind.is_file() {
                self.paths.insert(path.clone());
                self.add_file(root, path, entry.metadata()?.len())?;
            }
        }
        Ok(())
    }

    fn add_file(&mut self, root: &Path, path: String, bytes: u64) -> io::Result<()> {
        if bytes <= BYTES_MAX {
            // What is not UTF-8 is no text.
            if let Ok(text) = String::from_utf8(fs::read(root.join(&path))?) {
                self.files.push(File { path, text });
            }
        }
        Ok(())
    }

    /// A repository for tests: paths with their texts.
    #[cfg(test)]
    pub(crate) fn sample(files: &[(&str, &str)]) -> Self {
        let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
        let paths = files.iter().map(|(path, _)| (*path).to_owned()).collect();
        Self { files: files.iter().map(file).collect(), paths }
    }
}
