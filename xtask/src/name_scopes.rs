//! Which names stand where only: what ARCHITECTURE.md states as absences.

use crate::finding::Finding;
use crate::manifest::{crate_of, dependencies};
use crate::source_code::{code_of, lines_naming};
use crate::tree::{File, Tree};

/// A name with the places that may use it; nothing else may.
struct NameScope {
    name: &'static str,
    allowed_in: &'static [&'static str],
    owner: &'static str,
}

const NAME_SCOPES: &[NameScope] = &[
    NameScope {
        name: "rusqlite",
        allowed_in: &["crates/kassa-store/src/sqlite/", "crates/kassa-store/tests/", "crates/kassa-store/Cargo.toml"],
        owner: "the SQLite driver's",
    },
    NameScope {
        name: "tokio_postgres",
        allowed_in: &["crates/kassa-store/src/postgres/", "crates/kassa-store/tests/", "crates/kassa-store/Cargo.toml"],
        owner: "the PostgreSQL driver's",
    },
    NameScope { name: "axum", allowed_in: &["crates/kassa-http/"], owner: "the HTTP interface's" },
];

const DOMAIN: &str = "crates/kassa-domain/";
/// What a pure crate does not name.
const IMPURE: &[&str] = &["tokio", "async", "await", "SystemTime", "Instant", "rand", "rusqlite", "axum", "sqlx"];

/// Finds names outside the crates they belong to, and impurities of the domain.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| file.path.starts_with("crates/") || file.path.starts_with("xtask/")) {
        for home in NAME_SCOPES.iter().filter(|home| !home.allowed_in.iter().any(|place| file.path.starts_with(place)))
        {
            let objection = || format!("{} is {} to name", home.name, home.owner);
            findings.extend(uses(file, home.name).into_iter().map(|line| Finding::new(&file.path, line, objection())));
        }
        let pure = file.path.starts_with(DOMAIN) && !file.path.starts_with("crates/kassa-domain/tests/");
        for name in IMPURE.iter().filter(|_| pure) {
            let objection = || format!("kassa-domain is pure, and must not name {name}");
            findings.extend(uses(file, name).into_iter().map(|line| Finding::new(&file.path, line, objection())));
        }
    }
    findings
}

/// The lines on which a source or a manifest uses `name`.
fn uses(file: &File, name: &str) -> Vec<usize> {
    if file.is_rust() {
        lines_naming(&code_of(&file.text), name)
    } else if crate_of(&file.path).is_some() {
        let same = |other: &str| other.replace('-', "_") == name;
        dependencies(&file.text).into_iter().filter(|d| same(d.name)).map(|d| d.line).collect()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::findings_in_sample;

    #[track_caller]
    fn expect(path: &str, text: &str, findings: &[&str]) {
        assert_eq!(findings_in_sample(check, &[(path, text)]), findings);
    }

    #[test]
    fn a_driver_is_named_at_home_only() {
        let text = "// rusqlite here\nuse rusqlite::Connection;\n";
        expect("crates/kassa-store/src/sqlite/mod.rs", text, &[]);
        expect("crates/kassa-store/tests/suite.rs", text, &[]);
        expect(
            "crates/kassa-engine/src/lane.rs",
            text,
            &["crates/kassa-engine/src/lane.rs:2: rusqlite is the SQLite driver's to name"],
        );
        let manifest = "[dependencies]\ntokio-postgres = \"1\"\n";
        expect("crates/kassa-store/Cargo.toml", manifest, &[]);
        expect(
            "crates/kassa/Cargo.toml",
            manifest,
            &["crates/kassa/Cargo.toml:2: tokio_postgres is the PostgreSQL driver's to name"],
        );
    }

    #[test]
    fn the_web_framework_is_named_by_the_http_crate_only() {
        expect("crates/kassa-http/src/app.rs", "use axum::Router;\n", &[]);
        expect(
            "crates/kassa/src/main.rs",
            "\nuse axum::Router;\n",
            &["crates/kassa/src/main.rs:2: axum is the HTTP interface's to name"],
        );
    }

    #[test]
    fn the_domain_is_pure() {
        let path = "crates/kassa-domain/src/model/order/mod.rs";
        expect(path, "//! No async, no Instant.\nfn operand() -> &'static str { \"rand\" }\n", &[]);
        for (name, text) in [
            ("async", "async fn a() {}"),
            ("Instant", "use std::time::Instant;"),
            ("SystemTime", "let now = std::time::SystemTime::now();"),
            ("rand", "let a = rand::random();"),
            ("tokio", "tokio::spawn(a);"),
            ("sqlx", "use sqlx::query;"),
        ] {
            let finding = format!("{path}:1: kassa-domain is pure, and must not name {name}");
            expect(path, text, &[finding.as_str()]);
        }
        let manifest = "[dependencies]\nrand = { workspace = true }\n";
        expect(
            "crates/kassa-domain/Cargo.toml",
            manifest,
            &["crates/kassa-domain/Cargo.toml:2: kassa-domain is pure, and must not name rand"],
        );
    }
}
