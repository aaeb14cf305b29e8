//! Lists, at random: each driver shows what a model of the list makes of the same rows. The model says in plain words
//! which rows the list has, and in which order; it knows nothing of the columns and conditions that a filter declares.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::path::Path;

use kassa_domain::View;
use kassa_domain::view::Row as _;
use kassa_store::{Filter, PageWindow, RowCount};

use crate::crowd::{put_sample_rows, write_sample_rows};
use crate::database::Database;
use crate::dice::Dice;
use crate::kinds::SampleRow;
use crate::plans::PlanCases;

/// Pages that are compared in each test.
const PAGES: usize = 300;

/// What a list must show. It stands with the table, in `tables/`.
pub(crate) trait ListModel: Filter<Row: SampleRow> + Clone + Debug {
    /// Whether the list has this row, where these are the rows of all tables.
    fn includes(&self, row: &Self::Row, all: &View) -> bool;

    /// How two of its rows follow each other: the newest first, unless it says otherwise.
    fn compare(&self, one: &Self::Row, other: &Self::Row) -> Ordering {
        other.key().cmp(&one.key())
    }
}

/// Fills a database, and compares pages of random filters with the model.
pub(crate) async fn assert_lists_agree<F: ListModel>(db: Database, mut filter: impl FnMut(&mut Dice) -> F) {
    write_sample_rows(&db).await;
    let mut all = View::default();
    put_sample_rows(&mut all);
    let stored: Vec<F::Row> = F::Row::table(&mut all).rows().cloned().collect();
    let (mut dice, mut shown) = (Dice::new(7), 0);
    for _ in 0..PAGES {
        let filter = filter(&mut dice);
        let slice = PageWindow {
            limit: u32::try_from(dice.below(30)).unwrap(),
            offset: dice.below(4) * dice.below(9),
            count: [RowCount::None, RowCount::UpTo(dice.below(40)), RowCount::All]
                [usize::try_from(dice.below(3)).unwrap()],
        };
        let mut list: Vec<&F::Row> = stored.iter().filter(|row| filter.includes(row, &all)).collect();
        list.sort_by(|one, other| filter.compare(one, other));
        let total = list.len() as u64;
        let offset = usize::try_from(slice.offset).unwrap();
        let expected: Vec<&F::Row> = list.into_iter().skip(offset).take(slice.limit as usize).collect();
        let page = db.page(filter.clone(), slice).await;
        assert_eq!(page.rows.iter().collect::<Vec<_>>(), expected, "{filter:?} {slice:?}");
        match slice.count {
            RowCount::None => {}
            RowCount::UpTo(most) => assert_eq!(page.total, total.min(most), "{filter:?}"),
            RowCount::All => assert_eq!(page.total, total, "{filter:?}"),
        }
        shown += page.rows.len();
    }
    assert!(shown > PAGES, "the filters let too little pass to say anything: {shown}");
}

/// The names that stand between two words in the Rust files of a folder.
fn names_between(folder: &str, before: &str, after: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        names.extend(text.split(before).skip(1).filter_map(|rest| rest.split_once(after)).map(|(name, _)| name.into()));
    }
    names
}

#[test]
fn every_list_is_compared_with_its_model_and_has_a_plan_case() {
    let filters = names_between("src/tables", "\nimpl Filter for ", " {");
    assert!(filters.contains("OrdersFilter"), "{filters:?}");
    let compared = names_between("tests/conformance/tables", "assert_lists_agree::<", ">(");
    assert_eq!(compared, filters, "those of assert_lists_agree");
    assert_eq!(PlanCases::of_every_table().filters(), filters, "those of plan_cases");
}
