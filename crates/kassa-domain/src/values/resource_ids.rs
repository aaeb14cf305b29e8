//! The id of each kind of resource. Rows name each other by these, and need not know each other's types.

use super::id::Id;

macro_rules! resource_ids {
    ($($(#[$doc:meta])* $id:ident of $kind:ident,)*) => {
        $($(#[$doc])* pub type $id = Id<kind::$kind>;)*

        /// The kinds of resources: they only keep the types of ids apart, and have no values.
        pub mod kind {
            $(
                #[doc = concat!("Marks a [`", stringify!($id), "`](super::", stringify!($id), ").")]
                #[derive(Clone, Copy, Debug)]
                pub enum $kind {}
            )*
        }
    };
}

resource_ids! {
    /// The id of an API key.
    ApiKeyId of ApiKey,
    /// The id of an attachment.
    AttachmentId of Attachment,
    /// The id of a deal.
    DealId of Deal,
    /// The id of an event.
    EventId of Event,
    /// The id of a hall map.
    HallMapId of HallMap,
    /// The id of a job.
    JobId of Job,
    /// The id of a mail.
    MailId of Mail,
    /// The id of an order.
    OrderId of Order,
    /// The id of a partner.
    PartnerId of Partner,
    /// The id of a payment.
    PaymentId of Payment,
    /// The id of a price rule.
    PriceRuleId of PriceRule,
    /// The id of a promocode.
    PromocodeId of Promocode,
    /// The id of a promotion.
    PromotionId of Promotion,
    /// The id of a refund request.
    RefundId of Refund,
    /// The id of something, whatever it is.
    ResourceId of Resource,
    /// The id of a row inventory.
    SeatRowInventoryId of SeatRowInventory,
    /// The id of a set.
    SetId of Set,
    /// The id of a ticket.
    TicketId of Ticket,
    /// The id of a user.
    UserId of User,
    /// The id of a venue.
    VenueId of Venue,
    /// The id of an endpoint of webhooks.
    WebhookId of Webhook,
    /// The id of a token of a shop.
    WidgetTokenId of WidgetToken,
}
