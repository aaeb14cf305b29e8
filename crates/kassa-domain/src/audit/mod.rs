//! What must agree, counted again from the rows themselves: the proof that no command has left anything behind.
//!
//! Rows that add up over a whole event are compared by [`Books`]: counters of sets, benches, uses of promocodes.
//! Other rows are compared with the few that they name ([`Audited`]). Nothing here changes anything, and nothing is
//! taken from the counters themselves.

mod books;
mod finding;
mod mail;
mod order;
mod promotion;
mod refund;
mod ticket;

pub use books::Books;
pub use finding::{FINDINGS_MAX, Finding, Findings};

use crate::every_table;
use crate::view::{Needs, Row, View};

/// A row that is compared with others.
pub trait Audited: Row + PartialEq {
    /// Names the row itself and those that it is compared with; tells whether there are any.
    fn compared_with(&self, _needs: &mut Needs) -> bool {
        false
    }

    /// Finds what does not agree. The view has what [`Audited::compared_with`] names, as of one moment, and this row as
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
    crate::node::Counter,
    crate::node::Fact,
    crate::user::User,
    crate::session::Session,
    crate::partner::Partner,
    crate::partner::Manager,
    crate::key::ApiKey,
    crate::attachment::Attachment,
    crate::promocode::Promocode,
    crate::set::Set,
    crate::bench::Bench,
    crate::venue::Venue,
    crate::hall::HallMap,
    crate::event::Event,
    crate::deal::Deal,
    crate::job::Job,
    crate::once::KeptAnswer,
}

/// Finds what does not agree in a view that has all rows of all events.
pub fn everything(view: &View) -> Findings {
    let mut findings = Books::of(view).close();
    macro_rules! each_row {
        ($($field:ident: $row:ty,)*) => {
            $(view.$field.rows().for_each(|row| row.audit(view, &mut findings));)*
        };
    }
    every_table!(each_row);
    findings
}
