//! The pick of any vacant seats: which rows it needs follows from the sets, and which tickets from the rows.

use kassa_domain::seat_row_inventory::SeatRowInventory;
use kassa_domain::set::{SeatSelector, TicketSet};
use kassa_domain::view::{VacancyRequest, row_inventories_to_load};
use kassa_domain::{ReadSet, View};

use super::connection::{Connection, TransactionFrame};
use super::errors::TransactionFailure;
use super::load::{LoadPlan, for_each_row, tag_param};
use super::params::Param;
use super::pipeline::{Query, QueryResult};
use super::shards::TableNames;
use super::statements::qualified_columns;
use crate::error::StoreError;

/// The part of the requests that is about sets with seats, which are in the view.
struct SeatPick {
    set: TicketSet,
    request: VacancyRequest,
    run_lengths: Vec<u32>,
}

/// Loads what could not be named before the rest of the view was there: at most two round trips more.
pub(super) async fn load_row_inventories_and_tickets(
    connection: &mut Connection,
    names: TableNames<'_>,
    read_set: &ReadSet,
    view: &mut View,
    locks: bool,
) -> Result<(), TransactionFailure> {
    let wanted = seat_picks(read_set, view);
    let mut queries: Vec<Query<'_>> = wanted.iter().flat_map(|wanted| wanted.queries(names)).collect();
    let offers = queries.len();
    let to_load = row_inventories_to_load(view);
    let mut rest = LoadPlan::new(locks, names);
    rest.add_row_inventories(read_set, &to_load);
    queries.append(&mut rest.queries);
    if queries.is_empty() {
        return Ok(());
    }
    let answers = connection.run_pipeline(TransactionFrame::None, &queries).await?;
    let (offered, others) = answers.split_at(offers);
    let mut offered = offered.iter();
    let mut seats = Vec::new();
    for wanted in &wanted {
        seats.extend(wanted.offer(&mut offered, view)?);
    }
    rest.load_into(view, others)?;
    load_tickets(connection, names, &seats, view, locks).await
}

async fn load_tickets(
    connection: &mut Connection,
    names: TableNames<'_>,
    seats: &[SeatSelector],
    view: &mut View,
    locks: bool,
) -> Result<(), TransactionFailure> {
    if seats.is_empty() {
        return Ok(());
    }
    let mut load = LoadPlan::new(locks, names);
    load.add_seat_ranges(seats);
    let answers = connection.run_pipeline(TransactionFrame::None, &load.queries).await?;
    Ok(load.load_into(view, &answers)?)
}

fn seat_picks(read_set: &ReadSet, view: &View) -> Vec<SeatPick> {
    let seated = |request: VacancyRequest| {
        let set = view.sets.get(request.set).filter(|set| set.seats.is_some())?.clone();
        let run_lengths = request.run_lengths(&set).into_iter().collect();
        Some(SeatPick { set, request, run_lengths })
    };
    read_set.vacancy_requests().into_iter().filter_map(seated).collect()
}

impl SeatPick {
    /// The row inventories for each size, and the longest runs besides.
    fn queries(&self, names: TableNames<'_>) -> Vec<Query<'static>> {
        let table = names.of::<SeatRowInventory>(Some(self.set.id.tag()), false).name;
        let place = || vec![tag_param(self.set.id.tag()), Param::one(self.set.id.key())];
        let enough = || Param::one(i64::from(self.request.sufficient_rows()));
        let best = self.run_lengths.iter().map(|size| {
            let params = place().into_iter().chain([Param::one(i64::from(*size)), enough()]).collect();
            Query { text: best_row_inventories(&table), params }
        });
        let longest = Query { text: longest_runs(&table), params: place().into_iter().chain([enough()]).collect() };
        best.chain([longest]).collect()
    }

    /// Puts what was found into the view, and returns the seats that will be given.
    fn offer<'a>(
        &self,
        answers: &mut impl Iterator<Item = &'a QueryResult>,
        view: &mut View,
    ) -> Result<Vec<SeatSelector>, StoreError> {
        let mut are_all = false;
        for (size, answer) in self.run_lengths.iter().zip(answers.by_ref()) {
            load_row_inventories(answer, view)?;
            are_all |= u32::try_from(answer.rows.len()).is_ok_and(|rows| rows < self.request.sufficient_rows());
            view.offer_row_inventories(self.set.id, *size);
        }
        if let Some(longest) = answers.next().filter(|_| are_all) {
            load_row_inventories(longest, view)?;
        }
        Ok(view.predict_seats(&self.request))
    }
}

fn load_row_inventories(answer: &QueryResult, view: &mut View) -> Result<(), StoreError> {
    for_each_row(&answer.rows, |inventory: SeatRowInventory, version, _| {
        view.seat_row_inventories.load(inventory, version);
        Ok(())
    })
}

// The conditions are spelled as in partial indexes.

/// The best that have so many neighbours.
pub(super) fn best_row_inventories(table: &str) -> String {
    format!("{} AND t.longest_vacant_run >= $3 ORDER BY t.rank, t.row_order LIMIT $4", rows_with_vacant_seats(table))
}

/// The longest runs, where no row has so many.
pub(super) fn longest_runs(table: &str) -> String {
    format!("{} ORDER BY t.longest_vacant_run DESC, t.rank, t.row_order LIMIT $3", rows_with_vacant_seats(table))
}

fn rows_with_vacant_seats(table: &str) -> String {
    let columns = qualified_columns::<SeatRowInventory>();
    format!("SELECT {columns} FROM {table} AS t WHERE t.tag = $1 AND t.set_id = $2 AND t.longest_vacant_run <> 0")
}
