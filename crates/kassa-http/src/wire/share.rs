//! Shares of a price: `"90.00%"`, `"10.0%"`, or an absolute amount per ticket, `"150.00"`.

use kassa_domain::Percent;
use kassa_domain::price::Share;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::FromJson;
use crate::openapi::schema;

/// Percents with their sign, or an amount.
const SHARE_PATTERN: &str = r"^\s*([0-9]{1,3}(\.[0-9]{1,4})?\s*%|[0-9]{1,9}(\.[0-9]{1,2})?)\s*$";

/// A share in a request: a number is percents; a string is percents with `%`, else an amount.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShareInput(pub(crate) Share);

impl FromJson for ShareInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let problem = || {
            let problem = "must be a percentage as 10 or \"10%\", or an amount as \"150.00\"".to_owned();
            vec![ErrorDetail::new("", problem)]
        };
        if !json.starts_with('"') {
            return json.parse().map(|percent| Self(Share::Percent(percent))).map_err(|_| problem());
        }
        let text: String = serde_json::from_str(json).map_err(|_| problem())?;
        let share = match text.trim().strip_suffix('%') {
            Some(percent) => percent.trim().parse().ok().map(Share::Percent),
            None => text.trim().parse().ok().map(Share::Amount),
        };
        share.map(Self).ok_or_else(problem)
    }

    fn json_schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0)).maximum(Some(1_000));
        let text = schema::text().pattern(Some(SHARE_PATTERN));
        schema::any_of([number.into(), text.into()])
    }
}

/// A percentage in a request, up to 100: `30`, `"30"` or `"30%"`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PercentInput(pub(crate) Percent);

impl FromJson for PercentInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let text: Option<String> =
            if json.starts_with('"') { serde_json::from_str(json).ok() } else { Some(json.to_owned()) };
        let number = text.as_deref().map(str::trim).map(|text| text.strip_suffix('%').unwrap_or(text).trim_end());
        let percent = number.and_then(|number| number.parse().ok()).filter(|percent| *percent <= Percent::HUNDRED);
        let problem = "must be a percentage from 0 to 100, as 30 or \"30%\"".to_owned();
        percent.map(Self).ok_or_else(|| vec![ErrorDetail::new("", problem)])
    }

    fn json_schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0)).maximum(Some(100));
        let text = schema::text().pattern(Some(r"^\s*(100|[0-9]{1,2}(\.[0-9]{1,4})?)\s*%?\s*$"));
        schema::any_of([number.into(), text.into()])
    }
}

/// The share with at least `decimals` digits behind the point.
pub(crate) fn show(share: Share, decimals: usize) -> String {
    match share {
        Share::Amount(amount) => amount.to_string(),
        Share::Percent(percent) => show_percent(percent, decimals),
    }
}

pub(crate) fn show_percent(percent: Percent, decimals: usize) -> String {
    let (sign, units) = (if percent.units() < 0 { "-" } else { "" }, percent.units().unsigned_abs());
    let fraction = format!("{:04}", units % 10_000);
    let said = fraction.trim_end_matches('0').len().max(decimals);
    let point = if said > 0 { "." } else { "" };
    format!("{sign}{}{point}{}%", units / 10_000, &fraction[..said])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_shown_with_as_many_digits_as_they_need() {
        let cases = [
            ("90", 2, "90.00%"),
            ("10", 1, "10.0%"),
            ("30", 0, "30%"),
            ("12.5", 0, "12.5%"),
            ("\"12.345%\"", 1, "12.345%"),
            ("\"150\"", 2, "150.00"),
        ];
        for (json, decimals, shown) in cases {
            assert_eq!(show(ShareInput::from_json(json).unwrap().0, decimals), shown, "{json}");
        }
        assert_eq!(show(Share::Percent(Percent::from_units(-2_500)), 2), "-0.25%");
        for json in ["-1", "\"%\"", "\"ten\"", "1e2", "true", "null", "\"1.234\"", "2000"] {
            assert!(ShareInput::from_json(json).is_err(), "{json}");
        }
    }

    #[test]
    fn percentages_are_read_with_and_without_their_sign() {
        for json in ["12.5", "\"12.5\"", "\"12.50%\"", "\" 12.5 % \""] {
            assert_eq!(PercentInput::from_json(json).unwrap().0, Percent::from_units(125_000), "{json}");
        }
        for json in ["-1", "100.0001", "\"\"", "\"%\"", "\"5%%\"", "true", "[5]", "1e1"] {
            assert!(PercentInput::from_json(json).is_err(), "{json}");
        }
    }

    proptest::proptest! {
        #[test]
        fn shares_come_back_as_they_were_shown(text in "\\PC{0,20}", near in "[ 0-9.%eE+-]{0,12}", is_text: bool) {
            for text in [text, near] {
                let json = if is_text { serde_json::json!(text).to_string() } else { text };
                if let Ok(ShareInput(share)) = ShareInput::from_json(&json) {
                    let again = serde_json::json!(show(share, 2)).to_string();
                    proptest::prop_assert_eq!(ShareInput::from_json(&again).unwrap().0, share);
                }
                if let Ok(PercentInput(percent)) = PercentInput::from_json(&json) {
                    proptest::prop_assert!(percent <= Percent::HUNDRED);
                }
            }
        }
    }
}
