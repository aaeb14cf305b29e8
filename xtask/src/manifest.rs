//! What a `Cargo.toml` says: only as much of TOML as the manifests here use.

use crate::finding::Finding;
use crate::tree::Tree;

const TABLES: &[&str] = &["dependencies", "dev-dependencies", "build-dependencies"];

/// Packages that are no part of the program: nothing depends on them.
const UNPUBLISHED: &[&str] = &["simulation/Cargo.toml", "xtask/Cargo.toml"];

/// One dependency of a manifest.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Dependency<'a> {
    /// Where it stands, counted from one.
    pub(crate) line: usize,
    /// The package.
    pub(crate) name: &'a str,
}

/// The crate whose manifest lies at `path`, if that is one.
pub(crate) fn crate_of(path: &str) -> Option<&str> {
    let name = path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")?;
    (!name.contains('/')).then_some(name)
}

/// Finds manifests that have lints or an edition of their own.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &tree.files {
        if crate_of(&file.path).is_none() && !UNPUBLISHED.contains(&file.path.as_str()) {
            continue;
        }
        for (section, key) in [("package", "edition"), ("lints", "")] {
            if !inherits(&file.text, section, key) {
                let what = if key.is_empty() { section } else { key };
                let text = format!("{what} must come from the workspace");
                findings.push(Finding::new(&file.path, 1, text));
            }
        }
    }
    findings
}

/// Whether `key` of `section`, or the whole section, comes from the workspace.
fn inherits(text: &str, section: &str, key: &str) -> bool {
    let dotted = if key.is_empty() { "workspace=true".to_owned() } else { format!("{key}.workspace=true") };
    let inline = format!("{key}={{workspace=true}}");
    lines(text).any(|line| {
        let packed: String = line.text.split_whitespace().collect();
        line.section == section && (packed == dotted || packed == inline)
    })
}

/// The dependencies of a manifest, of whatever kind.
pub(crate) fn dependencies(text: &str) -> Vec<Dependency<'_>> {
    let mut found: Vec<Dependency<'_>> = Vec::new();
    for line in lines(text) {
        let (before, last) = line.section.rsplit_once('.').unwrap_or(("", line.section));
        let one_by_one = TABLES.contains(&before.rsplit('.').next().unwrap_or(before));
        if one_by_one && line.opens_section {
            found.push(Dependency { line: line.number, name: unquoted(last) });
        } else if one_by_one {
            if let (Some(package), Some(dependency)) = (package_key(line.text), found.last_mut()) {
                dependency.name = package;
            }
        } else if TABLES.contains(&last)
            && let Some((key, value)) = line.text.split_once('=')
        {
            let key = key.trim();
            let key = key.split_once('.').map_or(key, |(name, _)| name);
            found.push(Dependency { line: line.number, name: package_key(value).unwrap_or(unquoted(key)) });
        }
    }
    found
}

/// The package that a dependency of another name stands for.
fn package_key(text: &str) -> Option<&str> {
    let (_, after) = text.split_once("package")?;
    let after = after.trim_start().strip_prefix('=')?.trim_start();
    after.strip_prefix('"')?.split('"').next()
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

/// A line that says something, with the section that it stands in or opens.
struct Line<'a> {
    number: usize,
    section: &'a str,
    opens_section: bool,
    text: &'a str,
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut section = "";
    text.lines().zip(1..).filter_map(move |(text, number)| {
        let text = without_comment(text).trim();
        let header = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let header = header.filter(|_| !text.contains(" = "));
        section = header.unwrap_or(section);
        (!text.is_empty()).then_some(Line { number, section, opens_section: header.is_some(), text })
    })
}

/// A line of TOML without its comment. A `#` within quotes is none.
pub(crate) fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let end = line.char_indices().find_map(|(at, c)| {
        quoted ^= c == '"';
        (c == '#' && !quoted).then_some(at)
    });
    end.map_or(line, |end| &line[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::findings_in_sample;

    #[test]
    fn dependencies_are_read_with_their_lines() {
        let text = "[package]\nname = \"a\"\n\n[dependencies] # these\nb = \"1\" # \"why\"\nc.workspace = true\n\n\
                    [dev-dependencies.d]\nversion = \"1\"\n\n[features]\ne = []\n";
        let found: Vec<(usize, &str)> = dependencies(text).iter().map(|d| (d.line, d.name)).collect();
        assert_eq!(found, [(5, "b"), (6, "c"), (8, "d")]);
    }

    #[test]
    fn a_manifest_inherits_edition_and_lints() {
        const PATH: &str = "crates/kassa/Cargo.toml";
        let good = "[package]\nedition.workspace = true\n[lints]\nworkspace = true\n";
        assert!(findings_in_sample(check, &[(PATH, good)]).is_empty());
        let inline = "[package]\nedition = { workspace = true }\n[lints]\nworkspace = true\n";
        assert!(findings_in_sample(check, &[(PATH, inline)]).is_empty());
        let own = "[package]\nedition = \"2021\"\n[dependencies]\nworkspace = true\n";
        let expected = ["edition", "lints"].map(|what| format!("{PATH}:1: {what} must come from the workspace"));
        assert_eq!(findings_in_sample(check, &[(PATH, own)]), expected);
    }
}
