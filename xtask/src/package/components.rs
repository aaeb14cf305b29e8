//! What a program consists of: the crates that are linked into it, and what else is in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::Failure;
use super::program::Target;
use super::tools::output_of;

/// A crate's name and version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CrateId {
    pub(super) name: String,
    pub(super) version: String,
}

/// A crate that is linked into the program.
#[derive(Debug)]
pub(super) struct Crate {
    /// As SPDX writes it.
    pub(super) licence: String,
    pub(super) repository: Option<String>,
    pub(super) folder: PathBuf,
    /// The SHA-256 of its archive; none for crates of this repository.
    pub(super) checksum: Option<String>,
    pub(super) depends_on: BTreeSet<CrateId>,
}

/// What is in the program and is no crate.
#[derive(Debug)]
pub(super) struct Bundled {
    pub(super) name: &'static str,
    pub(super) version: Option<String>,
    pub(super) licence: &'static str,
    pub(super) from: &'static str,
    /// `library` or `data`, as an SBOM calls it.
    pub(super) kind: &'static str,
    /// Files of the repository with the terms.
    pub(super) terms: &'static [&'static str],
}

/// All of it.
#[derive(Debug)]
pub(super) struct Components {
    pub(super) crates: BTreeMap<CrateId, Crate>,
    pub(super) bundled: Vec<Bundled>,
}

impl Components {
    pub(super) fn read(root: &Path, target: &Target) -> Result<Self, Failure> {
        let cargo = |arguments: &[&str]| {
            let mut cargo = Command::new(env!("CARGO"));
            output_of(cargo.current_dir(root).args(arguments))
        };
        let triple = target.triple();
        // Features that only tests switch on are in no tree of `--package kassa`; procedural macros are not linked.
        let tree = cargo(&[
            "tree",
            "--locked",
            "--package",
            "kassa",
            "--target",
            triple,
            "--edges",
            "normal,no-proc-macro",
            "--prefix",
            "depth",
            "--format",
            "|{p}",
        ])?;
        let metadata = cargo(&["metadata", "--format-version", "1", "--locked", "--filter-platform", triple])?;
        let metadata: Value = serde_json::from_str(&metadata)?;
        let checksums = checksums(&fs::read_to_string(root.join("Cargo.lock"))?);
        let mut known = BTreeMap::new();
        for package in metadata["packages"].as_array().into_iter().flatten() {
            let (id, found) = read_crate(package, &checksums)?;
            known.insert(id, found);
        }
        let mut crates = BTreeMap::new();
        for (id, depends_on) in edges(&tree)? {
            let found =
                known.remove(&id).ok_or_else(|| format!("cargo metadata does not know {} {}", id.name, id.version))?;
            crates.insert(id, Crate { depends_on, ..found });
        }
        let bundled = bundled(&crates, target)?;
        Ok(Self { crates, bundled })
    }
}

fn read_crate(package: &Value, checksums: &BTreeMap<CrateId, String>) -> Result<(CrateId, Crate), Failure> {
    let text = |field: &str| package[field].as_str().map(str::to_owned);
    let id = CrateId {
        name: text("name").ok_or("a package has no name")?,
        version: text("version").ok_or("a package has no version")?,
    };
    let manifest = PathBuf::from(text("manifest_path").ok_or("a package has no manifest")?);
    let found = Crate {
        licence: text("license").map(|licence| spdx(&licence)).unwrap_or_default(),
        repository: text("repository"),
        folder: manifest.parent().unwrap_or(&manifest).to_owned(),
        checksum: checksums.get(&id).cloned(),
        depends_on: BTreeSet::new(),
    };
    if found.licence.is_empty() {
        return Err(format!("{} {} states no licence", id.name, id.version).into());
    }
    Ok((id, found))
}

/// Once a slash was written for `OR`.
fn spdx(licence: &str) -> String {
    let spaced = licence.replace('/', " OR ");
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Who depends on whom, of a tree whose lines begin with their depth.
fn edges(tree: &str) -> Result<BTreeMap<CrateId, BTreeSet<CrateId>>, Failure> {
    let mut edges: BTreeMap<CrateId, BTreeSet<CrateId>> = BTreeMap::new();
    let mut path: Vec<CrateId> = Vec::new();
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let odd = || format!("cargo tree has an odd line: {line}");
        let (depth, package) = line.split_once('|').ok_or_else(odd)?;
        let depth: usize = depth.parse()?;
        let mut words = package.split_whitespace();
        let (Some(name), Some(version)) = (words.next(), words.next().and_then(|word| word.strip_prefix('v'))) else {
            return Err(odd().into());
        };
        let id = CrateId { name: name.to_owned(), version: version.to_owned() };
        path.truncate(depth);
        if let Some(above) = path.last() {
            edges.entry(above.clone()).or_default().insert(id.clone());
        }
        edges.entry(id.clone()).or_default();
        path.push(id);
    }
    Ok(edges)
}

