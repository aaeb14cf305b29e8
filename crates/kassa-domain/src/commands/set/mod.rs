//! Commands on sets.

mod advance_resize;
mod create;
mod facts;
mod inventory;
mod remove;
mod resize;
mod resolve;
mod rules;
mod seats;
mod update;

pub use advance_resize::AdvanceSetResize;
pub use create::{CreateSet, SETS_MAX};
pub use remove::RemoveSet;
pub(crate) use resolve::resolve_sets;
pub use rules::{RequestedPriceRule, check_price_rules};
pub use seats::SEAT_RANGES_MAX;
pub(crate) use seats::check_seats_on_map;
pub use update::{BLOCKED_MAX, UpdateSet};
