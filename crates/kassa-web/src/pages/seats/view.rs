//! The seats of an event in words: categories of price, rows and seats, what is chosen of them, and what can be had in its
//! place.

use std::collections::BTreeMap;

use kassa_texts::{Amount, Currency, Texts};

use crate::api::Seller;
use crate::hall::{Hall, HallRow, HallSet};
use crate::model::{EventData, SetData};
use crate::request::PageRequest;
use crate::seat_data::{AvailabilityData, SetLeft};
use crate::seat_selection::{SeatName, field_of, selection_of};
use crate::views::seats_path;

/// Seats that are shown at a time, unless one row has more.
const PART_SEATS_MAX: usize = 400;
/// Shapes that prices have in the picture and in lists.
const SHAPES: usize = 6;
/// So many seats can be asked for together.
const TOGETHER_MAX: u16 = 10;

/// The seats of an event, as somebody chooses them.
#[derive(Debug)]
pub(super) struct SeatsView {
    pub(super) categories: Vec<CategoryView>,
    /// Which shape costs what.
    pub(super) legend: BTreeMap<usize, String>,
    pub(super) open: Option<OpenRows>,
    pub(super) best: BestView,
    /// What is chosen and can be had.
    pub(super) chosen: Vec<SeatName>,
    /// Those of them that no open row shows.
    pub(super) elsewhere: Vec<SeatLine>,
    /// What they cost, where some are chosen.
    pub(super) total: Option<String>,
    /// What was chosen and is gone.
    pub(super) lost: Vec<LostView>,
    /// Seats that the choice leaves single, once it was to be reserved; empty if there are none.
    pub(super) singles: String,
    /// Whether that is refused.
    pub(super) is_single_refused: bool,
}

/// Seats of one price.
#[derive(Debug)]
pub(super) struct CategoryView {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) price: String,
    pub(super) left: String,
    /// Which shape its seats have.
    pub(super) shape: usize,
    pub(super) parts: Vec<PartView>,
}

/// Some rows of a set.
#[derive(Debug)]
pub(super) struct PartView {
    /// As the form says it.
    pub(super) value: String,
    pub(super) label: String,
    /// The rows, counted from the front: from the first on, up to the one after the last.
    pub(super) rows: (usize, usize),
    pub(super) is_open: bool,
}

/// The rows that are shown.
#[derive(Debug)]
pub(super) struct OpenRows {
    pub(super) title: String,
    pub(super) value: String,
    pub(super) rows: Vec<RowView>,
}

/// A row.
#[derive(Debug)]
pub(super) struct RowView {
    pub(super) label: String,
    pub(super) field: String,
    pub(super) seats: Vec<SeatBox>,
}

/// A seat that can be chosen, or not.
#[derive(Debug)]
pub(super) struct SeatBox {
    pub(super) number: u16,
    pub(super) is_free: bool,
    pub(super) is_chosen: bool,
    /// Whether whoever looks at it holds it.
    pub(super) is_own: bool,
}

/// A seat in a line.
#[derive(Debug)]
pub(super) struct SeatLine {
    pub(super) field: String,
    pub(super) number: u16,
    pub(super) label: String,
}

/// What somebody can be given who wants some seats together.
#[derive(Debug)]
pub(super) struct BestView {
    pub(super) sets: Vec<BestOption>,
    /// Numbers of seats.
    pub(super) counts: Vec<BestOption>,
    /// Whether somebody has asked.
    is_asked: bool,
    /// Whether as many are not to be had.
    pub(super) is_missing: bool,
}

/// What can be asked for.
#[derive(Debug)]
pub(super) struct BestOption {
    pub(super) value: String,
    pub(super) label: String,
    pub(super) is_selected: bool,
}

/// A seat that is gone, and what is offered in its place: where that leads, and what it is.
#[derive(Debug)]
pub(super) struct LostView {
    pub(super) label: String,
    pub(super) offer: Option<(String, String)>,
}

/// What is shown, and what is left of it.
struct Shown<'a> {
    event: &'a EventData,
    hall: &'a Hall,
    left: &'a AvailabilityData,
    texts: &'a Texts,
    currency: Option<Currency>,
    /// The seats that whoever looks at them holds.
    own: &'a [SeatName],
}

