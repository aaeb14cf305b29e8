//! Rows without locks.

use kassa_domain::{ReadSet, View};

use super::connection::{Connection, TransactionFrame};
use super::errors::TransactionFailure;
use super::load::LoadPlan;
use super::seat_picking;
use super::shards::TableNames;

/// Rows as they are at one moment, without a lock.
pub(super) async fn load_snapshot(connection: &mut Connection, read_set: &ReadSet) -> Result<View, TransactionFailure> {
    let load = LoadPlan::for_read_set(read_set, false, TableNames::default());
    // One statement sees one moment by itself.
    let frame = match load.queries.as_slice() {
        _ if load.needs_second_round => TransactionFrame::BeginSnapshot,
        [_] => TransactionFrame::None,
        _ => TransactionFrame::WholeSnapshot,
    };
    let answers = connection.run_pipeline(frame, &load.queries).await?;
    let mut view = load.into_view(&answers)?;
    if matches!(frame, TransactionFrame::BeginSnapshot) {
        seat_picking::load_row_inventories_and_tickets(connection, TableNames::default(), read_set, &mut view, false)
            .await?;
        connection.execute("COMMIT").await?;
    }
    Ok(view)
}
