//! What is said of each kind of row beside its samples, in `tables/`: examples and how they change, random rows, what no
//! two rows may share, and the indexes of its lists.

use kassa_domain::view::Table;
use kassa_domain::{ReadSet, View};
use kassa_store::rows::MappedRow;

use crate::dice::Dice;
use crate::plans::PlanCases;

/// A kind of row, with examples.
pub(crate) trait SampleRow: MappedRow + PartialEq {
    fn table(view: &mut View) -> &mut Table<Self>;
    fn read_set(&self) -> ReadSet;
    /// By key.
    fn examples() -> Vec<Self>;
    /// Another form of the same row: all that may change has changed.
    fn modified(&self) -> Self;
    /// Puts random rows into a view, for comparing lists.
    fn fill(_: &mut Dice, _: &mut View) {}
    /// How the rows of each list are to be found.
    fn plan_cases(_: &mut PlanCases) {}
    /// Two rows for each UNIQUE constraint besides the key, which it keeps apart.
    fn unique_pairs() -> Vec<UniquePair> {
        Vec::new()
    }
}

/// A pair of rows that share a value, and which.
pub(crate) struct UniquePair {
    pub(crate) what: &'static str,
    pub(crate) first: Box<dyn Fn(&mut View) + Send>,
    pub(crate) second: Box<dyn Fn(&mut View) + Send>,
}

impl UniquePair {
    pub(crate) fn new(
        what: &'static str,
        first: impl Fn(&mut View) + Send + 'static,
        second: impl Fn(&mut View) + Send + 'static,
    ) -> Self {
        Self { what, first: Box::new(first), second: Box::new(second) }
    }
}

/// The row, its table in a view, how one is named, examples, how one changes; and whatever else is said of it.
macro_rules! kind {
    ($row:ty, $field:ident, $named:expr, $examples:expr, $changed:expr $(, { $($more:item)* })? $(,)?) => {
        impl $crate::kinds::SampleRow for $row {
            fn table(view: &mut kassa_domain::View) -> &mut kassa_domain::view::Table<Self> {
                &mut view.$field
            }
            fn read_set(&self) -> kassa_domain::ReadSet {
                let mut read_set = kassa_domain::ReadSet::default();
                let name: fn(&Self, &mut kassa_domain::ReadSet) = $named;
                name(self, &mut read_set);
                read_set
            }
            fn examples() -> Vec<Self> {
                $examples.into()
            }
            fn modified(&self) -> Self {
                let change: fn(Self) -> Self = $changed;
                change(self.clone())
            }
            $($($more)*)?
        }
    };
}
pub(crate) use kind;
