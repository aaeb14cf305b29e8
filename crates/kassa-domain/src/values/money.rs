//! Money in integer minor units (cents), and percentages in ten-thousandths of a percent.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An amount of money in minor units: `Money::from_minor(1050)` is 10.50.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Money(i64);

impl Money {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The dearest ticket: 1,000,000,000.00.
    pub const PRICE_MAX: Self = Self(100_000_000_000);

    /// From cents.
    pub const fn from_minor(minor: i64) -> Self {
        Self(minor)
    }

    /// In cents.
    pub const fn minor(self) -> i64 {
        self.0
    }
}

impl Add for Money {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Money {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Money {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

/// Always two decimals: `"100.00"`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let minor = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", minor / 100, minor % 100)
    }
}

/// The text is not an amount of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an amount from 0 to 1000000000.00 with at most two decimals")]
pub struct MalformedMoney;

/// `100`, `100.5` and `100.50`; no sign, no exponent, no third decimal, at most
/// [`Money::PRICE_MAX`].
impl FromStr for Money {
    type Err = MalformedMoney;

    fn from_str(text: &str) -> Result<Self, MalformedMoney> {
        let minor = parse_scaled(text, 2).ok_or(MalformedMoney)?;
        let money = Self(minor);
        if money > Self::PRICE_MAX { Err(MalformedMoney) } else { Ok(money) }
    }
}

/// A percentage in ten-thousandths of a percent: `Percent::from_units(30_000)` is 3 %.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Percent(i64);

impl Percent {
    /// One hundred percent.
    pub const HUNDRED: Self = Self::from_percent(100);

    /// From ten-thousandths of a percent.
    pub const fn from_units(units: i64) -> Self {
        Self(units)
    }

    /// From whole percents.
    pub const fn from_percent(percent: i64) -> Self {
        Self(percent * 10_000)
    }

    /// In ten-thousandths of a percent.
    pub const fn units(self) -> i64 {
        self.0
    }

    /// This part of `amount`, rounded half up to the cent.
    pub fn of(self, amount: Money) -> Money {
        let product = i128::from(amount.0) * i128::from(self.0);
        let whole = i128::from(Self::HUNDRED.0);
        let rounded = (product + whole / 2).div_euclid(whole);
        Money(i64::try_from(rounded).unwrap_or(i64::MAX))
    }
}

/// The text is not a percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a percentage from 0 to 1000 with at most four decimals")]
pub struct MalformedPercent;

/// The number without its `%` sign: `3`, `3.00`, `12.5`.
impl FromStr for Percent {
    type Err = MalformedPercent;

    fn from_str(text: &str) -> Result<Self, MalformedPercent> {
        let units = parse_scaled(text, 4).ok_or(MalformedPercent)?;
        if units > 10 * Self::HUNDRED.0 { Err(MalformedPercent) } else { Ok(Self(units)) }
    }
}

/// A plain decimal as an integer of `decimals` places; `None` for anything else.
fn parse_scaled(text: &str, decimals: usize) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || whole.len() > 12 {
        return None;
    }
    // More places are fine where they say nothing: 3.50000 is 3.5.
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > decimals {
        return None;
    }
    format!("{whole}{fraction:0<decimals$}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_parsed_and_displayed_with_two_decimals() {
        for (text, shown) in [
            ("0", "0.00"),
            ("100", "100.00"),
            ("1105.5", "1105.50"),
            ("0.07", "0.07"),
            ("1000000000.00", "1000000000.00"),
            ("5.100", "5.10"),
        ] {
            assert_eq!(text.parse::<Money>().map(|m| m.to_string()), Ok(shown.to_owned()));
        }
        assert_eq!(Money::from_minor(-150).to_string(), "-1.50");
    }

    #[test]
    fn malformed_amounts_are_refused() {
        for text in [
            "",
            "-1",
            "+1",
            "1.",
            ".5",
            "1.234",
            "1e3",
            "1,5",
            " 1",
            "NaN",
            "1000000000.01",
            "99999999999999999999",
            "٣",
        ] {
            assert_eq!(text.parse::<Money>(), Err(MalformedMoney), "{text}");
        }
    }

    #[test]
    fn percents_round_half_up() {
        let three = Percent::from_units(30_000);
        assert_eq!(three.of(Money(10_000)), Money(300));
        assert_eq!(three.of(Money(50)), Money(2), "1.5 cents");
        assert_eq!(three.of(Money(49)), Money(1), "1.47 cents");
        assert_eq!("33.3333".parse::<Percent>().map(|p| p.of(Money(100))), Ok(Money(33)));
        assert_eq!("0.00001".parse::<Percent>(), Err(MalformedPercent));
    }
}
