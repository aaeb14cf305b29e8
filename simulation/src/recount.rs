//! Everything is counted again, and held against the rules of the tables: whatever was done, these hold.

use std::collections::BTreeSet;

use kassa_domain::{View, audit, every_table};
use kassa_engine::Failure;
use kassa_store::rows::MappedRow;

use crate::play::SimServer;

/// Whatever does not agree, in words.
pub async fn recount(server: &SimServer) -> Result<Vec<String>, Failure> {
    let (mut view, mut found) = (View::default(), Vec::new());
    macro_rules! load {
        ($($field:ident: $row:ty,)*) => {
            $(
                let rows = server.rows::<$row>().await?;
                check_constraints(&rows, &mut found);
                for row in rows {
                    view.$field.load(row, 1);
                }
            )*
        };
    }
    every_table!(load);
    found.extend(audit::audit_view(&view).items().iter().map(|finding| format!("{finding:?}")));
    Ok(found)
}

/// What the constraints of a table say, said of its rows.
fn check_constraints<R: MappedRow>(rows: &[R], found: &mut Vec<String>) {
    let mut uniques = BTreeSet::new();
    for row in rows {
        if !row.satisfies_checks() {
            found.push(format!("it breaks a rule of {}: {:?}", R::TABLE, row.key()));
        }
        for unique in row.unique_values() {
            if !uniques.insert(unique) {
                found.push(format!("{} {:?} has what another has, too", R::TABLE, row.key()));
            }
        }
    }
}
