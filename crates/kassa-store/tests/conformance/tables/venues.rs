//! Venues and hall maps.

use crate::database::{Database, keys};
use crate::dice::{Dice, HALL_MAPS, VENUES};
use crate::kinds::kind;
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::PlanCases;
use crate::samples::{self, at};
use kassa_domain::change::Revision;
use kassa_domain::event::{Event, EventStatus};
use kassa_domain::geo::CityId;
use kassa_domain::hall_map::{DrawingLength, HallMap, SeatRow, Sector};
use kassa_domain::seating::SeatRange;
use kassa_domain::venue::{self, GeoPoint, Venue};
use kassa_domain::{Id, ReadSet, View, Window};
use kassa_store::queries::{HallMapsFilter, VenuesFilter};

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
        revision: Revision::stored(1, None),
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
        revision: samples::revision(2),
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
        revision: Revision::stored(1, None),
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
        revision: samples::revision(2),
        ..hall_map(key, venue)
    }
}

kind!(
    Venue,
    venues,
    |row, read_set| read_set.venues.push(row.id),
    [samples::venue(1), samples::full_venue(2)],
    |row| { Venue { id: row.id, owner: row.owner, created_at: row.created_at, ..samples::full_venue(9) } },
    {
        fn fill(_: &mut Dice, view: &mut View) {
            (1..=VENUES).for_each(|key| put_venue(&mut Dice::new(key.unsigned_abs()), key, view));
        }

        fn plan_cases(cases: &mut PlanCases) {
            venues(cases);
        }
    }
);

kind!(
    HallMap,
    hall_maps,
    |row, read_set| read_set.hall_maps.push(row.id),
    [samples::hall_map(1, 7), samples::full_hall_map(2, 7)],
    |row| { HallMap { id: row.id, venue: row.venue, created_at: row.created_at, ..samples::full_hall_map(9, 7) } },
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            (1..=HALL_MAPS).for_each(|key| put_map(dice, key, view));
        }

        fn plan_cases(cases: &mut PlanCases) {
            hall_maps(cases);
        }
    }
);

fn put_venue(dice: &mut Dice, key: i64, view: &mut View) {
    view.venues.put(Venue {
        owner: dice.partner(),
        name: dice.venue_name(),
        city: dice.maybe(Dice::city),
        country: dice.maybe(Dice::country),
        removed: dice.flip(),
        ..samples::venue(key)
    });
}

fn put_map(dice: &mut Dice, key: i64, view: &mut View) {
    view.hall_maps.put(HallMap { venue: dice.hall(), ..samples::hall_map(key, 1) });
}

impl ListModel for VenuesFilter {
    fn includes(&self, venue: &Venue, _: &View) -> bool {
        let is_named = |text: &String| venue.name.to_lowercase().contains(&text.to_lowercase());
        self.ids.as_ref().is_none_or(|ids| ids.contains(&venue.id))
            && self.org.is_none_or(|org| org == venue.owner)
            && self.city.is_none_or(|city| Some(city) == venue.city)
            && self.country.is_none_or(|country| Some(country) == venue.country)
            && self.name_contains.as_ref().is_none_or(is_named)
            && (!venue.removed || self.include_removed_of.contains(&venue.owner))
    }
}

pub(crate) async fn venues_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| VenuesFilter {
        ids: dice.rarely(|dice| dice.some(Dice::venue)),
        org: dice.rarely(Dice::partner),
        city: dice.rarely(Dice::city),
        country: dice.rarely(Dice::country),
        name_contains: dice.rarely(Dice::part_of_name),
        include_removed_of: dice.some(Dice::partner),
    };
    assert_lists_agree::<VenuesFilter>(db, filter).await;
}

impl ListModel for HallMapsFilter {
    fn includes(&self, map: &HallMap, _: &View) -> bool {
        map.venue == self.venue && self.ids.as_ref().is_none_or(|ids| ids.contains(&map.id))
    }
}

pub(crate) async fn maps_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| HallMapsFilter {
        venue: dice.hall(),
        ids: dice.rarely(|dice| (0..40).map(|_| dice.map()).collect()),
    };
    assert_lists_agree::<HallMapsFilter>(db, filter).await;
}

pub(crate) async fn what_may_keep_a_venue_in_use_is_found(db: Database) {
    let (here, elsewhere) = (samples::venue(7).id, samples::venue(8).id);
    let at = |key, venue, finish: Option<i64>| Event {
        venue,
        lifetime: finish.map(|ms| Window { start: samples::at(0), finish: Some(samples::at(ms)) }),
        ..samples::event(key)
    };
    db.insert(|view| {
        view.events.put(at(1, Some(here), None));
        view.events.put(at(2, Some(here), Some(5)));
        let draft = |key, finish| Event { status: EventStatus::StandBy, ..at(key, Some(here), finish) };
        view.events.put(Event { withdrawn: true, ..draft(3, Some(9)) });
        view.events.put(Event { withdrawn: true, ..draft(7, None) });
        view.events.put(draft(8, Some(9)));
        view.events.put(draft(10, None));
        view.events.put(Event { status: EventStatus::Canceled, ..at(4, Some(here), Some(9)) });
        view.events.put(Event { removed: true, ..at(5, Some(here), None) });
        view.events.put(at(6, Some(elsewhere), Some(9)));
        view.events.put(at(9, None, Some(9)));
    })
    .await;
    let view = db.view(ReadSet { events_at: vec![here], ..ReadSet::default() }).await;
    assert_eq!(keys(view.events.rows()), [1, 2, 3, 7].map(Id::root));
    assert_eq!(view.events_at(here).count(), 4);
}

fn venues(cases: &mut PlanCases) {
    for removed_of in [Vec::new(), vec![Id::root(1); 2]] {
        let seen = VenuesFilter { include_removed_of: removed_of, ..VenuesFilter::default() };
        for filter in [
            VenuesFilter { ids: Some(vec![Id::root(2); 3]), ..seen.clone() },
            VenuesFilter { org: Some(Id::root(1)), ..seen.clone() },
            VenuesFilter { city: Some(CityId(1)), ..seen.clone() },
            VenuesFilter { country: "RU".parse().ok(), ..seen.clone() },
        ] {
            cases.add_sorted(&filter);
        }
    }
    let (city, suggest) = (Some(CityId(1)), Some("hall".to_owned()));
    cases.add_ordered(&VenuesFilter { city, name_contains: suggest, ..VenuesFilter::default() });
    cases.add_filtered(&VenuesFilter::default());
}

fn hall_maps(cases: &mut PlanCases) {
    cases.add_ordered(&HallMapsFilter { venue: Id::root(1), ids: None });
    cases.add_sorted(&HallMapsFilter { venue: Id::root(1), ids: Some(vec![Id::root(2); 3]) });
}
