//! What is asked of the list.

use std::fmt::Display;
use std::str::FromStr;

use kassa_domain::{Actor, Money, Timestamp};
use kassa_store::PageWindow;
use kassa_store::queries::SellableEventsFilter;

use crate::input::{FromJson, MoneyInput, Problems, Query};
use crate::openapi::params::{ids, parameters, single_value, sort_fields, value_list, value_pair, words};
use crate::openapi::schema;
use crate::wire::{EVENT_STATUSES, TimeInput};

/// The most labels that events are asked for.
const TAGS_MAX: usize = 100;

/// What a list is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SimpleEventSortField {
    /// When the event begins.
    Start,
    /// When it ends.
    End,
    /// Its lowest price.
    Price,
}

const SORT_FIELDS: [(&str, SimpleEventSortField); 3] = [
    ("start", SimpleEventSortField::Start),
    ("end", SimpleEventSortField::End),
    ("price", SimpleEventSortField::Price),
];

/// Views of the sales office, all of which show the same events.
const SALES_OFFICE_VIEWS: [(&str, ()); 2] = [("salespoint", ()), ("showroom", ())];

parameters! {
    pub(crate) struct Filters:
        ids(),
        value_list("org", schema::id(), "Only those of these organizers."),
        value_list("tags", schema::text(), "Only those with at least one of these tags; up to 100."),
        value_list("venue", schema::id(), "Only those at these venues."),
        value_list(
            "city", schema::integer().minimum(Some(0)),
            "Only those in these cities: their numbers in GeoNames.",
        ),
        value_list(
            "country", schema::country(),
            "Only those in these countries: two letters each (ISO 3166-1), in any case.",
        ),
        words("status", EVENT_STATUSES.words, "Only those with these statuses; `public` by default."),
        value_pair(
            "lifetime", TimeInput::json_schema(),
            "Only those that take place, at least partly, between these two times.",
        ),
        value_pair("lifetime__range", TimeInput::json_schema(), "The same as `lifetime`, over which it wins."),
        value_pair(
            "price", MoneyInput::json_schema(),
            "Only those whose lowest price is between these two amounts, the smaller first.",
        ),
        value_pair("price__range", MoneyInput::json_schema(), "The same as `price`, over which it wins."),
        single_value("created_at__since", TimeInput::json_schema(), "Only those created at this time or later."),
        single_value("updated_at__since", TimeInput::json_schema(), "Only those last changed at this time or later."),
        single_value("updated_at__gt", TimeInput::json_schema(), "Only those last changed after this time."),
        words("view_limit", &SALES_OFFICE_VIEWS, "Accepted for older clients: every value lists the same events."),
        sort_fields(&SORT_FIELDS),
}

/// The parameters of the list.
pub(super) struct SimpleEventsQuery {
    pub(super) filter: SellableEventsFilter,
    /// From the first to the last of these prices.
    pub(super) price: Option<(Money, Money)>,
    /// By which fields, each with whether it descends. Newest first, when there are none.
    pub(super) sort: Vec<(SimpleEventSortField, bool)>,
    /// Which part.
    pub(super) slice: PageWindow,
}

impl SimpleEventsQuery {
    pub(super) fn read(query: &Query, actor: &Actor, now: Timestamp, problems: &mut Problems) -> Self {
        let on_sale = SellableEventsFilter::on_sale(actor.acting_partners(), now);
        let time =
            |name: &'static str, problems: &mut Problems| query.value::<TimeInput>(name, problems).map(|time| time.0);
        query.words("view_limit", &SALES_OFFICE_VIEWS, problems);
        let filter = SellableEventsFilter {
            ids: query.ids("ids", problems),
            orgs: query.ids("org", problems),
            tags: read_tags(query, problems),
            venues: query.ids("venue", problems),
            cities: query.values("city", problems),
            countries: query.values("country", problems),
            status: query.words("status", EVENT_STATUSES.words, problems).unwrap_or(on_sale.status),
            lifetime: range_by_name::<TimeInput>(query, ["lifetime__range", "lifetime"], problems)
                .map(|(from, to)| (from.0, to.0)),
            created_since: time("created_at__since", problems),
            updated_since: time("updated_at__since", problems),
            updated_after: time("updated_at__gt", problems),
            ..on_sale
        };
        let price = range_by_name(query, ["price__range", "price"], problems);
        Self { filter, price, sort: query.sort(&SORT_FIELDS, problems), slice: query.slice_or_all(problems) }
    }

    /// Whether the order of the list is that of the database.
    pub(super) fn is_newest_first(&self) -> bool {
        self.sort.is_empty() && self.price.is_none()
    }

    /// Whether it must be known what the events cost.
    pub(super) fn needs_prices(&self) -> bool {
        self.price.is_some() || self.sort.iter().any(|(field, _)| *field == SimpleEventSortField::Price)
    }
}

/// A range under its older name, or under its newer one.
fn range_by_name<T>(query: &Query, [older, newer]: [&'static str; 2], problems: &mut Problems) -> Option<(T, T)>
where
    T: FromStr<Err: Display> + PartialOrd,
{
    let (older, newer) = (query.range(older, problems), query.range(newer, problems));
    older.or(newer)
}

fn read_tags(query: &Query, problems: &mut Problems) -> Option<Vec<String>> {
    let tags: Vec<String> = query.values("tags", problems)?;
    if tags.len() > TAGS_MAX || tags.iter().any(|tag| tag.chars().any(char::is_control)) {
        problems.add_parameter("tags", format!("must be at most {TAGS_MAX} labels, without control characters"));
    }
    Some(tags)
}
