//! Amounts of money, as they are written in each language.

use std::fmt;
use std::str::FromStr;

use crate::language::Language;

/// Between a number and what it counts: they stay in one line.
const FIXED_BLANK: char = '\u{a0}';

/// An amount of money, in hundredths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(i64);

/// A text is no amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedAmount;

impl fmt::Display for MalformedAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be an amount with two decimals, such as 25.00")
    }
}

impl std::error::Error for MalformedAmount {}

impl FromStr for Amount {
    type Err = MalformedAmount;

    /// As the API writes it: `25.00`, `-3.50`.
    fn from_str(text: &str) -> Result<Self, MalformedAmount> {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
        let (whole, cents) = digits.split_once('.').ok_or(MalformedAmount)?;
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(cents) || cents.len() != 2 {
            return Err(MalformedAmount);
        }
        let (whole, cents): (i64, i64) =
            (whole.parse().map_err(|_| MalformedAmount)?, cents.parse().map_err(|_| MalformedAmount)?);
        let hundredths = whole.checked_mul(100).and_then(|whole| whole.checked_add(cents)).ok_or(MalformedAmount)?;
        Ok(Self(sign * hundredths))
    }
}

impl fmt::Display for Amount {
    /// As the API writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, hundredths) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        write!(f, "{sign}{}.{:02}", hundredths / 100, hundredths % 100)
    }
}

impl std::iter::Sum for Amount {
    /// No amount of the interface comes near the end of the numbers.
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        Self(amounts.fold(0, |sum, amount| sum.saturating_add(amount.0)))
    }
}

impl Amount {
    /// So many hundredths.
    pub const fn of_hundredths(hundredths: i64) -> Self {
        Self(hundredths)
    }

    /// Whether nothing is to be paid.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// As people write it: whole amounts without decimals, and a currency where it is known.
    pub fn show(self, language: Language, currency: Option<Currency>) -> String {
        let (group, point) = match language {
            Language::En => (',', '.'),
            Language::De => ('.', ','),
            Language::Ru => (FIXED_BLANK, ','),
        };
        let hundredths = self.0.unsigned_abs();
        let (whole, cents) = (hundredths / 100, hundredths % 100);
        let digits = whole.to_string();
        let mut number = String::new();
        for (at, digit) in digits.char_indices() {
            // By the practice of each language, a number of four digits needs no groups outside English.
            let is_grouped = digits.len() > 4 || language == Language::En;
            if at > 0 && (digits.len() - at).is_multiple_of(3) && is_grouped {
                number.push(group);
            }
            number.push(digit);
        }
        if cents > 0 || currency.is_none() {
            number = format!("{number}{point}{cents:02}");
        }
        let sign = if self.0 < 0 { "−" } else { "" };
        match (currency, language) {
            (None, _) => format!("{sign}{number}"),
            (Some(currency), Language::En) => match currency.sign() {
                Some(symbol) => format!("{sign}{symbol}{number}"),
                None => format!("{sign}{}{FIXED_BLANK}{number}", currency.code()),
            },
            (Some(currency), Language::De | Language::Ru) => {
                let symbol = currency.sign().unwrap_or_else(|| currency.code());
                format!("{sign}{number}{FIXED_BLANK}{symbol}")
            }
        }
    }
}

/// Ten-thousandths of a percent, as each language writes them: `12.5%`, `12,5 %`.
pub fn show_percent(ten_thousandths: u32, language: Language) -> String {
    let (point, blank) = match language {
        Language::En => ('.', ""),
        Language::De | Language::Ru => (',', "\u{a0}"),
    };
    let (whole, fraction) = (ten_thousandths / 10_000, ten_thousandths % 10_000);
    let decimals = if fraction == 0 { String::new() } else { format!("{point}{fraction:04}") };
    format!("{whole}{}{blank}%", decimals.trim_end_matches('0'))
}

/// A currency, by its code (ISO 4217): three capital letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Currency([u8; 3]);

/// A text is no code of a currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedCurrency;

impl fmt::Display for MalformedCurrency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be the three letters of a currency (ISO 4217), such as EUR")
    }
}

impl std::error::Error for MalformedCurrency {}

impl FromStr for Currency {
    type Err = MalformedCurrency;

    fn from_str(text: &str) -> Result<Self, MalformedCurrency> {
        let letters: [u8; 3] = text.to_ascii_uppercase().as_bytes().try_into().map_err(|_| MalformedCurrency)?;
        if letters.iter().all(u8::is_ascii_uppercase) { Ok(Self(letters)) } else { Err(MalformedCurrency) }
    }
}

impl Currency {
    /// Its code.
    pub fn code(&self) -> &str {
        // Letters of ASCII are text.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Its sign, where everybody knows it.
    fn sign(self) -> Option<&'static str> {
        match &self.0 {
            b"EUR" => Some("€"),
            b"GBP" => Some("£"),
            b"RUB" => Some("₽"),
            b"USD" => Some("$"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_has_two_decimals_and_nothing_else() {
        for text in ["25.00", "0.05", "-3.50", "1000000.00"] {
            assert_eq!(text.parse::<Amount>().unwrap().to_string(), text);
        }
        for text in ["", "25", "25.0", "25.000", ".50", "a.00", "+1.00", "1 000.00", "92233720368547758.08"] {
            assert_eq!(text.parse::<Amount>(), Err(MalformedAmount), "{text}");
        }
    }

    #[test]
    fn amounts_are_written_as_each_language_writes_them() {
        let euro: Currency = "eur".parse().unwrap();
        let franc: Currency = "CHF".parse().unwrap();
        let show = |text: &str, currency: Option<Currency>| {
            let amount: Amount = text.parse().unwrap();
            Language::ALL.map(|language| amount.show(language, currency).replace(FIXED_BLANK, "_"))
        };
        assert_eq!(show("25.00", Some(euro)), ["€25", "25_€", "25_€"]);
        assert_eq!(show("1234.50", Some(euro)), ["€1,234.50", "1234,50_€", "1234,50_€"]);
        assert_eq!(show("1234567.00", Some(franc)), ["CHF_1,234,567", "1.234.567_CHF", "1_234_567_CHF"]);
        assert_eq!(show("-3.50", Some(euro)), ["−€3.50", "−3,50_€", "−3,50_€"]);
        assert_eq!(show("25.00", None), ["25.00", "25,00", "25,00"]);
    }

    #[test]
    fn a_percentage_has_the_decimals_that_it_needs() {
        let each = |value| Language::ALL.map(|language| show_percent(value, language).replace(FIXED_BLANK, "_"));
        assert_eq!(each(125_000), ["12.5%", "12,5_%", "12,5_%"]);
        assert_eq!(each(1_000_000), ["100%", "100_%", "100_%"]);
        assert_eq!(each(5), ["0.0005%", "0,0005_%", "0,0005_%"]);
    }

    #[test]
    fn a_currency_is_three_letters() {
        assert_eq!("rub".parse::<Currency>().unwrap().code(), "RUB");
        for text in ["", "EU", "EURO", "E1R", "€€€"] {
            assert_eq!(text.parse::<Currency>(), Err(MalformedCurrency), "{text}");
        }
    }
}
