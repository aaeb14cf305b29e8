//! Venues, and events that take place there.

use kassa_domain::event::{CreateEvent, Event, EventPatch, EventStatus};
use kassa_domain::geo::{CityId, CountryId};
use kassa_domain::partner::PartnerId;
use kassa_domain::permission::sees_venue;
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::venue::{CreateVenue, GeoPoint, UpdateVenue, Venue, VenueId, VenuePatch, VenueProfilePatch};
use kassa_domain::{Actor, Patch, Refusal, Window};

use crate::fixture::{END, Fixture, NOON};

const MOSCOW: CityId = CityId(524_901);
const BERLIN: CityId = CityId(2_950_159);
const NOWHERE: CityId = CityId(1);

fn country(text: &str) -> CountryId {
    text.parse().expect("two letters")
}

fn in_city(city: CityId) -> VenuePatch {
    VenuePatch { city: Patch::Set(city), ..VenuePatch::default() }
}

impl Fixture {
    fn venue(&mut self, patch: VenuePatch) -> Venue {
        self.give(&self.organizer(), &CreateVenue { owner: self.org, patch }).expect("a venue is made")
    }

    fn change_venue(&mut self, venue: VenueId, patch: VenuePatch) -> Result<Venue, Refusal> {
        self.give(&self.organizer(), &UpdateVenue { venue, patch })
    }

    fn remove_venue(&mut self, venue: VenueId) -> Result<Venue, Refusal> {
        self.give(&self.organizer(), &UpdateVenue::remove(venue))
    }

    fn move_to(&mut self, venue: VenueId) -> Result<Event, Refusal> {
        self.change_event(|event| event.venue = Patch::Set(venue))
    }
}

#[test]
fn a_venue_is_made_by_a_partner_in_its_own_name() {
    let mut fixture = Fixture::new();
    let (org, other, nobody) = (fixture.org, fixture.partner(), PartnerId::root(7));
    let cases = [
        (Actor::Anonymous, org, Refusal::CredentialRequired),
        (Actor::Partner(other), org, Refusal::Forbidden(ForbiddenReason::OwnPartnerOnly)),
        (Actor::Partner(nobody), nobody, Refusal::NotFound("partner")),
    ];
    for (actor, org, refusal) in cases {
        let command = CreateVenue { owner: org, patch: in_city(NOWHERE) };
        assert_eq!(fixture.give(&actor, &command).unwrap_err(), refusal);
    }
    let venue = fixture.venue(VenuePatch { name: Patch::Set("Hall".into()), ..VenuePatch::default() });
    assert_eq!((venue.name.as_str(), venue.owner, venue.removed), ("Hall", org, false));
    assert_eq!((venue.city, venue.country, venue.revision.number(), venue.created_at), (None, None, 1, NOON));
}

/// What a venue in Moscow becomes: its city and its country.
type Place = (Option<CityId>, Option<CountryId>);

type Move = (Patch<CityId>, Patch<CountryId>, Result<Place, Refusal>);

fn moves() -> Vec<Move> {
    use Patch::{Clear, Keep, Set};
    let (ru, de, nowhere) = (country("RU"), country("DE"), country("ZZ"));
    let in_moscow = Ok((Some(MOSCOW), Some(ru)));
    vec![
        (Keep, Keep, in_moscow.clone()),
        (Keep, Set(ru), in_moscow.clone()),
        (Keep, Clear, in_moscow),
        (Keep, Set(de), Err(Refusal::CityNotInCountry(MOSCOW, de))),
        (Set(BERLIN), Keep, Ok((Some(BERLIN), Some(de)))),
        (Set(BERLIN), Clear, Ok((Some(BERLIN), Some(de)))),
        (Set(BERLIN), Set(de), Ok((Some(BERLIN), Some(de)))),
        (Set(BERLIN), Set(ru), Err(Refusal::CityNotInCountry(BERLIN, ru))),
        (Clear, Keep, Ok((None, Some(ru)))),
        (Clear, Clear, Ok((None, None))),
        (Clear, Set(de), Ok((None, Some(de)))),
        (Clear, Set(nowhere), Err(Refusal::CountryUnknown(nowhere))),
        (Set(NOWHERE), Set(nowhere), Err(Refusal::CountryUnknown(nowhere))),
        (Set(NOWHERE), Set(ru), Err(Refusal::CityUnknown(NOWHERE))),
        (Set(NOWHERE), Keep, Err(Refusal::CityUnknown(NOWHERE))),
    ]
}

