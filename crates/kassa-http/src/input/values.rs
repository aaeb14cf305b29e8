//! The types of fields, with their bounds.

use std::str::FromStr;

use kassa_domain::Money;
use kassa_domain::promocode::PromocodeText;
use kassa_domain::seating::{MalformedRowName, RowName};
use kassa_domain::user::Email;
use serde::de::DeserializeOwned;
use url::Url;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

use super::field::{FromJson, invalid_value};
use crate::error::ErrorDetail;
use crate::openapi::schema;

/// Text without control characters but tabs and line breaks.
const LINES_PATTERN: &str = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$";
/// A decimal number of at most two places; more zeros mean nothing.
const DECIMAL_PATTERN: &str = r"^[0-9]{1,12}(\.[0-9]{1,2}0*)?$";

/// The JSON as a `T`, or what is wrong with it.
fn parse<T: DeserializeOwned>(json: &str, wanted: &str) -> Result<T, Vec<ErrorDetail>> {
    serde_json::from_str(json).map_err(|_| invalid_value(format!("must be {wanted}")))
}

/// The JSON as an object of the fields of `T`. A list is none, though its entries could be read as
/// fields by their places.
pub(crate) fn parse_object<T: DeserializeOwned>(json: &str) -> Result<T, Vec<ErrorDetail>> {
    if json.starts_with('{') { parse(json, "an object") } else { Err(invalid_value("must be an object")) }
}

/// One of some words, for what it means.
pub(crate) fn parse_word<T: Copy>(words: &[(&str, T)], json: &str) -> Result<T, Vec<ErrorDetail>> {
    let text: Option<String> = serde_json::from_str(json).ok();
    let known = words.iter().find(|(word, _)| text.as_deref() == Some(word));
    known.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        invalid_value(format!("must be one of {}", words.join(", ")))
    })
}

/// A whole number as JSON writes it; one with a fraction of zeros is whole, too: `2.0`.
pub(crate) fn parse_whole_number<T: FromStr>(text: &str) -> Option<T> {
    let without_zeros = text.split_once('.').filter(|(_, zeros)| !zeros.is_empty() && zeros.bytes().all(|b| b == b'0'));
    without_zeros.map_or(text, |(whole, _)| whole).parse().ok()
}

/// One line of at most `MAX` characters, without control characters.
#[derive(Clone, Debug)]
pub(crate) struct LineText<const MAX: usize = 255>(pub(crate) String);

impl<const MAX: usize> FromJson for LineText<MAX> {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let text: String = parse(json, "a string")?;
        if text.chars().count() > MAX {
            return Err(invalid_value(format!("must have at most {MAX} characters")));
        }
        if text.chars().any(char::is_control) {
            return Err(invalid_value("must not have control characters"));
        }
        Ok(Self(text))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::line(MAX).into()
    }
}

/// A name: as [`LineText`], and not blank.
#[derive(Clone, Debug)]
pub(crate) struct NameText(pub(crate) String);

impl FromJson for NameText {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let LineText(text) = LineText::<255>::from_json(json)?;
        if text.trim().is_empty() { Err(invalid_value("must not be blank")) } else { Ok(Self(text)) }
    }

    fn json_schema() -> RefOr<Schema> {
        schema::name(255).into()
    }
}

/// The name of a row of seats; a number will do.
#[derive(Clone, Debug)]
pub(crate) struct RowNameText(pub(crate) RowName);

impl FromJson for RowNameText {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let text = match parse_whole_number::<u32>(json) {
            Some(number) => number.to_string(),
            None => parse(json, "a string")?,
        };
        text.parse().map(Self).map_err(|error: MalformedRowName| invalid_value(error.to_string()))
    }

    fn json_schema() -> RefOr<Schema> {
        let text = schema::name(16);
        schema::any_of([text.into(), schema::integer().minimum(Some(0)).maximum(Some(u32::MAX)).into()])
    }
}

/// Any text of at most 1,024 characters: a password as it is compared, whatever it is.
#[derive(Clone)]
pub(crate) struct AnyText(pub(crate) String);

impl FromJson for AnyText {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let text: String = parse(json, "a string")?;
        if text.chars().count() > 1_024 {
            Err(invalid_value("must have at most 1024 characters"))
        } else {
            Ok(Self(text))
        }
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text().max_length(Some(1_024)).into()
    }
}

/// Text of at most 10,000 characters, with line breaks and tabs.
#[derive(Clone, Debug)]
pub(crate) struct LongText(pub(crate) String);

impl FromJson for LongText {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let text: String = parse(json, "a string")?;
        if text.chars().count() > 10_000 {
            return Err(invalid_value("must have at most 10000 characters"));
        }
        if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            return Err(invalid_value("must not have control characters but line breaks and tabs"));
        }
        Ok(Self(text))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text().max_length(Some(10_000)).pattern(Some(LINES_PATTERN)).into()
    }
}

/// A password of 8 to 128 characters.
#[derive(Clone)]
pub(crate) struct PasswordText(pub(crate) String);

impl FromJson for PasswordText {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let text: String = parse(json, "a string")?;
        if (8..=128).contains(&text.chars().count()) {
            Ok(Self(text))
        } else {
            Err(invalid_value("must have 8 to 128 characters"))
        }
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text_with_format("password").min_length(Some(8)).max_length(Some(128)).into()
    }
}

