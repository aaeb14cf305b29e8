//! Seats of sets, and the hall map by which their event sells.

use kassa_domain::event::{EventPatch, EventStatus};
use kassa_domain::hall_map::{CreateHallMap, DrawingLength, HallMapId, SeatRow, Sector, UpdateHallMap};
use kassa_domain::refusal::SeatsRefusal;
use kassa_domain::seating::SeatRange;
use kassa_domain::venue::{CreateVenue, VenueId, VenuePatch};
use kassa_domain::{Patch, Refusal};

use crate::fixture::{Fixture, remove_set, seating};

/// A venue, and its map: seats 1 to 8 of row 1 in two pieces, row B behind it, and a place to stand.
fn hall(fixture: &mut Fixture) -> (VenueId, HallMapId) {
    let venue = CreateVenue { owner: fixture.org, patch: VenuePatch::default() };
    let venue = fixture.give(&fixture.organizer(), &venue).unwrap().id;
    let row = |row: &str, from, to| {
        let nowhere = DrawingLength::default();
        let seats = SeatRange { from, to };
        SeatRow { row: row.parse().unwrap(), seats, x: nowhere, y: nowhere, dx: nowhere, dy: nowhere, rank: None }
    };
    let sector = |id: &str, rows| Sector { id: id.to_owned(), name: String::new(), desc: None, rows };
    let stalls = sector("stalls", vec![row("1", 5, 8), row("B", 1, 2), row("1", 1, 4)]);
    let sectors = vec![stalls, sector("floor", Vec::new())];
    let map = CreateHallMap { venue, name: String::new(), desc: None, sectors };
    (venue, fixture.give(&fixture.organizer(), &map).unwrap().id)
}

fn sells_by((venue, map): (VenueId, HallMapId)) -> impl FnOnce(&mut EventPatch) {
    move |event| (event.venue, event.hall_map) = (Patch::Set(venue), Patch::Set(map))
}

fn not_on_map(row: &str, number: u16) -> Refusal {
    SeatsRefusal::SeatsNotOnMap { row: row.parse().unwrap(), number }.into()
}