/// What the lock file says of archives.
fn checksums(lock: &str) -> BTreeMap<CrateId, String> {
    let value = |block: &str, key: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"'));
        line.map(str::to_owned)
    };
    let blocks = lock.split("[[package]]").filter_map(|block| {
        let id = CrateId { name: value(block, "name")?, version: value(block, "version")? };
        Some((id, value(block, "checksum")?))
    });
    blocks.collect()
}

fn bundled(crates: &BTreeMap<CrateId, Crate>, target: &Target) -> Result<Vec<Bundled>, Failure> {
    let folder_of = |name: &str| crates.iter().find(|(id, _)| id.name == name).map(|(_, found)| found.folder.as_path());
    let part = |name, licence, from, kind, terms| Bundled { name, version: None, licence, from, kind, terms };
    let mut all = vec![
        part(
            "Noto Sans",
            "OFL-1.1",
            "https://fonts.google.com/noto",
            "data",
            &["crates/kassa-documents/fonts/OFL.txt"],
        ),
        part("GeoNames", "CC-BY-4.0", "https://www.geonames.org/", "data", &["crates/kassa-domain/data/README.md"]),
        part(
            "Unicode CLDR",
            "Unicode-3.0",
            "https://cldr.unicode.org/",
            "data",
            &["crates/kassa-domain/data/LICENSE.unicode"],
        ),
        part(
            "Swagger UI",
            "Apache-2.0",
            "https://github.com/swagger-api/swagger-ui",
            "library",
            &[
                "crates/kassa-http/src/api_docs/page/NOTICE",
                "crates/kassa-http/src/api_docs/page/LICENSE",
                "crates/kassa-http/src/api_docs/page/swagger-ui-bundle.js.LICENSE.txt",
            ],
        ),
        // The crates state their own licences, and bring this as source.
        Bundled {
            version: folder_of("libsqlite3-sys").map(sqlite_version).transpose()?,
            ..part("SQLite", "blessing", "https://sqlite.org/", "library", &[])
        },
        Bundled {
            version: Some(compiler_version()?),
            ..part(
                "Rust standard library",
                "MIT OR Apache-2.0",
                "https://www.rust-lang.org/",
                "library",
                &["packaging/licences/mit.txt"],
            )
        },
    ];
    if target.is_static() {
        all.push(part("musl", "MIT", "https://musl.libc.org/", "library", &["packaging/licences/musl.txt"]));
    }
    Ok(all)
}

fn sqlite_version(folder: &Path) -> Result<String, Failure> {
    let header = fs::read_to_string(folder.join("sqlite3/sqlite3.h"))?;
    let line = header.lines().find_map(|line| line.strip_prefix("#define SQLITE_VERSION "));
    let version = line.map(|rest| rest.trim().trim_matches('"').to_owned());
    version.ok_or_else(|| "the header of SQLite names no version".into())
}

fn compiler_version() -> Result<String, Failure> {
    let text = output_of(Command::new("rustc").arg("--version"))?;
    text.split_whitespace().nth(1).map(str::to_owned).ok_or_else(|| "rustc names no version".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str, version: &str) -> CrateId {
        CrateId { name: name.to_owned(), version: version.to_owned() }
    }

    #[test]
    fn a_tree_says_who_depends_on_whom() {
        let tree = "0|kassa v0.1.0 (/kassa)\n1|a v1.0.0\n2|b v2.0.0\n1|c v3.0.0\n2|a v1.0.0 (*)\n";
        let edges = edges(tree).unwrap();
        assert_eq!(edges[&id("kassa", "0.1.0")], BTreeSet::from([id("a", "1.0.0"), id("c", "3.0.0")]));
        assert_eq!(edges[&id("a", "1.0.0")], BTreeSet::from([id("b", "2.0.0")]));
        assert_eq!(edges[&id("c", "3.0.0")], BTreeSet::from([id("a", "1.0.0")]));
        assert!(edges[&id("b", "2.0.0")].is_empty());
        assert!(super::edges("no tree\n").is_err());
    }

    #[test]
    fn licences_are_written_in_one_way() {
        assert_eq!(spdx("Apache-2.0 / MIT"), "Apache-2.0 OR MIT");
        assert_eq!(spdx("MIT/Apache-2.0"), "MIT OR Apache-2.0");
        assert_eq!(spdx("MIT AND BSD-3-Clause"), "MIT AND BSD-3-Clause");
    }

    #[test]
    fn checksums_are_those_of_the_lock_file() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"ab\"\n\n\
                    [[package]]\nname = \"kassa\"\nversion = \"0.1.0\"\n";
        assert_eq!(checksums(lock), BTreeMap::from([(id("a", "1.0.0"), "ab".to_owned())]));
    }
}
