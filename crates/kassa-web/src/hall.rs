//! The seats of an event: their names, and where they are, for pages and for the script that draws them.

use std::collections::HashMap;

use kassa_domain::seat_advice::{AdvisedRow, SeatPlace, best_neighbours};
use kassa_domain::single_seats::{ChosenRow, avoidable_singles};
use serde_json::{Value, json};

use crate::assets::short_digest;
use crate::seat_data::{LayoutData, MapData, MapRow, SetLayout, SetLeft};
use crate::seat_selection::SeatName;

/// From one seat to its neighbour, in the units of the script.
const SPACING: f64 = 40.0;

/// The seats of an event.
#[derive(Debug)]
pub(crate) struct Hall {
    /// The digest of what the script is told.
    pub(crate) tag: String,
    /// What the script is told.
    pub(crate) json: String,
    /// Sets that have seats.
    pub(crate) sets: Vec<HallSet>,
}

/// A set that has seats.
#[derive(Debug)]
pub(crate) struct HallSet {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) rows: Vec<HallRow>,
}

/// A row of a set.
#[derive(Debug)]
pub(crate) struct HallRow {
    pub(crate) name: String,
    /// The numbers of its seats, with what stands before each in the bits of the set.
    pub(crate) numbers: Vec<u16>,
    /// Which bit is that of its first seat.
    pub(crate) first: usize,
    rank: Option<u32>,
}

impl Hall {
    /// Of the seats that the sets have, where a map says that they are; without one, row behind row.
    pub(crate) fn new(layout: &LayoutData, map: Option<&MapData>) -> Self {
        let places = Places::of(map);
        let (mut sets, mut shown) = (Vec::new(), Vec::new());
        let mut next_y = 0.0;
        for set in layout.sets.iter().filter(|set| !set.rows.is_empty()) {
            let sector = map.and_then(|map| map.sectors.iter().find(|it| Some(&it.id) == set.sector.as_ref()));
            let sector = sector.map(|sector| sector.name.clone()).filter(|name| *name != set.name);
            let (rows, drawn) = rows_of(set, &places, &mut next_y);
            shown.push(json!({"id": set.id, "name": set.name, "sector": sector, "rows": drawn}));
            sets.push(HallSet { id: set.id.clone(), name: set.name.clone(), rows });
        }
        let json = json!({"sets": shown}).to_string();
        Self { tag: short_digest(json.as_bytes()), json, sets }
    }

    /// A set by its id.
    pub(crate) fn set(&self, id: &str) -> Option<&HallSet> {
        self.sets.iter().find(|set| set.id == id)
    }

    /// About how much memory it takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let rows = self.sets.iter().flat_map(|set| &set.rows);
        self.json.len() + rows.map(|row| 64 + row.numbers.len() * 2).sum::<usize>()
    }
}

impl HallSet {
    /// How many seats it has.
    pub(crate) fn seats(&self) -> usize {
        self.rows.iter().map(|row| row.numbers.len()).sum()
    }

    /// Which row and which bit a seat has.
    pub(crate) fn find(&self, seat: &SeatName) -> Option<(usize, usize)> {
        let (at, row) = self.rows.iter().enumerate().find(|(_, row)| row.name == seat.row)?;
        Some((at, row.first + row.numbers.binary_search(&seat.number).ok()?))
    }

    /// So many free neighbours, the best or those nearest to a seat, that are not chosen already.
    pub(crate) fn advise(
        &self,
        left: &SetLeft,
        count: u16,
        near: Option<&SeatName>,
        chosen: &[SeatName],
    ) -> Vec<SeatName> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|at| (self.rows[*at].rank.unwrap_or(u32::MAX), *at));
        let advised = |at: &usize| {
            let row = &self.rows[*at];
            let free = row.free(left).filter(|number| !chosen.contains(&self.name_of(row, *number)));
            let ends = (row.numbers.first().copied().unwrap_or(1), row.numbers.last().copied().unwrap_or(1));
            AdvisedRow { free: free.collect(), ends: ends.into() }
        };
        let rows: Vec<AdvisedRow> = order.iter().map(advised).collect();
        let near = near.and_then(|seat| {
            let row = order.iter().position(|at| self.rows[*at].name == seat.row)?;
            Some(SeatPlace { row, number: seat.number })
        });
        let Some((row, group)) = best_neighbours(&rows, count, near) else { return Vec::new() };
        (group.from..=group.to).map(|number| self.name_of(&self.rows[order[row]], number)).collect()
    }

    /// The seats that a choice leaves single where it need not.
    pub(crate) fn singles(&self, left: &SetLeft, chosen: &[SeatName]) -> Vec<SeatName> {
        let row = |row: &HallRow| {
            let is_chosen = |number: &u16| chosen.contains(&self.name_of(row, *number));
            ChosenRow { free: row.free(left).collect(), chosen: row.free(left).filter(is_chosen).collect() }
        };
        let rows: Vec<ChosenRow> = self.rows.iter().map(row).collect();
        let found = avoidable_singles(&rows);
        let names =
            found.iter().flat_map(|(at, numbers)| numbers.iter().map(|number| self.name_of(&self.rows[*at], number)));
        names.collect()
    }

    fn name_of(&self, row: &HallRow, number: u16) -> SeatName {
        SeatName { set: self.id.clone(), row: row.name.clone(), number }
    }
}

