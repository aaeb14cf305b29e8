//! Events, where they take place, and deals about them.

use kassa_domain::deal::{Deal, DealStatus};
use kassa_domain::event::{self, Event, EventId, EventStatus};
use kassa_domain::geo::CityId;
use kassa_domain::hall_map::{DrawingLength, HallMap, SeatRow, Sector};
use kassa_domain::seating::SeatRange;
use kassa_domain::venue::{self, GeoPoint, Venue};
use kassa_domain::{Id, Window};

use super::accounts::media;
use super::{at, full_order, id_in_event, policy};

/// A public event of partner 1.
pub(crate) fn event(key: i64) -> Event {
    Event {
        id: Id::root(key),
        organizer: Id::root(1),
        status: EventStatus::Public,
        lifetime: None,
        venue: None,
        hall_map: None,
        removed: false,
        details: event::EventDetails::default(),
        tickets_limit: 100,
        hold_minutes: 15,
        next_ticket_number: 1,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

/// Its details are one JSON column: a value of each kind stands for all of them.
pub(crate) fn full_event(key: i64) -> Event {
    let about = event::EventDetails {
        title: "Ночь \u{1f3b8} 'live'".to_owned(),
        desc: Some(String::new()),
        tags: vec!["a".to_owned()],
        media: media(),
        refund_policy: Some(policy()),
        ..event::EventDetails::default()
    };
    let lifetime = Some(Window { start: at(0), finish: Some(at(3_600_000)) });
    Event {
        status: EventStatus::StandBy,
        lifetime,
        venue: Some(Id::root(7)),
        hall_map: Some(Id::root(8)),
        removed: true,
        details: about,
        tickets_limit: 1,
        hold_minutes: 10_080,
        next_ticket_number: 1 << 40,
        ..event(key)
    }
}

/// A deal of agent 2 with partner 1.
pub(crate) fn deal(event: EventId, key: i64) -> Deal {
    Deal {
        id: id_in_event(event, key),
        event,
        agent: Id::root(2),
        organizer: Id::root(1),
        status: DealStatus::Accepted,
        proposed_by_agent: key % 2 == 0,
        message: "'; --".to_owned(),
        terms: full_order(event, key).terms,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

/// A venue of partner 1.
pub(crate) fn venue(key: i64) -> Venue {
    Venue {
        id: Id::root(key),
        owner: Id::root(1),
        name: format!("Venue {key}"),
        profile: venue::VenueProfile::default(),
        city: None,
        country: None,
        removed: false,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn full_venue(key: i64) -> Venue {
    let about = venue::VenueProfile {
        desc: Some("By the river\n".to_owned()),
        address: Some("Большая ул., 1".to_owned()),
        point: GeoPoint::new(-180.0, 89.999_999_9),
    };
    Venue {
        name: "ДК «Ромашка» 100%_!".to_owned(),
        profile: about,
        city: Some(CityId(u32::MAX)),
        country: "RU".parse().ok(),
        removed: true,
        updated_at: at(99),
        revision: 2,
        ..venue(key)
    }
}

/// A map of a venue, without a sector.
pub(crate) fn hall_map(key: i64, venue: i64) -> HallMap {
    HallMap {
        id: Id::root(key),
        venue: Id::root(venue),
        name: format!("Map {key}"),
        desc: None,
        sectors: Vec::new(),
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn full_hall_map(key: i64, venue: i64) -> HallMap {
    let row = SeatRow {
        row: "А'1".parse().unwrap(),
        seats: SeatRange { from: 1, to: 9_999 },
        x: DrawingLength(-100_000_000),
        y: DrawingLength(1),
        dx: DrawingLength(2_000),
        dy: DrawingLength(0),
        rank: Some(3),
    };
    let seated =
        Sector { id: "stalls".to_owned(), name: "Партер".to_owned(), desc: Some(String::new()), rows: vec![row] };
    let standing = Sector { id: "6955b900ffffffff00000001".to_owned(), desc: None, rows: Vec::new(), ..seated.clone() };
    HallMap {
        name: "Большой зал".to_owned(),
        desc: Some("Since 1825".to_owned()),
        sectors: vec![seated, standing],
        updated_at: at(99),
        revision: 2,
        ..hall_map(key, venue)
    }
}
