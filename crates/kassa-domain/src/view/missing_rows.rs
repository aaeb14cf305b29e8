//! What decisions did not find in the view.

use crate::model::set::SeatSelector;
use crate::values::resource_ids::{PartnerId, SetId, UserId};

/// Rows that decisions turned out to need. With them in the view, they decide again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MissingRows {
    /// Tickets of a set by their seats.
    pub seats: Vec<SeatSelector>,
    /// Row inventories for so many neighbours in a set.
    pub vacant: Vec<(SetId, u32)>,
    /// Sets of which all row inventories are needed.
    pub row_inventories_of: Vec<SetId>,
    /// Partners whose usage changes, or whose invitations count.
    pub partners: Vec<PartnerId>,
    /// Users to whom an e-mail was invited.
    pub users: Vec<UserId>,
}
