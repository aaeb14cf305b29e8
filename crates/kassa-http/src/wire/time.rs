//! Points of time. v1 shows `2016-01-26T09:25:19.378000+00:00`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use kassa_domain::Timestamp;
use serde::{Serialize, Serializer};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::digits::DigitBuffer;
use crate::error::ErrorDetail;
use crate::input::FromJson;
use crate::openapi::schema;

/// The first and last milliseconds that can be shown: the years 1 to 9999.
const MS_MIN: i64 = -62_135_596_800_000;
const MS_MAX: i64 = 253_402_207_200_000;

/// A time as v1 shows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time(pub(crate) Timestamp);

/// The calendar's view of a time in UTC.
pub(super) fn civil_utc(at: Timestamp) -> DateTime {
    let at = jiff::Timestamp::from_millisecond(at.ms().clamp(MS_MIN, MS_MAX));
    debug_assert!(at.is_ok(), "the bounds are times of the calendar");
    at.unwrap_or_default().to_zoned(TimeZone::UTC).datetime()
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let at = civil_utc(self.0);
        let day = DigitBuffer::new().part(at.year(), 4).text("-").part(at.month(), 2).text("-").part(at.day(), 2);
        let minute = day.text("T").part(at.hour(), 2).text(":").part(at.minute(), 2);
        let second = minute.text(":").part(at.second(), 2).text(".").part(at.subsec_nanosecond() / 1_000, 6);
        second.text("+00:00").serialize(serializer)
    }
}

/// A time as v2 shows it: `2019-07-25 14:41:11`, in UTC.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeV2(pub(crate) Timestamp);

impl fmt::Display for TimeV2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = civil_utc(self.0);
        let (date, time) = (at.date(), at.time());
        write!(f, "{:04}-{:02}-{:02} ", date.year(), date.month(), date.day())?;
        write!(f, "{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())
    }
}

impl Serialize for TimeV2 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl PartialSchema for TimeV2 {
    fn schema() -> RefOr<Schema> {
        let about = "A time, as `YYYY-MM-DD HH:MM:SS` in UTC.";
        let pattern = r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$";
        schema::text().pattern(Some(pattern)).description(Some(about)).into()
    }
}

impl ToSchema for TimeV2 {
    fn name() -> Cow<'static, str> {
        "Time".into()
    }
}

impl PartialSchema for Time {
    fn schema() -> RefOr<Schema> {
        schema::text_with_format("date-time")
            .description(Some("A time (RFC 3339), with microseconds and in UTC."))
            .into()
    }
}

impl ToSchema for Time {}

/// A time in a request: `T` or a space, with or without fraction, `Z` or an offset; UTC if it does
/// not say.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) struct TimeInput(pub(crate) Timestamp);

/// The text is no time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InvalidTime;

impl fmt::Display for InvalidTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be a time as 2026-01-31T20:00:00Z")
    }
}

impl FromStr for TimeInput {
    type Err = InvalidTime;

    fn from_str(text: &str) -> Result<Self, InvalidTime> {
        parse_time(text).map(Self).ok_or(InvalidTime)
    }
}

/// Reads a time; `None` for what is none.
fn parse_time(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let ms = match text.parse::<jiff::Timestamp>() {
        Ok(at) => at.as_millisecond(),
        Err(_) => text
            .parse::<DateTime>()
            .ok()
            .filter(|_| text.len() > 10)?
            .to_zoned(TimeZone::UTC)
            .ok()?
            .timestamp()
            .as_millisecond(),
    };
    (MS_MIN..=MS_MAX).contains(&ms).then(|| Timestamp::from_ms(ms))
}

impl FromJson for TimeInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let text: Option<String> = serde_json::from_str(json).ok();
        let time = text.ok_or(InvalidTime).and_then(|text| text.parse());
        time.map_err(|error| vec![ErrorDetail::new("", error.to_string())])
    }

    fn json_schema() -> RefOr<Schema> {
        let about = "A time such as `2026-01-31T20:00:00Z`: with `T` or a space, with or without a fraction; UTC without an offset.";
        schema::text().description(Some(about)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_show_six_digits_and_an_offset() {
        assert_eq!(serde_json::json!(Time(Timestamp::from_ms(1_453_800_319_378))), "2016-01-26T09:25:19.378000+00:00");
        assert_eq!(serde_json::json!(Time(Timestamp::from_ms(i64::MAX))), "9999-12-30T22:00:00.000000+00:00");
    }

    #[test]
    fn moments_show_whole_seconds_and_no_offset() {
        assert_eq!(TimeV2(Timestamp::from_ms(1_453_800_319_999)).to_string(), "2016-01-26 09:25:19");
        assert_eq!(TimeV2(Timestamp::from_ms(i64::MIN)).to_string(), "0001-01-01 00:00:00");
    }

    #[test]
    fn times_are_read_in_all_usual_forms() {
        let forms = [
            "2016-01-26T09:25:19Z",
            "2016-01-26 09:25:19",
            "2016-01-26T09:25:19",
            "2016-01-26T12:25:19+03:00",
            "2016-01-26 09:25:19.000000+00:00",
            "2016-01-26T09:25:19.000Z",
        ];
        for form in forms {
            assert_eq!(parse_time(form), Some(Timestamp::from_ms(1_453_800_319_000)), "{form}");
        }
        for form in ["", "2016-01-26", "yesterday", "2016-13-01T00:00:00Z", "2016-01-26T25:00:00Z", "1453800319"] {
            assert_eq!(parse_time(form), None, "{form}");
        }
    }

    proptest::proptest! {
        #[test]
        fn times_come_back_as_they_were_shown(text in "\\PC{0,40}", ms in MS_MIN..=MS_MAX) {
            let _ = parse_time(&text);
            let at = Timestamp::from_ms(ms);
            let shown = serde_json::to_value(Time(at)).unwrap();
            proptest::prop_assert_eq!(parse_time(shown.as_str().unwrap()), Some(at));
            let moment = TimeV2(at).to_string();
            proptest::prop_assert_eq!(parse_time(&moment).map(Timestamp::ms), Some(ms.div_euclid(1_000) * 1_000));
        }
    }
}
