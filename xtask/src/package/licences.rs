//! The terms of others: what the program is made of may be passed on only with them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::Failure;
use super::components::{Components, Crate, CrateId};

/// How files with terms begin, in lower case.
const NAMES: [&str; 5] = ["licen", "copying", "copyright", "notice", "unlicense"];
/// Sources of others that a crate brings are not far below it.
const DEPTH_MAX: usize = 4;
/// The terms of crates that state them and bring no text, those that ask for less first.
const PLAIN: [(&str, &str); 2] =
    [("MIT", "packaging/licences/mit.txt"), ("Apache-2.0", "packaging/licences/apache-2.0.txt")];
const RULE: &str = "\n--------------------------------------------------------------------------------\n";

/// All parts, and then each text once, below those whose terms it is.
pub(super) fn write(root: &Path, components: &Components) -> Result<String, Failure> {
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut document =
        "Kassa contains works of others, under their terms. First what they are, then the terms.\n\n".to_owned();
    for part in &components.bundled {
        let name = [Some(part.name), part.version.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ");
        writeln!(document, "{name} ({}), {}", part.licence, part.from)?;
        for file in part.terms {
            let text = fs::read_to_string(root.join(file)).map_err(|error| format!("{file}: {error}"))?;
            texts.entry(text).or_default().insert(name.clone());
        }
    }
    for (id, found) in components.crates.iter().filter(|(_, found)| found.checksum.is_some()) {
        let name = format!("{} {}", id.name, id.version);
        writeln!(document, "{name} ({})", found.licence)?;
        for text in terms(root, id, found)? {
            texts.entry(text).or_default().insert(name.clone());
        }
    }
    // By those whose terms they are, as nobody knows a text by its first letters.
    let mut texts: Vec<(BTreeSet<String>, String)> = texts.into_iter().map(|(text, names)| (names, text)).collect();
    texts.sort();
    for (names, text) in texts {
        let names = names.into_iter().collect::<Vec<_>>().join(", ");
        writeln!(document, "{RULE}{names}\n\n{}", text.trim_end())?;
    }
    Ok(document)
}

fn terms(root: &Path, id: &CrateId, found: &Crate) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    gather(&found.folder, DEPTH_MAX, &mut files)?;
    if files.is_empty() {
        files.extend(plain_terms(&found.licence).map(|file| root.join(file)));
    }
    if files.is_empty() {
        return Err(format!("{} {} brings no text of its licence, {}", id.name, id.version, found.licence).into());
    }
    let read = |file: &PathBuf| {
        let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(String::from_utf8_lossy(&bytes).replace('\r', ""))
    };
    files.iter().map(read).collect()
}

/// The file with the terms that a licence, as SPDX writes it, lets us choose.
fn plain_terms(licence: &str) -> Option<&'static str> {
    let choices: Vec<&str> = licence.split(" OR ").collect();
    PLAIN.iter().find(|(name, _)| choices.contains(name)).map(|(_, file)| *file)
}

/// Files with terms, in the order of their names. All that is in a folder of such a name is one.
fn gather(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let has_terms = |name: &str| NAMES.iter().any(|beginning| name.starts_with(beginning));
    let above = folder.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        entries.push(entry?);
    }
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().to_lowercase();
        let is_code = ["rs", "c", "h", "json", "toml"].iter().any(|ending| name.ends_with(&format!(".{ending}")));
        if entry.file_type()?.is_dir() {
            if depth > 0 {
                gather(&entry.path(), depth - 1, files)?;
            }
        } else if !is_code && (has_terms(&name) || above == "licenses") {
            files.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::PackageKind;
    use super::super::program::Target;
    use super::*;

    #[test]
    fn every_part_of_the_program_has_its_terms() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let components = Components::read(&root, &Target::usual(PackageKind::Deb)).unwrap();
        let document = write(&root, &components).unwrap();
        assert!(document.contains("\ntokio ") && document.contains("\nopentelemetry "), "{document:.1000}");
    }

    #[test]
    fn terms_that_are_stated_and_not_brought_are_ours_to_add() {
        assert_eq!(plain_terms("MIT OR Apache-2.0"), Some("packaging/licences/mit.txt"));
        assert_eq!(plain_terms("Apache-2.0"), Some("packaging/licences/apache-2.0.txt"));
        // Of these we would need both.
        assert_eq!(plain_terms("MIT AND Zlib"), None);
    }

    #[test]
    fn terms_are_found_wherever_a_crate_has_them() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let found = |licence: &str| Crate {
            licence: licence.to_owned(),
            repository: None,
            folder: folder.path().to_owned(),
            checksum: None,
            depends_on: BTreeSet::new(),
        };
        let id = CrateId { name: "a".to_owned(), version: "1.0.0".to_owned() };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        fs::write(place("license.rs"), "fn license() {}").unwrap();
        assert!(terms(&root, &id, &found("Zlib")).unwrap_err().to_string().contains("a 1.0.0 brings no text"));
        assert!(terms(&root, &id, &found("MIT OR Zlib")).unwrap()[0].contains("Permission is hereby granted"));
        fs::create_dir_all(place("vendored/of_others")).unwrap();
        fs::write(place("vendored/of_others/COPYING"), "two\r\n").unwrap();
        fs::create_dir(place("LICENSES")).unwrap();
        fs::write(place("LICENSES/Zlib.txt"), "three").unwrap();
        fs::write(place("LICENSE-ZLIB"), "one\n").unwrap();
        assert_eq!(terms(&root, &id, &found("Zlib")).unwrap(), ["one\n", "three", "two\n"]);
    }
}
