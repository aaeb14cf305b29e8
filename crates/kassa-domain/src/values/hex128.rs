//! 128 bits that are written as hexadecimal digits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// 128 bits: a hash, or random ones. Outside they are 32 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex128(pub [u8; 16]);

/// The text is not 32 lowercase hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 32 lowercase hexadecimal digits")]
pub struct MalformedHex128;

impl fmt::Display for Hex128 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for Hex128 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Hex128 {
    type Err = MalformedHex128;

    fn from_str(text: &str) -> Result<Self, MalformedHex128> {
        let digits = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let bits = if digits { u128::from_str_radix(text, 16).ok() } else { None };
        bits.map(|bits| Self(bits.to_be_bytes())).ok_or(MalformedHex128)
    }
}

impl Serialize for Hex128 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hex128 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex128_is_32_lowercase_digits() {
        let text = "00ff0123456789abcdef0123456789ab";
        assert_eq!(text.parse::<Hex128>().unwrap().to_string(), text);
        for text in ["", "0", "00FF0123456789abcdef0123456789ab", "+0ff0123456789abcdef0123456789ab", &"0".repeat(33)] {
            assert_eq!(text.parse::<Hex128>(), Err(MalformedHex128), "{text}");
        }
    }
}
