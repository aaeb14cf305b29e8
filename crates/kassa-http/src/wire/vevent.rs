//! Spans of time as v1 shows them: a bare VEVENT (RFC 5545) with DTSTART and DTEND in UTC.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use kassa_domain::{Timestamp, Window};
use utoipa::openapi::{RefOr, Schema};

use super::digits::DigitBuffer;
use super::time::civil_utc;
use crate::error::ErrorDetail;
use crate::input::FromJson;
use crate::openapi::schema;

/// The longest VEVENT text that is read, in characters.
const CHARS_MAX: usize = 10_000;

/// A VEVENT with both times, as it is shown, in characters.
const SHOWN_LENGTH: usize = 108;

/// A span of time in a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VeventInput(pub(crate) Window);

impl FromJson for VeventInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        parse_bounded(&text_of(json)?).map(Self).map_err(problem)
    }

    fn json_schema() -> RefOr<Schema> {
        vevent_schema()
    }
}

/// When a price holds, in a request: as [`VeventInput`], but it may be without an end, and a price that
/// held for less than a second is shown with DTEND at its DTSTART.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenVeventInput(pub(crate) Window);

impl FromJson for OpenVeventInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        parse(&text_of(json)?).map(Self).map_err(problem)
    }

    fn json_schema() -> RefOr<Schema> {
        vevent_schema()
    }
}

fn vevent_schema() -> RefOr<Schema> {
    schema::text().max_length(Some(CHARS_MAX)).description(Some("A VEVENT (RFC 5545), in UTC.")).into()
}

fn text_of(json: &str) -> Result<String, Vec<ErrorDetail>> {
    serde_json::from_str(json).map_err(|_| problem("must be a VEVENT text"))
}

fn problem(problem: &str) -> Vec<ErrorDetail> {
    vec![ErrorDetail::new("", problem)]
}

/// The span as a bare VEVENT; without an end, DTEND is left out.
pub(crate) fn show(window: &Window) -> String {
    let mut text = String::with_capacity(SHOWN_LENGTH);
    text.push_str("BEGIN:VEVENT\r\n");
    let mut line = |name: &str, at: Timestamp| {
        let at = civil_utc(at);
        let day = DigitBuffer::new().part(at.year(), 4).part(at.month(), 2).part(at.day(), 2).text("T");
        let stamp = day.part(at.hour(), 2).part(at.minute(), 2).part(at.second(), 2).text("Z");
        debug_assert!(stamp.as_str().is_some(), "a time has 16 characters");
        for piece in [name, ";VALUE=DATE-TIME:", stamp.as_str().unwrap_or_default(), "\r\n"] {
            text.push_str(piece);
        }
    };
    line("DTSTART", window.start);
    if let Some(finish) = window.finish {
        line("DTEND", finish);
    }
    text.push_str("END:VEVENT\r\n");
    text
}

/// Reads a VEVENT with an end behind its start.
fn parse_bounded(text: &str) -> Result<Window, &'static str> {
    let window = parse(text)?;
    match window.finish {
        None => Err("must have DTEND"),
        Some(finish) if finish == window.start => Err("must have a DTEND after its DTSTART"),
        Some(_) => Ok(window),
    }
}

/// Reads a VEVENT, bare or in a VCALENDAR. Times are UTC, with or without `Z`; other properties
/// than DTSTART and DTEND are ignored, but for those that would change their meaning.
fn parse(text: &str) -> Result<Window, &'static str> {
    if text.chars().count() > CHARS_MAX {
        return Err("must be a VEVENT of at most 10000 characters");
    }
    // A line that begins with a blank goes on from the line before.
    let unfolded = text.replace("\r\n", "\n").replace("\n ", "").replace("\n\t", "");
    let (mut start, mut finish, mut open, mut events) = (None, None, Vec::new(), 0);
    for line in unfolded.split('\n').map(str::trim_end).filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').ok_or("must be a VEVENT: a line has no colon")?;
        let (name, params) = name.split_once(';').unwrap_or((name, ""));
        match (name.to_ascii_uppercase().as_str(), open.last().map(String::as_str)) {
            ("BEGIN", _) => {
                let part = value.to_ascii_uppercase();
                events += usize::from(part == "VEVENT");
                open.push(part);
            }
            ("END", Some(part)) if value.eq_ignore_ascii_case(part) => drop(open.pop()),
            ("END", _) => return Err("must be a VEVENT: an END fits no BEGIN"),
            (_, None) => return Err("must begin with BEGIN:VEVENT"),
            ("DTSTART", Some("VEVENT")) => set_once(&mut start, parse_date_time(params, value)?)?,
            ("DTEND", Some("VEVENT")) => set_once(&mut finish, parse_date_time(params, value)?)?,
            ("RRULE" | "RDATE" | "DURATION", Some("VEVENT")) => {
                return Err("must have DTSTART and DTEND only, and no repetition");
            }
            _ => {}
        }
    }
    if !open.is_empty() || events != 1 {
        return Err("must be one whole VEVENT");
    }
    let start = start.ok_or("must have DTSTART")?;
    if finish.is_some_and(|finish| finish < start) {
        return Err("must have a DTEND after its DTSTART");
    }
    Ok(Window { start, finish })
}

