//! A page of a list whose count is remembered.

use super::connection::{Connection, ListTrip};
use super::errors::{PgError, TransactionFailure};
use super::params::PostgresRowReader;
use super::pipeline::QueryResult;
use super::pool::ReadOperation;
use crate::cell::RowReader;
use crate::error::StoreError;
use crate::lists::{
    Filter, ListCount, PageWindow, Statement, WRITER_MARKS, WriterMarks, remembered_count_statement, select_statement,
};

/// A page with the number of all rows, of a list that only grows in a database that is on one server: rows that several
/// servers have are not seen as of one moment.
pub(super) struct CountedListRead<'a, F> {
    filter: &'a F,
    page: Statement,
    count_all: Statement,
}

impl<'a, F: Filter> CountedListRead<'a, F> {
    /// `None` for a list whose count is not remembered.
    pub(super) fn new(filter: &'a F, slice: PageWindow) -> Option<Self> {
        let count_all = remembered_count_statement(filter, slice.count)?;
        Some(Self { filter, page: select_statement(filter, slice), count_all })
    }

    /// How it is counted by whoever has seen these rows of writers.
    fn plan(&self, connection: &Connection, marks: &QueryResult) -> Result<ListCount, StoreError> {
        let marks = marks.rows.iter().map(|row| {
            let row: &mut dyn RowReader = &mut PostgresRowReader::new(row);
            Ok((row.int_as()?, row.int()?))
        });
        let marks = marks.collect::<Result<WriterMarks, StoreError>>()?;
        Ok(connection.counts().plan(self.filter, self.count_all.clone(), marks))
    }
}

impl<F: Filter> ReadOperation for CountedListRead<'_, F> {
    /// The answer of the page, and how many rows the list has.
    type Output = (QueryResult, u64);

    async fn run_on(&self, connection: &mut Connection) -> Result<Self::Output, TransactionFailure> {
        let marks = Statement { text: WRITER_MARKS.to_owned(), args: Vec::new() };
        let (walks_index, first) = (self.filter.walks_index(), [marks, self.page.clone(), self.count_all.clone()]);
        // What nobody has counted is counted in the same round trip. Otherwise the marks say what is left to be counted.
        if !connection.counts().has(&self.count_all) {
            let trip = ListTrip::Whole { walks_index };
            let [marks, page, counted] = answers(connection.run_unprepared(trip, &first).await?)?;
            let plan = self.plan(connection, &marks)?;
            return Ok((page, connection.counts().total(plan, number(&counted)?)));
        }
        let trip = ListTrip::First { walks_index };
        let [marks, page] = answers(connection.run_unprepared(trip, &first[..2]).await?)?;
        let plan = self.plan(connection, &marks)?;
        let further = connection.run_unprepared(ListTrip::Last, plan.statement.as_slice()).await?;
        let further = further.first().map(number).transpose()?.unwrap_or_default();
        Ok((page, connection.counts().total(plan, further)))
    }
}

/// The answers of so many statements.
fn answers<const N: usize>(answers: Vec<QueryResult>) -> Result<[QueryResult; N], StoreError> {
    answers.try_into().map_err(|_| StoreError::Corrupt("a statement without an answer".to_owned()))
}