/// An e-mail address.
#[derive(Clone, Debug)]
pub(crate) struct EmailText(pub(crate) Email);

impl FromJson for EmailText {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let text: String = parse(json, "a string")?;
        // Addresses that the program makes for itself are nobody's to give.
        let email = text.parse().ok().filter(|email: &Email| !email.is_reserved());
        email.map(Self).ok_or_else(|| invalid_value(kassa_domain::user::MalformedEmail.to_string()))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text_with_format("idn-email").into()
    }
}

/// An http or https address of at most 2,048 characters.
#[derive(Clone, Debug)]
pub(crate) struct WebUrl(pub(crate) String);

impl FromJson for WebUrl {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let text: String = parse(json, "a string")?;
        let sound = text.len() <= 2_048 && Url::parse(&text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        if sound {
            Ok(Self(text))
        } else {
            Err(invalid_value("must be an http or https address of at most 2048 characters"))
        }
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text_with_format("uri").max_length(Some(2_048)).into()
    }
}

/// The code of a promocode.
#[derive(Clone, Debug)]
pub(crate) struct PromocodeCodeInput(pub(crate) PromocodeText);

impl FromJson for PromocodeCodeInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let text: String = parse(json, "a string")?;
        text.parse()
            .map(Self)
            .map_err(|error: kassa_domain::promocode::MalformedPromocodeText| invalid_value(error.to_string()))
    }

    fn json_schema() -> RefOr<Schema> {
        let about = "1 to 64 characters, without regard to case.";
        schema::name(64).description(Some(about)).into()
    }
}

/// An amount of money: `"100.00"` or `100`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoneyInput(pub(crate) Money);

impl FromJson for MoneyInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        // A number is read by its digits, as it was written: no binary fraction comes near money.
        let text = if json.starts_with('"') { parse(json, "an amount")? } else { json.to_owned() };
        text.parse().map(Self).map_err(|error: kassa_domain::money::MalformedMoney| invalid_value(error.to_string()))
    }

    fn json_schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0)).maximum(Some(1_000_000_000));
        schema::any_of([schema::text().pattern(Some(DECIMAL_PATTERN)).into(), number.into()])
    }
}

/// A whole number from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundedNumber<const MAX: u32, const MIN: u32 = 0>(pub(crate) u32);

impl<const MAX: u32, const MIN: u32> FromJson for BoundedNumber<MAX, MIN> {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let number = parse_whole_number(json).filter(|number| (MIN..=MAX).contains(number));
        number.map(Self).ok_or_else(|| invalid_value(format!("must be a whole number from {MIN} to {MAX}")))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::integer().minimum(Some(MIN)).maximum(Some(MAX)).into()
    }
}

/// A whole number of at most 32 bits, with a sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignedNumber(pub(crate) i32);

impl FromJson for SignedNumber {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let problem = || invalid_value(format!("must be a whole number from {} to {}", i32::MIN, i32::MAX));
        parse_whole_number(json).map(Self).ok_or_else(problem)
    }

    fn json_schema() -> RefOr<Schema> {
        schema::integer().minimum(Some(i32::MIN)).maximum(Some(i32::MAX)).into()
    }
}

/// `true` or `false`; some clients send them as strings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flag(pub(crate) bool);

impl FromJson for Flag {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        match json {
            "true" | "\"true\"" => Ok(Self(true)),
            "false" | "\"false\"" => Ok(Self(false)),
            _ => Err(invalid_value("must be true or false")),
        }
    }

    fn json_schema() -> RefOr<Schema> {
        let flag = ObjectBuilder::new().schema_type(Type::Boolean);
        schema::any_of([flag.into(), schema::words(["true", "false"]).into()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fraction_of_zeros_is_none() {
        for (json, number) in
            [("2", Some(2)), ("2.0", Some(2)), ("2.000", Some(2)), ("-3.0", Some(-3)), ("0.0", Some(0))]
        {
            assert_eq!(SignedNumber::from_json(json).ok().map(|number| number.0), number, "{json}");
        }
        for json in ["2.", "2.5", "2.01", ".0", "\"2.0\"", "2.0.0", "null", "1e1", "[2.0]"] {
            assert!(SignedNumber::from_json(json).is_err() && BoundedNumber::<9>::from_json(json).is_err(), "{json}");
        }
        assert_eq!(RowNameText::from_json("7.0").unwrap().0.as_str(), "7");
    }

    #[test]
    fn money_is_read_by_its_digits() {
        for (json, minor) in [("100", 10_000), ("\"100.00\"", 10_000), ("0.1", 10), ("1105.5", 110_550)] {
            assert_eq!(MoneyInput::from_json(json).unwrap().0, Money::from_minor(minor), "{json}");
        }
        for json in ["-1", "1e2", "true", "\"\"", "[1]", "0.001"] {
            assert!(MoneyInput::from_json(json).is_err(), "{json}");
        }
    }

    #[test]
    fn control_characters_are_refused() {
        assert!(LineText::<10>::from_json(r#""a\u0000b""#).is_err());
        assert!(LineText::<10>::from_json(r#""a\nb""#).is_err());
        assert!(LongText::from_json(r#""a\nb""#).is_ok());
        assert!(LongText::from_json(r#""a\u0007b""#).is_err());
    }
}
