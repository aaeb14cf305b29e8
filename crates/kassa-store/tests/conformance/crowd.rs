//! The same random rows for every database.

use kassa_domain::{View, every_table};

use crate::database::Database;
use crate::dice::Dice;
use crate::kinds::SampleRow;

/// Puts rows into all tables.
pub(crate) fn put_sample_rows(view: &mut View) {
    let mut dice = Dice::new(2);
    macro_rules! fill {
        ($($field:ident: $row:ty,)*) => { $(<$row>::fill(&mut dice, view);)* };
    }
    every_table!(fill);
}

/// Fills an empty database.
pub(crate) async fn write_sample_rows(db: &Database) {
    db.insert(put_sample_rows).await;
}
