//! Events, sets and tickets.

use kassa_domain::event::{Event, EventStatus};
use kassa_domain::seating::{Layout, Seat};
use kassa_domain::set::{Counts, Rule, Seats, Set};
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::{Id, Tag, Timestamp, Window};
use serde::{Deserialize, Serialize};

use super::house::{read_tag, read_time};
use super::{Column, Key as _, Mapped, columns};
use crate::cell::{Cell, Source, json};
use crate::error::StoreError;

pub(crate) fn event_status_text(status: EventStatus) -> &'static str {
    match status {
        EventStatus::StandBy => "stand_by",
        EventStatus::Public => "public",
        EventStatus::Canceled => "canceled",
    }
}

/// Labels as they are searched: each between two line breaks, which none of them has.
pub(crate) fn tag_list<T: AsRef<str>>(tags: impl IntoIterator<Item = T>) -> String {
    tags.into_iter().fold("\n".to_owned(), |list, tag| list + tag.as_ref() + "\n")
}

impl Mapped for Event {
    const TABLE: &'static str = "events";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Fixed Int "org",
        Free Text "status",
        Free Int "starts_at",
        Free Int "ends_at",
        Free Int "venue",
        Free Int "map",
        Free Int "removed",
        Free Json "about",
        Free Text "tag_list",
        Free Int "tickets_limit",
        Free Int "hold_minutes",
        Free Int "next_ticket",
        Fixed Int "created_at",
        Free Int "updated_at",
        Free Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.org.key().into(),
            event_status_text(self.status).into(),
            self.lifetime.map(|lifetime| lifetime.start.ms()).into(),
            self.finish().map(Timestamp::ms).into(),
            self.venue.map(Id::key).into(),
            self.map.map(Id::key).into(),
            self.removed.into(),
            json(&self.about),
            tag_list(&self.about.tags).into(),
            i64::from(self.tickets_limit).into(),
            i64::from(self.hold_minutes).into(),
            self.next_ticket.into(),
            self.created_at.ms().into(),
            self.updated_at.ms().into(),
            self.revision.into(),
        ]);
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        let id = Id::root(source.int()?);
        let org = Id::root(source.int()?);
        let status = match source.text()?.as_str() {
            "stand_by" => EventStatus::StandBy,
            "public" => EventStatus::Public,
            "canceled" => EventStatus::Canceled,
            other => return Err(StoreError::Corrupt(format!("event status {other}"))),
        };
        let start = source.int_or_null()?.map(Timestamp::from_ms);
        let finish = source.int_or_null()?.map(Timestamp::from_ms);
        let venue = source.int_or_null()?.map(Id::root);
        let map = source.int_or_null()?.map(Id::root);
        let removed = source.flag()?;
        let about = source.json()?;
        let _tag_list = source.text()?;
        Ok(Self {
            id,
            org,
            status,
            lifetime: start.map(|start| Window { start, finish }),
            venue,
            map,
            removed,
            about,
            tickets_limit: source.small()?,
            hold_minutes: source.small()?,
            next_ticket: source.int()?,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }
}

/// What of a set only people read.
#[derive(Serialize, Deserialize)]
struct SetAbout {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    desc: Option<String>,
    serial: String,
    rules: Vec<Rule>,
}

impl Mapped for Set {
    const TABLE: &'static str = "sets";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Fixed Int "event",
        Free Json "about",
        Free Text "sector",
        Free Int "pos",
        Free Int "amount",
        Free Int "vacant",
        Free Int "held",
        Free Int "sold",
        Free Int "blocked",
        Free Int "pending",
        Free Int "doomed",
        Free Int "pick_cursor",
        Free Int "job",
        Free Int "removed",
        Fixed Int "created_at",
        Free Int "updated_at",
        Free Int "revision",
        Free Text "seats",
        Free Text "seats_made",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let about = SetAbout {
            name: self.name.clone(),
            desc: self.desc.clone(),
            serial: self.serial.clone(),
            rules: self.rules.clone(),
        };
        let counts = &self.counts;
        self.id.write(out);
        out.extend([self.id.tag().to_i64().into(), self.event.key().into(), json(&about)]);
        out.extend([self.sector.as_str().into(), self.pos.into()]);
        out.extend(
            [counts.amount, counts.vacant, counts.held, counts.sold, counts.blocked, counts.pending].map(Cell::from),
        );
        out.extend([self.doomed, self.cursor].map(Cell::from));
        out.extend([self.job.map(Id::key).into(), self.removed.into()]);
        out.extend([self.created_at.ms(), self.updated_at.ms(), self.revision].map(Cell::from));
        let seats = self.seats.as_ref();
        out.push(seats.map(|seats| seats.layout.as_str()).into());
        out.push(seats.and_then(|seats| seats.made.as_ref()).map(Layout::as_str).into());
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let event = Id::root(source.int()?);
        let about: SetAbout = source.json()?;
        Ok(Self {
            id: Id::under(tag, key),
            event,
            name: about.name,
            desc: about.desc,
            serial: about.serial,
            rules: about.rules,
            sector: source.text()?,
            pos: source.int()?,
            counts: Counts {
                amount: source.int()?,
                vacant: source.int()?,
                held: source.int()?,
                sold: source.int()?,
                blocked: source.int()?,
                pending: source.int()?,
            },
            doomed: source.int()?,
            cursor: source.int()?,
            job: source.int_or_null()?.map(|key| Id::under(tag, key)),
            removed: source.flag()?,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
            seats: read_seats(source)?,
        })
    }

    fn checks(&self) -> bool {
        self.counts.balance() && (0..=self.counts.vacant + self.counts.blocked).contains(&self.doomed)
    }
}

