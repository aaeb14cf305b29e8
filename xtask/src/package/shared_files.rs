//! What all packages have beside the program: manual pages, completions, terms, and what it consists of.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use super::components::Components;
use super::files::{Files, gzipped};
use super::tools::run;
use super::{Failure, licences};

/// Texts, by their names.
#[derive(Debug)]
pub(super) struct SharedFiles {
    pages: Vec<(String, Vec<u8>)>,
    bash: Vec<u8>,
    fish: Vec<u8>,
    zsh: Vec<u8>,
    sbom: String,
    licences: String,
}

impl SharedFiles {
    /// The pages are written by the program itself, or by another that has the same flags and runs here.
    pub(super) fn gather(
        root: &Path,
        work: &Path,
        manual_from: &Path,
        sbom: String,
        components: &Components,
    ) -> Result<Self, Failure> {
        let folder = work.join("manual");
        let mut manual = Command::new(manual_from);
        // Nothing of this machine: neither its file nor its variables are in the pages.
        run(manual.env_clear().env("KASSA_CONFIG", "/dev/null").arg("manual").arg(&folder))?;
        let mut pages = Vec::new();
        for entry in fs::read_dir(folder.join("man"))? {
            let entry = entry?;
            pages.push((entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?));
        }
        pages.sort();
        let completion = |name: &str| fs::read(folder.join("completions").join(name));
        Ok(Self {
            pages,
            bash: completion("kassa.bash")?,
            fish: completion("kassa.fish")?,
            zsh: completion("_kassa")?,
            sbom,
            licences: licences::write(root, components)?,
        })
    }

    /// Puts them below a folder such as `usr`.
    pub(super) fn add_to(&self, files: &mut Files, prefix: &str, zsh_folder: &str) -> io::Result<()> {
        for (name, page) in &self.pages {
            files.add(&format!("{prefix}/share/man/man1/{name}.gz"), gzipped(page)?);
        }
        files.add(&format!("{prefix}/share/bash-completion/completions/kassa"), self.bash.clone());
        files.add(&format!("{prefix}/share/fish/vendor_completions.d/kassa.fish"), self.fish.clone());
        files.add(&format!("{prefix}/share/zsh/{zsh_folder}/_kassa"), self.zsh.clone());
        self.add_terms_to(files, prefix);
        Ok(())
    }

    /// Only what must come with the program.
    pub(super) fn add_terms_to(&self, files: &mut Files, prefix: &str) {
        files.add(&format!("{prefix}/share/doc/kassa/sbom.cdx.json"), self.sbom.as_bytes());
        files.add(&format!("{prefix}/share/doc/kassa/third-party-licences.txt"), self.licences.as_bytes());
    }
}
