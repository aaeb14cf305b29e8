//! What customers type.

use std::fmt;
use std::str::FromStr;

/// The longest code, in characters.
const CHARS_MAX: usize = 64;

/// A code as somebody wrote it, without the blanks around it. Two that differ in case only are one code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PromocodeText {
    folded: String,
    written: String,
}

/// The text is not a promocode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must have 1 to {CHARS_MAX} characters, and no control characters")]
pub struct MalformedPromocodeText;

impl FromStr for PromocodeText {
    type Err = MalformedPromocodeText;

    fn from_str(text: &str) -> Result<Self, MalformedPromocodeText> {
        let written = text.trim();
        let sound = (1..=CHARS_MAX).contains(&written.chars().count()) && !written.chars().any(char::is_control);
        sound
            .then(|| Self { folded: written.to_lowercase(), written: written.to_owned() })
            .ok_or(MalformedPromocodeText)
    }
}

impl PromocodeText {
    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// In small letters: what it is found by.
    pub fn folded(&self) -> &str {
        &self.folded
    }

    /// Whether both are one code.
    pub fn matches(&self, other: &Self) -> bool {
        self.folded == other.folded
    }
}

impl fmt::Display for PromocodeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> PromocodeText {
        text.parse().unwrap()
    }

    #[test]
    fn codes_that_differ_in_case_or_blanks_around_them_are_one() {
        assert_eq!(code("  Spring 30 ").as_str(), "Spring 30");
        for other in ["spring 30", "SPRING 30\n", "\tsprinG 30"] {
            assert!(code("Spring 30").matches(&code(other)), "{other:?}");
        }
        assert!(code("ВЕСНА").matches(&code("весна")));
        assert!(!code("spring").matches(&code("spring 30")));
    }

    #[test]
    fn what_nobody_can_type_is_no_code() {
        for text in ["", " ", "\n", "a\u{0}b", "a\nb", &"x".repeat(65)] {
            assert_eq!(text.parse::<PromocodeText>(), Err(MalformedPromocodeText), "{text:?}");
        }
        code(&"ж".repeat(64));
    }
}