impl SeatsView {
    pub(super) fn new(
        request: &PageRequest,
        currency: Option<Currency>,
        (event, seller): (&EventData, &Seller),
        (hall, left, own): (&Hall, &AvailabilityData, &[SeatName]),
    ) -> Self {
        let shown = Shown { event, hall, left, texts: request.texts(), currency, own };
        let (mut best, picked) = shown.best(request);
        let asked = selection_of(request.query());
        let (chosen, gone): (Vec<SeatName>, Vec<SeatName>) = asked.into_iter().partition(|seat| shown.is_free(seat));
        let is_gone = |seat: &SeatName| shown.find(seat).is_some() && !own.contains(seat);
        let gone: Vec<SeatName> = gone.into_iter().filter(is_gone).collect();
        let (chosen, gone) = if best.is_asked { (picked, Vec::new()) } else { (chosen, gone) };
        best.is_missing = best.is_asked && chosen.is_empty();
        let open = shown.open_part(request, chosen.first().or(gone.first()).or(own.first()));
        let rows = open.map(|(set, part)| shown.rows(set, part, &chosen));
        let elsewhere = chosen.iter().filter(|seat| !rows.as_ref().is_some_and(|open| open.shows(seat)));
        // A choice may be half made until it is to be reserved.
        let singles = if request.value("notice") == Some("single-seats") { shown.singles(&chosen) } else { Vec::new() };
        let categories: Vec<_> = hall.sets.iter().filter_map(|set| shown.category(set, open)).collect();
        Self {
            legend: categories.iter().map(|category| (category.shape, category.price.clone())).collect(),
            categories,
            elsewhere: elsewhere.map(|seat| shown.line(seat)).collect(),
            total: (!chosen.is_empty()).then(|| shown.total(&chosen)),
            lost: shown.lost(&gone, &chosen, seller),
            singles: singles.iter().map(|seat| shown.label(seat)).collect::<Vec<_>>().join("; "),
            is_single_refused: event.single_seats == "forbid",
            open: rows,
            best,
            chosen,
        }
    }
}

impl SeatsView {
    /// How many are chosen.
    pub(super) fn chosen_count(&self) -> i64 {
        i64::try_from(self.chosen.len()).unwrap_or(i64::MAX)
    }
}

impl OpenRows {
    fn shows(&self, seat: &SeatName) -> bool {
        self.rows.iter().any(|row| row.field == seat.field())
    }
}

impl<'a> Shown<'a> {
    /// A seat: its set, what is left of that, and which bit it has.
    fn find(&self, seat: &SeatName) -> Option<(&'a HallSet, &'a SetLeft, usize)> {
        let of_set = self.hall.set(&seat.set)?;
        let (_, bit) = of_set.find(seat)?;
        Some((of_set, self.left_of(&of_set.id)?, bit))
    }

