//! Which version a package is of, and of what time.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::Failure;
use super::tools::output_of;

/// A commit, as packages name it.
#[derive(Debug)]
pub(super) struct Release {
    /// `0.1.0` where the commit has the tag `v0.1.0`; otherwise one before it, of the time of the commit.
    pub(super) version: String,
    /// Whether it is the version that the commit's tag names.
    pub(super) is_tagged: bool,
    /// The time of the commit, in seconds since 1970: that of every file.
    pub(super) time: u64,
    /// The same time, as changelogs of Debian have it.
    pub(super) debian_date: String,
    /// The same time, as RFC 3339 has it.
    pub(super) timestamp: String,
    /// The whole commit.
    pub(super) commit: String,
}

impl Release {
    pub(super) fn of_commit(root: &Path, version: Option<&str>) -> Result<Self, Failure> {
        let shown = |format: &str, date: &str| {
            let mut git = Command::new("git");
            git.current_dir(root).env("TZ", "UTC").env("LC_ALL", "C").args(["log", "-1"]);
            output_of(git.arg(format!("--format={format}")).arg(format!("--date=format-local:{date}")))
                .map(|text| text.trim().to_owned())
        };
        let commit = shown("%H", "")?;
        let mut git = Command::new("git");
        let tags = output_of(git.current_dir(root).args(["tag", "--points-at", "HEAD"]))?;
        let of_workspace = workspace_version(&fs::read_to_string(root.join("Cargo.toml"))?)?;
        let is_tagged = version.is_none() && tags.lines().any(|tag| tag.strip_prefix('v') == Some(&of_workspace));
        let version = match version {
            Some(version) => version.to_owned(),
            None if is_tagged => of_workspace,
            // What Debian sorts before the version itself.
            None => {
                let time = shown("%cd", "%Y%m%d%H%M%S")?;
                format!("{of_workspace}~{time}.{}", commit.get(..12).unwrap_or(&commit))
            }
        };
        Ok(Self {
            version,
            is_tagged,
            time: shown("%ct", "")?.parse()?,
            debian_date: shown("%cd", "%a, %d %b %Y %H:%M:%S +0000")?,
            timestamp: shown("%cd", "%Y-%m-%dT%H:%M:%SZ")?,
            commit,
        })
    }
}

fn workspace_version(manifest: &str) -> Result<String, Failure> {
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    version.map(str::to_owned).ok_or_else(|| "Cargo.toml has no version of the workspace".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_workspace() {
        let manifest = "[workspace.package]\nversion = \"1.2.3\"\nedition = \"2024\"\n";
        assert_eq!(workspace_version(manifest).unwrap(), "1.2.3");
        assert!(workspace_version("[workspace]\n").is_err());
    }
}
