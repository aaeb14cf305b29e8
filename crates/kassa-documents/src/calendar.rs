//! The event of an order as an entry of a calendar (RFC 5545).

use jiff::Timestamp;
use jiff::tz::TimeZone;
use kassa_texts::{Language, Texts};

/// The longest line of a calendar, in bytes, without its end.
const LINE_BYTES: usize = 75;

/// An event as a calendar has it.
#[derive(Clone, Debug, PartialEq)]
pub struct CalendarEntry {
    /// Unique in the world, and the same for the same order: an entry that is added again replaces itself.
    pub uid: String,
    /// When this was written, in milliseconds since 1970 (UTC).
    pub written_ms: i64,
    /// Counts what was changed of the event: a higher one replaces a lower.
    pub sequence: i64,
    /// Its start, in milliseconds since 1970 (UTC).
    pub start_ms: i64,
    /// Its end, if it is known.
    pub finish_ms: Option<i64>,
    /// What it is called.
    pub summary: String,
    /// Where it is.
    pub location: Option<String>,
    /// Where that is: latitude and longitude, in degrees.
    pub point: Option<[f64; 2]>,
    /// More of it; lines stay lines.
    pub description: Option<String>,
    /// A page of it.
    pub url: Option<String>,
    /// Whether it was called off.
    pub is_canceled: bool,
}

impl CalendarEntry {
    /// A calendar with this entry.
    pub fn to_ics(&self) -> String {
        let mut ics = String::new();
        let mut line = |name: &str, value: &str| push_folded(&mut ics, &format!("{name}:{value}"));
        line("BEGIN", "VCALENDAR");
        line("VERSION", "2.0");
        line("PRODID", "-//Kassa//Kassa//EN");
        line("CALSCALE", "GREGORIAN");
        line("METHOD", "PUBLISH");
        line("BEGIN", "VEVENT");
        line("UID", &escape(&self.uid));
        line("DTSTAMP", &utc(self.written_ms));
        line("SEQUENCE", &self.sequence.to_string());
        line("DTSTART", &utc(self.start_ms));
        // An end must be later than the start.
        if let Some(finish) = self.finish_ms.filter(|finish| *finish / 1_000 > self.start_ms / 1_000) {
            line("DTEND", &utc(finish));
        }
        line("SUMMARY", &escape(&self.summary));
        for (name, value) in [("LOCATION", &self.location), ("DESCRIPTION", &self.description)] {
            if let Some(value) = value {
                line(name, &escape(value));
            }
        }
        if let Some([latitude, longitude]) = self.point {
            line("GEO", &format!("{latitude:.6};{longitude:.6}"));
        }
        if let Some(url) = &self.url {
            // An address is no text: nothing of it is escaped, and it has no line breaks.
            line("URL", &url.replace(|c: char| c.is_control() || c.is_whitespace(), ""));
        }
        line("STATUS", if self.is_canceled { "CANCELLED" } else { "CONFIRMED" });
        line("END", "VEVENT");
        line("END", "VCALENDAR");
        ics
    }
}

/// What an entry says of an order, in a language: its number, its code, and who organizes its event.
pub fn describe_order(language: Language, number: &str, code: &str, organizer: &str) -> String {
    let texts = Texts::of(language);
    let [order, ticket_code] = ["document-order", "document-code"].map(|key| texts.text(key));
    let organizer = texts.about("document-organizer", organizer);
    format!("{order}: {number}\n{ticket_code}: {code}\n{organizer}")
}

/// As `20350601T180000Z`.
fn utc(ms: i64) -> String {
    let at = Timestamp::from_millisecond(ms).unwrap_or_default().to_zoned(TimeZone::UTC);
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// A text as a value: line breaks are written out, and other control characters are left out.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.replace("\r\n", "\n").chars() {
        match c {
            '\\' | ';' | ',' => escaped.extend(['\\', c]),
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => escaped.push_str("\\n"),
            '\t' => escaped.push(' '),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// A line, in several that are short enough. None is broken within a character.
fn push_folded(ics: &mut String, line: &str) {
    let mut length = 0;
    for c in line.chars() {
        if length + c.len_utf8() > LINE_BYTES {
            ics.push_str("\r\n ");
            length = 1;
        }
        ics.push(c);
        length += c.len_utf8();
    }
    ics.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry() -> CalendarEntry {
        CalendarEntry {
            uid: "5b0d-1@kassa".to_owned(),
            written_ms: 1_000,
            sequence: 3,
            start_ms: 2_064_333_600_000,
            finish_ms: Some(2_064_344_400_000),
            summary: "Night, of; the \\ Lanterns".to_owned(),
            location: None,
            point: Some([52.520_006_6, 13.404_954]),
            description: Some("One\r\nTwo\nThree".to_owned()),
            url: Some("https://example.org/e/1?a=b,c;d".to_owned()),
            is_canceled: false,
        }
    }

    #[test]
    fn an_entry_says_when_in_utc_and_escapes_texts() {
        assert_eq!(
            entry().to_ics().split("\r\n").collect::<Vec<_>>(),
            [
                "BEGIN:VCALENDAR",
                "VERSION:2.0",
                "PRODID:-//Kassa//Kassa//EN",
                "CALSCALE:GREGORIAN",
                "METHOD:PUBLISH",
                "BEGIN:VEVENT",
                "UID:5b0d-1@kassa",
                "DTSTAMP:19700101T000001Z",
                "SEQUENCE:3",
                "DTSTART:20350601T180000Z",
                "DTEND:20350601T210000Z",
                "SUMMARY:Night\\, of\\; the \\\\ Lanterns",
                "DESCRIPTION:One\\nTwo\\nThree",
                "GEO:52.520007;13.404954",
                "URL:https://example.org/e/1?a=b,c;d",
                "STATUS:CONFIRMED",
                "END:VEVENT",
                "END:VCALENDAR",
                "",
            ]
        );
        let canceled = CalendarEntry { is_canceled: true, finish_ms: Some(2_064_333_600_999), ..entry() }.to_ics();
        assert!(canceled.contains("\r\nSTATUS:CANCELLED\r\n") && !canceled.contains("DTEND"), "{canceled}");
    }

    proptest! {
        #[test]
        fn lines_are_short_and_unfold_to_the_text(summary: String, location in "\\PC{0,400}") {
            let ics = CalendarEntry { summary: summary.clone(), location: Some(location.clone()), ..entry() }.to_ics();
            prop_assert!(ics.ends_with("\r\n"));
            for line in ics.split("\r\n") {
                prop_assert!(line.len() <= LINE_BYTES, "{line}");
                prop_assert!(!line.contains(char::is_control), "{line:?}");
            }
            let unfolded = ics.replace("\r\n ", "");
            let wanted = format!("\r\nLOCATION:{}\r\n", escape(&location));
            prop_assert!(unfolded.contains(&wanted), "{unfolded}");
            prop_assert_eq!(unfolded.matches("\r\nSUMMARY:").count(), 1);
        }
    }
}
