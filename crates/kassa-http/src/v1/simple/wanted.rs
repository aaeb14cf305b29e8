//! What is asked of the list.

use std::fmt::Display;
use std::str::FromStr;

use kassa_domain::{Actor, Money, Timestamp};
use kassa_store::Slice;
use kassa_store::queries::SellableFilter;

use super::order::Field;
use crate::input::{Amount, FromJson, Problems, Query};
use crate::openapi::params::{ids, many, one, pair, parameters, sort, words};
use crate::openapi::schema;
use crate::v1::events::model::STATUSES;
use crate::wire::ReadTime;

/// The most labels that events are asked for.
const TAGS_MAX: usize = 100;

const FIELDS: [(&str, Field); 3] = [("start", Field::Start), ("end", Field::End), ("price", Field::Price)];

/// Views of the sales office, all of which show the same events.
const VIEWS: [(&str, ()); 2] = [("salespoint", ()), ("showroom", ())];

parameters! {
    pub(crate) struct Filters:
        ids(),
        many("org", schema::id(), "Only those of these organizers."),
        many("tags", schema::text(), "Only those with one of these labels."),
        many("venue", schema::id(), "Only those at these venues."),
        many("city", schema::number().minimum(Some(0)), "Only those in these cities."),
        many("country", schema::country(), "Only those in these countries."),
        words("status", &STATUSES, "Only those in these states; `public` if it is not said."),
        pair("lifetime", ReadTime::form(), "Two times: only those that take place between them."),
        pair("lifetime__range", ReadTime::form(), "The same as `lifetime`, over which it wins."),
        pair("price", Amount::form(), "Two amounts: only those whose lowest price is between them."),
        pair("price__range", Amount::form(), "The same as `price`, over which it wins."),
        one("created_at__since", ReadTime::form(), "Only those that were made then or later."),
        one("updated_at__since", ReadTime::form(), "Only those that were changed then or later."),
        one("updated_at__gt", ReadTime::form(), "Only those that were changed later."),
        words("view_limit", &VIEWS, "A view of the sales office; all of them show the same events."),
        sort(&FIELDS),
}

/// The parameters of the list.
pub(super) struct Wanted {
    pub(super) filter: SellableFilter,
    /// From the first to the last of these prices.
    pub(super) price: Option<(Money, Money)>,
    /// By which fields, each with whether it descends. Newest first, when there are none.
    pub(super) sort: Vec<(Field, bool)>,
    /// Which part.
    pub(super) slice: Slice,
}

impl Wanted {
    pub(super) fn read(query: &Query, actor: &Actor, now: Timestamp, problems: &mut Problems) -> Self {
        let on_sale = SellableFilter::on_sale(actor.partners(), now);
        let time = |name: &str, problems: &mut Problems| query.one::<ReadTime>(name, problems).map(|time| time.0);
        query.words("view_limit", &VIEWS, problems);
        let filter = SellableFilter {
            ids: query.ids("ids", problems),
            orgs: query.ids("org", problems),
            tags: tags(query, problems),
            venues: query.ids("venue", problems),
            cities: query.each("city", problems),
            countries: query.each("country", problems),
            status: query.words("status", &STATUSES, problems).unwrap_or(on_sale.status),
            lifetime: range::<ReadTime>(query, "lifetime", problems).map(|(from, to)| (from.0, to.0)),
            created_since: time("created_at__since", problems),
            updated_since: time("updated_at__since", problems),
            updated_after: time("updated_at__gt", problems),
            ..on_sale
        };
        let price = range(query, "price", problems);
        Self { filter, price, sort: query.sort(&FIELDS, problems), slice: query.slice_of_whole(problems) }
    }

    /// Whether the order of the list is that of the database.
    pub(super) fn is_as_stored(&self) -> bool {
        self.sort.is_empty() && self.price.is_none()
    }

    /// Whether it must be known what the events cost.
    pub(super) fn asks_for_prices(&self) -> bool {
        self.price.is_some() || self.sort.iter().any(|(field, _)| *field == Field::Price)
    }
}

/// A range under its older name, or under its newer one.
fn range<T>(query: &Query, name: &str, problems: &mut Problems) -> Option<(T, T)>
where
    T: FromStr<Err: Display> + PartialOrd,
{
    let older = query.range(&format!("{name}__range"), problems);
    let newer = query.range(name, problems);
    older.or(newer)
}

fn tags(query: &Query, problems: &mut Problems) -> Option<Vec<String>> {
    let tags: Vec<String> = query.each("tags", problems)?;
    if tags.len() > TAGS_MAX || tags.iter().any(|tag| tag.chars().any(char::is_control)) {
        problems.parameter("tags", format!("must be at most {TAGS_MAX} labels, without control characters"));
    }
    Some(tags)
}
