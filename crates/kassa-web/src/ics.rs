//! An event's page as an entry of a calendar.

use jiff::Timestamp;
use kassa_engine::documents::calendar::CalendarEntry;

use crate::model::{EventData, EventStatus};

/// An event, which takes place there and has its page here; `None` if it has no time.
pub(crate) fn of_event(event: &EventData, place: &str, url: &str) -> Option<String> {
    let span = event.lifetime?;
    let written = event.updated_at.as_deref().and_then(|text| text.parse().ok()).unwrap_or(Timestamp::UNIX_EPOCH);
    let venue = event.venue();
    let location = [Some(place), venue.and_then(|venue| venue.address.as_deref())];
    let location = location.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    let point = venue.and_then(|venue| venue.point.as_ref()).map(|point| {
        let [longitude, latitude] = point.coordinates;
        [latitude, longitude]
    });
    let entry = CalendarEntry {
        uid: format!("{}@kassa", event.id),
        written_ms: written.as_millisecond(),
        sequence: 0,
        start_ms: span.start?.as_millisecond(),
        finish_ms: span.end.map(Timestamp::as_millisecond),
        summary: event.title.text.clone(),
        location: Some(location).filter(|location| !location.is_empty()),
        point,
        description: event.title.desc.clone().filter(|about| !about.is_empty()),
        url: Some(url.to_owned()),
        is_canceled: event.status == EventStatus::Canceled,
    };
    Some(entry.to_ics())
}
