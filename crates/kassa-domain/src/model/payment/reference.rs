//! What a transfer must say: a creditor reference of ISO 11649, which banks and people check before they send.

use std::fmt;
use std::str::FromStr;

/// `RF`, two check digits, and up to 21 digits: the number of the order, and which of its payments this is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PaymentReference(String);

/// The text is no reference, or is mistyped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a reference as RF18539007547034, whose check digits are right")]
pub struct MalformedReference;

impl PaymentReference {
    /// Of a payment of the order with this number: the first one is 0.
    pub fn new(order_number: i64, payment: u32) -> Self {
        let body = format!("{order_number}{payment}");
        // "RF00" at the end, with letters as two digits from A = 10 on.
        let check = 98 - remainder_97(body.bytes().chain(*b"271500"));
        Self(format!("RF{check:02}{body}"))
    }

    /// As it is stored and sent: without spaces.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A number in decimal digits, divided by 97.
fn remainder_97(digits: impl Iterator<Item = u8>) -> u32 {
    digits.fold(0, |rest, digit| (rest * 10 + u32::from(digit - b'0')) % 97)
}

impl fmt::Display for PaymentReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// As people and banks write it: spaces and case mean nothing.
impl FromStr for PaymentReference {
    type Err = MalformedReference;

    fn from_str(text: &str) -> Result<Self, MalformedReference> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_uppercase()).collect();
        let digits = text.strip_prefix("RF").ok_or(MalformedReference)?;
        if !(3..=23).contains(&digits.len()) || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(MalformedReference);
        }
        let (check, body) = digits.split_at(2);
        let sum = remainder_97(body.bytes().chain(*b"2715").chain(check.bytes()));
        if sum == 1 { Ok(Self(text)) } else { Err(MalformedReference) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_those_of_the_standard() {
        // The example of ISO 11649.
        assert_eq!(PaymentReference::new(53_900_754_703, 4).as_str(), "RF18539007547034");
        let read: PaymentReference = "rf18 5390 0754 7034".parse().unwrap();
        assert_eq!(read, PaymentReference::new(53_900_754_703, 4));
    }

    #[test]
    fn a_mistyped_reference_is_noticed() {
        let right = PaymentReference::new(1_000_123, 0);
        for at in 2..right.as_str().len() {
            for digit in '0'..='9' {
                let mut text: Vec<char> = right.as_str().chars().collect();
                if text[at] == digit {
                    continue;
                }
                text[at] = digit;
                let wrong: String = text.iter().collect();
                assert_eq!(wrong.parse::<PaymentReference>(), Err(MalformedReference), "{wrong}");
            }
        }
        for wrong in ["", "RF", "RF1", "XX18539007547034", "RF18539007547043", "RF1853900754703é"] {
            assert_eq!(wrong.parse::<PaymentReference>(), Err(MalformedReference), "{wrong}");
        }
    }
}
