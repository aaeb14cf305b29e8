//! E-mail addresses.

use std::fmt;
use std::str::FromStr;

use idna::AsciiDenyList;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use super::id::ShardTag;
use super::resource_ids::UserId;

/// The longest address, in bytes.
const EMAIL_BYTES_MAX: usize = 254;
/// The longest part before the `@`, in bytes.
const LOCAL_BYTES_MAX: usize = 64;

/// The domain of the addresses of users who have none of their own.
const DISPLACED_DOMAIN: &str = "displaced.invalid";

/// An e-mail address in the form in which addresses compare: in lower case, the part before the `@` composed (NFC), the
/// domain as the DNS knows it (IDNA). An address of ASCII letters changes its case only.
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
        // What IDNA refuses compares by its case alone, so that every address that was ever stored can be read.
        [normal_form(text), Some(text.to_lowercase())]
            .into_iter()
            .flatten()
            .find(|form| is_sound(form))
            .map(Self)
            .ok_or(MalformedEmail)
    }
}

/// `None` where the domain has no form in the DNS.
fn normal_form(text: &str) -> Option<String> {
    if text.is_ascii() {
        let lower = text.to_ascii_lowercase();
        if !lower.contains("xn--") {
            return Some(lower);
        }
    }
    let (local, domain) = text.rsplit_once('@')?;
    let local: String = local.nfc().flat_map(char::to_lowercase).nfc().collect();
    let domain = idna::domain_to_ascii_cow(domain.as_bytes(), AsciiDenyList::EMPTY).ok()?;
    Some(format!("{local}@{domain}"))
}

fn is_sound(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"<>(),;:\"\\[]".contains(c);
    let label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    (1..=LOCAL_BYTES_MAX).contains(&local.len())
        && text.len() <= EMAIL_BYTES_MAX
        && local.chars().all(|c| plain(c) && c != '@')
        && domain.split('.').count() >= 2
        && domain.split('.').all(label)
}

impl Email {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// An address that belongs to the user of this id, and to nobody else: no mail reaches it, for `.invalid` has no mail
    /// servers, and nobody can give it for its own (see [`Email::is_reserved`]). A user has it whose address was given to
    /// somebody with a better claim to it, until it says another one.
    pub(crate) fn displaced(user: UserId) -> Self {
        Self(format!("{user}@{DISPLACED_DOMAIN}"))
    }

    /// Whether addresses like this one are made by the program only.
    pub fn is_reserved(&self) -> bool {
        self.0.rsplit_once('@').is_some_and(|(_, domain)| domain == DISPLACED_DOMAIN)
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
    fn emails_compare_by_composed_letters_and_by_what_the_dns_knows() {
        let forms = [
            ("J\u{fc}rgen@example.org", "ju\u{308}rgen@example.org", "j\u{fc}rgen@example.org"),
            ("ann@B\u{fc}hne.Example", "ann@xn--bhne-0ra.example", "ann@xn--bhne-0ra.example"),
            ("ann@BU\u{308}HNE.example", "ANN@XN--bhne-0ra.example", "ann@xn--bhne-0ra.example"),
            ("ann@\u{ff45}xample.org", "ann@example.org", "ann@example.org"),
        ];
        for (one, other, normal) in forms {
            let email: Email = one.parse().unwrap();
            assert_eq!((Ok(&email), email.as_str()), (other.parse().as_ref(), normal), "{one}");
            assert_eq!(email.tag(), other.parse::<Email>().unwrap().tag());
        }
    }

    #[test]
    fn the_address_of_a_displaced_user_is_sound_and_reserved() {
        let displaced = Email::displaced(UserId::root(7));
        assert_eq!(displaced.as_str().parse().as_ref(), Ok(&displaced));
        assert!(displaced.is_reserved());
        assert!("ANN@Displaced.Invalid".parse::<Email>().unwrap().is_reserved());
        assert!(!"displaced.invalid@example.org".parse::<Email>().unwrap().is_reserved());
    }

    #[test]
    fn a_domain_that_idna_refuses_compares_by_its_case() {
        assert_eq!("Ann@XN--a.example".parse::<Email>().unwrap().as_str(), "ann@xn--a.example");
    }

    proptest::proptest! {
        #[test]
        fn what_is_stored_is_read_as_it_was(local in "\\PC{1,20}", domain in "[a-zA-Z0-9\u{c0}-\u{17f}-]{1,12}\\.[a-z]{2,3}") {
            if let Ok(email) = format!("{local}@{domain}").parse::<Email>() {
                proptest::prop_assert_eq!(email.as_str().parse(), Ok(email.clone()));
            }
        }
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
