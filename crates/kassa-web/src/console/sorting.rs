//! By which column a list is sorted, and the heads of its columns, which lead to the same list in another order.

use super::visit::Visit;

/// Something that a list can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SortField {
    /// Its name, in the address and for the interface.
    name: &'static str,
    /// Whether the largest comes first when somebody asks for it.
    is_descending_first: bool,
}

impl SortField {
    /// Texts: from A on.
    pub(crate) const fn text(name: &'static str) -> Self {
        Self { name, is_descending_first: false }
    }

    /// Times and sums: from the newest or the largest down.
    pub(crate) const fn amount(name: &'static str) -> Self {
        Self { name, is_descending_first: true }
    }
}

/// How a list is sorted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sorting {
    /// The first is that of a list that nobody has sorted.
    fields: &'static [SortField],
    field: SortField,
    is_descending: bool,
}

/// The head of a column.
pub(crate) struct Head {
    pub(crate) text: String,
    pub(crate) is_number: bool,
    /// Where the list is sorted by it; `None` if it cannot be.
    pub(crate) path: Option<String>,
    /// How it is sorted by it, as `aria-sort` says it.
    pub(crate) order: Option<&'static str>,
}

impl Head {
    pub(crate) fn is_ascending(&self) -> bool {
        self.order == Some("ascending")
    }
}

/// What a column says: the key of its text, what it is sorted by, and whether it has numbers.
pub(crate) type SortedColumn = (&'static str, Option<&'static str>, bool);

impl Sorting {
    /// As the address says it, such as `?sort=-value`; what it does not know, it leaves.
    pub(crate) fn wanted(visit: &Visit<'_>, fields: &'static [SortField]) -> Self {
        Self::named(visit.request.value("sort").unwrap_or_default(), fields)
    }

    /// The same of a list that is sorted on its page. Where that has not all of it, it is as ever, and no head leads on.
    pub(crate) fn of_whole(visit: &Visit<'_>, fields: &'static [SortField], is_whole: bool) -> Self {
        if is_whole { Self::wanted(visit, fields) } else { Self { fields: &[], ..Self::named("", fields) } }
    }

    fn named(wanted: &str, fields: &'static [SortField]) -> Self {
        let (name, is_descending) = wanted.strip_prefix('-').map_or((wanted, false), |name| (name, true));
        match fields.iter().find(|field| field.name == name) {
            Some(field) => Self { fields, field: *field, is_descending },
            None => Self { fields, field: fields[0], is_descending: fields[0].is_descending_first },
        }
    }

    /// What it is sorted by.
    pub(crate) fn field(&self) -> &'static str {
        self.field.name
    }

    pub(crate) fn is_by(&self, field: &str) -> bool {
        self.field.name == field
    }

    fn sign(is_descending: bool) -> &'static str {
        if is_descending { "-" } else { "" }
    }

    /// As the interface takes it.
    pub(crate) fn parameter(&self) -> String {
        format!("{}{}", Self::sign(self.is_descending), self.field.name)
    }

    /// What other pages of the list have in their addresses; nothing, if it is sorted as ever.
    pub(crate) fn kept(&self) -> String {
        let is_first = self.fields.first().is_none_or(|first| *first == self.field);
        let is_usual = is_first && self.is_descending == self.field.is_descending_first;
        if is_usual { String::new() } else { format!("&sort={}", self.parameter()) }
    }

    /// Sorts rows that are all on the page. Rows that are equal stay as they were.
    pub(crate) fn sort<R, K: Ord>(&self, rows: &mut [R], key: impl Fn(&R) -> K) {
        rows.sort_by(|one, other| {
            let ordering = key(one).cmp(&key(other));
            if self.is_descending { ordering.reverse() } else { ordering }
        });
    }

    /// The heads of columns of the list at a path, which is narrowed as `&…` says.
    pub(crate) fn heads(&self, visit: &Visit<'_>, (path, kept): (&str, &str), columns: &[SortedColumn]) -> Vec<Head> {
        let head = |(key, name, is_number): &SortedColumn| {
            let (order, way) = self.order_of(*name);
            let path = way.map(|sort| format!("{path}?sort={sort}{kept}"));
            Head { text: visit.texts().text(key), is_number: *is_number, path, order }
        };
        columns.iter().map(head).collect()
    }

    /// How the list is sorted by a field, and what the address says to sort it by that, or the other way round.
    fn order_of(&self, name: Option<&str>) -> (Option<&'static str>, Option<String>) {
        let Some(field) = self.fields.iter().find(|field| Some(field.name) == name) else { return (None, None) };
        if *field != self.field {
            return (None, Some(format!("{}{}", Self::sign(field.is_descending_first), field.name)));
        }
        let order = if self.is_descending { "descending" } else { "ascending" };
        (Some(order), Some(format!("{}{}", Self::sign(!self.is_descending), field.name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &[SortField] = &[SortField::amount("created_at"), SortField::text("name")];

    #[test]
    fn heads_lead_to_another_order_and_back() {
        for (wanted, parameter, kept, created, name) in [
            ("", "-created_at", "", (Some("descending"), "created_at"), (None, "name")),
            ("created_at", "created_at", "&sort=created_at", (Some("ascending"), "-created_at"), (None, "name")),
            ("name", "name", "&sort=name", (None, "-created_at"), (Some("ascending"), "-name")),
            ("-name", "-name", "&sort=-name", (None, "-created_at"), (Some("descending"), "name")),
            ("secret", "-created_at", "", (Some("descending"), "created_at"), (None, "name")),
        ] {
            let sorting = Sorting::named(wanted, FIELDS);
            assert_eq!((sorting.parameter(), sorting.kept()), (parameter.to_owned(), kept.to_owned()), "{wanted}");
            for (field, (order, way)) in [("created_at", created), ("name", name)] {
                assert_eq!(sorting.order_of(Some(field)), (order, Some(way.to_owned())), "{wanted}: {field}");
            }
        }
        assert_eq!(Sorting::named("", FIELDS).order_of(None), (None, None));
        assert_eq!(Sorting::named("", FIELDS).order_of(Some("other")), (None, None));
    }

    #[test]
    fn rows_that_are_equal_stay_as_they_were() {
        let sorted = |wanted| {
            let mut rows = [("b", 1), ("a", 2), ("b", 3), ("c", 4)];
            Sorting::named(wanted, FIELDS).sort(&mut rows, |row| row.0);
            rows.map(|row| row.1)
        };
        assert_eq!((sorted("name"), sorted("-name")), ([2, 1, 3, 4], [4, 1, 3, 2]));
    }
}
