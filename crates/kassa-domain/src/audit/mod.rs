//! What must agree, counted again from the rows themselves: the proof that no command has left anything behind.
//!
//! Rows that add up over a whole event are compared by [`EventRecount`]: counters of sets, row inventories, uses of promocodes.
//! Other rows are compared with the few that they name ([`Audited`]). Nothing here changes anything, and nothing is
//! taken from the counters themselves.

mod event_recount;
mod finding;
mod mail;
mod order;
mod promotion;
mod refund;
mod ticket;

pub use event_recount::EventRecount;
pub use finding::{FINDINGS_MAX, Finding, Findings};

use crate::every_table;
use crate::view::{ReadSet, Row, View};

/// A row that is compared with others.
pub trait Audited: Row + PartialEq {
    /// Names the row itself and those that it is compared with; tells whether there are any.
    fn audit_read_set(&self, _needs: &mut ReadSet) -> bool {
        false
    }

    /// Finds what does not agree. The view has what [`Audited::audit_read_set`] names, as of one moment, and this row as
    /// it was at that moment.
    fn audit(&self, _view: &View, _findings: &mut Findings) {}
}

/// Rows of which nothing else has to agree, or which [`Books`] compares.
macro_rules! stand_alone {
    ($($row:ty,)*) => {
        $(impl Audited for $row {})*
    };
}
stand_alone! {
    crate::node::Node,
    crate::node::SharedCounter,
    crate::node::InstallationSetting,
    crate::user::User,
    crate::session::Session,
    crate::partner::Partner,
    crate::partner::PartnerManager,
    crate::api_key::ApiKey,
    crate::attachment::Attachment,
    crate::promocode::Promocode,
    crate::set::TicketSet,
    crate::seat_row_inventory::SeatRowInventory,
    crate::venue::Venue,
    crate::hall_map::HallMap,
    crate::event::Event,
    crate::deal::Deal,
    crate::job::Job,
    crate::idempotency::IdempotencyRecord,
}

/// Finds what does not agree in a view that has all rows of all events.
pub fn audit_view(view: &View) -> Findings {
    let mut findings = EventRecount::of_view(view).finish();
    macro_rules! each_row {
        ($($field:ident: $row:ty,)*) => {
            $(view.$field.rows().for_each(|row| row.audit(view, &mut findings));)*
        };
    }
    every_table!(each_row);
    findings
}