#[test]
fn a_city_brings_its_country_along() {
    for (city, land, expected) in moves() {
        let mut fixture = Fixture::new();
        let venue = fixture.venue(in_city(MOSCOW));
        let patch = VenuePatch { city: city.clone(), country: land.clone(), ..VenuePatch::default() };
        let changed = fixture.change_venue(venue.id, patch).map(|venue| (venue.city, venue.country));
        assert_eq!(changed, expected, "{city:?} {land:?}");
    }
}

#[test]
fn an_edit_keeps_what_it_does_not_name_and_null_clears() {
    let mut fixture = Fixture::new();
    let point = GeoPoint::new(37.6173, 55.7558).expect("a place on the globe");
    let full = VenuePatch {
        name: Patch::Set("Hall".into()),
        profile: VenueProfilePatch {
            desc: Patch::Set("By the river".into()),
            address: Patch::Set("1 Main St".into()),
            point: Patch::Set(point),
        },
        ..VenuePatch::default()
    };
    let made = fixture.venue(full);
    fixture.pass_minutes(1);
    let profile = VenueProfilePatch { desc: Patch::Clear, ..VenueProfilePatch::default() };
    let renamed = VenuePatch { name: Patch::Set("Arena".into()), profile, ..VenuePatch::default() };
    let changed = fixture.change_venue(made.id, renamed).unwrap();
    assert_eq!((changed.name.as_str(), &changed.profile.desc), ("Arena", &None));
    assert_eq!((changed.profile.address.as_deref(), changed.profile.point), (Some("1 Main St"), Some(point)));
    assert_eq!((changed.revision.number(), changed.created_at, changed.updated_at), (2, NOON, fixture.now));
}

#[test]
fn a_point_is_on_the_globe_and_comes_back_as_it_was_written() {
    for (longitude, latitude) in [(37.6173, 55.7558), (-180.0, -90.0), (180.0, 90.0), (0.1, -0.000_000_1)] {
        let point = GeoPoint::new(longitude, latitude).expect("a place on the globe");
        assert_eq!((point.longitude(), point.latitude()), (longitude, latitude));
    }
    for (longitude, latitude) in [(180.1, 0.0), (-180.1, 0.0), (0.0, 90.1), (0.0, -90.1), (f64::NAN, 0.0)] {
        assert_eq!(GeoPoint::new(longitude, latitude), None, "{longitude} {latitude}");
    }
}

#[test]
fn a_venue_is_changed_by_its_own_partner_and_hidden_once_it_is_removed() {
    let mut fixture = Fixture::new();
    let other = Actor::Partner(fixture.partner());
    let (standing, removed) = (fixture.venue(VenuePatch::default()).id, fixture.venue(VenuePatch::default()).id);
    let gone = fixture.remove_venue(removed).unwrap();
    assert!(gone.removed && sees_venue(&fixture.organizer(), &gone));
    assert!(!sees_venue(&other, &gone) && !sees_venue(&Actor::Anonymous, &gone));
    let cases = [
        (Actor::Anonymous, standing, Refusal::CredentialRequired),
        (Actor::Anonymous, removed, Refusal::CredentialRequired),
        (other.clone(), standing, Refusal::Forbidden(ForbiddenReason::VenueOwnerOnly)),
        (other.clone(), removed, Refusal::NotFound("venue")),
        (other, VenueId::root(7), Refusal::NotFound("venue")),
    ];
    for (actor, venue, refusal) in cases {
        let unsound = UpdateVenue { venue, patch: in_city(NOWHERE) };
        assert_eq!(fixture.give(&actor, &unsound).unwrap_err(), refusal);
        assert_eq!(fixture.give(&actor, &UpdateVenue::remove(venue)).unwrap_err(), refusal);
    }
    let back = VenuePatch { removed: Patch::Set(false), ..VenuePatch::default() };
    assert!(!fixture.change_venue(removed, back).unwrap().removed);
}

