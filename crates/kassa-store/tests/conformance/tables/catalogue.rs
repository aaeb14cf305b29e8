//! Events, where they take place, and deals about them.

use kassa_domain::deal::{Deal, DealStatus, EffectiveDealStatus};
use kassa_domain::event::{self, EffectiveEventStatus, Event, EventId, EventStatus};
use kassa_domain::geo::CityId;
use kassa_domain::hall_map::{DrawingLength, HallMap, SeatRow, Sector};
use kassa_domain::partner::PartnerId;
use kassa_domain::seating::SeatRange;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::Ticket;
use kassa_domain::venue::{self, GeoPoint, Venue};
use kassa_domain::{Id, ReadSet, Timestamp, View, Window};
use kassa_store::queries::{DealsFilter, EventsFilter, HallMapsFilter, SellableEventsFilter, VenuesFilter};

use crate::database::{Database, keys};
use crate::dice::{DEALS, Dice, EVENTS, HALL_MAPS, VENUES};
use crate::kinds::kind;
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::{AccessPath, PlanCases};
use crate::samples::{self, ELSEWHERE, HERE, at, event_id, full_order, id_in_event, media, party, policy};

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

kind!(
    Deal,
    deals,
    |row, read_set| read_set.deals.push(row.id),
    [samples::deal(party().id, 1), samples::deal(party().id, 2)],
    |row| Deal { status: DealStatus::Terminated, updated_at: at(99), revision: 2, ..row },
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            (1..=DEALS).for_each(|key| put_deal(dice, key, view));
        }

        fn plan_cases(cases: &mut PlanCases) {
            deals(cases);
        }
    }
);

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

kind!(
    Event,
    events,
    |row, read_set| read_set.events.push(row.id),
    [samples::event(1), samples::full_event(2), without_end()],
    |row| Event { organizer: row.organizer, id: row.id, created_at: row.created_at, ..samples::full_event(9) },
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            (1..=EVENTS).for_each(|key| put_event(dice, key, view));
        }

        fn plan_cases(cases: &mut PlanCases) {
            events(cases);
            sellable(cases);
        }
    }
);

fn without_end() -> Event {
    let lifetime = Some(kassa_domain::Window { start: at(5), finish: None });
    Event { lifetime, ..samples::event(3) }
}

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

/// Seats of a set in each state, where no other has them.
fn put_chairs(dice: &mut Dice, set: &TicketSet, view: &mut View) {
    for key in (set.id.key() * 100 + 10_000..).take(24) {
        let states = samples::one_of_each_state(set, key, 1).map(|ticket| ticket.state);
        let state = states[usize::try_from(dice.below(4)).unwrap()].clone();
        let chair = Ticket { state, ..samples::seated_ticket(set, key, dice.row(), dice.seat()) };
        let place = |ticket: &Ticket| ticket.seat.clone().map(|seat| (seat.sector, seat.row, seat.number));
        let is_free = view.tickets.rows().all(|other| other.event != set.event || place(other) != place(&chair));
        if is_free {
            view.tickets.put(chair);
        }
    }
}

/// An event with three sets of eight tickets, and of some seats in two sectors.
fn put_event(dice: &mut Dice, key: i64, view: &mut View) {
    let about = event::EventDetails { tags: dice.some(Dice::tag), ..event::EventDetails::default() };
    let event = Event {
        organizer: dice.partner(),
        status: dice.event_status(),
        lifetime: dice.maybe(|dice| Window { start: dice.moment(), finish: dice.maybe(Dice::moment) }),
        venue: dice.maybe(Dice::venue),
        removed: dice.below(4) == 0,
        details: about,
        created_at: dice.moment(),
        updated_at: dice.moment(),
        ..samples::event(key)
    };
    for place in 1..=3 {
        let set = samples::set(event.id, key * 10 + place);
        for first in [0, 4] {
            let first = set.id.key() * 10 + first;
            for ticket in samples::one_of_each_state(&set, first, 1) {
                view.tickets.put(ticket);
            }
        }
        let set = TicketSet { sector: dice.sector(), ..set };
        put_chairs(dice, &set, view);
        view.sets.put(set);
    }
    view.jobs.put(samples::job(event.id, key));
    view.events.put(event);
}

