//! What a caller expects of the row that it is about to change (`If-Match`): that nobody has
//! edited it since it was read. Sales are no edits.

use crate::model::resource_ref::ResourceRef;
use crate::view::{ReadSet, View};

macro_rules! resource_tables {
    ($($name:ident in $table:ident counts $number:expr;)*) => {
        impl ResourceRef {
            /// Names the row.
            pub fn read_set(self, rows: &mut ReadSet) {
                match self {
                    $(Self::$name(id) => rows.$table.push(id),)*
                }
            }

            /// How often the row was changed; `None` where there is none.
            pub fn revision(self, view: &View) -> Option<i64> {
                match self {
                    $(Self::$name(id) => view.$table.get(id).map($number),)*
                }
            }
        }
    };
}

resource_tables! {
    // Nobody outside follows users.
    User in users counts |user| user.revision;
    Partner in partners counts |row| row.revision.number();
    ApiKey in keys counts |row| row.revision.number();
    Attachment in attachments counts |row| row.revision.number();
    Order in orders counts |row| row.revision.number();
    Refund in refunds counts |row| row.revision.number();
    Promocode in promocodes counts |row| row.revision.number();
    Set in sets counts |row| row.revision.number();
    Venue in venues counts |row| row.revision.number();
    HallMap in hall_maps counts |row| row.revision.number();
    Event in events counts |row| row.revision.number();
    Deal in deals counts |row| row.revision.number();
    Promotion in promotions counts |row| row.revision.number();
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
        found.is_some_and(|found| self.revisions.contains(&found))
    }
}
