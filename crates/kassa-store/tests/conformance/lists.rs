//! Lists, at random: each driver shows what the model in memory shows of the same rows.

use std::fmt::Debug;

use kassa_store::{Filter, PageWindow};

use crate::crowd::write_sample_rows;
use crate::database::Database;
use crate::dice::Dice;

/// Pages that are compared in each test.
const PAGES: usize = 300;

/// Fills both with the same rows and compares pages of random filters.
pub(crate) async fn assert_lists_agree<F: Filter + Clone + Debug>(db: Database, mut filter: impl FnMut(&mut Dice) -> F)
where
    F::Row: PartialEq,
{
    let model = Database::memory().await;
    for db in [&db, &model] {
        write_sample_rows(db).await;
    }
    let (mut dice, mut shown) = (Dice::new(7), 0);
    for _ in 0..PAGES {
        let filter = filter(&mut dice);
        let slice = PageWindow {
            limit: u32::try_from(dice.below(30)).unwrap(),
            offset: dice.below(4) * dice.below(9),
            with_total: dice.flip(),
        };
        let (page, expected) = (db.page(filter.clone(), slice).await, model.page(filter.clone(), slice).await);
        assert_eq!(page.rows, expected.rows, "{filter:?} {slice:?}");
        if slice.with_total {
            assert_eq!(page.total, expected.total, "{filter:?}");
        }
        shown += page.rows.len();
    }
    assert!(shown > PAGES, "the filters let too little pass to say anything: {shown}");
}
