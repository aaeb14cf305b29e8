//! What lists have in common: pages, `page` from 1 on, `page_size` from 1 to 200, and 50 unless the
//! client says otherwise; and ranges of times.

use kassa_domain::Timestamp;
use kassa_store::{PageWindow, RowCount};
use serde::Serialize;
use utoipa::ToSchema;

use crate::input::{Problems, Query};
use crate::openapi::params::{parameters, single_value};
use crate::openapi::schema;
use crate::wire::TimeInput;

/// The most items of a page.
const SIZE_MAX: u32 = 200;
/// How many there are when the client does not say.
const SIZE_DEFAULT: u32 = 50;

parameters! {
    /// Which part of a list.
    pub(super) struct PageParameters:
        single_value("page", schema::integer().minimum(Some(1)), "Which page, from 1, which is the default."),
        single_value(
            "page_size", schema::integer().minimum(Some(1)).maximum(Some(SIZE_MAX)),
            "How many items a page has: 1 to 200; 50 by default.",
        ),
}

parameters! {
    /// How far a list is counted that may be very long.
    pub(super) struct CountParameters:
        single_value(
            "count_max", schema::integer().minimum(Some(1)),
            "Where counting ends: `total_count` says no more than this, or than what shows that there is another page. \
             Counting a million rows takes longer than reading a page of them.",
        ),
}

/// A page that is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageRequest {
    page: u64,
    size: u32,
    /// How far its list is counted; all of it, if that is not said.
    count_max: Option<u64>,
}

impl PageRequest {
    /// From a query.
    pub(super) fn read(query: &Query, problems: &mut Problems) -> Self {
        let page = query.number("page", problems).unwrap_or(1);
        if page == 0 {
            problems.add_parameter("page", "must be a whole number from 1 on");
        }
        let size = query.number("page_size", problems).unwrap_or(u64::from(SIZE_DEFAULT));
        let fitting = u32::try_from(size).ok().filter(|size| (1..=SIZE_MAX).contains(size));
        if fitting.is_none() {
            problems.add_parameter("page_size", format!("must be a whole number from 1 to {SIZE_MAX}"));
        }
        Self { page: page.max(1), size: fitting.unwrap_or(SIZE_DEFAULT), count_max: None }
    }

    /// The same of a list that need not be counted to its end.
    pub(super) fn read_with_count(query: &Query, problems: &mut Problems) -> Self {
        let count_max = query.number("count_max", problems);
        if count_max == Some(0) {
            problems.add_parameter("count_max", "must be a whole number from 1 on");
        }
        Self { count_max, ..Self::read(query, problems) }
    }

    /// How many there are in all, and the part of them that is on the page: of what is had in memory.
    pub(super) fn cut<T>(self, all: Vec<T>) -> (u64, Vec<T>) {
        let (total, window) = (all.len() as u64, self.slice());
        let skipped = usize::try_from(window.offset).unwrap_or(usize::MAX);
        (total, all.into_iter().skip(skipped).take(window.limit as usize).collect())
    }

    /// The rows to load for it.
    pub(super) fn slice(self) -> PageWindow {
        let offset = (self.page - 1).saturating_mul(u64::from(self.size));
        let seen = offset.saturating_add(self.size.into()).saturating_add(1);
        let count = self.count_max.map_or(RowCount::All, |most| RowCount::UpTo(most.max(seen)));
        PageWindow { limit: self.size, offset, count }
    }
}

/// Which page a list shows.
#[derive(Serialize, ToSchema)]
#[schema(as = Pagination)]
pub(super) struct Pagination {
    /// The number of this page, from 1.
    page: u64,
    /// How many items a page has at most.
    page_size: u32,
    /// How many pages there are.
    total: u64,
}

impl Pagination {
    /// For a list of so many items in all.
    pub(super) fn new(wanted: PageRequest, items: u64) -> Self {
        Self { page: wanted.page, page_size: wanted.size, total: items.div_ceil(u64::from(wanted.size)) }
    }
}

/// Declares the answer of a list: what is on a page, what that refers to, and which page it is.
macro_rules! list_answer {
    (
        $(#[$about:meta])*
        $seen:vis struct $Answer:ident $(<$life:lifetime>)? as $schema:ident {
            $(#[$data_about:meta])* data: $data:ty,
            $(#[$refs_about:meta])* refs: $refs:ty,
        }
    ) => {
        $(#[$about])*
        #[derive(serde::Serialize, utoipa::ToSchema)]
        #[schema(as = $schema)]
        $seen struct $Answer $(<$life>)? {
            $(#[$data_about])* data: $data,
            $(#[$refs_about])* refs: $refs,
            /// Which page this is.
            pagination: $crate::v2::pagination::Pagination,
            /// How many there are on all pages.
            total_count: u64,
        }

        impl $(<$life>)? $Answer $(<$life>)? {
            /// Of the page that was asked for, of so many items in all.
            fn page(wanted: $crate::v2::pagination::PageRequest, total_count: u64, data: $data, refs: $refs) -> Self {
                let pagination = $crate::v2::pagination::Pagination::new(wanted, total_count);
                Self { data, refs, pagination, total_count }
            }

            $seen fn into_response(self) -> $crate::response::ApiResponse {
                $crate::response::ApiResponse::list(&self, self.total_count)
            }
        }
    };
}
pub(super) use list_answer;

/// A parameter with two times; see [`through_whole_second`].
pub(super) fn time_range(name: &'static str, query: &Query, problems: &mut Problems) -> Option<(Timestamp, Timestamp)> {
    query.range(name, problems).map(|(from, till)| through_whole_second(from, till))
}

/// Times are shown to the second: the end of a range is all of its second, unless it says a part of it.
pub(super) fn through_whole_second(from: TimeInput, till: TimeInput) -> (Timestamp, Timestamp) {
    let is_whole = till.0.whole_second() == till.0;
    (from.0, if is_whole { till.0.plus_ms(999) } else { till.0 })
}