#[test]
fn chairs_of_a_new_set_are_in_its_sector_of_the_map() {
    let mut fixture = Fixture::new();
    let place = hall(&mut fixture);
    fixture.change_event(sells_by(place)).unwrap();
    for (sector, seats, refusal) in [
        ("stalls", r#"{"1": [[7, 9]]}"#, not_on_map("1", 9)),
        ("stalls", r#"{"B": [[1, 2]], "2": [[4, 4]]}"#, not_on_map("2", 4)),
        ("floor", r#"{"1": [[1, 1]]}"#, not_on_map("1", 1)),
        ("", r#"{"1": [[1, 1]]}"#, not_on_map("1", 1)),
        ("balcony", "{}", SeatsRefusal::SectorUnknown("balcony".to_owned()).into()),
    ] {
        assert_eq!(fixture.try_hall(sector, seats).unwrap_err(), refusal, "{sector}: {seats}");
    }
    fixture.try_hall("stalls", r#"{"1": [[2, 6]], "B": [[1, 2]]}"#).unwrap();
    fixture.try_hall("", "{}").unwrap();
}

#[test]
fn chairs_that_a_set_is_given_are_on_the_map() {
    let mut fixture = Fixture::new();
    let place = hall(&mut fixture);
    fixture.change_event(sells_by(place)).unwrap();
    let set = fixture.try_hall("stalls", r#"{"1": [[1, 4]]}"#).unwrap().id;
    assert_eq!(fixture.reseat(set, r#"{"1": [[4, 9]]}"#).unwrap_err(), not_on_map("1", 9));
    assert_eq!(fixture.chairs(set, |_| true), "1-1 1-2 1-3 1-4");
    fixture.reseat(set, r#"{"1": [[4, 8]]}"#).unwrap();
    fixture.reseat(set, "{}").unwrap();
    let onto_the_floor = |seats: &str| {
        let (sector, seats) = (Patch::Set("floor".to_owned()), Patch::Set(seating(seats)));
        move |change: &mut kassa_domain::set::UpdateSet| (change.sector, change.seats) = (sector, seats)
    };
    assert_eq!(fixture.change_set(set, onto_the_floor(r#"{"1": [[1, 1]]}"#)).unwrap_err(), not_on_map("1", 1));
    fixture.change_set(set, onto_the_floor("{}")).unwrap();
    assert_eq!(fixture.reseat(set, r#"{"1": [[1, 1]]}"#).unwrap_err(), not_on_map("1", 1));
}

#[test]
fn an_event_is_given_a_map_that_has_its_chairs() {
    let mut fixture = Fixture::new();
    let place = hall(&mut fixture);
    fixture.try_hall("stalls", r#"{"1": [[1, 4]]}"#).unwrap();
    let beyond = fixture.try_hall("stalls", r#"{"1": [[8, 9]]}"#).unwrap().id;
    let elsewhere = fixture.try_hall("balcony", r#"{"1": [[1, 1]]}"#).unwrap().id;
    assert_eq!(fixture.change_event(sells_by(place)).unwrap_err(), not_on_map("1", 9));
    fixture.reseat(beyond, r#"{"1": [[8, 8]]}"#).unwrap();
    let unknown = SeatsRefusal::SectorUnknown("balcony".to_owned());
    assert_eq!(fixture.change_event(sells_by(place)).unwrap_err(), unknown.into());
    let remove = remove_set(fixture.event, elsewhere);
    fixture.give(&fixture.organizer(), &remove).unwrap();
    fixture.change_event(sells_by(place)).unwrap();
    fixture.change_event(|event| event.hall_map = Patch::Clear).unwrap();
    fixture.reseat(beyond, r#"{"1": [[8, 9]]}"#).unwrap();
}

/// A change of the map of a hall to one without its rows.
fn without_rows((venue, hall_map): (VenueId, HallMapId)) -> UpdateHallMap {
    let floor = |id: &str| Sector { id: id.to_owned(), name: String::new(), desc: None, rows: Vec::new() };
    let sectors = Some(vec![floor("stalls"), floor("floor")]);
    UpdateHallMap { venue, hall_map, name: Patch::Keep, desc: Patch::Keep, sectors }
}

#[test]
fn a_map_keeps_the_seats_of_public_events_and_drafts_meet_the_map_when_they_become_public() {
    let mut fixture = Fixture::new();
    let place = hall(&mut fixture);
    fixture.try_hall("stalls", r#"{"1": [[1, 4]]}"#).unwrap();
    fixture.change_event(sells_by(place)).unwrap();
    assert_eq!(fixture.give(&fixture.organizer(), &without_rows(place)).unwrap_err(), Refusal::MapInUse);
    fixture.switch(EventStatus::StandBy);
    fixture.give(&fixture.organizer(), &without_rows(place)).unwrap();
    let publish = |event: &mut EventPatch| event.status = Patch::Set(EventStatus::Public);
    assert_eq!(fixture.change_event(publish).unwrap_err(), not_on_map("1", 1));
    fixture
        .change_event(|event| (event.status, event.hall_map) = (Patch::Set(EventStatus::Public), Patch::Clear))
        .unwrap();
    assert!(fixture.change_event(sells_by(place)).is_err(), "it is still without rows");
}

#[test]
fn seats_of_an_event_that_was_taken_off_sale_stay_once_one_was_in_an_order() {
    let mut fixture = Fixture::new();
    let place = hall(&mut fixture);
    let set = fixture.try_hall("stalls", r#"{"1": [[1, 4]]}"#).unwrap().id;
    fixture.reprice(set, 10_000);
    fixture.change_event(sells_by(place)).unwrap();
    fixture.order(set, 1);
    fixture.switch(EventStatus::StandBy);
    assert_eq!(fixture.give(&fixture.organizer(), &without_rows(place)).unwrap_err(), Refusal::MapInUse);
    fixture.switch(EventStatus::Public);
}
