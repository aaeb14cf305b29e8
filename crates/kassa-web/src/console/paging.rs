//! Pages of lists, which addresses count from 1.

use super::visit::Visit;

/// Pages of a list, at most: nobody turns further.
const PAGES_MAX: usize = 10_000;

/// Which page of a list is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paging {
    number: usize,
    size: usize,
}

/// Ways to the pages around one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pager {
    pub(crate) earlier: Option<String>,
    pub(crate) later: Option<String>,
}

impl Pager {
    /// Whether there is a page besides this one.
    pub(crate) fn is_needed(&self) -> bool {
        self.earlier.is_some() || self.later.is_some()
    }
}

impl Paging {
    /// What the address asks for.
    pub(crate) fn of(visit: &Visit<'_>, size: usize) -> Self {
        let number = visit.request.value("page").and_then(|page| page.parse().ok()).unwrap_or(1);
        Self { number: number.clamp(1, PAGES_MAX), size }
    }

    /// How many items stand before the page.
    pub(crate) fn offset(self) -> usize {
        (self.number - 1) * self.size
    }

    /// As the interface takes it.
    pub(crate) fn query(self) -> String {
        format!("limit={}&offset={}", self.size, self.offset())
    }

    /// Where the pages around it are, of a list with so many items; `more` stands in the addresses besides.
    pub(crate) fn pager(self, total: usize, path: &str, more: &str) -> Pager {
        let at = |number: usize| format!("{path}?page={number}{more}");
        Pager {
            earlier: (self.number > 1).then(|| at(self.number - 1)),
            later: (self.offset() + self.size < total).then(|| at(self.number + 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_on_one_page() {
        let page = |number| Paging { number, size: 20 };
        assert_eq!(page(1).pager(20, "/l", "&q=a"), Pager::default());
        assert!(!page(1).pager(0, "/l", "").is_needed());
        let first = page(1).pager(21, "/l", "&q=a");
        assert_eq!((first.earlier, first.later.as_deref()), (None, Some("/l?page=2&q=a")));
        assert_eq!(page(2).query(), "limit=20&offset=20");
        let last = page(2).pager(21, "/l", "");
        assert_eq!((last.earlier.as_deref(), last.later), (Some("/l?page=1"), None));
    }
}
