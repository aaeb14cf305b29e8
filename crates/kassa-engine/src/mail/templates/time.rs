//! Times as people at the venue read them.

use jiff::Zoned;
use jiff::tz::TimeZone;
use kassa_domain::{Timestamp, Window};

/// A span of time in a time zone of the tz database, else in UTC:
/// `Friday, 1 June 2035, 20:00 to 23:00 (Europe/Berlin)`.
pub(super) fn format_window(window: &Window, zone: Option<&str>) -> String {
    let known = zone.and_then(|name| Some((TimeZone::get(name).ok()?, name)));
    let (zone, name) = known.unwrap_or((TimeZone::UTC, "UTC"));
    let start = zoned(window.start, &zone);
    let finish = window.finish.map(|finish| zoned(finish, &zone));
    let shown = match finish {
        None => format_day_and_time(&start),
        Some(finish) if finish.date() == start.date() => {
            format!("{} to {}", format_day_and_time(&start), finish.strftime("%H:%M"))
        }
        Some(finish) => format!("{} to {}", format_day_and_time(&start), format_day_and_time(&finish)),
    };
    format!("{shown} ({name})")
}

fn zoned(at: Timestamp, zone: &TimeZone) -> Zoned {
    jiff::Timestamp::from_millisecond(at.ms()).unwrap_or_default().to_zoned(zone.clone())
}

fn format_day_and_time(at: &Zoned) -> String {
    at.strftime("%A, %-d %B %Y, %H:%M").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2035-06-01T18:00:00Z.
    const EVENING: Timestamp = Timestamp::from_ms(2_064_333_600_000);

    #[test]
    fn times_are_those_of_the_venue() {
        let evening = |minutes| Window { start: EVENING, finish: Some(EVENING.plus_minutes(minutes)) };
        let cases = [
            (evening(180), Some("Europe/Berlin"), "Friday, 1 June 2035, 20:00 to 23:00 (Europe/Berlin)"),
            (evening(180), None, "Friday, 1 June 2035, 18:00 to 21:00 (UTC)"),
            (evening(180), Some("Nowhere/Else"), "Friday, 1 June 2035, 18:00 to 21:00 (UTC)"),
            (
                evening(300),
                Some("Europe/Berlin"),
                "Friday, 1 June 2035, 20:00 to Saturday, 2 June 2035, 01:00 (Europe/Berlin)",
            ),
            (Window { start: EVENING, finish: None }, None, "Friday, 1 June 2035, 18:00 (UTC)"),
        ];
        for (window, zone, expected) in cases {
            assert_eq!(format_window(&window, zone), expected);
        }
    }
}
