//! Which crate may depend on which.

use crate::finding::Finding;
use crate::manifest::{crate_of, dependencies};
use crate::tree::Tree;

/// The crates from the inside out. Each may depend on those before it, and on no other.
const CRATES: &[&str] = &[
    "kassa-texts",
    "kassa-documents",
    "kassa-domain",
    "kassa-store",
    "kassa-engine",
    "kassa-http",
    "kassa-web",
    "kassa-bench",
    "kassa",
];

/// Finds dependencies that run outwards, and crates that have no place in the order.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &tree.files {
        let Some(from) = crate_of(&file.path) else { continue };
        let Some(place) = rank_of(from) else {
            let text = format!("crate {from} has no place in the order of crates: {}", CRATES.join(" <- "));
            findings.push(Finding::new(&file.path, 1, text));
            continue;
        };
        for dependency in dependencies(&file.text) {
            let to = dependency.name;
            let ours = to == "kassa" || to == "xtask" || to.starts_with("kassa-");
            // Tests of a crate may ask for features of its own.
            if ours && to != from && rank_of(to).is_none_or(|inner| inner >= place) {
                let text = format!("{from} must not depend on {to}: {}", CRATES.join(" <- "));
                findings.push(Finding::new(&file.path, dependency.line, text));
            }
        }
    }
    findings
}

fn rank_of(name: &str) -> Option<usize> {
    CRATES.iter().position(|other| *other == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::findings_in_sample;

    const STORE: &str = "crates/kassa-store/Cargo.toml";

    #[test]
    fn the_arrows_of_this_repository_point_inwards() {
        assert_eq!(check(&Tree::of_repository().unwrap()), []);
    }

    #[test]
    fn every_crate_of_this_repository_is_looked_at() {
        let tree = Tree::of_repository().unwrap();
        let mut seen: Vec<&str> = tree.files.iter().filter_map(|file| crate_of(&file.path)).collect();
        seen.sort_unstable();
        let mut expected = CRATES.to_vec();
        expected.sort_unstable();
        assert_eq!(seen, expected);
    }

    #[test]
    fn an_arrow_inwards_is_fine() {
        assert!(
            findings_in_sample(
                check,
                &[(STORE, "[dependencies]\nkassa-domain = { workspace = true }\nserde = \"1\"\n")]
            )
            .is_empty()
        );
    }

    #[test]
    fn an_arrow_outwards_is_found_however_it_is_written() {
        let outwards = [
            "[dependencies]\nkassa-engine = { workspace = true }",
            "[dependencies]\nkassa-engine.workspace = true",
            "[dependencies]\nengine = { package = \"kassa-engine\", path = \"../kassa-engine\" }",
            "[dev-dependencies]\nkassa-engine = { workspace = true }",
            "[build-dependencies]\n\"kassa-engine\" = { workspace = true }",
            "[target.'cfg(unix)'.dependencies]\nkassa-engine = { workspace = true }",
            "[dependencies.kassa-engine]\nworkspace = true",
            "[dependencies.engine]\npackage = \"kassa-engine\"",
        ];
        for text in outwards {
            let findings = findings_in_sample(check, &[(STORE, text)]);
            assert_eq!(findings.len(), 1, "{text}");
            assert!(findings[0].contains("kassa-store must not depend on kassa-engine"), "{findings:?}");
        }
    }

    #[test]
    fn a_crate_that_nobody_placed_is_found() {
        let findings = findings_in_sample(check, &[("crates/kassa-moon/Cargo.toml", "")]);
        assert!(
            findings[0].starts_with("crates/kassa-moon/Cargo.toml:1: crate kassa-moon has no place"),
            "{findings:?}"
        );
    }
}
