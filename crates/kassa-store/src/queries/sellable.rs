//! Events by who may sell them.

use kassa_domain::Timestamp;
use kassa_domain::event::{EffectiveEventStatus, Event, EventId};
use kassa_domain::geo::{CityId, CountryId};
use kassa_domain::partner::PartnerId;
use kassa_domain::venue::VenueId;

use super::events::add_status_condition;
use super::partners::root_keys;
use super::{Conditions, Filter};
use crate::cell::Cell;
use crate::rows::catalogue::searchable_labels;

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
    fn add_seller_condition(&self, sql: &mut Conditions) {
        if self.sellers.is_empty() {
            return sql.add("1 = 0", []);
        }
        let marks = vec!["?"; self.sellers.len()].join(", ");
        let before = self.before.map_or(i64::MAX, kassa_domain::Id::key);
        let organized = format!("SELECT id FROM events WHERE organizer IN ({marks}) AND id < ?");
        let dealt = format!("SELECT event FROM deals WHERE agent IN ({marks}) AND status = 'accepted' AND event < ?");
        let args =
            root_keys(&self.sellers).chain([before.into()]).chain(root_keys(&self.sellers)).chain([before.into()]);
        sql.add(&format!("id IN ({organized} UNION ALL {dealt})"), args);
    }

    fn add_venue_and_time(&self, sql: &mut Conditions) {
        if let Some(list) = &self.venues {
            sql.one_of("venue", root_keys(list));
        }
        let mut at_venues = |column: &str, values: Vec<Cell<'static>>| {
            let marks = vec!["?"; values.len()].join(", ");
            let condition = format!("venue IN (SELECT id FROM venues WHERE {column} IN ({marks}))");
            sql.add(if values.is_empty() { "1 = 0" } else { &condition }, values);
        };
        if let Some(list) = &self.cities {
            at_venues("city", list.iter().map(|city| i64::from(city.0).into()).collect());
        }
        if let Some(list) = &self.countries {
            at_venues("country", list.iter().map(|country| country.to_string().into()).collect());
        }
        if let Some((from, to)) = self.lifetime {
            sql.add("starts_at <= ? AND (ends_at IS NULL OR ends_at > ?)", [to.ms().into(), from.ms().into()]);
        }
    }
}

impl Filter for SellableEventsFilter {
    type Row = Event;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        self.add_seller_condition(sql);
        sql.add("removed = 0", []);
        add_status_condition(&self.status, self.now, sql);
        if let Some(list) = &self.ids {
            sql.one_of("id", root_keys(list));
        }
        if let Some(list) = &self.orgs {
            sql.one_of("organizer", root_keys(list));
        }
        if let Some(tags) = &self.tags {
            // LIKE would not tell small letters from capital ones.
            let has = vec!["replace(tag_list, ?, '') <> tag_list"; tags.len()].join(" OR ");
            let args = tags.iter().map(|tag| searchable_labels([tag]).into());
            sql.add(if tags.is_empty() { "1 = 0" } else { &has }, args);
        }
        self.add_venue_and_time(sql);
        let times = [
            ("created_at >= ?", self.created_since),
            ("updated_at >= ?", self.updated_since),
            ("updated_at > ?", self.updated_after),
        ];
        for (condition, time) in times {
            if let Some(time) = time {
                sql.add(condition, [time.ms().into()]);
            }
        }
    }
}
