//! The sectors of a map, as a request gives them.

use crate::context::Context;
use crate::model::hall_map::Sector;
use crate::refusal::{Refusal, SeatsRefusal};

/// Sectors that one map may have.
pub const SECTORS_PER_MAP_MAX: usize = 1_000;

/// Seats that one map may have.
pub const SEATS_PER_MAP_MAX: u32 = 1_000_000;

/// Refuses sectors that no hall has: an id twice, a seat twice, a row that ends before it begins, or more
/// seats than can be.
pub(super) fn check_sectors(sectors: &[Sector]) -> Result<(), Refusal> {
    let mut seats: u64 = 0;
    for (at, sector) in sectors.iter().enumerate() {
        if sectors[..at].iter().any(|other| other.id == sector.id) {
            return Err(SeatsRefusal::DuplicateSector(sector.id.clone()).into());
        }
        let twice = |row| SeatsRefusal::InvalidRowSeats { sector: sector.id.clone(), row };
        if let Some(empty) = sector.rows.iter().find(|row| row.seats.count() == 0) {
            return Err(twice(empty.row.clone()).into());
        }
        sector.try_seating().map_err(twice)?;
        seats += sector.rows.iter().map(|row| u64::from(row.seats.count())).sum::<u64>();
    }
    if sectors.len() > SECTORS_PER_MAP_MAX {
        return Err(Refusal::TooMany {
            what: "sectors of one map",
            max: u32::try_from(SECTORS_PER_MAP_MAX).unwrap_or(u32::MAX),
        });
    }
    if seats > u64::from(SEATS_PER_MAP_MAX) {
        return Err(Refusal::TooMany { what: "seats of one map", max: SEATS_PER_MAP_MAX });
    }
    Ok(())
}

/// The sectors, each with an id.
pub(super) fn assign_sector_ids(sectors: &[Sector], cx: &mut Context<'_>) -> Vec<Sector> {
    let mut sectors = sectors.to_vec();
    for sector in sectors.iter_mut().filter(|sector| sector.id.is_empty()) {
        sector.id = cx.root_id::<Sector>().to_string();
    }
    sectors
}
