//! The pick of any vacant seats: which rows it needs follows from the sets, and which tickets from the rows.

use kassa_domain::bench::Bench;
use kassa_domain::set::{Chairs, Set};
use kassa_domain::view::{Wishes, benches_to_load};
use kassa_domain::{Needs, View};

use super::cells::Param;
use super::connection::{Answer, Ask, Connection, Frame};
use super::errors::Trouble;
use super::load::{Load, each, tag};
use super::statements::columns;
use crate::error::StoreError;

/// What of the wishes is about sets with seats, which are in the view.
struct Wanted {
    set: Set,
    wishes: Wishes,
    sizes: Vec<u32>,
}

/// Loads what could not be named before the rest of the view was there: at most two round trips more.
pub(super) async fn complete(
    connection: &mut Connection,
    needs: &Needs,
    view: &mut View,
    locks: bool,
) -> Result<(), Trouble> {
    let wanted = wanted(needs, view);
    let mut asks: Vec<Ask<'_>> = wanted.iter().flat_map(Wanted::asks).collect();
    let offers = asks.len();
    let to_load = benches_to_load(view);
    let mut rest = Load::new(locks);
    rest.benches(needs, &to_load);
    asks.append(&mut rest.asks);
    if asks.is_empty() {
        return Ok(());
    }
    let answers = connection.run(Frame::Bare, &asks).await?;
    let (offered, others) = answers.split_at(offers);
    let mut offered = offered.iter();
    let mut chairs = Vec::new();
    for wanted in &wanted {
        chairs.extend(wanted.offer(&mut offered, view)?);
    }
    rest.put_into(view, others)?;
    tickets_of(connection, &chairs, view, locks).await
}

async fn tickets_of(
    connection: &mut Connection,
    chairs: &[Chairs],
    view: &mut View,
    locks: bool,
) -> Result<(), Trouble> {
    if chairs.is_empty() {
        return Ok(());
    }
    let mut load = Load::new(locks);
    load.chairs(chairs);
    let answers = connection.run(Frame::Bare, &load.asks).await?;
    Ok(load.put_into(view, &answers)?)
}

fn wanted(needs: &Needs, view: &View) -> Vec<Wanted> {
    let seated = |wishes: Wishes| {
        let set = view.sets.get(wishes.set).filter(|set| set.seats.is_some())?.clone();
        let sizes = wishes.sizes(&set).into_iter().collect();
        Some(Wanted { set, wishes, sizes })
    };
    needs.wishes().into_iter().filter_map(seated).collect()
}

impl Wanted {
    /// The benches for each size, and the longest runs besides.
    fn asks(&self) -> Vec<Ask<'static>> {
        let place = || vec![tag(self.set.id.tag()), Param::one(self.set.id.key())];
        let enough = || Param::one(i64::from(self.wishes.enough()));
        let best = self.sizes.iter().map(|size| {
            let params = place().into_iter().chain([Param::one(i64::from(*size)), enough()]).collect();
            Ask { text: best_benches(), params }
        });
        let longest = Ask { text: longest_runs(), params: place().into_iter().chain([enough()]).collect() };
        best.chain([longest]).collect()
    }

    /// Puts what was found into the view, and tells the chairs that will be given.
    fn offer<'a>(
        &self,
        answers: &mut impl Iterator<Item = &'a Answer>,
        view: &mut View,
    ) -> Result<Vec<Chairs>, StoreError> {
        let mut are_all = false;
        for (size, answer) in self.sizes.iter().zip(answers.by_ref()) {
            put(answer, view)?;
            are_all |= u32::try_from(answer.rows.len()).is_ok_and(|rows| rows < self.wishes.enough());
            view.offer_benches(self.set.id, *size);
        }
        if let Some(longest) = answers.next().filter(|_| are_all) {
            put(longest, view)?;
        }
        Ok(view.foresee(&self.wishes))
    }
}

fn put(answer: &Answer, view: &mut View) -> Result<(), StoreError> {
    each(&answer.rows, |bench: Bench, version, _| {
        view.benches.load(bench, version);
        Ok(())
    })
}

// The conditions are spelled as in partial indexes.

/// The best that have so many neighbours.
pub(super) fn best_benches() -> String {
    format!("{} AND t.longest >= $3 ORDER BY t.rank, t.row_order LIMIT $4", with_vacant_seats())
}

/// The longest runs, where no row has so many.
pub(super) fn longest_runs() -> String {
    format!("{} ORDER BY t.longest DESC, t.rank, t.row_order LIMIT $3", with_vacant_seats())
}

fn with_vacant_seats() -> String {
    let columns = columns::<Bench>();
    format!("SELECT {columns} FROM benches AS t WHERE t.tag = $1 AND t.set_id = $2 AND t.longest <> 0")
}
