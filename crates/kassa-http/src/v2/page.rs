//! What lists have in common: pages, `page` from 1 on, `page_size` from 1 to 200, and 50 unless the
//! client says otherwise; and ranges of times.

use kassa_domain::Timestamp;
use kassa_store::Slice;
use serde::Serialize;
use utoipa::ToSchema;

use crate::input::{Problems, Query};
use crate::openapi::params::{one, parameters};
use crate::openapi::schema;
use crate::wire::ReadTime;

/// The most items of a page.
const SIZE_MAX: u32 = 200;
/// How many there are when the client does not say.
const SIZE: u32 = 50;

parameters! {
    /// Which part of a list.
    pub(super) struct Paging:
        one("page", schema::number().minimum(Some(1)), "Which page, from 1 on."),
        one("page_size", schema::number().minimum(Some(1)).maximum(Some(SIZE_MAX)), "How many items a page has; 50 if it is not said."),
}

/// A page that is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    page: u64,
    size: u32,
}

impl Wanted {
    /// From a query.
    pub(super) fn read(query: &Query, problems: &mut Problems) -> Self {
        let page = query.number("page", problems).unwrap_or(1);
        if page == 0 {
            problems.parameter("page", "must be a whole number from 1 on");
        }
        let size = query.number("page_size", problems).unwrap_or(u64::from(SIZE));
        let fitting = u32::try_from(size).ok().filter(|size| (1..=SIZE_MAX).contains(size));
        if fitting.is_none() {
            problems.parameter("page_size", format!("must be a whole number from 1 to {SIZE_MAX}"));
        }
        Self { page: page.max(1), size: fitting.unwrap_or(SIZE) }
    }

    /// The rows to load for it.
    pub(super) fn slice(self) -> Slice {
        Slice { limit: self.size, offset: (self.page - 1).saturating_mul(u64::from(self.size)), count: true }
    }
}

/// Which page a list shows.
#[derive(Serialize, ToSchema)]
#[schema(as = Pagination)]
pub(super) struct Pagination {
    page: u64,
    page_size: u32,
    /// How many pages there are.
    total: u64,
}

impl Pagination {
    /// For a list of so many items in all.
    pub(super) fn new(wanted: Wanted, items: u64) -> Self {
        Self { page: wanted.page, page_size: wanted.size, total: items.div_ceil(u64::from(wanted.size)) }
    }
}

/// A parameter with two times; see [`whole`].
pub(super) fn between(name: &str, query: &Query, problems: &mut Problems) -> Option<(Timestamp, Timestamp)> {
    query.range(name, problems).map(whole)
}

/// Times are shown to the second: the end of a range is all of its second, unless it says a part of it.
pub(super) fn whole((from, to): (ReadTime, ReadTime)) -> (Timestamp, Timestamp) {
    let is_whole = to.0.whole_second() == to.0;
    (from.0, if is_whole { to.0.plus_ms(999) } else { to.0 })
}
