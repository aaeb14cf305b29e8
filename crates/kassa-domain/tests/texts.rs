//! Texts that people and programs send: each is refused, or shown in a form that is read as the same.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use kassa_domain::attachment::MediaType;
use kassa_domain::geo::{CityId, CountryId};
use kassa_domain::order::OrderId;
use kassa_domain::promocode::PromocodeText;
use kassa_domain::seating::RowName;
use kassa_domain::user::Email;
use kassa_domain::{Money, Percent};
use proptest::prelude::*;

/// Any text at all, and texts that come near to what is meant.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "\\PC{0,300}",
        "[ +-]?[0-9٣.,]{0,24}[%eE]?",
        "[0-9a-fA-F]{22,26}",
        "[a-zé.<>\" -]{0,70}@[a-z0-9é.-]{0,200}",
        "[a-z*+]{0,5}/[a-z.+-]{0,6}(; ?[a-z]{0,3}=[a-z\"\\\\ ]{0,6}){0,3}",
    ]
}

/// What is read of a text is read again of what `shown` makes of it.
fn comes_back<T>(text: &str, shown: impl Fn(&T) -> String) -> Result<(), TestCaseError>
where
    T: FromStr<Err: Display> + Debug + PartialEq,
{
    match text.parse::<T>() {
        Ok(read) => prop_assert_eq!(shown(&read).parse::<T>().ok(), Some(read)),
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_text_is_refused_or_comes_back(text in texts()) {
        comes_back(&text, Money::to_string)?;
        comes_back(&text, |percent: &Percent| {
            format!("{}.{:04}", percent.units() / 10_000, percent.units() % 10_000)
        })?;
        comes_back(&text, OrderId::to_string)?;
        comes_back(&text, CountryId::to_string)?;
        comes_back(&text, CityId::to_string)?;
        comes_back(&text, MediaType::to_string)?;
        comes_back(&text, PromocodeText::to_string)?;
        comes_back(&text, |email: &Email| email.as_str().to_owned())?;
        comes_back(&text, |row: &RowName| row.as_str().to_owned())?;
    }
}
