//! Links between the Markdown files, and from them to other files, lead somewhere.

use crate::finding::Finding;
use crate::tree::{File, Tree};

/// Finds links that lead nowhere. What is outside the repository is not looked at.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let pages = tree.files.iter().filter(|file| file.has_extension("md"));
    let dead = |file: &File| {
        let links = links_of(&file.text).into_iter();
        let dead = links.filter(|(_, target)| !resolves(tree, file, target));
        dead.map(|(line, target)| Finding::new(&file.path, line, format!("this link leads nowhere: {target}")))
            .collect::<Vec<_>>()
    };
    pages.flat_map(dead).collect()
}

fn resolves(tree: &Tree, from: &File, target: &str) -> bool {
    if target.contains("://") || target.starts_with("mailto:") {
        return true;
    }
    let (path, heading) = target.split_once('#').map_or((target, None), |(path, heading)| (path, Some(heading)));
    let path = if path.is_empty() { Some(from.path.clone()) } else { resolve(&from.path, path) };
    let Some(path) = path.filter(|path| path.is_empty() || tree.paths.contains(path)) else { return false };
    let page = tree.files.iter().find(|file| file.path == path && file.has_extension("md"));
    match (heading, page) {
        (Some(heading), Some(page)) => headings_of(&page.text).iter().any(|other| other == heading),
        (None, _) | (_, None) => true,
    }
}

/// Where `target` leads from the file `from`; `None` when it leaves the repository.
fn resolve(from: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// The targets of a page's links, with their lines.
fn links_of(text: &str) -> Vec<(usize, &str)> {
    let mut links = Vec::new();
    for (line, number) in prose_of(text) {
        let definition = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target);
        links.extend(definition.into_iter().map(|target| (number, target_without_title(target))));
        let mut in_code = false;
        let mut at = 0;
        while let Some(c) = line[at..].chars().next() {
            in_code ^= c == '`';
            if !in_code && line[at..].starts_with("](") {
                let target = line[at + 2..].split(')').next().unwrap_or_default();
                links.push((number, target_without_title(target)));
            }
            at += c.len_utf8();
        }
    }
    links
}

/// A target without its title and its angle brackets.
fn target_without_title(target: &str) -> &str {
    target.split_whitespace().next().unwrap_or_default().trim_matches(['<', '>'])
}

/// The names under which a page's headings can be linked to.
fn headings_of(text: &str) -> Vec<String> {
    let name = |heading: &str| -> String {
        let heading = heading.trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    let headings = prose_of(text).filter(|(line, _)| line.starts_with('#'));
    headings.map(|(line, _)| name(line.trim_start_matches('#'))).collect()
}

/// The lines, counted from one, that are not within a block of code.
fn prose_of(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut in_block = false;
    text.lines().zip(1..).filter(move |(line, _)| {
        let fence = line.trim_start().starts_with("```");
        in_block ^= fence;
        !in_block && !fence
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::findings_in_sample;

    #[track_caller]
    fn expect(text: &str, dead: &[&str]) {
        let files = [("docs/a.md", text), ("docs/b.md", "# One `two`, three\n"), ("src/c.rs", "")];
        let dead: Vec<String> =
            dead.iter().map(|target| format!("docs/a.md:1: this link leads nowhere: {target}")).collect();
        assert_eq!(findings_in_sample(check, &files), dead, "{text}");
    }

    #[test]
    fn living_links_are_fine() {
        expect("[b](b.md), [c](../src/c.rs \"title\"), [d](https://example.org/none), [e](<./b.md>)", &[]);
        expect("[b](b.md#one-two-three)", &[]);
        expect("`[b](none.md)` and [here](#top)\n# Top\n```\n[b](none.md)\n```\n", &[]);
    }

    #[test]
    fn dead_links_are_found() {
        expect("[b](none.md) and [c](../../outside.md)", &["none.md", "../../outside.md"]);
        expect("[b](b.md#two) and [here](#none)", &["b.md#two", "#none"]);
        expect("[b]: none.md", &["none.md"]);
    }
}
