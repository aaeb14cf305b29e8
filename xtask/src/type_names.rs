//! Names of public types: each stands for one thing in its crate.

use std::collections::BTreeMap;

use crate::finding::Finding;
use crate::source_code::code_of;
use crate::tree::Tree;

/// Names that several types of a crate share, because they are one pattern, and which one.
const SHARED: &[(&str, &str)] = &[
    ("Filters", "the query parameters of a list, declared by `parameters!` beside its handler"),
    ("NewRefund", "a new request for a refund, as each version of the interface reads it"),
    ("OrderInput", "the body of an order, as each version of the interface reads it"),
    ("RefundDecision", "the answer to a request for a refund, as each version of the interface reads it"),
    ("RefundInput", "the body of a request for a refund, as each version of the interface reads it"),
];

/// Finds public types of one crate that have the same name.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let is_shared = |name: &str| SHARED.iter().any(|(known, _)| *known == name);
    let repeated = repeated_names(tree).into_iter().filter(|((_, name), _)| !is_shared(name));
    repeated
        .flat_map(|((_, name), places)| {
            let first = format!("{}:{}", places[0].0, places[0].1);
            let text = move || format!("{name} is the name of another public type of this crate: {first}");
            places.into_iter().skip(1).map(move |(path, line)| Finding::new(path, line, text())).collect::<Vec<_>>()
        })
        .collect()
}

/// Files and lines of public types that have the same name, by crate and name.
type RepeatedNames<'a> = BTreeMap<(&'a str, String), Vec<(&'a str, usize)>>;

fn repeated_names(tree: &Tree) -> RepeatedNames<'_> {
    let mut places = RepeatedNames::new();
    for file in tree.files.iter().filter(|file| file.is_rust()) {
        let Some((folder, _)) = file.path.split_once("/src/") else { continue };
        for (line, number) in code_of(&file.text).lines().zip(1..) {
            if let Some(name) = public_type(line) {
                places.entry((folder, name.to_owned())).or_default().push((&file.path, number));
            }
        }
    }
    places.retain(|_, places| places.len() > 1);
    places
}

/// The name of the type that a line makes public, even if only in its crate or folder.
fn public_type(line: &str) -> Option<&str> {
    let after = line.trim_start().strip_prefix("pub")?;
    let after = if after.starts_with('(') { after.split_once(')')?.1 } else { after };
    let item = after.strip_prefix(' ')?.trim_start();
    let item = item.strip_prefix("unsafe ").unwrap_or(item);
    let (kind, rest) = item.split_once(' ')?;
    if !matches!(kind, "struct" | "enum" | "trait" | "type" | "union") {
        return None;
    }
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::findings_in_sample;

    const A: &str = "crates/x/src/a.rs";
    const B: &str = "crates/x/src/b.rs";

    #[test]
    fn a_name_stands_for_one_public_type_of_a_crate() {
        let findings = findings_in_sample(check, &[(A, "pub struct Place;"), (B, "\npub(crate) enum Place { A }")]);
        assert_eq!(
            findings,
            ["crates/x/src/b.rs:2: Place is the name of another public type of this crate: crates/x/src/a.rs:1"]
        );
    }

    #[test]
    fn every_exception_is_needed() {
        let tree = Tree::of_repository().unwrap();
        let repeated = repeated_names(&tree);
        for (name, reason) in SHARED {
            assert!(repeated.keys().any(|(_, other)| other == name), "{name} is not shared any more: {reason}");
        }
    }

    #[test]
    fn other_crates_private_types_and_comments_do_not_count() {
        let other = "crates/y/src/a.rs";
        for (path, text) in
            [(other, "pub struct Place;"), (B, "struct Place;"), (B, "// pub struct Place;"), (B, "pub fn place() {}")]
        {
            assert!(findings_in_sample(check, &[(A, "pub struct Place;"), (path, text)]).is_empty(), "{path} {text}");
        }
    }
}