/// The one number that a statement gives.
pub(super) fn number(answer: &QueryResult) -> Result<u64, PgError> {
    let number = answer.rows.first().map(|row| row.try_get::<_, i64>(0)).transpose().map_err(PgError::Server)?;
    Ok(number.and_then(|number| u64::try_from(number).ok()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use kassa_domain::id::next_key;
    use kassa_domain::{Id, Timestamp};

    use super::*;
    use crate::lists::RowCount;
    use crate::postgres::lint::connect;
    use crate::postgres::scratch::TestDatabase;
    use crate::tables::OrdersFilter;

    const AGENT: i64 = 7;

    fn of_agent() -> OrdersFilter {
        OrdersFilter { partners: vec![Id::root(AGENT)], ..OrdersFilter::default() }
    }

    /// Orders of the agent and as many of another, made by a writer at a time; the highest key is noted in the same transaction.
    /// Returns that.
    async fn make_orders(connection: &Connection, node: u16, last: i64, orders: i64, at: Timestamp) -> i64 {
        let (mut last, mut rows) = (last, Vec::new());
        for agent in [AGENT, AGENT + 1].into_iter().cycle().take(2 * usize::try_from(orders).unwrap()) {
            last = next_key(last, node, at);
            rows.push(format!("(1, {last}, 1, 1, {agent}, {last}, 'executed', 0, 0, 0, 1, '{{}}', 0, 0, 1, 1)"));
        }
        let rows = rows.join(", ");
        let statements = format!(
            "BEGIN; INSERT INTO orders (tag, id, event, organizer, vendor, number, status, reserved_till, value, retained, \
                ticket_count, body, created_at, updated_at, revision, version) VALUES {rows}; \
            INSERT INTO nodes (number, last_id, next_order_number, order_numbers_end, version) VALUES ({node}, {last}, 1, 1, 1) \
                ON CONFLICT (number) DO UPDATE SET last_id = excluded.last_id; COMMIT"
        );
        connection.execute(&statements).await.unwrap();
        last
    }

    #[tokio::test]
    async fn what_is_remembered_and_what_came_since_is_all() {
        let (_postgres, scratch) = TestDatabase::new().await;
        let (writer, mut reader) = (connect(&scratch).await, connect(&scratch).await);
        reader.remember_all_counts();
        let (filter, mut made, mut marks) = (of_agent(), 0, [0; 3]);
        // Three writers by turns, whose clocks differ by hours, and go back.
        for turn in 0..30_i64 {
            for step in 0..turn % 3 {
                let node = usize::try_from((turn * 7 + step) % 3).unwrap();
                let hours = [0, 5, -3][node] - i64::from(turn % 9 == 0);
                let at = Timestamp::from_ms(1_767_225_600_000 + turn * 10 + hours * 3_600_000);
                marks[node] = make_orders(&writer, u16::try_from(node).unwrap(), marks[node], 2, at).await;
                made += 2;
            }
            let read = CountedListRead::new(&filter, PageWindow { limit: 5, offset: 0, count: RowCount::All }).unwrap();
            let (page, total) = read.run_on(&mut reader).await.unwrap();
            assert_eq!((page.rows.len() as u64, total), (made.min(5), made), "in turn {turn}");
        }
    }

    #[tokio::test]
    async fn of_a_list_that_was_counted_only_what_came_since_is_read() {
        let (_postgres, scratch) = TestDatabase::new().await;
        let (writer, mut reader) = (connect(&scratch).await, connect(&scratch).await);
        reader.remember_all_counts();
        let (filter, at) = (of_agent(), Timestamp::from_ms(1_767_225_600_000));
        let read = CountedListRead::new(&filter, PageWindow { limit: 5, offset: 0, count: RowCount::All }).unwrap();
        let last = make_orders(&writer, 1, 0, 2_000, at).await;
        assert_eq!(read.run_on(&mut reader).await.unwrap().1, 2_000);
        make_orders(&writer, 1, last, 3, at).await;
        // What was counted is not looked at again, and so is not missed.
        writer.execute("DELETE FROM orders WHERE id <= (SELECT min(id) FROM orders) + 10").await.unwrap();
        assert_eq!(read.run_on(&mut reader).await.unwrap().1, 2_003);
        writer.execute("ANALYZE orders").await.unwrap();
        let marks = WriterMarks::from([(1, last + 100)]);
        let count_all = remembered_count_statement(&filter, RowCount::All).unwrap();
        let Statement { text, args } = reader.counts().plan(&filter, count_all, marks).statement.unwrap();
        let explain = Statement { text: format!("EXPLAIN {text}"), args };
        let trip = ListTrip::Whole { walks_index: false };
        let lines = reader.run_unprepared(trip, &[explain]).await.unwrap();
        let plan: Vec<&str> = lines[0].rows.iter().map(|row| row.get(0)).collect();
        let plan = plan.join("\n");
        assert!(plan.contains("id > ") && !plan.contains("Seq Scan"), "{plan}");
    }
}
