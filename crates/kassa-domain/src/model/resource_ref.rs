//! Rows by their kind and id.

use serde::{Deserialize, Serialize};

use crate::values::resource_ids::{
    ApiKeyId, AttachmentId, DealId, EventId, HallMapId, OrderId, PartnerId, PaymentId, PromocodeId, PromotionId,
    RefundId, ResourceId, SetId, UserId, VenueId, WebhookId,
};

macro_rules! resource_refs {
    ($($(#[$doc:meta])* $name:ident($id:ty) = $type_name:literal,)*) => {
        /// A row whose changes are counted. Changes are stored with the place of its kind in this list: new kinds go
        /// to the end.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum ResourceRef {
            $($(#[$doc])* $name($id),)*
        }

        impl ResourceRef {
            /// What changes call its kind.
            pub fn type_name(self) -> &'static str {
                match self {
                    $(Self::$name(_) => $type_name,)*
                }
            }

            /// Its id.
            pub fn id(self) -> ResourceId {
                match self {
                    $(Self::$name(id) => ResourceId::with_tag(id.tag(), id.key()),)*
                }
            }
        }
    };
}

resource_refs! {
    /// A user.
    User(UserId) = "user",
    /// A partner.
    Partner(PartnerId) = "partner",
    /// An API key.
    ApiKey(ApiKeyId) = "api_key",
    /// An attachment.
    Attachment(AttachmentId) = "attachment",
    /// An order.
    Order(OrderId) = "order",
    /// A refund request.
    Refund(RefundId) = "refund_request",
    /// A promocode.
    Promocode(PromocodeId) = "promocode",
    /// A set.
    Set(SetId) = "set",
    /// A venue.
    Venue(VenueId) = "venue",
    /// A hall map.
    HallMap(HallMapId) = "map",
    /// An event.
    Event(EventId) = "event",
    /// A deal.
    Deal(DealId) = "deal",
    /// A promotion.
    Promotion(PromotionId) = "promotion",
    /// An endpoint of webhooks.
    Webhook(WebhookId) = "webhook",
    /// A payment.
    Payment(PaymentId) = "payment",
}