    fn left_of(&self, set: &str) -> Option<&'a SetLeft> {
        self.left.sets.iter().find(|left| left.id == set)
    }

    fn data_of(&self, set: &str) -> Option<&'a SetData> {
        self.event.sets.iter().find(|data| data.id == set)
    }

    fn is_free(&self, seat: &SeatName) -> bool {
        self.find(seat).is_some_and(|(_, left, bit)| left.is_free(bit))
    }

    fn price(&self, set: &str) -> Amount {
        self.data_of(set).map(|data| data.price).unwrap_or_default()
    }

    fn total(&self, seats: &[SeatName]) -> String {
        self.texts.amount(seats.iter().map(|seat| self.price(&seat.set)).sum(), self.currency)
    }

    /// `Stalls, row 5, seat 12`
    fn label(&self, seat: &SeatName) -> String {
        let name = self.hall.set(&seat.set).map_or("", |set| set.name.as_str());
        format!("{name}, {} {}, {} {}", self.texts.text("row-in-line"), seat.row, self.texts.text("seat"), seat.number)
    }

    fn line(&self, seat: &SeatName) -> SeatLine {
        let price = self.texts.amount(self.price(&seat.set), self.currency);
        SeatLine { field: seat.field(), number: seat.number, label: format!("{} · {price}", self.label(seat)) }
    }

    fn category(&self, set: &HallSet, open: Option<(&HallSet, usize)>) -> Option<CategoryView> {
        let data = self.data_of(&set.id)?;
        let parts = parts_of(set).into_iter().enumerate().map(|(at, rows)| PartView {
            value: format!("{}.{at}", set.id),
            label: self.part_label(&set.rows[rows.0..rows.1]),
            rows,
            is_open: open.is_some_and(|(other, part)| other.id == set.id && part == at),
        });
        let left = self.left_of(&set.id)?;
        let free = (0..set.seats()).filter(|at| left.is_free(*at)).count();
        Some(CategoryView {
            id: set.id.clone(),
            name: set.name.clone(),
            price: self.texts.amount(data.price, self.currency),
            left: match i64::try_from(free).unwrap_or(i64::MAX) {
                0 if left.on_sale => self.texts.text("state-sold-out"),
                0 => self.texts.text("not-on-sale"),
                free => self.texts.count("seats-free", free),
            },
            shape: shape_of(self.event, data),
            parts: parts.collect(),
        })
    }

    /// `Rows 1–12`
    fn part_label(&self, rows: &[HallRow]) -> String {
        match rows {
            [only] => format!("{} {}", self.texts.text("row"), only.name),
            [first, .., last] => format!("{} {}–{}", self.texts.text("rows"), first.name, last.name),
            [] => String::new(),
        }
    }

    /// The part of a set that is asked for, else the one of a seat, else the first one that has seats.
    fn open_part(&self, request: &PageRequest, seat: Option<&SeatName>) -> Option<(&'a HallSet, usize)> {
        let asked = request.value("rows").and_then(|value| {
            let (id, part) = value.split_once('.')?;
            let (wanted, part) = (self.hall.set(id)?, part.parse().ok()?);
            (part < parts_of(wanted).len()).then_some((wanted, part))
        });
        let of_seat = || {
            let chosen = self.hall.set(&seat?.set)?;
            let (row, _) = chosen.find(seat?)?;
            Some((chosen, parts_of(chosen).iter().position(|(from, to)| (*from..*to).contains(&row))?))
        };
        let has_free =
            |set: &&HallSet| self.left_of(&set.id).is_some_and(|left| (0..set.seats()).any(|at| left.is_free(at)));
        let first = || self.hall.sets.iter().find(has_free).or(self.hall.sets.first()).map(|set| (set, 0));
        asked.or_else(of_seat).or_else(first)
    }

    fn rows(&self, set: &HallSet, part: usize, chosen: &[SeatName]) -> OpenRows {
        let (from, to) = parts_of(set).get(part).copied().unwrap_or_default();
        let left = self.left_of(&set.id);
        let of_row = |row: &HallRow| {
            let seats = (row.first..).zip(&row.numbers).map(|(at, number)| {
                let is_it = |it: &SeatName| it.set == set.id && it.row == row.name && it.number == *number;
                SeatBox {
                    number: *number,
                    is_free: left.is_some_and(|left| left.is_free(at)),
                    is_chosen: chosen.iter().any(is_it),
                    is_own: self.own.iter().any(is_it),
                }
            });
            RowView {
                label: format!("{} {}", self.texts.text("row"), row.name),
                field: field_of(&set.id, &row.name),
                seats: seats.collect(),
            }
        };
        let price = self.texts.amount(self.price(&set.id), self.currency);
        OpenRows {
            title: format!("{}, {price}", set.name),
            value: format!("{}.{part}", set.id),
            rows: set.rows[from..to].iter().map(of_row).collect(),
        }
    }

    /// What can be asked for together, and the seats that are given to whoever does.
    fn best(&self, request: &PageRequest) -> (BestView, Vec<SeatName>) {
        let is_asked = request.value("best").is_some();
        let wanted_set = request.value("best_set").unwrap_or_default();
        let wanted = request.value("best_count").and_then(|count| count.parse().ok()).unwrap_or(2);
        let sets = self.hall.sets.iter().filter_map(|set| {
            let price = self.texts.amount(self.data_of(&set.id)?.price, self.currency);
            let label = format!("{} · {price}", set.name);
            Some(BestOption { value: set.id.clone(), label, is_selected: set.id == wanted_set })
        });
        let most = u16::try_from(self.event.tickets_limit).unwrap_or(TOGETHER_MAX).clamp(1, TOGETHER_MAX);
        let count = |count: u16| BestOption {
            value: count.to_string(),
            label: count.to_string(),
            is_selected: count == wanted,
        };
        let (sets, counts) = (sets.collect(), (1..=most).map(count).collect());
        let view = BestView { sets, counts, is_asked, is_missing: false };
        let set = self.hall.set(wanted_set).zip(self.left_of(wanted_set)).filter(|_| is_asked && wanted <= most);
        let picked = set.map(|(set, left)| set.advise(left, wanted, None, &[]));
        (view, picked.unwrap_or_default())
    }

    /// What is gone, and in its place so many seats as near to it as can be.
    fn lost(&self, gone: &[SeatName], chosen: &[SeatName], seller: &Seller) -> Vec<LostView> {
        let of_set = |lost: &[SeatName]| {
            let labels = lost.iter().map(|seat| self.label(seat)).collect::<Vec<_>>().join("; ");
            let offer = self.find(&lost[0]).and_then(|(set, left, _)| {
                let count = u16::try_from(lost.len()).ok()?;
                let together = set.advise(left, count, lost.first(), chosen);
                let offered = if together.is_empty() { set.advise(left, 1, lost.first(), chosen) } else { together };
                let mut all: Vec<SeatName> = chosen.iter().chain(&offered).cloned().collect();
                all.sort_unstable();
                let label = offered.iter().map(|seat| self.label(seat)).collect::<Vec<_>>().join("; ");
                (!offered.is_empty()).then(|| (seats_path(&self.event.id, seller, &all), label))
            });
            LostView { label: labels, offer }
        };
        gone.chunk_by(|one, other| one.set == other.set).map(of_set).collect()
    }

    /// The seats that a choice leaves single, where the event cares.
    fn singles(&self, chosen: &[SeatName]) -> Vec<SeatName> {
        singles_of(self.event, (self.hall, self.left), chosen)
    }
}

