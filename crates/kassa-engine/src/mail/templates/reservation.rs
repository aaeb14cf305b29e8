//! Tickets in the words of schema.org, which mail programs and assistants show beside a mail.

use kassa_domain::Timestamp;
use serde_json::{Map, Value, json};

use crate::order_documents::{PaidOrder, SoldTicket};

/// A reservation for each ticket.
pub(super) fn describe(paid: &PaidOrder<'_>) -> Value {
    let event = describe_event(paid);
    Value::Array(paid.tickets.iter().map(|sold| describe_ticket(paid, sold, &event)).collect())
}

fn describe_ticket(paid: &PaidOrder<'_>, sold: &SoldTicket<'_>, event: &Value) -> Value {
    let mut ticket = json!({
        "@type": "Ticket",
        "ticketNumber": format!("{} {}", sold.set.serial, sold.ticket.number),
        "ticketToken": format!("qrCode:{}", sold.barcode),
    });
    if let Some((row, seat)) = sold.row_and_seat() {
        let mut place = json!({"@type": "Seat", "seatRow": row.to_string(), "seatNumber": seat.to_string()});
        if !sold.sector().is_empty() {
            place["seatSection"] = sold.sector().into();
        }
        ticket["ticketedSeat"] = place;
    }
    let mut reservation = json!({
        "@context": "https://schema.org",
        "@type": "EventReservation",
        "reservationNumber": paid.order.number.to_string(),
        "reservationStatus": "https://schema.org/ReservationConfirmed",
        "reservationFor": event,
        "reservedTicket": ticket,
    });
    if let Some(name) = paid.order.customer.full_name() {
        reservation["underName"] = json!({"@type": "Person", "name": name});
    }
    reservation
}

fn describe_event(paid: &PaidOrder<'_>) -> Value {
    let mut event =
        Map::from_iter([("@type".to_owned(), "Event".into()), ("name".to_owned(), paid.title(paid.language()).into())]);
    if let Some(window) = paid.event.lifetime {
        event.insert("startDate".to_owned(), rfc3339(window.start).into());
        event.extend(window.finish.map(|finish| ("endDate".to_owned(), rfc3339(finish).into())));
    }
    if let Some(venue) = paid.venue {
        let mut place = json!({"@type": "Place", "name": venue.name});
        if let Some(address) = paid.address(paid.language()) {
            place["address"] = address.into();
        }
        event.insert("location".to_owned(), place);
    }
    Value::Object(event)
}

/// As `2035-06-01T18:00:00Z`.
fn rfc3339(at: Timestamp) -> String {
    let at = jiff::Timestamp::from_millisecond(at.ms()).unwrap_or_default();
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
