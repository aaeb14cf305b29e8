//! Row inventories: the rows of a hall.

use kassa_domain::Id;
use kassa_domain::seat_row_inventory::{SeatNumbers, SeatRowInventory};

use crate::cell::Cell;
use crate::rows::{read_tag, table};

table! { SeatRowInventory, "seat_row_inventories", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Immutable Int "set_id": set = Id::with_tag(tag, source.int()?), row.set.key();
    Immutable Text "seat_row": seat_row = source.parse()?, row.row.as_str();
    Immutable Text "row_order": _row_order = source.derived()?, row.row.sort_key();
    Mutable Int "rank": rank = source.int_as()?, i64::from(row.rank);
    Mutable Int "seats": seats = source.int_as()?, i64::from(row.seats);
    Mutable Blob "vacant": vacant = SeatNumbers::from_bytes(&source.blob()?), Cell::Blob(row.vacant.to_bytes().into());
    Mutable Int "longest_vacant_run": _longest = source.derived()?, i64::from(row.vacant.longest_run());
} => SeatRowInventory { id: Id::with_tag(tag, key), set, row: seat_row, rank, seats, vacant },
    unique vec![format!("{} row {:?}", row.set, row.row)],
    check row.seats > 0 && row.vacant.longest_run() <= row.seats
}
