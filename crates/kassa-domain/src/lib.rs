//! What Kassa decides, and nothing else: ids, money, time, the things that are sold, the commands
//! that change them, and who may give which command.
//!
//! This crate is pure. It has no async, no SQL, no HTTP, no clock and no randomness: time, ids and
//! random bits are parameters (see [`context::Context`]).
//!
//! Inside, it is built in floors, each of which imports those below it only: `audit`, `commands`, `permission`,
//! `context`, `view`, `refusal`, `model`, `values`. Other crates see it by resource, as the modules of this file
//! name it; rows without commands are public where `model` declares them.

pub mod audit;
mod commands;
pub mod context;
pub mod geo;
mod model;
pub mod permission;
pub mod refusal;
pub mod safeguard;
mod values;
pub mod view;

pub use values::{
    checkout, field_selection, hex, media, money, natural_sort, patch, price, seat_advice, seating, single_seats, time,
    translation,
};

/// Who gives a command.
pub mod actor {
    pub use crate::context::actor::*;
}

/// API keys of partners.
pub mod api_key {
    pub use crate::commands::api_key::*;
    pub use crate::model::api_key::*;
    pub use crate::values::resource_ids::ApiKeyId;
}

/// Files that partners upload.
pub mod attachment {
    pub use crate::commands::attachment::*;
    pub use crate::model::attachment::*;
    pub use crate::values::hex128::{Hex128, MalformedHex128};
    pub use crate::values::media_type::{MalformedMediaType, MediaType};
    pub use crate::values::resource_ids::AttachmentId;
}

/// What commands state of the rows that they change.
pub mod change {
    pub use crate::commands::change::*;
    pub use crate::context::followed::Followed;
    pub use crate::context::stating::Origin;
    pub use crate::model::change::*;
    pub use crate::values::batch_id::{BatchId, MalformedBatchId};
    pub use crate::values::feed_cursor::{FeedCursor, MalformedCursor};
    pub use crate::values::revision::Revision;
}

/// The one form of every write.
pub mod command {
    pub use crate::context::command::*;
}

/// The terms under which an agent sells an organizer's event.
pub mod deal {
    pub use crate::commands::deal::*;
    pub use crate::model::deal::*;
    pub use crate::values::resource_ids::DealId;
}

/// What tickets are sold for.
pub mod event {
    pub use crate::commands::event::*;
    pub use crate::model::event::*;
    pub use crate::values::resource_ids::EventId;
}

/// Where the seats of a venue are.
pub mod hall_map {
    pub use crate::commands::hall_map::*;
    pub use crate::model::hall_map::*;
    pub use crate::values::resource_ids::HallMapId;
}

/// Responses that are kept under the idempotency keys of their requests.
pub mod idempotency {
    pub use crate::commands::idempotency::*;
    pub use crate::model::idempotency::*;
}

/// Ids, and the kinds of resources that they are ids of.
pub mod id {
    pub use crate::values::id::*;
    pub use crate::values::resource_ids::{ResourceId, kind};
}

/// Who is asked to manage a partner, or to register.
pub mod invitation {
    pub use crate::commands::invitation::*;
    pub use crate::model::invitation::*;
}

/// Mails that wait to be sent.
pub mod mail {
    pub use crate::commands::mail::*;
    pub use crate::model::mail::*;
    pub use crate::values::resource_ids::MailId;
}

/// The writers of a database, and what they share.
pub mod node {
    pub use crate::commands::node::*;
    pub use crate::model::backup_claim::*;
    pub use crate::model::installation_setting::*;
    pub use crate::model::node::*;
}

/// Orders, from reservation to payment.
pub mod order {
    pub use crate::commands::order::*;
    pub use crate::model::order::*;
    pub use crate::values::resource_ids::OrderId;
}

/// Organizations that put events on sale and sell tickets.
pub mod partner {
    pub use crate::commands::partner::*;
    pub use crate::model::partner::*;
    pub use crate::model::role::*;
    pub use crate::model::shop::*;
    pub use crate::values::bank::{Bic, Iban, MalformedBic, MalformedIban};
    pub use crate::values::resource_ids::PartnerId;
    pub use crate::values::web_origin::{MalformedWebOrigin, WebOrigin};
}

/// What a caller expects of the row that it changes.
pub mod precondition {
    pub use crate::context::precondition::*;
    pub use crate::model::resource_ref::ResourceRef;
}

/// Payments of orders.
pub mod payment {
    pub use crate::commands::payment::*;
    pub use crate::model::payment::*;
    pub use crate::model::shop::PaymentProvider;
    pub use crate::values::resource_ids::PaymentId;
}

/// Codes that make tickets of one event cheaper.
pub mod promocode {
    pub use crate::commands::promocode::*;
    pub use crate::model::promocode::*;
    pub use crate::values::lifetime_patch::LifetimePatch;
    pub use crate::values::promocode_text::{MalformedPromocodeText, PromocodeText};
    pub use crate::values::resource_ids::PromocodeId;
}

/// Discounts of an event that need no code.
pub mod promotion {
    pub use crate::commands::promotion::*;
    pub use crate::model::promotion::*;
    pub use crate::refusal::LevelsRefusal;
    pub use crate::values::resource_ids::PromotionId;
}

/// Tickets of paid orders that are given back.
pub mod refund {
    pub use crate::commands::refund::*;
    pub use crate::model::refund::*;
    pub use crate::refusal::RefundRefusal;
    pub use crate::values::refund_policy::{DAYS_BEFORE_MAX, RefundPolicy, RefundPolicyPatch};
    pub use crate::values::resource_ids::RefundId;
}

/// What was sold, added up behind the orders, and what these are found by.
pub mod sales {
    pub use crate::commands::sales::*;
    pub use crate::model::sales::*;
}

/// Users who are logged in.
pub mod session {
    pub use crate::commands::session::*;
    pub use crate::model::session::*;
    pub use crate::values::hex128::Hex128;
}

/// The ticket categories of an event.
pub mod set {
    pub use crate::commands::set::*;
    pub use crate::model::set::*;
    pub use crate::values::resource_ids::{PriceRuleId, SetId};
}

/// People, their accounts and their e-mail addresses.
pub mod user {
    pub use crate::commands::user::*;
    pub use crate::model::second_factor::*;
    pub use crate::model::user::*;
    pub use crate::values::email::{Email, MalformedEmail};
    pub use crate::values::resource_ids::UserId;
}

/// The places where events take place.
pub mod venue {
    pub use crate::commands::venue::*;
    pub use crate::model::venue::*;
    pub use crate::values::resource_ids::VenueId;
}

/// Servers to which changes are posted.
pub mod webhook {
    pub use crate::commands::webhook::*;
    pub use crate::model::webhook::*;
    pub use crate::values::resource_ids::WebhookId;
}

/// Tokens of shops for pages of other sites.
pub mod widget_token {
    pub use crate::commands::widget_token::*;
    pub use crate::model::widget_token::*;
    pub use crate::values::resource_ids::WidgetTokenId;
}

pub use context::actor::Actor;
pub use context::command::Command;
pub use context::{Context, DecisionSettings, RegistrationPolicy};
pub use model::*;
pub use refusal::Refusal;
pub use values::id::{Id, ShardTag};
pub use values::money::{Money, Percent};
pub use values::patch::Patch;
pub use values::time::{Timestamp, Window};
pub use view::{ReadSet, View};
