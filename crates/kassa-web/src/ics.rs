//! Calendar entries (RFC 5545).

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::model::{EventData, EventStatus};

/// Octets of a line, at most; what is longer goes on in the next.
const LINE_LENGTH_MAX: usize = 75;

/// An event, which takes place there and has its page here; `None` if it has no time.
pub(crate) fn of_event(event: &EventData, place: &str, url: &str) -> Option<String> {
    let span = event.lifetime?;
    let start = span.start?;
    let stamp = event.updated_at.as_deref().and_then(|text| text.parse().ok()).unwrap_or(Timestamp::UNIX_EPOCH);
    let status = if event.status == EventStatus::Canceled { "CANCELLED" } else { "CONFIRMED" };
    let mut lines = vec![
        "BEGIN:VCALENDAR".to_owned(),
        "VERSION:2.0".to_owned(),
        "PRODID:-//Kassa//Shop//EN".to_owned(),
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{}@kassa", event.id),
        format!("DTSTAMP:{}", time(stamp)),
        format!("DTSTART:{}", time(start)),
        format!("DTEND:{}", time(span.end.unwrap_or(start))),
        format!("SUMMARY:{}", escaped(&event.title.text)),
        format!("STATUS:{status}"),
    ];
    let address = event.venue().and_then(|venue| venue.address.as_deref());
    let location = [Some(place), address].into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    if !location.is_empty() {
        lines.push(format!("LOCATION:{}", escaped(&location.join(", "))));
    }
    if let Some(point) = event.venue().and_then(|venue| venue.point.as_ref()) {
        let [longitude, latitude] = point.coordinates;
        lines.push(format!("GEO:{latitude:.6};{longitude:.6}"));
    }
    if let Some(about) = event.title.desc.as_deref().filter(|about| !about.is_empty()) {
        lines.push(format!("DESCRIPTION:{}", escaped(about)));
    }
    lines.extend([format!("URL:{url}"), "END:VEVENT".to_owned(), "END:VCALENDAR".to_owned()]);
    Some(lines.iter().map(|line| folded(line)).collect())
}

fn time(at: Timestamp) -> String {
    at.to_zoned(TimeZone::UTC).strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// A text as a value has it.
fn escaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | ';' | ',' => value.extend(['\\', letter]),
            '\n' => value.push_str("\\n"),
            _ if letter.is_control() => {}
            _ => value.push(letter),
        }
    }
    value
}

/// A line, in as many as it needs, each with its end.
fn folded(line: &str) -> String {
    let mut text = String::with_capacity(line.len() + 2);
    let mut length = 0;
    for letter in line.chars() {
        if length + letter.len_utf8() > LINE_LENGTH_MAX {
            text.push_str("\r\n ");
            length = 1;
        }
        text.push(letter);
        length += letter.len_utf8();
    }
    text.push_str("\r\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_commas_and_lines() {
        assert_eq!(escaped("A, b; c\\d\r\ne\u{7}"), "A\\, b\\; c\\\\d\\ne");
    }

    #[test]
    fn long_lines_go_on_in_the_next_and_letters_stay_whole() {
        let line = format!("SUMMARY:{}", "ночь".repeat(40));
        let text = folded(&line);
        assert!(text.ends_with("\r\n"));
        assert!(text.trim_end().split("\r\n").all(|line| line.len() <= LINE_LENGTH_MAX), "{text}");
        assert_eq!(text.replace("\r\n ", "").trim_end(), line);
    }
}