#[test]
fn any_organizer_uses_any_venue_that_is_not_removed() {
    let mut fixture = Fixture::new();
    let other = fixture.partner();
    let (venue, removed) = (fixture.venue(VenuePatch::default()).id, fixture.venue(VenuePatch::default()).id);
    fixture.remove_venue(removed).unwrap();
    let at = |venue| EventPatch { venue: Patch::Set(venue), ..EventPatch::default() };
    let event = fixture.give(&Actor::Partner(other), &CreateEvent { organizer: other, patch: at(venue) }).unwrap();
    assert_eq!(event.venue, Some(venue));
    for unknown in [removed, VenueId::root(7)] {
        let refusal = Refusal::VenueUnknown(unknown.to_string());
        let create = CreateEvent { organizer: other, patch: at(unknown) };
        assert_eq!(fixture.give(&Actor::Partner(other), &create).unwrap_err(), refusal);
        assert_eq!(fixture.move_to(unknown).unwrap_err(), refusal);
    }
    assert_eq!(fixture.move_to(venue).unwrap().venue, Some(venue));
    assert_eq!(fixture.change_event(|event| event.venue = Patch::Clear).unwrap().venue, None);
}

#[test]
fn no_draft_keeps_a_venue_in_use_and_a_public_event_of_anybody_does() {
    let mut fixture = Fixture::new();
    let (other, venue) = (fixture.partner(), fixture.venue(VenuePatch::default()).id);
    let lifetime = Patch::Set(Window { start: NOON, finish: Some(END) });
    let at = EventPatch { venue: Patch::Set(venue), lifetime, ..EventPatch::default() };
    for organizer in [other, fixture.org] {
        fixture.give(&Actor::Partner(organizer), &CreateEvent { organizer, patch: at.clone() }).unwrap();
    }
    fixture.remove_venue(venue).unwrap();
    let back = VenuePatch { removed: Patch::Set(false), ..VenuePatch::default() };
    fixture.change_venue(venue, back).unwrap();
    let public = EventPatch { status: Patch::Set(EventStatus::Public), ..at };
    fixture.give(&Actor::Partner(other), &CreateEvent { organizer: other, patch: public }).unwrap();
    assert_eq!(fixture.remove_venue(venue).unwrap_err(), Refusal::VenueInUse);
}

#[test]
fn an_event_names_the_venue_that_it_has_although_it_was_removed() {
    let mut fixture = Fixture::new();
    let venue = fixture.venue(VenuePatch::default()).id;
    fixture.move_to(venue).unwrap();
    fixture.now = END;
    fixture.remove_venue(venue).unwrap();
    assert_eq!(fixture.move_to(venue).unwrap().venue, Some(venue));
    fixture.change_event(|event| event.venue = Patch::Clear).unwrap();
    assert_eq!(fixture.move_to(venue).unwrap_err(), Refusal::VenueUnknown(venue.to_string()));
}

#[test]
fn a_venue_stays_while_a_public_event_there_is_not_over() {
    type Change = fn(&mut EventPatch);
    let endless = Window { start: NOON, finish: None };
    let cases: [(Change, bool); 6] = [
        (|_| {}, false),
        (|event| event.status = Patch::Set(EventStatus::StandBy), true),
        (|event| event.status = Patch::Set(EventStatus::Canceled), true),
        (|event| event.removed = Patch::Set(true), true),
        (|event| event.venue = Patch::Clear, true),
        (|event| (event.status, event.lifetime) = (Patch::Set(EventStatus::StandBy), Patch::Clear), true),
    ];
    for (change, goes) in cases {
        let mut fixture = Fixture::new();
        let venue = fixture.venue(VenuePatch::default()).id;
        fixture.move_to(venue).unwrap();
        fixture.change_event(change).unwrap();
        let expected = if goes { Ok(true) } else { Err(Refusal::VenueInUse) };
        assert_eq!(fixture.remove_venue(venue).map(|venue| venue.removed), expected);
    }
    let mut fixture = Fixture::new();
    let venue = fixture.venue(VenuePatch::default()).id;
    fixture.move_to(venue).unwrap();
    fixture.now = END.plus_ms(-1);
    assert_eq!(fixture.remove_venue(venue).unwrap_err(), Refusal::VenueInUse);
    fixture.change_event(|event| event.lifetime = Patch::Set(endless)).unwrap();
    fixture.now = END;
    assert_eq!(fixture.remove_venue(venue).unwrap_err(), Refusal::VenueInUse);
    fixture.change_event(|event| event.lifetime = Patch::Set(Window { start: NOON, finish: Some(END) })).unwrap();
    fixture.remove_venue(venue).unwrap();
}

