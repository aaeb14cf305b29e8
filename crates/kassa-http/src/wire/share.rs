//! Shares of a price: `"90.00%"`, `"10.0%"`, or an absolute amount per ticket, `"150.00"`.

use kassa_domain::Percent;
use kassa_domain::price::Share;

use crate::error::Detail;
use crate::input::FromJson;

/// A share in a request: a number is percents; a string is percents with `%`, else an amount.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadShare(pub(crate) Share);

impl FromJson for ReadShare {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let problem = || {
            let problem = "must be a percentage as 10 or \"10%\", or an amount as \"150.00\"".to_owned();
            vec![Detail { field: String::new(), problem }]
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
}

/// The share with at least `decimals` digits behind the point.
pub(crate) fn show(share: Share, decimals: usize) -> String {
    match share {
        Share::Amount(amount) => amount.to_string(),
        Share::Percent(percent) => show_percent(percent, decimals),
    }
}

fn show_percent(percent: Percent, decimals: usize) -> String {
    let units = percent.units();
    let fraction = format!("{:04}", units % 10_000);
    let said = fraction.trim_end_matches('0').len().max(decimals);
    format!("{}.{}%", units / 10_000, &fraction[..said])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_shown_with_as_many_digits_as_they_need() {
        let cases = [("90", 2, "90.00%"), ("10", 1, "10.0%"), ("\"12.345%\"", 1, "12.345%"), ("\"150\"", 2, "150.00")];
        for (json, decimals, shown) in cases {
            assert_eq!(show(ReadShare::from_json(json).unwrap().0, decimals), shown, "{json}");
        }
        for json in ["-1", "\"%\"", "\"ten\"", "1e2", "true", "null", "\"1.234\"", "2000"] {
            assert!(ReadShare::from_json(json).is_err(), "{json}");
        }
    }
}
