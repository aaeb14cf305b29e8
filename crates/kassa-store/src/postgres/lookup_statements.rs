//! The statements of look-ups, of seats and of vacant tickets.

use kassa_domain::ticket::Ticket;
use kassa_domain::view::Lookup;

use super::shards::TableRef;
use super::statements::{joined, qualified_columns, select, select_from, unnested_rows};
use crate::rows::{Column, ColumnRole, MappedRow};
use crate::selectors::{condition_sql, is_tagged};

/// Rows by a look-up. Parameters: the tag, where there is one, and one for each column; that of the last is an array
/// of its values, unless rows are limited for each key.
pub(super) fn lookup_text<R: MappedRow>(table: &TableRef, events: &str, lookup: &Lookup, locks: bool) -> String {
    let tagged = is_tagged::<R>(lookup);
    let mut conditions = if tagged { vec!["t.tag = $1".to_owned()] } else { Vec::new() };
    let last = lookup.columns.len();
    for (at, column) in (1..).zip(lookup.columns) {
        let param = at + usize::from(tagged);
        conditions.push(match lookup.named_by_event {
            Some(named) => format!("t.{column} IN (SELECT e.{named} FROM {events} AS e WHERE e.id = ANY(${param}))"),
            None if at == last && lookup.limit.is_none() => format!("t.{column} = ANY(${param})"),
            None => format!("t.{column} = ${param}"),
        });
    }
    conditions.extend(constant_conditions(lookup));
    rows_of_lookup::<R>(table, lookup, &conditions, locks)
}

/// The same for keys of several tags. Parameters: an array for the tag and for each column. Rows that are locked are so in the
/// order of their own keys; others are looked for key by key.
pub(super) fn lookup_text_of_tags<R: MappedRow>(table: &TableRef, lookup: &Lookup, locks: bool) -> String {
    let tag = R::COLUMNS.iter().filter(|column| column.role == ColumnRole::Tag);
    let named = lookup.columns.iter().flat_map(|name| R::COLUMNS.iter().filter(move |column| column.name == *name));
    let columns: Vec<&Column> = tag.chain(named).collect();
    assert!(columns.len() == 1 + lookup.columns.len(), "a look-up in {} names what is no column", R::TABLE);
    let conditions: Vec<String> =
        columns.iter().map(|column| joined(column)).chain(constant_conditions(lookup)).collect();
    let rows = unnested_rows(&columns, 1);
    if locks && lookup.limit.is_none() {
        return select_from::<R>(table, &format!(", {rows}"), &conditions.join(" AND "), locks);
    }
    let of_each = rows_of_lookup::<R>(table, lookup, &conditions, locks);
    format!("SELECT found.* FROM {rows}, LATERAL ({of_each}) AS found")
}

fn constant_conditions(lookup: &Lookup) -> impl Iterator<Item = String> {
    lookup.conditions.iter().map(|condition| condition_sql(condition, "t."))
}

fn rows_of_lookup<R: MappedRow>(table: &TableRef, lookup: &Lookup, conditions: &[String], locks: bool) -> String {
    let condition = conditions.join(" AND ");
    let Some(limit) = lookup.limit else { return select::<R>(table, &condition, locks) };
    let order = lookup.descending.map(|column| format!(" ORDER BY t.{column} DESC")).unwrap_or_default();
    format!("SELECT {} FROM {} AS t WHERE {condition}{order} LIMIT {limit}", qualified_columns::<R>(), table.name)
}

/// Seats as rows of the statement: one for each span.
pub(super) const IN_SEAT_RANGES: &str = " JOIN UNNEST($3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[]) \
    AS u(its_set, its_sector, its_row, low, high) ON t.set_id = u.its_set AND t.sector = u.its_sector \
    AND t.row_order = u.its_row AND t.seat_number BETWEEN u.low AND u.high";

/// Vacant tickets of a set, by what stands for its tag, for its id, and for how many of them. The second half is not read
/// where the first gives enough.
pub(super) fn vacant_from_cursor(tickets: &TableRef, sets: &TableRef, [tag, set, most]: [&str; 3]) -> String {
    let columns = qualified_columns::<Ticket>();
    let (tickets, sets) = (&tickets.name, &sets.name);
    let part = |compare: &str, turn: u8| {
        let cursor = format!(
            "(SELECT s.pick_cursor FROM {sets} AS s WHERE s.tag = {tag} AND s.id = {set} AND s.seat_layout IS NULL)"
        );
        format!(
            "(SELECT {columns}, {turn}::bigint AS turn FROM {tickets} AS t WHERE t.tag = {tag} AND t.set_id = {set} \
             AND t.state = 0 AND t.id {compare} {cursor} ORDER BY t.id LIMIT {most})"
        )
    };
    format!("{} UNION ALL {} LIMIT {most}", part(">", 0), part("<=", 1))
}

/// The same for several sets. Parameters: an array for each of these.
pub(super) fn vacant_of_sets(tickets: &TableRef, sets: &TableRef) -> String {
    let of_each = vacant_from_cursor(tickets, sets, ["u.tag", "u.set_id", "u.most"]);
    format!(
        "SELECT found.* FROM UNNEST($1::bigint[], $2::bigint[], $3::bigint[]) AS u(tag, set_id, most), \
         LATERAL ({of_each}) AS found"
    )
}
