//! All checks together.

use crate::finding::Finding;
use crate::tree::Tree;
use crate::{dependency_order, file_style, floors, links, manifest, name_scopes, type_names};

/// Runs every check, and gives what they find by file and line.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = [
        dependency_order::check(tree),
        manifest::check(tree),
        name_scopes::check(tree),
        file_style::check(tree),
        links::check(tree),
        floors::check(tree),
        type_names::check(tree),
    ]
    .concat();
    findings.sort();
    findings
}

/// What a check finds in a sample, as text.
#[cfg(test)]
pub(crate) fn findings_in_sample(check: impl Fn(&Tree) -> Vec<Finding>, files: &[(&str, &str)]) -> Vec<String> {
    check(&Tree::sample(files)).iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_repository_is_tidy() {
        let findings = check(&Tree::of_repository().unwrap());
        let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(lines.is_empty(), "\n{}", lines.join("\n"));
    }
}
