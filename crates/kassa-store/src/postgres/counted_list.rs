//! A page of a list whose count is remembered.

use super::connection::{Connection, ListTrip};
use super::errors::TransactionFailure;
use super::params::PostgresRowReader;
use super::pipeline::QueryResult;
use super::pool::ReadOperation;
use crate::cell::RowReader;
use crate::error::StoreError;
use crate::lists::{
    Filter, GrowingList, PageWindow, RememberedCounts, Statement, WRITER_MARKS, WriterMarks, select_statement,
};

/// A page of a list that only grows, with the number of all rows. Only for a database that is on one server: rows that several
/// have are not seen as of one moment.
pub(super) struct CountedListRead<'a, F> {
    pub(super) filter: &'a F,
    pub(super) slice: PageWindow,
    pub(super) counts: &'a RememberedCounts,
}

impl<F: Filter> ReadOperation for CountedListRead<'_, F> {
    /// The answer of the page, and how many rows the list has.
    type Output = (QueryResult, u64);

    async fn run_on(&self, connection: &mut Connection) -> Result<Self::Output, TransactionFailure> {
        let list = GrowingList::new(connection.database_number().await?, self.filter);
        let (page, walks_index) = (select_statement(self.filter, self.slice), self.filter.walks_index());
        if !self.counts.knows(&list) {
            let statements = [page, list.count_all.clone()];
            let answers = connection.run_unprepared(ListTrip::Whole { walks_index }, &statements).await?;
            let [page, counted] = all_of(answers)?;
            let total = counted.number()?;
            self.counts.note_unknown(&list, total);
            return Ok((page, total));
        }
        let marks = Statement { text: WRITER_MARKS.to_owned(), args: Vec::new() };
        let answers = connection.run_unprepared(ListTrip::First { walks_index }, &[marks, page]).await?;
        let [marks, page] = all_of(answers)?;
        let plan = self.counts.plan(&list, read_marks(&marks)?);
        let further = connection.run_unprepared(ListTrip::Last, plan.statement.as_slice()).await?;
        let further = further.first().map_or(Ok(0), QueryResult::number)?;
        Ok((page, self.counts.note(&list, plan, further)))
    }
}

fn read_marks(answer: &QueryResult) -> Result<WriterMarks, StoreError> {
    let marks = answer.rows.iter().map(|row| {
        let row: &mut dyn RowReader = &mut PostgresRowReader::new(row);
        Ok((row.int_as()?, row.int()?))
    });
    marks.collect()
}

/// The answers of so many statements.
fn all_of<const N: usize>(answers: Vec<QueryResult>) -> Result<[QueryResult; N], StoreError> {
    answers.try_into().map_err(|_| StoreError::Corrupt("a statement without an answer".to_owned()))
}

#[cfg(test)]
mod tests {
    use kassa_domain::id::next_key;
    use kassa_domain::{Id, Timestamp};

    use super::*;
    use crate::lists::RowCount;
    use crate::postgres::Postgres;
    use crate::postgres::connection::ConnectionRole;
    use crate::postgres::lint::{connect, connect_as};
    use crate::postgres::scratch::TestDatabase;
    use crate::tables::OrdersFilter;

    const AGENT: i64 = 7;
    const FIRST_PAGE: PageWindow = PageWindow { limit: 5, offset: 0, count: RowCount::All };
    const NOW: Timestamp = Timestamp::from_ms(1_767_225_600_000);

    fn of_agent() -> OrdersFilter {
        OrdersFilter { partners: vec![Id::root(AGENT)], ..OrdersFilter::default() }
    }

    /// Orders of the agent and as many of other ones, made by a writer at a time; the highest key is noted in the same
    /// transaction. Returns that.
    async fn make_orders(connection: &Connection, node: u16, last: i64, orders: i64, at: Timestamp) -> i64 {
        let (mut last, mut rows) = (last, Vec::new());
        for agent in (0..orders).flat_map(|order| [AGENT, AGENT + 1 + order % 1_000]) {
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
        let (writer, mut reader) = (connect(&scratch).await, connect_as(&scratch, ConnectionRole::Reader).await);
        let (counts, filter) = (RememberedCounts::of_all_lists(), of_agent());
        let (mut made, mut marks) = (0, [0; 3]);
        // Three writers by turns, whose clocks differ by hours, and go back.
        for turn in 0..40_i64 {
            for step in 0..turn % 4 {
                let node = usize::try_from((turn * 7 + step) % 3).unwrap();
                let hours = [0, 5, -3][node] - i64::from(turn % 9 == 0);
                let at = Timestamp::from_ms(NOW.ms() + turn * 10 + hours * 3_600_000);
                marks[node] = make_orders(&writer, u16::try_from(node).unwrap(), marks[node], 2, at).await;
                made += 2;
            }
            let read = CountedListRead { filter: &filter, slice: FIRST_PAGE, counts: &counts };
            let (page, total) = read.run_on(&mut reader).await.unwrap();
            assert_eq!((page.rows.len() as u64, total), (made.min(5), made), "in turn {turn}");
        }
    }

    async fn total(postgres: &Postgres) -> u64 {
        let page = PageWindow { limit: 0, ..FIRST_PAGE };
        postgres.page(of_agent(), page).await.unwrap().total
    }

    #[tokio::test]
    async fn of_a_list_that_was_counted_only_what_came_since_is_read() {
        let (postgres, scratch) = TestDatabase::new().await;
        let writer = connect(&scratch).await;
        let last = make_orders(&writer, 1, 0, 12_000, NOW).await;
        // It is known by the first time, and counted to marks by the second.
        assert_eq!([total(&postgres).await, total(&postgres).await], [12_000, 12_000]);
        make_orders(&writer, 1, last, 3, NOW).await;
        // What was counted is not looked at again, and so is not missed.
        writer.execute("DELETE FROM orders WHERE id <= (SELECT min(id) FROM orders) + 10").await.unwrap();
        assert_eq!(total(&postgres).await, 12_003);
    }

    #[tokio::test]
    async fn what_came_since_is_found_by_the_indexes_of_the_list() {
        let (_postgres, scratch) = TestDatabase::new().await;
        let (writer, reader) = (connect(&scratch).await, connect_as(&scratch, ConnectionRole::Reader).await);
        let (counts, filter) = (RememberedCounts::of_all_lists(), of_agent());
        let list = GrowingList::new(1, &filter);
        let mark = make_orders(&writer, 1, 0, 12_000, NOW).await;
        counts.note(&list, counts.plan(&list, WriterMarks::from([(1, mark)])), 12_000);
        let mark = make_orders(&writer, 1, mark, 3, NOW).await;
        writer.execute("ANALYZE orders").await.unwrap();
        let Statement { text, args } = counts.plan(&list, WriterMarks::from([(1, mark)])).statement.unwrap();
        let explain = Statement { text: format!("EXPLAIN {text}"), args };
        let answers = reader.run_unprepared(ListTrip::Whole { walks_index: false }, &[explain]).await.unwrap();
        let lines: Vec<&str> = answers[0].rows.iter().map(|row| row.get(0)).collect();
        // Whichever index it is, the key leads into it: nothing is read that was counted.
        let conditions: Vec<&&str> = lines.iter().filter(|line| line.contains("Index Cond")).collect();
        let lead_by_key = conditions.iter().all(|condition| condition.contains("id > "));
        assert!(conditions.len() == 2 && lead_by_key, "{lines:#?}");
        assert!(!lines.iter().any(|line| line.contains("Seq Scan")), "{lines:#?}");
    }
}
