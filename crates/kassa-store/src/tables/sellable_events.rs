//! Events by who may sell them.

use kassa_domain::event::{EffectiveEventStatus, Event, EventId};
use kassa_domain::geo::{CityId, CountryId};
use kassa_domain::partner::PartnerId;
use kassa_domain::venue::VenueId;
use kassa_domain::view::Condition;
use kassa_domain::{Id, Timestamp};

use super::events::{has_status, searchable_labels};
#[cfg(feature = "test-drivers")]
use super::events::{is_dealt, is_organizer_active};
use super::partners::IS_ORGANIZER_ACTIVE;
use crate::cell::Cell;
use crate::lists::{Comparison, Conditions, Filter, Predicate, root_keys};
#[cfg(feature = "test-drivers")]
use crate::memory_tables::MemoryTables;

/// Events that partners may sell, newest first, page by page: each page starts behind the last event
/// of the one before.
#[derive(Clone, Debug)]
pub struct SellableEventsFilter {
    /// Who sells: the organizer, and agents with an accepted deal. A removed event nobody sells.
    pub sellers: Vec<PartnerId>,
    /// Only in one of these states, as they are at `now`.
    pub status: Vec<EffectiveEventStatus>,
    /// The time of the request.
    pub now: Timestamp,
    /// Only these.
    pub ids: Option<Vec<EventId>>,
    /// Only of one of these organizers.
    pub orgs: Option<Vec<PartnerId>>,
    /// Only with one of these labels, letter by letter.
    pub tags: Option<Vec<String>>,
    /// Only at one of these venues.
    pub venues: Option<Vec<VenueId>>,
    /// Only in one of these cities.
    pub cities: Option<Vec<CityId>>,
    /// Only in one of these countries.
    pub countries: Option<Vec<CountryId>>,
    /// Only those that take place between these times, in part at least.
    pub lifetime: Option<(Timestamp, Timestamp)>,
    /// Only made at this time or later.
    pub created_since: Option<Timestamp>,
    /// Only edited at this time or later.
    pub updated_since: Option<Timestamp>,
    /// Only edited later than this.
    pub updated_after: Option<Timestamp>,
    /// Only older than this one.
    pub before: Option<EventId>,
}

impl SellableEventsFilter {
    /// All events that are on sale at `now`.
    pub fn on_sale(own: Vec<PartnerId>, now: Timestamp) -> Self {
        Self {
            sellers: own,
            status: vec![EffectiveEventStatus::Public],
            now,
            ids: None,
            orgs: None,
            tags: None,
            venues: None,
            cities: None,
            countries: None,
            lifetime: None,
            created_since: None,
            updated_since: None,
            updated_after: None,
            before: None,
        }
    }

    /// The events of the sellers are looked up first: they are few, and all others many.
    fn is_sold(&self) -> Predicate {
        if self.sellers.is_empty() {
            return Predicate::AnyOf(Vec::new());
        }
        let marks = vec!["?"; self.sellers.len()].join(", ");
        let before = self.before.map_or(i64::MAX, Id::key);
        let organized = format!("SELECT id FROM events WHERE organizer IN ({marks}) AND id < ?");
        let dealt = format!("SELECT event FROM deals WHERE agent IN ({marks}) AND status = 'accepted' AND event < ?");
        let args =
            root_keys(&self.sellers).chain([before.into()]).chain(root_keys(&self.sellers)).chain([before.into()]);
        Predicate::sql(format!("id IN ({organized} UNION ALL {dealt})"), args)
    }

    fn add_venue_and_time(&self, conditions: &mut Conditions) {
        conditions.extend(self.venues.as_deref().map(|venues| Predicate::names_one_of("venue", venues)));
        conditions.extend(
            self.cities
                .as_ref()
                .map(|cities| is_at_venue_in("city", cities.iter().map(|city| i64::from(city.0).into()).collect())),
        );
        conditions.extend(self.countries.as_ref().map(|countries| {
            is_at_venue_in("country", countries.iter().map(|country| country.to_string().into()).collect())
        }));
        if let Some((from, to)) = self.lifetime {
            conditions.add(Predicate::compare("starts_at", Comparison::AtMost, to.ms()));
            let is_after = Predicate::compare("ends_at", Comparison::Above, from.ms());
            conditions.add(Predicate::AnyOf(vec![vec![Condition::Null("ends_at").into()], vec![is_after]]));
        }
    }
}

/// The venue of an event has one of these values in a column.
fn is_at_venue_in(column: &str, values: Vec<Cell<'static>>) -> Predicate {
    if values.is_empty() {
        return Predicate::AnyOf(Vec::new());
    }
    let marks = vec!["?"; values.len()].join(", ");
    Predicate::sql(format!("venue IN (SELECT id FROM venues WHERE {column} IN ({marks}))"), values)
}

/// An event has one of these labels. LIKE would not tell small letters from capital ones.
fn has_label(labels: &[String]) -> Predicate {
    let has_one = "replace(tag_list, ?, '') <> tag_list";
    let any = labels.iter().map(|label| vec![Predicate::sql(has_one, [searchable_labels([label]).into()])]);
    Predicate::AnyOf(any.collect())
}

/// As `permission::sells_event` says.
impl Filter for SellableEventsFilter {
    type Row = Event;

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(self.is_sold());
        conditions.add(Condition::NOT_REMOVED);
        conditions.add(Predicate::sql(IS_ORGANIZER_ACTIVE, []));
        conditions.add(has_status(&self.status, self.now));
        conditions.extend(self.ids.as_deref().map(|ids| Predicate::names_one_of("id", ids)));
        conditions.extend(self.orgs.as_deref().map(|orgs| Predicate::names_one_of("organizer", orgs)));
        conditions.extend(self.tags.as_deref().map(has_label));
        self.add_venue_and_time(conditions);
        let times = [
            ("created_at", Comparison::AtLeast, self.created_since),
            ("updated_at", Comparison::AtLeast, self.updated_since),
            ("updated_at", Comparison::Above, self.updated_after),
        ];
        for (column, comparison, time) in times {
            conditions.extend(time.map(|time| Predicate::compare(column, comparison, time.ms())));
        }
    }

    #[cfg(feature = "test-drivers")]
    fn matches(&self, event: &Event, tables: &MemoryTables) -> bool {
        let venue = event.venue.and_then(|venue| tables.venues.get(venue));
        let (city, country) = (venue.and_then(|venue| venue.city), venue.and_then(|venue| venue.country));
        (self.sellers.contains(&event.organizer) || is_dealt(event, &self.sellers, tables))
            && is_organizer_active(event, tables)
            && self.before.is_none_or(|last| event.id.key() < last.key())
            && self.status.contains(&event.effective_status(self.now))
            && self.tags.as_ref().is_none_or(|list| event.details.tags.iter().any(|tag| list.contains(tag)))
            && self.cities.as_ref().is_none_or(|list| city.is_some_and(|city| list.contains(&city)))
            && self.countries.as_ref().is_none_or(|list| country.is_some_and(|country| list.contains(&country)))
    }
}
