//! What a caller expects of the row that it is about to change (`If-Match`): that nobody has
//! edited it since it was read. Sales are no edits.

use crate::values::resource_ids::{
    ApiKeyId, AttachmentId, DealId, EventId, HallMapId, OrderId, PartnerId, PromocodeId, PromotionId, RefundId, SetId,
    UserId, VenueId,
};
use crate::view::{ReadSet, View};

macro_rules! resource_refs {
    ($($(#[$doc:meta])* $name:ident($id:ty) in $table:ident,)*) => {
        /// A row whose edits are counted.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ResourceRef {
            $($(#[$doc])* $name($id),)*
        }

        impl ResourceRef {
            /// Names the row.
            pub fn read_set(self, rows: &mut ReadSet) {
                match self {
                    $(Self::$name(id) => rows.$table.push(id),)*
                }
            }

            /// How often the row was edited; `None` where there is none.
            pub fn revision(self, view: &View) -> Option<i64> {
                match self {
                    $(Self::$name(id) => view.$table.get(id).map(|row| row.revision),)*
                }
            }
        }
    };
}

resource_refs! {
    /// A user.
    User(UserId) in users,
    /// A partner.
    Partner(PartnerId) in partners,
    /// An API key.
    ApiKey(ApiKeyId) in keys,
    /// An attachment.
    Attachment(AttachmentId) in attachments,
    /// An order.
    Order(OrderId) in orders,
    /// A refund request.
    Refund(RefundId) in refunds,
    /// A promocode.
    Promocode(PromocodeId) in promocodes,
    /// A set.
    Set(SetId) in sets,
    /// A venue.
    Venue(VenueId) in venues,
    /// A hall map.
    HallMap(HallMapId) in hall_maps,
    /// An event.
    Event(EventId) in events,
    /// A deal.
    Deal(DealId) in deals,
    /// A promotion.
    Promotion(PromotionId) in promotions,
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