fn set_once(field: &mut Option<Timestamp>, at: Timestamp) -> Result<(), &'static str> {
    if field.replace(at).is_some() { Err("must have DTSTART and DTEND once") } else { Ok(()) }
}

fn parse_date_time(params: &str, value: &str) -> Result<Timestamp, &'static str> {
    for param in params.split(';').filter(|param| !param.is_empty()) {
        let (name, value) = param.split_once('=').ok_or("must be a VEVENT: a parameter has no value")?;
        match (name.to_ascii_uppercase().as_str(), value.trim_matches('"').to_ascii_uppercase().as_str()) {
            ("VALUE", "DATE-TIME") | ("TZID", "UTC" | "ETC/UTC" | "GMT") => {}
            ("VALUE", _) => return Err("must have date-times"),
            ("TZID", _) => return Err("must be in UTC"),
            _ => {}
        }
    }
    let bad = "must have times as 20260131T200000Z";
    let digits = value.trim().trim_end_matches(['Z', 'z']);
    if digits.len() != 15 || value.trim().len() > 16 || digits.as_bytes()[8] != b'T' {
        return Err(bad);
    }
    let number = |from: usize, to: usize| {
        digits.get(from..to).filter(|d| d.bytes().all(|b| b.is_ascii_digit())).and_then(|d| d.parse::<i16>().ok())
    };
    let small = |from: usize| number(from, from + 2).and_then(|n| i8::try_from(n).ok()).ok_or(bad);
    let year = number(0, 4).ok_or(bad)?;
    let civil = DateTime::new(year, small(4)?, small(6)?, small(9)?, small(11)?, small(13)?, 0).map_err(|_| bad)?;
    let zoned = civil.to_zoned(TimeZone::UTC).map_err(|_| bad)?;
    Ok(Timestamp::from_ms(zoned.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: &str = "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:20190815T212000Z\r\nDTEND;VALUE=DATE-TIME:20190828T215000Z\r\nEND:VEVENT\r\n";

    #[test]
    fn all_forms_that_clients_send_are_read_and_shown_in_full() {
        let forms = [
            FULL.to_owned(),
            FULL.replace("\r\n", "\n"),
            FULL.replace(";VALUE=DATE-TIME", ""),
            FULL.replace("Z\r", "\r"),
            format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{FULL}END:VCALENDAR\r\n"),
            FULL.replace("20190815", "2019\r\n 0815").replace("END:VEVENT", "SUMMARY:x\r\nEND:VEVENT"),
            FULL.to_lowercase().replace("begin:vevent", "begin:VEVENT").replace('t', "T").replace("dTsTarT", "dtstart"),
        ];
        for form in &forms[..6] {
            assert_eq!(parse(form).map(|window| show(&window)).as_deref(), Ok(FULL), "{form}");
        }
    }

    #[test]
    fn what_is_no_vevent_is_refused() {
        let cases = [
            String::new(),
            "hello".to_owned(),
            FULL.replace("DTEND", "DTSTAMP"),
            FULL.replace("DTSTART", "X"),
            FULL.replace("END:VEVENT\r\n", ""),
            FULL.replace("20190828T215000Z", "20190815T212000Z"),
            FULL.replace("20190815T212000Z", "20191315T212000Z"),
            FULL.replace("20190815T212000Z", "20190815"),
            FULL.replace("20190815T212000Z", "2019ЯЯ15T212000"),
            FULL.replace(";VALUE=DATE-TIME", ";TZID=Europe/Moscow"),
            format!("{FULL}{FULL}"),
            FULL.replace("END:VEVENT", "RRULE:FREQ=DAILY\r\nEND:VEVENT"),
        ];
        for case in cases {
            assert!(parse_bounded(&case).is_err(), "{case}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in "\\PC{0,80}", line in "(DTSTART|DTEND|BEGIN|END)[;:]\\PC{0,30}") {
            let _ = parse(&text);
            let _ = parse(&format!("BEGIN:VEVENT\r\n{line}\r\n{text}\r\nEND:VEVENT"));
        }
    }
}
