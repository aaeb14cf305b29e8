//! All checks together.

use crate::finding::Finding;
use crate::tree::Tree;
use crate::{arrows, links, manifest, names, shape};

/// Runs every check, and gives what they find by file and line.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings =
        [arrows::check(tree), manifest::check(tree), names::check(tree), shape::check(tree), links::check(tree)]
            .concat();
    findings.sort();
    findings
}

/// What a check finds in a sample, as text.
#[cfg(test)]
pub(crate) fn found(check: impl Fn(&Tree) -> Vec<Finding>, files: &[(&str, &str)]) -> Vec<String> {
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
