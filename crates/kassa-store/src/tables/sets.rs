//! Ticket sets.

use kassa_domain::Id;
use kassa_domain::change::Revision;
use kassa_domain::seating::SeatingJson;
use kassa_domain::set::{PriceRule, SetSeats, TicketCounts, TicketSet};
use serde::{Deserialize, Serialize};

use crate::cell::{RowReader, json_cell};
use crate::error::StoreError;
use crate::rows::{batch_id_cell, read_batch_id, read_tag, read_time, table};

/// What of a set only people read.
#[derive(Serialize, Deserialize)]
struct StoredSetDescription {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    desc: Option<String>,
    serial: String,
    rules: Vec<PriceRule>,
}

fn stored_set_description(set: &TicketSet) -> StoredSetDescription {
    StoredSetDescription {
        name: set.name.clone(),
        desc: set.desc.clone(),
        serial: set.serial.clone(),
        rules: set.rules.clone(),
    }
}

table! { TicketSet, "sets", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Immutable Int "event": event = Id::root(source.int()?), row.event.key();
    Mutable Json "about": about = source.json::<StoredSetDescription>()?, json_cell(&stored_set_description(row));
    Mutable Text "sector": sector = source.text()?, row.sector.as_str();
    Mutable Int "pos": pos = source.int()?, row.pos;
    Mutable Int "amount": amount = source.int()?, row.counts.amount;
    Mutable Int "vacant": vacant = source.int()?, row.counts.vacant;
    Mutable Int "held": held = source.int()?, row.counts.held;
    Mutable Int "sold": sold = source.int()?, row.counts.sold;
    Mutable Int "blocked": blocked = source.int()?, row.counts.blocked;
    Mutable Int "pending": pending = source.int()?, row.counts.pending;
    Mutable Int "pending_removal": pending_removal = source.int()?, row.pending_removal;
    Mutable Int "pick_cursor": pick_cursor = source.int()?, row.pick_cursor;
    Mutable Int "job": job = source.int_or_null()?.map(|key| Id::with_tag(tag, key)), row.job.map(Id::key);
    Mutable Int "removed": removed = source.flag()?, row.removed;
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision.number();
    Mutable Blob "changed_in": changed_in = read_batch_id(source)?, batch_id_cell(row.revision.changed_in());
    Mutable Int "inventory_revision": inventory = source.int()?, row.inventory.number();
    Mutable Blob "inventory_changed_in": inventory_changed_in = read_batch_id(source)?,
        batch_id_cell(row.inventory.changed_in());
    Mutable Text "seat_layout": layout = read_seating(source)?, row.seats.as_ref().map(|seats| seats.layout.as_str());
    Mutable Text "existing_seat_layout": created = read_seating(source)?, existing_seats(row).map(SeatingJson::as_str);
} => TicketSet {
    id: Id::with_tag(tag, key),
    event,
    name: about.name,
    desc: about.desc,
    serial: about.serial,
    rules: about.rules,
    sector,
    pos,
    counts: TicketCounts { amount, vacant, held, sold, blocked, pending },
    pending_removal,
    pick_cursor,
    job,
    removed,
    created_at,
    updated_at,
    revision: Revision::stored(revision, changed_in),
    inventory: Revision::stored(inventory, inventory_changed_in),
    seats: layout.map(|layout| SetSeats { layout, created }),
},
    check row.counts.is_balanced() && (0..=row.counts.vacant + row.counts.blocked).contains(&row.pending_removal)
}

fn read_seating(source: &mut dyn RowReader) -> Result<Option<SeatingJson>, StoreError> {
    Ok(source.text_or_null()?.map(|text| SeatingJson::from_json(&text)))
}

fn existing_seats(set: &TicketSet) -> Option<&SeatingJson> {
    set.seats.as_ref()?.created.as_ref()
}