fn put_deal(dice: &mut Dice, key: i64, view: &mut View) {
    let deal = samples::deal(Dice::event_of(key), key);
    view.deals.put(Deal { agent: dice.partner(), organizer: dice.partner(), status: dice.deal_status(), ..deal });
}

impl ListModel for DealsFilter {
    fn includes(&self, deal: &Deal, all: &View) -> bool {
        let stored = EffectiveDealStatus::Stored(deal.status);
        let shown = all.events.get(deal.event).map_or(stored, |event| deal.effective_status(event, self.now));
        let is_side = |partner: &PartnerId| deal.agent == *partner || deal.organizer == *partner;
        self.caller_partners.iter().any(is_side)
            && self.partner.as_ref().is_none_or(is_side)
            && self.event.is_none_or(|event| event == deal.event)
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&deal.id))
            && self.status.as_ref().is_none_or(|list| list.contains(&shown))
    }
}

pub(crate) async fn deals_of_many_partners_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| DealsFilter {
        caller_partners: dice.many_partners(),
        partner: dice.rarely(Dice::partner),
        event: None,
        ids: None,
        status: None,
        now: dice.moment(),
    };
    assert_lists_agree::<DealsFilter>(db, filter).await;
}

impl ListModel for EventsFilter {
    fn includes(&self, event: &Event, all: &View) -> bool {
        let is_public = event.status == EventStatus::Public && !event.removed;
        (is_public || is_organized_or_sold_by(&self.caller_partners, event, all))
            && self.org.is_none_or(|org| org == event.organizer)
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&event.id))
            && (self.include_removed || !event.removed)
            && self.status.as_ref().is_none_or(|wanted| wanted.contains(&event.effective_status(self.now)))
    }
}

pub(crate) async fn events_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| EventsFilter {
        caller_partners: dice.some(Dice::partner),
        org: dice.rarely(Dice::partner),
        ids: dice.rarely(|dice| dice.some(Dice::event)),
        status: dice.maybe(|dice| dice.some(Dice::shown_status)),
        include_removed: dice.flip(),
        now: dice.moment(),
    };
    assert_lists_agree::<EventsFilter>(db, filter).await;
}

/// One of these partners organizes an event, or sells it under an accepted deal.
fn is_organized_or_sold_by(partners: &[PartnerId], event: &Event, all: &View) -> bool {
    let mut deals = all.deals.rows().filter(|deal| deal.event == event.id && deal.is_accepted());
    partners.contains(&event.organizer) || deals.any(|deal| partners.contains(&deal.agent))
}

impl ListModel for SellableEventsFilter {
    fn includes(&self, event: &Event, all: &View) -> bool {
        let takes_place =
            |(from, to)| event.lifetime.is_some_and(|lifetime| lifetime.start <= to && !lifetime.has_ended_at(from));
        is_organized_or_sold_by(&self.sellers, event, all)
            && !event.removed
            && self.status.contains(&event.effective_status(self.now))
            && self.ids.as_ref().is_none_or(|list| list.contains(&event.id))
            && self.orgs.as_ref().is_none_or(|list| list.contains(&event.organizer))
            && self.tags.as_ref().is_none_or(|list| event.details.tags.iter().any(|tag| list.contains(tag)))
            && self.venues.as_ref().is_none_or(|list| event.venue.is_some_and(|venue| list.contains(&venue)))
            && is_at_place(self, event.venue.and_then(|venue| all.venues.get(venue)))
            && self.lifetime.is_none_or(takes_place)
            && self.created_since.is_none_or(|time| event.created_at >= time)
            && self.updated_since.is_none_or(|time| event.updated_at >= time)
            && self.updated_after.is_none_or(|time| event.updated_at > time)
            && self.before.is_none_or(|last| event.id.key() < last.key())
    }
}

