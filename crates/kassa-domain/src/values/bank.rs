//! Accounts at banks.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The number of a bank account, by ISO 13616: in capitals, without spaces, with the right check digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Iban(String);

/// The text is no IBAN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an IBAN, as DE02 1203 0000 0000 2020 51, whose check digits are right")]
pub struct MalformedIban;

impl Iban {
    /// As machines write it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Iban {
    type Err = MalformedIban;

    fn from_str(text: &str) -> Result<Self, MalformedIban> {
        let text: String = text.chars().filter(|c| *c != ' ').map(|c| c.to_ascii_uppercase()).collect();
        let bytes = text.as_bytes();
        let is_sound = (15..=34).contains(&bytes.len())
            && bytes[..2].iter().all(u8::is_ascii_uppercase)
            && bytes[2..4].iter().all(u8::is_ascii_digit)
            && bytes.iter().all(u8::is_ascii_alphanumeric);
        if is_sound && remainder_97(bytes[4..].iter().chain(&bytes[..4])) == 1 {
            Ok(Self(text))
        } else {
            Err(MalformedIban)
        }
    }
}

/// Digits, and letters as two digits from A = 10 on, divided by 97.
fn remainder_97<'a>(characters: impl Iterator<Item = &'a u8>) -> u32 {
    characters.fold(0, |rest, character| match character {
        b'0'..=b'9' => (rest * 10 + u32::from(character - b'0')) % 97,
        _ => (rest * 100 + u32::from(character - b'A') + 10) % 97,
    })
}

/// The code of a bank, by ISO 9362: 8 or 11 capitals and digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bic(String);

/// The text is no BIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a BIC of 8 or 11 letters and digits, as BYLADEM1001")]
pub struct MalformedBic;

impl Bic {
    /// In capitals.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Bic {
    type Err = MalformedBic;

    fn from_str(text: &str) -> Result<Self, MalformedBic> {
        let text = text.trim().to_ascii_uppercase();
        let bytes = text.as_bytes();
        let is_sound = matches!(bytes.len(), 8 | 11)
            && bytes.iter().all(u8::is_ascii_alphanumeric)
            && bytes[4..6].iter().all(u8::is_ascii_uppercase);
        if is_sound { Ok(Self(text)) } else { Err(MalformedBic) }
    }
}

impl fmt::Display for Iban {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Bic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iban_is_read_as_people_write_it_and_checked() {
        let read = |text: &str| text.parse::<Iban>().map(|iban| iban.to_string());
        assert_eq!(read("de02 1203 0000 0000 2020 51").unwrap(), "DE02120300000000202051");
        assert_eq!(read("GB82 WEST 1234 5698 7654 32").unwrap(), "GB82WEST12345698765432");
        for wrong in [
            "",
            "DE02",
            "DE02120300000000202052",
            "DE20120300000000202051",
            "0202120300000000202051",
            "ÄE02120300000000202051",
        ] {
            assert_eq!(read(wrong), Err(MalformedIban), "{wrong}");
        }
    }

    #[test]
    fn a_bic_has_8_or_11_characters() {
        assert_eq!("byladem1001".parse::<Bic>().unwrap().as_str(), "BYLADEM1001");
        assert_eq!("DEUTDEFF".parse::<Bic>().unwrap().as_str(), "DEUTDEFF");
        for wrong in ["", "DEUTDEF", "DEUTDEFF5", "DEUT12FF", "DEUTDEFÄ"] {
            assert_eq!(wrong.parse::<Bic>(), Err(MalformedBic), "{wrong}");
        }
    }
}
