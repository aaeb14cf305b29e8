//! What a page says to programs that read it: events by the vocabulary of schema.org.

use jiff::Timestamp;
use kassa_texts::Currency;
use serde_json::{Map, Value, json};

use crate::api::Seller;
use crate::frame::Frame;
use crate::model::{EventData, EventStatus, Reference, Venue};
use crate::slug;
use crate::views::{Availability, event_path};

/// JSON that stands in a page: no text of it ends the element that it is in.
pub(crate) fn embedded(value: &Value) -> String {
    embedded_text(&value.to_string())
}

/// The same of JSON that is written already.
pub(crate) fn embedded_text(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// An event that is sold by a seller, as it is at `now`.
pub(crate) fn of_event(
    event: &EventData,
    frame: &Frame<'_>,
    currency: Option<Currency>,
    now: Timestamp,
    seller: &Seller,
) -> String {
    let url = frame.url(&event_path(event, seller));
    let mut about = Map::new();
    let mut say = |name: &str, value: Value| {
        about.insert(name.to_owned(), value);
    };
    say("@context", "https://schema.org".into());
    say("@type", "Event".into());
    say("name", event.title.text.clone().into());
    say("url", url.clone().into());
    say("eventAttendanceMode", "https://schema.org/OfflineEventAttendanceMode".into());
    let is_canceled = event.status == EventStatus::Canceled;
    let status = if is_canceled { "EventCancelled" } else { "EventScheduled" };
    say("eventStatus", format!("https://schema.org/{status}").into());
    if let Some((start, end)) = event.span() {
        let time = |at: &jiff::Zoned| at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
        say("startDate", time(&start).into());
        say("endDate", time(&end).into());
    }
    if let Some(text) = event.title.desc.as_ref().filter(|text| !text.is_empty()) {
        say("description", text.clone().into());
    }
    if let Some(picture) = &frame.picture {
        say("image", json!([frame.url(picture)]));
    }
    if let Some(venue) = event.venue() {
        say("location", place(venue, event, frame));
    }
    if let Some(organizer) = event.org.seen() {
        let path = format!("/o/{}", slug::segment(&organizer.name, &organizer.id));
        say("organizer", json!({"@type": "Organization", "name": organizer.name, "url": frame.url(&path)}));
    }
    // A price without a currency is none.
    let is_sold = matches!(event.status, EventStatus::Public);
    if let Some(currency) = currency.filter(|_| is_sold) {
        let offers = event.sets.iter().map(|set| {
            let mut offer = json!({
                "@type": "Offer",
                "name": set.name,
                "price": set.price.to_string(),
                "priceCurrency": currency.code(),
                "availability": Availability::of(set).schema_org(),
                "url": url,
            });
            let next = set.coming_prices(now).first().map(|(start, _)| *start).filter(|_| !set.has_price_now());
            if let (Some(next), Some(offer)) = (next, offer.as_object_mut()) {
                offer.insert("validFrom".to_owned(), next.to_string().into());
            }
            offer
        });
        say("offers", offers.collect());
    }
    embedded(&Value::Object(about))
}

fn place(venue: &Venue, event: &EventData, frame: &Frame<'_>) -> Value {
    let language = frame.texts.language();
    let mut address = json!({"@type": "PostalAddress"});
    let country = venue.country.as_ref().and_then(Reference::seen).map(|country| country.name(language));
    let city = event.city().map(|city| city.name(language));
    let parts = [("streetAddress", venue.address.as_deref()), ("addressLocality", city), ("addressCountry", country)];
    for (name, value) in parts {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            address[name] = value.into();
        }
    }
    let mut place = json!({"@type": "Place", "name": venue.name, "address": address});
    if let Some(point) = &venue.point {
        let [longitude, latitude] = point.coordinates;
        place["geo"] = json!({"@type": "GeoCoordinates", "latitude": latitude, "longitude": longitude});
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_element_that_it_is_in() {
        let value = json!({"name": "</script><script>alert(1)</script> & more"});
        let text = embedded(&value);
        assert!(!text.contains(['<', '>', '&']), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
