//! Operations that clients should leave: since when, and until when they stay.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::fmt::rfc2822::DateTimePrinter;
use jiff::tz::TimeZone;

/// RFC 9745: since when the operation is deprecated, as a date of RFC 9651.
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
/// RFC 8594: from when on it may be gone, as a date of HTTP.
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// That an operation is deprecated. It works as it did, and its answers and its description say what follows it.
#[derive(Debug)]
pub(crate) struct Deprecation {
    /// The day since which it is: both begin in UTC.
    since: Date,
    /// The day from which on it may be gone; `None` while that is not planned.
    sunset: Option<Date>,
    /// What does the same, as its method and path.
    successor: &'static str,
}

impl Deprecation {
    /// Since this day, in favour of another operation; nobody plans its end.
    pub(crate) const fn since(day: Date, successor: &'static str) -> Self {
        Self { since: day, sunset: None, successor }
    }

    /// The same, which may be gone from this day on.
    #[cfg_attr(not(test), expect(dead_code, reason = "nothing that is deprecated has an end yet"))]
    pub(crate) const fn until(self, day: Date) -> Self {
        Self { sunset: Some(day), ..self }
    }

    /// Whether clients have as long as they are promised: a year. See `docs/api/conventions.md`.
    #[cfg(test)]
    pub(crate) fn keeps_its_promise(&self) -> bool {
        self.sunset.is_none_or(|day| day >= self.since.saturating_add(jiff::Span::new().years(1)))
    }

    /// Whether there is a day from which on it may be gone.
    pub(crate) fn has_sunset(&self) -> bool {
        self.sunset.is_some()
    }

    /// What does the same: a method, and a path as the document names it.
    #[cfg(test)]
    pub(crate) fn successor(&self) -> (&'static str, &'static str) {
        self.successor.split_once(' ').unwrap_or_default()
    }

    /// What its description says of that.
    pub(crate) fn text(&self) -> String {
        let until = self.sunset.map(|day| format!(", and may be gone from {day} on")).unwrap_or_default();
        format!("Deprecated since {}{until}: use `{}`.", self.since, self.successor)
    }

    /// Says it in an answer; `page` is the url of a page that says more.
    pub(crate) fn apply(&self, page: &str, headers: &mut HeaderMap) {
        let sunset = self.sunset.and_then(|day| {
            let text = DateTimePrinter::new().timestamp_to_rfc9110_string(&midnight(day)?).ok()?;
            HeaderValue::try_from(text).ok()
        });
        let since = midnight(self.since).and_then(|time| HeaderValue::try_from(format!("@{}", time.as_second())).ok());
        headers
            .extend([since.map(|since| (DEPRECATION, since)), sunset.map(|day| (SUNSET, day))].into_iter().flatten());
        // The url may name a host that the client said.
        if let Ok(link) = HeaderValue::try_from(format!("<{page}>; rel=\"deprecation\"; type=\"text/html\"")) {
            headers.append(header::LINK, link);
        }
    }
}

/// When a day begins, in UTC.
fn midnight(day: Date) -> Option<Timestamp> {
    TimeZone::UTC.to_timestamp(day.at(0, 0, 0, 0)).ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn said(deprecation: &Deprecation) -> [Option<String>; 3] {
        let mut headers = HeaderMap::new();
        deprecation.apply("https://tickets.example.org/docs", &mut headers);
        [DEPRECATION, SUNSET, header::LINK].map(|name| Some(headers.get(name)?.to_str().unwrap().to_owned()))
    }

    #[test]
    fn answers_say_since_when_until_when_and_where_more_is_said() {
        let link = Some("<https://tickets.example.org/docs>; rel=\"deprecation\"; type=\"text/html\"".to_owned());
        let open = Deprecation::since(date(2026, 11, 26), "GET /v1/things");
        assert_eq!(said(&open), [Some("@1795651200".to_owned()), None, link.clone()]);
        assert_eq!(open.text(), "Deprecated since 2026-11-26: use `GET /v1/things`.");
        let ends = open.until(date(2028, 1, 1));
        let sunset = Some("Sat, 01 Jan 2028 00:00:00 GMT".to_owned());
        assert_eq!(said(&ends), [Some("@1795651200".to_owned()), sunset, link]);
        assert_eq!(
            ends.text(),
            "Deprecated since 2026-11-26, and may be gone from 2028-01-01 on: use `GET /v1/things`."
        );
    }

    #[test]
    fn clients_have_a_year() {
        let until = |day| Deprecation::since(date(2026, 11, 26), "").until(day).keeps_its_promise();
        assert_eq!([until(date(2027, 11, 25)), until(date(2027, 11, 26))], [false, true]);
    }
}