/// Whether a venue is in a city and a country that are wanted.
fn is_at_place(filter: &SellableEventsFilter, venue: Option<&Venue>) -> bool {
    let (city, country) = (venue.and_then(|venue| venue.city), venue.and_then(|venue| venue.country));
    filter.cities.as_ref().is_none_or(|list| city.is_some_and(|city| list.contains(&city)))
        && filter.countries.as_ref().is_none_or(|list| country.is_some_and(|country| list.contains(&country)))
}

pub(crate) async fn sellable_events_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| {
        let mut filter =
            SellableEventsFilter::on_sale((0..4 + dice.below(15)).map(|_| dice.partner()).collect(), dice.moment());
        filter.status = (0..6).map(|_| dice.shown_status()).collect();
        for _ in 0..dice.below(3) {
            narrow(&mut filter, dice);
        }
        filter
    };
    assert_lists_agree::<SellableEventsFilter>(db, filter).await;
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

pub(crate) async fn deals_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| DealsFilter {
        caller_partners: dice.some(Dice::partner),
        partner: dice.rarely(Dice::partner),
        event: dice.rarely(Dice::event),
        ids: dice.rarely(|dice| (0..20).map(|_| dice.deal()).collect()),
        status: dice.maybe(|dice| dice.some(Dice::shown_deal_status)),
        now: dice.moment(),
    };
    assert_lists_agree::<DealsFilter>(db, filter).await;
}

fn narrow(filter: &mut SellableEventsFilter, dice: &mut Dice) {
    match dice.below(11) {
        0 => filter.ids = Some((0..9).map(|_| dice.event()).collect()),
        1 => filter.orgs = Some(dice.some(Dice::partner)),
        2 => filter.tags = Some(dice.some(Dice::tag)),
        3 => filter.venues = Some((0..30).map(|_| dice.venue()).collect()),
        4 => filter.cities = Some(dice.some(Dice::city)),
        5 => filter.countries = Some(dice.some(Dice::country)),
        6 => filter.lifetime = Some((dice.moment(), dice.moment())),
        7 => filter.created_since = Some(dice.moment()),
        8 => filter.updated_since = Some(dice.moment()),
        9 => filter.updated_after = Some(dice.moment()),
        _ => filter.before = Some(dice.event()),
    }
}

pub(crate) async fn the_deals_of_an_agent_for_an_event_are_all_of_them(db: Database) {
    let (here, elsewhere) = (event_id(HERE), event_id(ELSEWHERE));
    let other = Deal { agent: Id::root(3), ..samples::deal(here, 3) };
    let deals = [samples::deal(here, 1), samples::deal(here, 2), other, samples::deal(elsewhere, 4)];
    db.insert(|view| deals.iter().for_each(|deal| view.deals.put(deal.clone()))).await;
    let cases: [(EventId, i64, &[i64]); 4] =
        [(here, 2, &[1, 2]), (here, 3, &[3]), (elsewhere, 2, &[4]), (here, 1, &[])];
    for (event, subj, expected) in cases {
        let view = db.view(ReadSet { deals_of: vec![(event, Id::root(subj))], ..ReadSet::default() }).await;
        let mut found: Vec<i64> = view.deals.rows().map(|deal| deal.id.key()).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "agent {subj}");
    }
}

