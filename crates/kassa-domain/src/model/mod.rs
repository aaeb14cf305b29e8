//! Rows and the states they go through. What only needs the rows themselves is here; what needs a refusal, a view
//! or a caller is in `commands`.
//!
//! A module without commands is `pub`: other crates see it as it is. Of the others, `lib.rs` shows the commands, too.

pub(crate) mod api_key;
pub(crate) mod attachment;
pub(crate) mod backup_claim;
pub(crate) mod change;
pub(crate) mod deal;
pub(crate) mod event;
pub(crate) mod hall_map;
pub(crate) mod idempotency;
pub(crate) mod installation_setting;
pub(crate) mod invitation;
pub mod job;
pub(crate) mod mail;
pub(crate) mod node;
pub(crate) mod order;
pub(crate) mod partner;
pub(crate) mod payment;
pub(crate) mod promocode;
pub(crate) mod promotion;
pub mod quota;
pub(crate) mod refund;
pub(crate) mod resource_ref;
pub(crate) mod role;
pub(crate) mod row;
pub(crate) mod sales;
pub mod seat_row_inventory;
pub(crate) mod second_factor;
pub(crate) mod session;
pub(crate) mod set;
pub(crate) mod shop;
pub mod suspension;
pub mod ticket;
pub(crate) mod user;
pub(crate) mod venue;
pub(crate) mod webhook;
pub(crate) mod widget_token;

use crate::values::id::Identified;
use crate::values::resource_ids::kind;

/// Says which ids name what.
macro_rules! identified {
    ($($kind:ident: $named:ty,)*) => {
        $(
            impl Identified for $named {
                type Kind = kind::$kind;
            }
        )*
    };
}
identified! {
    ApiKey: api_key::ApiKey,
    Attachment: attachment::Attachment,
    Deal: deal::Deal,
    Event: event::Event,
    HallMap: hall_map::HallMap,
    Job: job::Job,
    Mail: mail::Mail,
    Order: order::Order,
    Partner: partner::Partner,
    Payment: payment::OrderPayment,
    PriceRule: set::PriceRule,
    Promocode: promocode::Promocode,
    Promotion: promotion::Promotion,
    Refund: refund::RefundRequest,
    SeatRowInventory: seat_row_inventory::SeatRowInventory,
    Set: set::TicketSet,
    Ticket: ticket::Ticket,
    User: user::User,
    Venue: venue::Venue,
    Webhook: webhook::Webhook,
    WidgetToken: widget_token::WidgetToken,
}
