//! Which page of a list is shown, and where the pages beside it are.

use serde_json::Value;

use super::visit::Visit;

/// The last page that can be asked for: nobody turns further.
const PAGES_MAX: u64 = 10_000;

/// The pages beside the one that is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Paging {
    pub(crate) earlier: Option<String>,
    pub(crate) later: Option<String>,
}

impl Paging {
    /// The page that is asked for, from 1.
    pub(crate) fn wanted(visit: &Visit<'_>) -> u64 {
        visit.request.value("page").and_then(|page| page.parse().ok()).unwrap_or(1_u64).clamp(1, PAGES_MAX)
    }

    /// Beside a page, of so many in all. `{}` in the path stands for the number of a page.
    pub(crate) fn new(page: u64, pages: u64, path: &str) -> Self {
        let at = |page: u64| path.replacen("{}", &page.to_string(), 1);
        Self { earlier: (page > 1).then(|| at(page - 1)), later: (page < pages.min(PAGES_MAX)).then(|| at(page + 1)) }
    }

    /// Beside the page that a list of version 2 shows.
    pub(crate) fn of_v2(found: &Value, path: &str) -> Self {
        let number = |name: &str| found["pagination"][name].as_u64().unwrap_or_default();
        Self::new(number("page"), number("total"), path)
    }

    /// Whether there are pages beside it.
    pub(crate) fn is_there(&self) -> bool {
        self.earlier.is_some() || self.later.is_some()
    }
}

/// A page of a list of version 1, as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WantedPage {
    number: u64,
    size: u64,
}

impl WantedPage {
    /// What the address asks for, of pages of this size.
    pub(crate) fn of(visit: &Visit<'_>, size: u64) -> Self {
        Self { number: Paging::wanted(visit), size }
    }

    /// How many items stand before the page.
    pub(crate) fn offset(self) -> u64 {
        (self.number - 1) * self.size
    }

    /// As the interface takes it.
    pub(crate) fn query(self) -> String {
        format!("limit={}&offset={}", self.size, self.offset())
    }

    /// The pages beside it, of a list with so many items; `more` stands in the addresses besides.
    pub(crate) fn paging(self, total: usize, path: &str, more: &str) -> Paging {
        let pages = u64::try_from(total).unwrap_or(u64::MAX).div_ceil(self.size);
        Paging::new(self.number, pages, &format!("{path}?page={{}}{more}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_lead_to_those_beside_them() {
        for (page, pages, expected) in [
            (1, 1, [None, None]),
            (1, 0, [None, None]),
            (1, 2, [None, Some("/x?page=2&a=1")]),
            (2, 2, [Some("/x?page=1&a=1"), None]),
            (3, 2, [Some("/x?page=2&a=1"), None]),
            (PAGES_MAX, PAGES_MAX + 1, [Some("/x?page=9999&a=1"), None]),
        ] {
            let paging = Paging::new(page, pages, "/x?page={}&a=1");
            assert_eq!([paging.earlier.as_deref(), paging.later.as_deref()], expected, "{page} of {pages}");
        }
    }

    #[test]
    fn each_item_is_on_one_page() {
        let page = |number| WantedPage { number, size: 20 };
        assert!(!page(1).paging(20, "/l", "&q=a").is_there());
        assert!(!page(1).paging(0, "/l", "").is_there());
        let first = page(1).paging(21, "/l", "&q=a");
        assert_eq!((first.earlier, first.later.as_deref()), (None, Some("/l?page=2&q=a")));
        assert_eq!(page(2).query(), "limit=20&offset=20");
        let last = page(2).paging(21, "/l", "");
        assert_eq!((last.earlier.as_deref(), last.later), (Some("/l?page=1"), None));
    }
}
