//! What must agree, counted again from the rows themselves: the proof that no command has left rows that disagree.
//!
//! Rows that add up over a whole event are compared by [`EventRecount`]: counters of sets, row inventories, uses
//! of promocodes; what partners store, by [`UsageRecount`]; the places of the feed, by
//! [`audit_places`]. Other rows are compared with the few that they name ([`Audited`]). Nothing here changes anything, and
//! nothing is taken from the counters themselves.

mod change_log;
mod event_recount;
mod finding;
mod order;
mod payment;
mod promotion;
mod references;
mod refund;
mod ticket;
mod usage_recount;
mod webhooks;

pub use change_log::{audit_places, audit_waiting, read_waiting};
pub use event_recount::EventRecount;
pub use finding::{FINDINGS_MAX, Finding, Findings};
pub use usage_recount::{UsageRecount, compare_usage};

use crate::model::change::{FeedHead, FeedName};
use crate::model::idempotency::IdempotencyRecord;
use crate::model::installation_setting::InstallationSetting;
use crate::model::invitation::Invitation;
use crate::model::job::Job;
use crate::model::node::{Node, SharedCounter};
use crate::model::partner::PartnerManager;
use crate::model::row::Row;
use crate::model::sales::{DailySales, IndexedOrder};
use crate::model::seat_row_inventory::SeatRowInventory;
use crate::model::session::Session;
use crate::model::user::User;
use crate::view::{ReadSet, View};

/// A row that is compared with others.
pub trait Audited: Row + PartialEq {
    /// Names the row itself and those that it is compared with; `false` where there are none.
    fn audit_read_set(&self, _needs: &mut ReadSet) -> bool {
        false
    }

    /// Finds what does not agree. The view has what [`Audited::audit_read_set`] names, as of one moment, and
    /// this row as it was at that moment.
    fn audit(&self, _view: &View, _findings: &mut Findings) {}
}

/// Rows of which nothing else has to agree, or which [`EventRecount`] compares.
macro_rules! stand_alone {
    ($($row:ty,)*) => {
        $(impl Audited for $row {})*
    };
}

stand_alone! {
    Node,
    SharedCounter,
    InstallationSetting,
    User,
    Session,
    PartnerManager,
    Invitation,
    SeatRowInventory,
    Job,
    IdempotencyRecord,
    FeedHead,
    // They are behind the orders while these are sold.
    IndexedOrder,
    DailySales,
}

/// Finds what does not agree in a view that has all rows of all events and partners.
pub fn audit_view(view: &View) -> Findings {
    let mut findings = EventRecount::of_view(view).finish();
    UsageRecount::of_view(view).compare(&view.partners, &mut findings);
    macro_rules! each_row {
        ($($field:ident: $row:ty,)*) => {
            $(view.$field.rows().for_each(|row| row.audit(view, &mut findings));)*
        };
    }
    crate::every_table!(each_row);
    if let Some(head) = view.feed_heads.get(FeedName::Changes) {
        audit_places(head.oldest_place..=head.last_place, view, &mut findings);
        audit_waiting(&head.waiting, view, &mut findings);
    }
    findings
}