fn read_seats(source: &mut dyn Source) -> Result<Option<Seats>, StoreError> {
    let (layout, made) = (source.text_or_null()?, source.text_or_null()?);
    let stored = |text: String| Layout::stored(&text);
    Ok(layout.map(|layout| Seats { layout: stored(layout), made: made.map(stored) }))
}

/// How a ticket's state is stored.
pub(crate) const VACANT: i64 = 0;
const HELD: i64 = 1;
const SOLD: i64 = 2;
pub(crate) const BLOCKED: i64 = 3;

impl Mapped for Ticket {
    const TABLE: &'static str = "tickets";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Fixed Int "event",
        Fixed Int "set_id",
        Fixed Int "number",
        Fixed Text "sector",
        Fixed Text "seat_row",
        Fixed Text "row_order",
        Fixed Int "seat_number",
        Fixed Int "bench",
        Free Int "state",
        Free Int "holder",
        Free Int "held_till",
        Free Text "barcode",
        Free Int "refund",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let state = match self.state {
            TicketState::Vacant => VACANT,
            TicketState::Held { .. } => HELD,
            TicketState::Sold { .. } => SOLD,
            TicketState::Blocked => BLOCKED,
        };
        let seat = self.seat.as_deref();
        self.id.write(out);
        out.extend([
            self.id.tag().to_i64().into(),
            self.event.key().into(),
            self.set.key().into(),
            self.number.into(),
            seat.map_or("", |seat| seat.sector.as_str()).into(),
            seat.map(|seat| seat.row.as_str()).into(),
            seat.map(|seat| seat.row.order()).into(),
            seat.map(|seat| i64::from(seat.number)).into(),
            seat.map(|seat| seat.bench.key()).into(),
            state.into(),
            self.holder().map(Id::key).into(),
            self.reserved_till().map(Timestamp::ms).into(),
            self.barcode().into(),
            self.refund().map(Id::key).into(),
        ]);
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let event = Id::root(source.int()?);
        let set = Id::under(tag, source.int()?);
        let number = source.int()?;
        let place = read_seat(tag, source)?.map(Box::new);
        let state = source.int()?;
        let holder = source.int_or_null()?.map(|key| Id::under(tag, key));
        let till = source.int_or_null()?.map(Timestamp::from_ms);
        let barcode = source.text_or_null()?;
        let refund = source.int_or_null()?.map(|key| Id::under(tag, key));
        let state = match (state, holder, till, barcode, refund) {
            (VACANT, None, None, None, None) => TicketState::Vacant,
            (HELD, Some(order), Some(till), None, None) => TicketState::Held { order, till },
            (SOLD, Some(order), None, Some(barcode), refund) => TicketState::Sold { order, barcode, refund },
            (BLOCKED, None, None, None, None) => TicketState::Blocked,
            (state, ..) => {
                return Err(StoreError::Corrupt(format!(
                    "ticket {key} in state {state} with other columns than it has"
                )));
            }
        };
        Ok(Self { id: Id::under(tag, key), event, set, number, seat: place, state })
    }

    fn uniques(&self) -> Vec<String> {
        let mut uniques = vec![format!("{} number {}", self.event, self.number)];
        uniques.extend(self.barcode().map(|barcode| format!("{} barcode {barcode}", self.event)));
        let chair = |seat: &Seat| format!("{} seat {} {:?} {:?}", self.event, seat.number, seat.row, seat.sector);
        uniques.extend(self.seat.as_deref().map(chair));
        uniques
    }
}

fn read_seat(tag: Tag, source: &mut dyn Source) -> Result<Option<Seat>, StoreError> {
    let sector = source.text()?;
    let row = source.text_or_null()?;
    // The place of the row among rows follows from its name.
    source.next_cell()?;
    let number = source.int_or_null()?;
    let bench = source.int_or_null()?.map(|key| Id::under(tag, key));
    match (row, number, bench) {
        (None, None, None) => Ok(None),
        (Some(row), Some(number), Some(bench)) => {
            let bad = || StoreError::Corrupt(format!("seat {number} of row {row:?}"));
            let place = row.parse().ok().zip(u16::try_from(number).ok());
            place.map(|(row, number)| Some(Seat { sector, row, number, bench })).ok_or_else(bad)
        }
        (row, number, bench) => {
            Err(StoreError::Corrupt(format!("half a seat: row {row:?}, number {number:?}, bench {bench:?}")))
        }
    }
}
