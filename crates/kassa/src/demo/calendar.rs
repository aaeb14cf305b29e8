//! Days as they are counted from the one on which the demo is made.

use jiff::tz::TimeZone;
use kassa_domain::Timestamp;

const HOUR_MS: i64 = 60 * 60 * 1_000;
pub(super) const DAY_MS: i64 = 24 * HOUR_MS;

/// A calendar whose day 0 is the one on which the demo is made.
pub(super) struct Calendar {
    midnight: Timestamp,
}

impl From<Timestamp> for Calendar {
    fn from(present: Timestamp) -> Self {
        Self { midnight: present.plus_ms(-present.ms().rem_euclid(DAY_MS)) }
    }
}

impl Calendar {
    /// The beginning of a day, as RFC 3339 writes it.
    pub(super) fn day(&self, day: i64) -> String {
        self.hour(day, 0).to_string()
    }

    /// When a day begins where clocks show this zone's time, as RFC 3339 writes it.
    pub(super) fn midnight_in(&self, zone: &str, day: i64) -> String {
        let date = self.hour(day, 12).to_zoned(TimeZone::UTC).date();
        let local = TimeZone::get(zone).and_then(|zone| date.to_zoned(zone));
        local.map_or_else(|_| self.day(day), |midnight| midnight.timestamp().to_string())
    }

    /// From an hour of a day on for so many hours, as a bare VEVENT (RFC 5545). Hours are in UTC.
    pub(super) fn vevent(&self, day: i64, hour: i64, hours: i64) -> String {
        let stamp = |at: jiff::Timestamp| at.strftime("%Y%m%dT%H%M%SZ");
        let (start, end) = (stamp(self.hour(day, hour)), stamp(self.hour(day, hour + hours)));
        format!("BEGIN:VEVENT\r\nDTSTART:{start}\r\nDTEND:{end}\r\nEND:VEVENT\r\n")
    }

    fn hour(&self, day: i64, hour: i64) -> jiff::Timestamp {
        let ms = self.midnight.ms() + day * DAY_MS + hour * HOUR_MS;
        // A year or so from now is within what it can show.
        jiff::Timestamp::from_millisecond(ms).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_begin_at_midnight_in_utc() {
        // 2026-01-01T09:30:00Z
        let calendar = Calendar::from(Timestamp::from_ms(1_767_259_800_000));
        assert_eq!(calendar.day(0), "2026-01-01T00:00:00Z");
        assert_eq!(calendar.day(-1), "2025-12-31T00:00:00Z");
        assert_eq!(calendar.midnight_in("Europe/Berlin", 0), "2025-12-31T23:00:00Z");
        assert_eq!(calendar.midnight_in("Europe/Berlin", 180), "2026-06-29T22:00:00Z");
        let evening = "BEGIN:VEVENT\r\nDTSTART:20260201T180000Z\r\nDTEND:20260202T010000Z\r\nEND:VEVENT\r\n";
        assert_eq!(calendar.vevent(31, 18, 7), evening);
    }
}
