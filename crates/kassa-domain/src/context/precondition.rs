//! What a caller expects of the row that it is about to change (`If-Match`): that nobody has
//! edited it since it was read. Sales are no edits.

use crate::model::resource_ref::ResourceRef;
use crate::values::revision::Revision;
use crate::view::{ReadSet, View};

macro_rules! resource_tables {
    ($($name:ident in $table:ident counts $revision:expr;)*) => {
        impl ResourceRef {
            /// Names the row.
            pub fn read_set(self, rows: &mut ReadSet) {
                match self {
                    $(Self::$name(id) => rows.$table.push(id),)*
                }
            }

            /// How often the row was changed, and where that is told; `None` where there is no row.
            pub fn revision(self, view: &View) -> Option<Revision> {
                match self {
                    $(Self::$name(id) => view.$table.get(id).map($revision),)*
                }
            }
        }
    };
}

resource_tables! {
    // Nobody outside follows users.
    User in users counts |user| Revision::stored(user.revision, None);
    Partner in partners counts |row| row.revision;
    ApiKey in keys counts |row| row.revision;
    Attachment in attachments counts |row| row.revision;
    Order in orders counts |row| row.revision;
    Refund in refunds counts |row| row.revision;
    Promocode in promocodes counts |row| row.revision;
    Set in sets counts |row| row.revision;
    Venue in venues counts |row| row.revision;
    HallMap in hall_maps counts |row| row.revision;
    Event in events counts |row| row.revision;
    Deal in deals counts |row| row.revision;
    Promotion in promotions counts |row| row.revision;
    Webhook in webhooks counts |row| row.revision;
    Payment in payments counts |row| row.revision;
}

/// That a row has one of these revisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precondition {
    /// Which row; without one, no revision is the right one.
    pub resource: Option<ResourceRef>,
    /// Its revisions.
    pub revisions: Vec<i64>,
}

impl Precondition {
    /// Names the row.
    pub fn read_set(&self, rows: &mut ReadSet) {
        if let Some(resource) = self.resource {
            resource.read_set(rows);
        }
    }

    /// Whether it holds.
    pub fn holds(&self, view: &View) -> bool {
        let found = self.resource.and_then(|resource| resource.revision(view));
        found.is_some_and(|found| self.revisions.contains(&found.number()))
    }
}
