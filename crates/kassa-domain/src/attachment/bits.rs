//! 128 bits that are written as hexadecimal digits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// 128 bits: a hash, or random ones. Outside they are 32 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits(pub [u8; 16]);

/// The text is not 32 lowercase hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 32 lowercase hexadecimal digits")]
pub struct MalformedBits;

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Bits {
    type Err = MalformedBits;

    fn from_str(text: &str) -> Result<Self, MalformedBits> {
        let digits = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let bits = if digits { u128::from_str_radix(text, 16).ok() } else { None };
        bits.map(|bits| Self(bits.to_be_bytes())).ok_or(MalformedBits)
    }
}

impl Serialize for Bits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Bits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_32_lowercase_digits() {
        let text = "00ff0123456789abcdef0123456789ab";
        assert_eq!(text.parse::<Bits>().unwrap().to_string(), text);
        for text in ["", "0", "00FF0123456789abcdef0123456789ab", "+0ff0123456789abcdef0123456789ab", &"0".repeat(33)] {
            assert_eq!(text.parse::<Bits>(), Err(MalformedBits), "{text}");
        }
    }
}