/// The seats that a choice leaves single, where the event cares.
pub(crate) fn singles_of(
    event: &EventData,
    (hall, left): (&Hall, &AvailabilityData),
    chosen: &[SeatName],
) -> Vec<SeatName> {
    if !matches!(event.single_seats.as_str(), "warn" | "forbid") {
        return Vec::new();
    }
    let of_set = |set: &HallSet| {
        let of_this: Vec<SeatName> = chosen.iter().filter(|seat| seat.set == set.id).cloned().collect();
        let left = left.sets.iter().find(|left| left.id == set.id).filter(|_| !of_this.is_empty());
        left.map(|left| set.singles(left, &of_this)).unwrap_or_default()
    };
    hall.sets.iter().flat_map(of_set).collect()
}

/// Which shape the seats of a set have: the dearest the first.
pub(crate) fn shape_of(event: &EventData, set: &SetData) -> usize {
    let mut prices: Vec<Amount> = event.sets.iter().filter(|set| set.with_seats).map(|set| set.price).collect();
    prices.sort_unstable_by(|one, other| other.cmp(one));
    prices.dedup();
    prices.iter().position(|price| *price == set.price).unwrap_or_default() % SHAPES
}

/// The rows of a set in parts that can be shown at once.
pub(crate) fn parts_of(set: &HallSet) -> Vec<(usize, usize)> {
    let (mut parts, mut from, mut seats) = (Vec::new(), 0, 0);
    for (at, row) in set.rows.iter().enumerate() {
        if seats > 0 && seats + row.numbers.len() > PART_SEATS_MAX {
            parts.push((from, at));
            (from, seats) = (at, 0);
        }
        seats += row.numbers.len();
    }
    parts.push((from, set.rows.len()));
    parts
}
