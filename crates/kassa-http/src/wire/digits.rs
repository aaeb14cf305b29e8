//! Short texts of digits, made without the machinery of `fmt`: an answer has a dozen of them, and it was slow to
//! make them one piece at a time.

use serde::{Serializer, ser};

/// The longest: a time has 32 characters, the greatest amount 20.
const LENGTH_MAX: usize = 40;

/// A text that is being made. What does not fit is an error when it is shown.
pub(super) struct DigitBuffer {
    bytes: [u8; LENGTH_MAX],
    length: usize,
}

impl DigitBuffer {
    pub(super) fn new() -> Self {
        Self { bytes: [0; LENGTH_MAX], length: 0 }
    }

    /// Text between numbers.
    pub(super) fn text(mut self, text: &str) -> Self {
        for byte in text.bytes() {
            if let Some(place) = self.bytes.get_mut(self.length) {
                *place = byte;
            }
            self.length += 1;
        }
        self
    }

    /// A number with zeros before it up to a width; a longer one is written whole.
    pub(super) fn number(mut self, number: u64, width: usize) -> Self {
        let digits = number.checked_ilog10().map_or(1, |log| log as usize + 1);
        let start = self.length;
        self.length += digits.max(width);
        let mut rest = number;
        for place in self.bytes.iter_mut().take(self.length).skip(start).rev() {
            let digit = u8::try_from(rest % 10);
            debug_assert!(digit.is_ok(), "a digit is below ten");
            *place = b'0' + digit.unwrap_or(0);
            rest /= 10;
        }
        self
    }

    /// The same for the parts of a date, which are never below zero.
    pub(super) fn part(self, number: impl Into<i64>, width: usize) -> Self {
        self.number(number.into().unsigned_abs(), width)
    }

    /// The text; `None` when it did not fit.
    pub(super) fn as_str(&self) -> Option<&str> {
        str::from_utf8(self.bytes.get(..self.length)?).ok()
    }

    pub(super) fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str().ok_or_else(|| ser::Error::custom("a number is too long"))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_filled_up_with_zeros_and_never_cut() {
        let shown =
            |digits: DigitBuffer| digits.serialize(serde_json::value::Serializer).map_err(|error| error.to_string());
        assert_eq!(
            shown(DigitBuffer::new().number(7, 2).text(":").number(0, 1).text("-").number(1234, 2)).unwrap(),
            "07:0-1234"
        );
        assert_eq!(shown(DigitBuffer::new().number(u64::MAX, 1)).unwrap(), "18446744073709551615");
        let too_long = DigitBuffer::new().number(u64::MAX, 20).number(u64::MAX, 21);
        assert_eq!(shown(too_long).unwrap_err(), "a number is too long");
    }
}