#[test]
fn an_event_that_was_taken_off_sale_keeps_its_venue_once_a_ticket_was_in_an_order() {
    let mut fixture = Fixture::new();
    let venue = fixture.venue(VenuePatch::default()).id;
    fixture.move_to(venue).unwrap();
    let set = fixture.set(10, 10_000);
    fixture.switch(EventStatus::StandBy);
    assert!(!fixture.view.events.get(fixture.event).unwrap().withdrawn);
    fixture.switch(EventStatus::Public);
    let order = fixture.order(set, 1);
    fixture.switch(EventStatus::StandBy);
    assert_eq!(fixture.remove_venue(venue).unwrap_err(), Refusal::VenueInUse);
    // Late money may still bring back what has expired.
    fixture.now = fixture.now.plus_minutes(16);
    assert!(fixture.expire(order));
    assert_eq!(fixture.remove_venue(venue).unwrap_err(), Refusal::VenueInUse);
    fixture.now = END;
    fixture.remove_venue(venue).unwrap();
}

#[test]
fn a_draft_becomes_public_only_where_its_venue_is_still_to_be_had() {
    let mut fixture = Fixture::new();
    let (venue, other) = (fixture.venue(VenuePatch::default()).id, fixture.venue(VenuePatch::default()).id);
    let unknown = Refusal::VenueUnknown(venue.to_string());
    fixture.switch(EventStatus::StandBy);
    fixture.move_to(venue).unwrap();
    fixture.remove_venue(venue).unwrap();
    // It is still a draft: all else can be changed.
    fixture.change_event(|event| event.tickets_limit = Patch::Set(5)).unwrap();
    let publish = |event: &mut EventPatch| event.status = Patch::Set(EventStatus::Public);
    assert_eq!(fixture.change_event(publish).unwrap_err(), unknown);
    fixture
        .change_event(|event| (event.status, event.venue) = (Patch::Set(EventStatus::Public), Patch::Set(other)))
        .unwrap();
    assert_eq!(fixture.remove_venue(other).unwrap_err(), Refusal::VenueInUse);
    fixture.switch(EventStatus::StandBy);
    fixture.remove_venue(other).unwrap();
    fixture.change_event(|event| event.venue = Patch::Clear).unwrap();
    fixture.switch(EventStatus::Public);
}

#[test]
fn an_event_that_comes_back_needs_its_venue_again() {
    let mut fixture = Fixture::new();
    let venue = fixture.venue(VenuePatch::default()).id;
    let unknown = Refusal::VenueUnknown(venue.to_string());
    fixture.move_to(venue).unwrap();
    fixture.change_event(|event| event.removed = Patch::Set(true)).unwrap();
    fixture.remove_venue(venue).unwrap();
    for back in [Patch::Set(false), Patch::Clear] {
        assert_eq!(fixture.change_event(|event| event.removed = back).unwrap_err(), unknown);
    }
    let mut fixture = Fixture::new();
    let venue = fixture.venue(VenuePatch::default()).id;
    fixture.move_to(venue).unwrap();
    fixture.now = END;
    fixture.remove_venue(venue).unwrap();
    let until = |finish| Patch::Set(Window { start: NOON, finish: Some(finish) });
    let longer = fixture.change_event(|event| event.lifetime = until(END.plus_minutes(60)));
    assert_eq!(longer.unwrap_err(), Refusal::VenueUnknown(venue.to_string()));
    fixture.change_event(|event| event.lifetime = until(END.plus_ms(-60_000))).unwrap();
    assert!(fixture.remove_venue(venue).unwrap().removed, "once more");
}
