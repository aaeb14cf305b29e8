//! Why a set, a hall map or an order cannot have the seats that a request gives.

use crate::values::resource_ids::SetId;
use crate::values::seating::RowName;

/// A seat that a choice leaves without a free neighbour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SingleSeat {
    /// The set.
    pub set: SetId,
    /// The row.
    pub row: RowName,
    /// The number in the row.
    pub number: u16,
}

/// What is wrong with the seats of a set, of a hall map or of an order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeatsRefusal {
    /// Two sectors of a map have one id.
    #[error("Two sectors of the map have the id {0}")]
    DuplicateSector(String),
    /// A row ends before it begins, or has a seat twice.
    #[error("Row {row} of sector {sector} has a seat twice, or ends before it begins")]
    InvalidRowSeats {
        /// The sector.
        sector: String,
        /// The row.
        row: RowName,
    },
    /// A seat of a set is not on the event's map.
    #[error("The map of the event has no row {row}, seat {number} in the sector of the set")]
    SeatsNotOnMap {
        /// The row.
        row: RowName,
        /// The number in the row.
        number: u16,
    },
    /// The sector of a set is not on the event's map.
    #[error("The map of the event has no sector {0}")]
    SectorUnknown(String),
    /// Another set of the event has the seat.
    #[error("Row {row}, seat {number} is in another set of the event")]
    SeatTaken {
        /// The row.
        row: RowName,
        /// The number in the row.
        number: u16,
    },
    /// A choice leaves seats without a free neighbour, and the event does not have that.
    #[error("Seats would be left without a neighbour, which this event does not allow: choose others beside them")]
    SinglesLeft(Vec<SingleSeat>),
    /// Where some are held, sold or blocked, each seat that goes is looked at first.
    #[error("At most {0} seats can be removed from a set at once while tickets of it are held, sold or blocked")]
    SeatRemovalLimit(u32),
    /// A set's tickets have seats or not, all of them.
    #[error("This set has tickets without seats, so it cannot get seats: create another set")]
    SetWithoutSeats,
    /// The amount of a set with seats follows from them.
    #[error("A set with seats has one ticket per seat: change its seats, not its amount")]
    AmountFollowsSeats,
    /// The seats of a set do not move to another sector.
    #[error("The sector of a set with seats cannot be changed while it has tickets")]
    SectorFixed,
}

impl SeatsRefusal {
    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::DuplicateSector(_) => "sector_twice",
            Self::InvalidRowSeats { .. } => "seats_twice",
            Self::SeatsNotOnMap { .. } => "seats_not_on_map",
            Self::SectorUnknown(_) => "sector_not_found",
            Self::SeatTaken { .. } => "seat_taken",
            Self::SinglesLeft(_) => "single_seat_left",
            Self::SeatRemovalLimit(_) => "seats_leaving_limit",
            Self::SetWithoutSeats => "set_without_seats",
            Self::AmountFollowsSeats => "amount_of_seats",
            Self::SectorFixed => "sector_fixed",
        }
    }
}
