//! Events, and events to sell.

use crate::database::{Database, keys};
use crate::dice::{Dice, EVENTS};
use crate::kinds::kind;
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::{AccessPath, PlanCases};
use crate::samples::{self, ELSEWHERE, HERE, at, event_id, media, policy};
use kassa_domain::change::Revision;
use kassa_domain::checkout::{BuyerField, Question, QuestionKind, QuestionScope};
use kassa_domain::event::{self, EffectiveEventStatus, Event, EventStatus};
use kassa_domain::geo::CityId;
use kassa_domain::partner::PartnerId;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::Ticket;
use kassa_domain::translation::Translation;
use kassa_domain::venue::Venue;
use kassa_domain::{Id, ReadSet, Timestamp, View, Window};
use kassa_store::queries::{EventsFilter, SellableEventsFilter};

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
        withdrawn: false,
        details: event::EventDetails::default(),
        tickets_limit: 100,
        hold_minutes: 15,
        next_ticket_number: 1,
        created_at: at(key),
        updated_at: at(key),
        revision: Revision::stored(1, None),
    }
}

fn question() -> Question {
    Question {
        id: "diet".to_owned(),
        text: "What do you eat?".to_owned(),
        kind: QuestionKind::Choice,
        scope: QuestionScope::Ticket,
        options: vec!["Everything".to_owned(), "Vegan".to_owned()],
        is_required: true,
    }
}

/// Its details are one JSON column: a value of each kind stands for all of them.
pub(crate) fn full_event(key: i64) -> Event {
    let about = event::EventDetails {
        title: "Ночь \u{1f3b8} 'live'".to_owned(),
        desc: Some(String::new()),
        translations: vec![Translation { lang: "de".to_owned(), title: Some("Nacht".to_owned()), desc: None }],
        tags: vec!["a".to_owned()],
        media: media(),
        refund_policy: Some(policy()),
        buyer_name: BuyerField::Required,
        questions: vec![question()],
        name_change_until: Some(at(9)),
        ..event::EventDetails::default()
    };
    let lifetime = Some(Window { start: at(0), finish: Some(at(3_600_000)) });
    Event {
        status: EventStatus::StandBy,
        lifetime,
        venue: Some(Id::root(7)),
        hall_map: Some(Id::root(8)),
        removed: true,
        withdrawn: true,
        details: about,
        tickets_limit: 1,
        hold_minutes: 10_080,
        next_ticket_number: 1 << 40,
        ..event(key)
    }
}

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
        removed: dice.below(8) == 0,
        withdrawn: dice.below(4) == 0,
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

impl ListModel for EventsFilter {
    fn includes(&self, event: &Event, all: &View) -> bool {
        let is_public = event.status == EventStatus::Public && !event.removed && is_organizer_active(event, all);
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

/// The organizer of an event is neither removed nor suspended.
fn is_organizer_active(event: &Event, all: &View) -> bool {
    all.partners.rows().any(|org| org.id == event.organizer && !org.removed && org.suspension.is_none())
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
            && is_organizer_active(event, all)
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

fn narrow(filter: &mut SellableEventsFilter, dice: &mut Dice) {
    match dice.below(11) {
        0 => filter.ids = Some((0..9).map(|_| dice.event()).collect()),
        1 => filter.orgs = Some((0..6).map(|_| dice.partner()).collect()),
        2 => filter.tags = Some((0..6).map(|_| dice.tag()).collect()),
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