pub(crate) async fn two_partners_that_deal_are_found_by_their_newest_accepted_deal(db: Database) {
    let (one, two, three) = (Id::root(1), Id::root(2), Id::root(3));
    let between = |subj, obj, status, key| Deal {
        agent: subj,
        organizer: obj,
        status,
        ..samples::deal(event_id(key % 2 + 1), key)
    };
    let deals = [
        between(two, one, DealStatus::Accepted, 1),
        between(two, one, DealStatus::Accepted, 2),
        between(two, one, DealStatus::Terminated, 3),
        between(three, one, DealStatus::New, 4),
        between(three, two, DealStatus::Accepted, 5),
    ];
    db.insert(|view| deals.iter().for_each(|deal| view.deals.put(deal.clone()))).await;
    let foreign = Id::with_tag(event_id(HERE).tag(), 2);
    let selects = |pairs: &[(PartnerId, PartnerId)]| ReadSet { deals_between: pairs.to_vec(), ..ReadSet::default() };
    let cases: [(ReadSet, &[i64]); 5] = [
        (selects(&[(two, one)]), &[2]),
        (selects(&[(one, two), (three, one), (two, three)]), &[]),
        (selects(&[(three, two), (two, one), (two, one)]), &[2, 5]),
        (selects(&[(foreign, one)]), &[]),
        (selects(&[(Id::root(9), one)]), &[]),
    ];
    for (read_set, expected) in cases {
        let view = db.view(read_set.clone()).await;
        let found: Vec<i64> = keys(view.deals.rows()).into_iter().map(Id::key).collect();
        assert_eq!(found, expected, "{read_set:?}");
    }
    let view = db.view(selects(&[(two, one)])).await;
    assert!(view.has_deal_with(one, &[three, two]) && view.has_deal_with(two, &[one]));
    assert!(!view.has_deal_with(one, &[three]) && !view.has_deal_with(one, &[one]));
}

pub(crate) async fn the_organizer_of_an_event_is_found(db: Database) {
    db.insert(|view| {
        (1..=3).for_each(|key| view.partners.put(samples::partner(key)));
        view.events.put(Event { organizer: Id::root(2), ..samples::event(HERE) });
        view.events.put(Event { organizer: Id::root(9), ..samples::event(ELSEWHERE) });
    })
    .await;
    let partners = async |organizers_of| {
        let view = db.view(ReadSet { organizers_of, ..ReadSet::default() }).await;
        keys(view.partners.rows())
    };
    assert_eq!(partners(vec![event_id(HERE), event_id(ELSEWHERE), event_id(HERE)]).await, [Id::root(2)]);
    assert_eq!(partners(vec![Id::with_tag(event_id(ELSEWHERE).tag(), HERE)]).await, []);
}

pub(crate) async fn the_map_of_an_event_is_found(db: Database) {
    db.insert(|view| {
        view.events.put(Event { hall_map: Some(samples::hall_map(7, 1).id), ..samples::event(HERE) });
        view.events.put(samples::event(ELSEWHERE));
        view.hall_maps.put(samples::hall_map(7, 1));
        view.hall_maps.put(samples::hall_map(8, 1));
    })
    .await;
    let maps =
        async |map_of| keys(db.view(ReadSet { hall_map_of: map_of, ..ReadSet::default() }).await.hall_maps.rows());
    assert_eq!(maps(vec![event_id(HERE), event_id(ELSEWHERE)]).await, [samples::hall_map(7, 1).id]);
    assert_eq!(maps(vec![event_id(ELSEWHERE), Id::with_tag(event_id(ELSEWHERE).tag(), HERE)]).await, []);
}