impl HallRow {
    /// The numbers that can be had.
    fn free<'a>(&'a self, left: &'a SetLeft) -> impl Iterator<Item = u16> + 'a {
        let seats = (self.first..).zip(&self.numbers);
        seats.filter(|(at, _)| left.is_free(*at)).map(|(_, number)| *number)
    }
}

/// Where the rows of a map are.
struct Places<'a> {
    /// The pieces of a row, by sector and name.
    rows: HashMap<(&'a str, &'a str), Vec<&'a MapRow>>,
    /// How many units of the script are one of the map.
    scale: f64,
}

impl<'a> Places<'a> {
    fn of(map: Option<&'a MapData>) -> Self {
        let mut rows: HashMap<(&str, &str), Vec<&MapRow>> = HashMap::new();
        for sector in map.into_iter().flat_map(|map| &map.sectors) {
            for row in &sector.rows {
                rows.entry((&sector.id, &row.row)).or_default().push(row);
            }
        }
        let mut places = Self { rows, scale: 1.0 };
        let spacing = places.spacing();
        places.scale = if spacing > 0.0 { SPACING / spacing } else { 1.0 };
        places
    }

    /// Where a seat is, in units of the map.
    fn point(&self, sector: &str, row: &str, number: u16) -> Option<(f64, f64)> {
        let pieces = self.rows.get(&(sector, row))?;
        let piece = pieces.iter().find(|piece| (piece.from..=piece.to).contains(&number))?;
        let at = f64::from(number - piece.from);
        Some((piece.x + piece.dx * at, piece.y + piece.dy * at))
    }

    /// What most neighbours are apart, in units of the map.
    fn spacing(&self) -> f64 {
        let mut found: Vec<f64> = Vec::new();
        for ((sector, row), pieces) in &self.rows {
            let firsts = pieces.iter().filter_map(|piece| {
                let (x, y) = self.point(sector, row, piece.from)?;
                let (next_x, next_y) = self.point(sector, row, piece.from + 1)?;
                Some((next_x - x).hypot(next_y - y))
            });
            found.extend(firsts.filter(|distance| *distance > 0.0));
        }
        found.sort_unstable_by(f64::total_cmp);
        found.get(found.len().saturating_sub(1) / 2).copied().unwrap_or_default()
    }
}

/// The rows of a set, and what the script is told of each: its name, the ranges of its numbers, and where they are.
fn rows_of(set: &SetLayout, places: &Places<'_>, next_y: &mut f64) -> (Vec<HallRow>, Vec<Value>) {
    let sector = set.sector.as_deref().unwrap_or_default();
    let (mut rows, mut drawn, mut first) = (Vec::new(), Vec::new(), 0);
    for row in &set.rows {
        let numbers: Vec<u16> = row.seats.iter().flat_map(|(from, to)| *from..=*to).collect();
        let points: Option<Vec<(f64, f64)>> =
            numbers.iter().map(|number| places.point(sector, &row.row, *number)).collect();
        let points = match points {
            Some(points) => points.into_iter().map(|(x, y)| (x * places.scale, y * places.scale)).collect(),
            None => row_behind(&numbers, next_y),
        };
        drawn.push(json!([row.row, row.seats, steps_of(&points)]));
        let rank = places
            .rows
            .get(&(sector, row.row.as_str()))
            .and_then(|pieces| pieces.iter().filter_map(|it| it.rank).min());
        let seats = numbers.len();
        rows.push(HallRow { name: row.row.clone(), numbers, first, rank });
        first += seats;
    }
    *next_y += SPACING;
    (rows, drawn)
}

