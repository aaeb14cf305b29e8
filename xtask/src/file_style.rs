//! How long files and lines are, and what must not stay in them.

use crate::finding::Finding;
use crate::source_code::{code_and_comments_of, code_of, lines_naming};
use crate::tree::{File, Tree};

const FILE_LINES_MAX: usize = 500;
const LINE_CHARS_MAX: usize = 160;

/// Marks of work that is not done: an issue is the place for it.
const MARKS: &[&str] = &["TODO", "FIXME", "XXX"];
/// Code that must not stay, and why.
const LEFTOVERS: &[(&str, &str)] = &[
    ("dbg!", "is for looking, not for keeping"),
    ("todo!", "is work that is not done"),
    ("unimplemented!", "is work that is not done"),
    ("#[allow(", "must be #[expect(…, reason = \"…\")]"),
    ("#![allow(", "must be #![expect(…, reason = \"…\")]"),
];
/// Files that are not ours to word.
const VENDORED: &[&str] = &["LICENSE", "Cargo.lock"];

/// Finds what is too long and what should have gone.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let ours = |file: &&File| !VENDORED.contains(&file.path.as_str());
    tree.files.iter().filter(ours).flat_map(|file| [too_long(file), find_leftovers(file)].concat()).collect()
}

fn too_long(file: &File) -> Vec<Finding> {
    if !file.is_rust() {
        return Vec::new();
    }
    let long = file.text.lines().zip(1..).filter(|(line, _)| line.chars().count() > LINE_CHARS_MAX);
    let text = format!("a line has at most {LINE_CHARS_MAX} characters");
    let mut findings: Vec<Finding> = long.map(|(_, line)| Finding::new(&file.path, line, &text)).collect();
    let lines = file.text.lines().count();
    if file.path.starts_with("crates/") && file.path.contains("/src/") && lines > FILE_LINES_MAX {
        let text = format!("a file has at most {FILE_LINES_MAX} lines, and this one {lines}: split it by subject");
        findings.push(Finding::new(&file.path, FILE_LINES_MAX + 1, text));
    }
    findings
}

fn find_leftovers(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut find = |text: &str, name: &str, why: &str| {
        let lines = lines_naming(text, name);
        findings.extend(lines.into_iter().map(|line| Finding::new(&file.path, line, format!("{name} {why}"))));
    };
    let seen = if file.is_rust() { code_and_comments_of(&file.text) } else { file.text.clone() };
    for mark in MARKS {
        find(&seen, mark, "marks work that is not done");
    }
    if file.is_rust() {
        let code = code_of(&file.text);
        for (name, why) in LEFTOVERS {
            find(&code, name, why);
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::findings_in_sample;

    const PATH: &str = "crates/kassa-domain/src/values/money.rs";

    #[test]
    fn long_files_and_lines_are_found() {
        let fits = format!("{}\n{}", "é".repeat(LINE_CHARS_MAX), "a\n".repeat(FILE_LINES_MAX - 1));
        assert!(findings_in_sample(check, &[(PATH, &fits)]).is_empty());
        let long = format!("{fits}{}\n", "b".repeat(LINE_CHARS_MAX + 1));
        let findings = findings_in_sample(check, &[(PATH, &long)]);
        assert_eq!(findings.len(), 2);
        assert!(findings[0].contains(":501: a line"), "{findings:?}");
        assert!(findings[1].contains("and this one 501"), "{findings:?}");
    }

    #[test]
    fn leftovers_are_found() {
        let text = format!("// {}: later\nlet a = \"{}\";\n#[allow(unused)]\ndbg!(a);\n", MARKS[0], MARKS[1]);
        let findings = findings_in_sample(check, &[(PATH, &text)]);
        let starts: Vec<&str> = findings.iter().filter_map(|finding| finding.split(' ').next()).collect();
        assert_eq!(starts, [1, 4, 3].map(|line| format!("{PATH}:{line}:")));
        assert_eq!(findings_in_sample(check, &[("notes.md", &format!("\n{}\n", MARKS[2]))]).len(), 1);
        assert!(findings_in_sample(check, &[("LICENSE", MARKS[2])]).is_empty());
    }
}
