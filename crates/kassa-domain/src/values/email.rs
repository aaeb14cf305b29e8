//! E-mail addresses.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::id::ShardTag;

/// An e-mail address, in lower case: addresses compare without case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Email(String);

/// The text is not an e-mail address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an e-mail address of at most 254 characters")]
pub struct MalformedEmail;

impl FromStr for Email {
    type Err = MalformedEmail;

    fn from_str(text: &str) -> Result<Self, MalformedEmail> {
        let text = text.trim();
        let (local, domain) = text.rsplit_once('@').ok_or(MalformedEmail)?;
        let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"<>(),;:\"\\[]".contains(c);
        let label = |label: &str| {
            !label.is_empty()
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.chars().all(|c| c.is_alphanumeric() || c == '-')
        };
        let sound = (1..=64).contains(&local.len())
            && text.len() <= 254
            && local.chars().all(|c| plain(c) && c != '@')
            && domain.split('.').count() >= 2
            && domain.split('.').all(label);
        if sound { Ok(Self(text.to_lowercase())) } else { Err(MalformedEmail) }
    }
}

impl Email {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where commands about this address meet: a hash of it.
    pub fn tag(&self) -> ShardTag {
        let folded = self.0.bytes().fold(0_i64, |hash, byte| (hash ^ i64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        ShardTag::of_key(folded)
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emails_compare_without_case() {
        assert_eq!("Ann@Example.ORG".parse::<Email>(), "ann@example.org".parse());
    }

    #[test]
    fn invalid_emails_are_refused() {
        for text in [
            "",
            "ann",
            "@example.org",
            "ann@",
            "ann@localhost",
            "a b@example.org",
            "ann@example..org",
            "ann@-a.org",
            "ann@exa mple.org",
            "ann\u{0}@example.org",
            "<ann@example.org>",
        ] {
            assert_eq!(text.parse::<Email>(), Err(MalformedEmail), "{text:?}");
        }
    }
}