pub(crate) async fn the_venue_of_an_event_is_found(db: Database) {
    db.insert(|view| {
        view.events.put(Event { venue: Some(samples::venue(7).id), ..samples::event(HERE) });
        view.events.put(Event { venue: None, ..samples::event(ELSEWHERE) });
        view.venues.put(samples::venue(7));
        view.venues.put(samples::venue(8));
    })
    .await;
    let venues = async |venues_of| keys(db.view(ReadSet { venues_of, ..ReadSet::default() }).await.venues.rows());
    assert_eq!(venues(vec![event_id(HERE), event_id(ELSEWHERE)]).await, [samples::venue(7).id]);
    assert_eq!(venues(vec![event_id(ELSEWHERE), Id::with_tag(event_id(ELSEWHERE).tag(), HERE)]).await, []);
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
        view.events.put(Event { status: EventStatus::StandBy, ..at(3, Some(here), Some(9)) });
        view.events.put(Event { status: EventStatus::Canceled, ..at(4, Some(here), Some(9)) });
        view.events.put(Event { removed: true, ..at(5, Some(here), None) });
        view.events.put(at(6, Some(elsewhere), Some(9)));
        view.events.put(at(9, None, Some(9)));
    })
    .await;
    let view = db.view(ReadSet { events_at: vec![here], ..ReadSet::default() }).await;
    assert_eq!(keys(view.events.rows()), [Id::root(1), Id::root(2), Id::root(3)]);
    assert_eq!(view.events_at(here).count(), 3);
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

fn all_events() -> EventsFilter {
    EventsFilter {
        caller_partners: Vec::new(),
        org: None,
        ids: None,
        status: None,
        include_removed: false,
        now: Timestamp::from_ms(0),
    }
}

/// Of an organizer, or named ones.
fn events(cases: &mut PlanCases) {
    for own in [Vec::new(), vec![Id::root(1); 2]] {
        for status in [None, Some(vec![EffectiveEventStatus::Public, EffectiveEventStatus::Finished])] {
            let seen = EventsFilter { caller_partners: own.clone(), status, ..all_events() };
            cases.add_sorted(&EventsFilter { org: Some(Id::root(1)), ..seen.clone() });
            cases.add_sorted(&EventsFilter { ids: Some(vec![Id::root(2); 3]), ..seen });
        }
    }
    cases.add_filtered(&all_events());
    cases.add(
        &EventsFilter { caller_partners: vec![Id::root(1)], ..all_events() },
        AccessPath::OrderedFilter,
        &["deals_agent_event"],
    );
}

/// What partners may sell is found by their own events and their deals.
fn sellable(cases: &mut PlanCases) {
    for own in [vec![Id::root(1)], vec![Id::root(1); 3]] {
        let on_sale = SellableEventsFilter::on_sale(own, Timestamp::from_ms(0));
        let next_page = SellableEventsFilter { before: Some(Id::root(9)), ..on_sale.clone() };
        let (cities, countries) = (Some(vec![CityId(1); 2]), "RU".parse().ok().map(|country| vec![country]));
        for filter in [
            on_sale.clone(),
            next_page,
            SellableEventsFilter { ids: Some(vec![Id::root(2); 2]), ..on_sale.clone() },
            SellableEventsFilter { orgs: Some(vec![Id::root(2); 2]), ..on_sale.clone() },
            SellableEventsFilter { cities, countries, tags: Some(vec!["rock".to_owned()]), ..on_sale },
        ] {
            cases.add(&filter, AccessPath::SortedIndex, &["events_organizer", "deals_agent_event"]);
        }
    }
}

fn deals(cases: &mut PlanCases) {
    let now = Timestamp::from_ms(0);
    let states = [EffectiveDealStatus::Stored(DealStatus::Accepted), EffectiveDealStatus::Finished];
    for own in [vec![Id::root(1)], vec![Id::root(1), Id::root(5)]] {
        let all = DealsFilter { caller_partners: own, partner: None, event: None, ids: None, status: None, now };
        cases.add(&all, AccessPath::OrderedIndex, &["deals_agent", "deals_organizer"]);
        for status in [None, Some(states.to_vec())] {
            let seen = DealsFilter { status, ..all.clone() };
            for filter in [
                seen.clone(),
                DealsFilter { partner: Some(Id::root(2)), ..seen.clone() },
                DealsFilter { event: Some(Id::root(3)), ..seen.clone() },
                DealsFilter { ids: Some(vec![Id::root(4); 2]), ..seen },
            ] {
                cases.add_sorted(&filter);
            }
        }
    }
}
