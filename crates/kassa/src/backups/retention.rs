//! Which backups are kept: `24h,7d,4w` is the newest of each of the last 24 hours, 7 days and 4 weeks that have any.

use std::collections::BTreeSet;
use std::str::FromStr;

use kassa_domain::Timestamp;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;
/// Monday is three days after the day of the week on which 1970 began.
const DAYS_BEFORE_MONDAY: i64 = 3;
/// Periods of one kind that may be asked for.
const PERIODS_MAX: usize = 10_000;

/// Which backups are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Retention(Vec<(usize, Period)>);

/// A kind of period, by UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Period {
    Hour,
    Day,
    /// From Monday on.
    Week,
}

impl Period {
    /// The number of the period in which a moment is.
    fn number_of(self, at: Timestamp) -> i64 {
        match self {
            Self::Hour => at.ms().div_euclid(HOUR_MS),
            Self::Day => at.ms().div_euclid(DAY_MS),
            Self::Week => (at.ms().div_euclid(DAY_MS) + DAYS_BEFORE_MONDAY).div_euclid(7),
        }
    }
}

impl Retention {
    /// Those of some backups that are not kept. Periods without a backup do not count, so that nothing goes because none
    /// was made for long; the newest always stays.
    pub(crate) fn superseded(&self, made: &[Timestamp]) -> Vec<Timestamp> {
        let mut newest_first = made.to_vec();
        newest_first.sort_unstable_by(|one, other| other.cmp(one));
        let mut kept: BTreeSet<Timestamp> = newest_first.first().copied().into_iter().collect();
        for (count, period) in &self.0 {
            let mut newest_of_each: Vec<Timestamp> = newest_first.clone();
            newest_of_each.dedup_by_key(|at| period.number_of(*at));
            kept.extend(newest_of_each.into_iter().take(*count));
        }
        newest_first.retain(|at| !kept.contains(at));
        newest_first
    }
}

impl FromStr for Retention {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut rules: Vec<(usize, Period)> = Vec::new();
        for rule in text.split(',').map(str::trim) {
            let malformed = || format!("{rule:?} is no number of hours, days or weeks, such as 24h, 7d or 4w");
            let unit = rule.chars().next_back().ok_or_else(malformed)?;
            let period = match unit {
                'h' => Period::Hour,
                'd' => Period::Day,
                'w' => Period::Week,
                _ => return Err(malformed()),
            };
            let count = rule[..rule.len() - 1].parse().map_err(|_| malformed())?;
            if !(1..=PERIODS_MAX).contains(&count) {
                return Err(format!("{rule}: it must be from 1 to {PERIODS_MAX}"));
            }
            if rules.iter().any(|(_, other)| *other == period) {
                return Err(format!("{rule}: there is another number of the same"));
            }
            rules.push((count, period));
        }
        Ok(Self(rules))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::from_ms(format!("{text}Z").parse::<jiff::Timestamp>().unwrap().as_millisecond())
    }

    fn kept(rules: &str, made: &[Timestamp]) -> Vec<Timestamp> {
        let superseded = rules.parse::<Retention>().unwrap().superseded(made);
        made.iter().copied().filter(|at| !superseded.contains(at)).collect()
    }

    #[test]
    fn the_newest_of_each_period_is_kept() {
        let cases: &[(&str, &[&str], &[&str])] = &[
            ("2h", &[], &[]),
            ("1h", &["2026-11-25T10:00:00"], &["2026-11-25T10:00:00"]),
            (
                "2h",
                &["2026-11-25T08:59:59", "2026-11-25T09:00:00", "2026-11-25T09:30:00", "2026-11-25T10:00:00"],
                &["2026-11-25T09:30:00", "2026-11-25T10:00:00"],
            ),
            // A day without any does not count.
            (
                "2d",
                &["2026-11-20T23:00:00", "2026-11-22T01:00:00", "2026-11-25T00:00:00", "2026-11-25T10:00:00"],
                &["2026-11-22T01:00:00", "2026-11-25T10:00:00"],
            ),
            // The 23rd is a Monday.
            (
                "2w",
                &["2026-11-15T12:00:00", "2026-11-16T00:00:00", "2026-11-22T23:59:59", "2026-11-23T00:00:00"],
                &["2026-11-22T23:59:59", "2026-11-23T00:00:00"],
            ),
            // Each rule keeps its own, and one may serve several.
            (
                "1h,2d,3w",
                &[
                    "2026-11-03T12:00:00",
                    "2026-11-10T12:00:00",
                    "2026-11-17T12:00:00",
                    "2026-11-24T12:00:00",
                    "2026-11-25T09:00:00",
                    "2026-11-25T10:00:00",
                ],
                &["2026-11-10T12:00:00", "2026-11-17T12:00:00", "2026-11-24T12:00:00", "2026-11-25T10:00:00"],
            ),
        ];
        for (rules, made, expected) in cases {
            let times = |texts: &[&str]| texts.iter().map(|text| at(text)).collect::<Vec<_>>();
            assert_eq!(kept(rules, &times(made)), times(expected), "{rules} {made:?}");
        }
    }

    /// A schedule removes after each backup: that comes to the same as to remove at the end.
    #[test]
    fn what_is_kept_does_not_depend_on_how_often_old_ones_are_removed() {
        let retention: Retention = "24h,7d,4w".parse().unwrap();
        let start = at("2026-01-01T00:17:00").ms();
        let all: Vec<Timestamp> =
            (0..2_000).map(|number| Timestamp::from_ms(start + number * 37 * HOUR_MS / 40)).collect();
        let mut there: Vec<Timestamp> = Vec::new();
        for made in &all {
            there.push(*made);
            let superseded = retention.superseded(&there);
            there.retain(|at| !superseded.contains(at));
            assert_eq!(there.last(), Some(made), "the newest stays");
            assert!(there.len() <= 24 + 7 + 4);
        }
        assert_eq!(there, kept("24h,7d,4w", &all));
        assert!(retention.superseded(&there).is_empty());
    }

    #[test]
    fn a_rule_that_says_nothing_is_refused() {
        for text in ["", "24", "h", "24h,", "0h", "-1d", "24h,3h", "4m", "10001d", "1.5d", "24ä"] {
            assert!(text.parse::<Retention>().is_err(), "{text}");
        }
        assert_eq!(" 24h, 7d ".parse::<Retention>(), "24h,7d".parse());
    }
}