/// Where a row is that no map has: behind those before it, around the middle.
fn row_behind(numbers: &[u16], next_y: &mut f64) -> Vec<(f64, f64)> {
    let ends = (numbers.first().copied().unwrap_or_default(), numbers.last().copied().unwrap_or_default());
    let middle = f64::midpoint(f64::from(ends.0), f64::from(ends.1));
    let y = *next_y;
    *next_y += SPACING;
    numbers.iter().map(|number| ((f64::from(*number) - middle) * SPACING, y)).collect()
}

/// The first point, and the step to each one after it; only one step where all are the same.
#[expect(clippy::cast_possible_truncation, reason = "what does not fit becomes the furthest place there is")]
fn steps_of(points: &[(f64, f64)]) -> Vec<i32> {
    let rounded: Vec<(i32, i32)> = points.iter().map(|(x, y)| (x.round() as i32, y.round() as i32)).collect();
    let Some((x, y)) = rounded.first() else { return Vec::new() };
    let step = |pair: &[(i32, i32)]| [pair[1].0.saturating_sub(pair[0].0), pair[1].1.saturating_sub(pair[0].1)];
    let mut steps: Vec<[i32; 2]> = rounded.windows(2).map(step).collect();
    if steps.windows(2).all(|pair| pair[0] == pair[1]) {
        steps.truncate(1);
    }
    [*x, *y].into_iter().chain(steps.into_iter().flatten()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(rows: &Value) -> LayoutData {
        let set = json!({"id": "0a", "name": "Stalls", "sector": "s", "rows": rows});
        serde_json::from_value(json!({"layout": "1", "sets": [set, {"id": "0b", "name": "Standing"}]})).unwrap()
    }

    fn told(hall: &Hall) -> Value {
        serde_json::from_str::<Value>(&hall.json).unwrap()["sets"][0]["rows"].clone()
    }

    #[test]
    fn straight_rows_are_a_point_and_a_step_and_arcs_a_step_for_each_seat() {
        let rows = json!([{"row": "1", "seats": [[1, 3]]}, {"row": "2", "seats": [[1, 2], [4, 4]]}]);
        let arc = [(1, 0.0, 10.0), (2, 5.0, 11.0), (4, 15.0, 10.0)];
        let mut pieces = vec![json!({"row": 1, "from": 1, "to": 9, "x": -5.0, "y": 0.0, "dx": 5.0, "dy": 0.0})];
        pieces.extend(arc.map(|(number, x, y)| json!({"row": 2, "from": number, "to": number, "x": x, "y": y, "dx": 0.0, "dy": 0.0, "rank": 7})));
        let map = json!({"updated_at": "", "sectors": [{"id": "s", "name": "Front", "rows": pieces}]});
        let hall = Hall::new(&layout(&rows), Some(&serde_json::from_value(map).unwrap()));
        let expected = json!([["1", [[1, 3]], [-40, 0, 40, 0]], ["2", [[1, 2], [4, 4]], [0, 80, 40, 8, 80, -8]],]);
        assert_eq!(told(&hall), expected);
        assert_eq!((hall.sets.len(), hall.sets[0].seats()), (1, 6));
        let seat = SeatName { set: "0a".to_owned(), row: "2".to_owned(), number: 4 };
        assert_eq!(hall.sets[0].find(&seat), Some((1, 5)));
    }

    #[test]
    fn without_a_map_rows_stand_behind_each_other() {
        let hall = Hall::new(&layout(&json!([{"row": "1", "seats": [[1, 3]]}, {"row": "2", "seats": [[1, 2]]}])), None);
        assert_eq!(told(&hall), json!([["1", [[1, 3]], [-40, 0, 40, 0]], ["2", [[1, 2]], [-20, 40, 40, 0]]]));
    }

    #[test]
    fn advice_is_of_what_is_free_and_not_chosen() {
        let hall = Hall::new(&layout(&json!([{"row": "1", "seats": [[1, 8]]}, {"row": "2", "seats": [[1, 8]]}])), None);
        let left = json!({"id": "0a", "on_sale": true, "free": "5/8="});
        let (set, left): (_, SetLeft) = (&hall.sets[0], serde_json::from_value(left).unwrap());
        let show =
            |seats: Vec<SeatName>| seats.iter().map(|it| format!("{}-{}", it.row, it.number)).collect::<Vec<_>>();
        // 1-4 and 1-5 are taken.
        assert_eq!(show(set.advise(&left, 2, None, &[])), ["2-4", "2-5"]);
        let chosen = set.advise(&left, 2, None, &[]);
        assert_eq!(show(set.advise(&left, 1, chosen.first(), &chosen)), ["2-3"]);
        assert_eq!(show(set.singles(&left, &set.advise(&left, 2, None, &[]))), Vec::<String>::new());
    }
}
