//! Who answers for a package, as Debian names them.

use std::path::Path;
use std::process::Command;

use super::Failure;
use super::tools::output_of;

/// Domains in which nobody has an address (RFC 2606).
const RESERVED: [&str; 7] = ["example.com", "example.net", "example.org", "example", "invalid", "localhost", "test"];

/// A name and an address: `Name <address>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Maintainer(String);

impl Maintainer {
    /// The one that `Cargo.toml` names, in `workspace.metadata.package`.
    pub(super) fn of_workspace(root: &Path) -> Result<Self, Failure> {
        let mut cargo = Command::new(env!("CARGO"));
        let metadata = cargo.current_dir(root).args(["metadata", "--format-version", "1", "--no-deps", "--locked"]);
        let metadata: serde_json::Value = serde_json::from_str(&output_of(metadata)?)?;
        let named = metadata["metadata"]["package"]["maintainer"].as_str();
        Self::parse(named.ok_or("Cargo.toml has no workspace.metadata.package.maintainer")?)
    }

    /// One that Debian takes: a name, and one address in a domain of at least two parts.
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        let is_sound = || {
            let (name, address) = text.strip_suffix('>')?.split_once(" <")?;
            let (local, domain) = address.split_once('@')?;
            let is_word = |part: &str, marks: &str| {
                !part.is_empty()
                    && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || marks.as_bytes().contains(&byte))
            };
            let is_name = !name.trim().is_empty() && !name.contains(|c: char| c.is_control() || "<>@,\"".contains(c));
            let is_domain = domain.contains('.') && domain.split('.').all(|part| is_word(part, "-"));
            Some(is_name && is_word(local, ".+-_") && is_domain)
        };
        if is_sound() == Some(true) {
            Ok(Self(text.to_owned()))
        } else {
            Err(format!("a maintainer is written as: Name <address@domain>, and not as: {text}").into())
        }
    }

    /// Whether somebody may read what is sent there.
    pub(super) fn is_reachable(&self) -> bool {
        let domain = self.0.rsplit('@').next().unwrap_or_default().trim_end_matches('>').to_ascii_lowercase();
        !RESERVED
            .iter()
            .any(|name| domain.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maintainer_has_a_name_and_one_address() {
        for sound in ["Ann Lee <ann@tickets.example.org>", "The team of Kassa e.V. <a+b@b-c.de>", "Zoë <z@x.co>"] {
            assert_eq!(Maintainer::parse(sound).unwrap().as_str(), sound);
        }
        for wrong in [
            "",
            "Ann",
            "ann@example.org",
            "<ann@example.org>",
            " <ann@example.org>",
            "Ann <ann>",
            "Ann, Bob <ann@example.org>",
            "Ann <ann@localhost>",
            "Ann <ann@example..org>",
            "Ann <ann@example.org>\nDepends: x",
            "Ann\nDepends: x <ann@example.org>",
            "Ann <a b@example.org>",
            "Ann <a@example.org>, Bob <b@example.org>",
        ] {
            assert!(Maintainer::parse(wrong).unwrap_err().to_string().contains("Name <address@domain>"), "{wrong}");
        }
    }

    #[test]
    fn nobody_reads_addresses_in_reserved_domains() {
        let reads = |address: &str| Maintainer::parse(&format!("Ann <{address}>")).unwrap().is_reachable();
        for (address, is_read) in [
            ("a@example.org", false),
            ("a@mail.EXAMPLE.com", false),
            ("a@kassa.invalid", false),
            ("a@contest.de", true),
            ("a@myexample.org", true),
        ] {
            assert_eq!(reads(address), is_read, "{address}");
        }
    }

    #[test]
    fn the_workspace_names_one() {
        Maintainer::of_workspace(&crate::package::repository()).unwrap();
    }
}
