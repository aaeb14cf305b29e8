//! What is stored, one file for each subject: how a row lies in columns, what its table refuses, and the lists of it,
//! each with its visibility rule.

mod api_keys;
mod attachments;
mod changes;
mod customers;
mod deals;
mod events;
mod hall_maps;
mod idempotency;
mod invitations;
mod jobs;
mod mails;
mod orders;
mod partners;
mod promocodes;
mod promotions;
mod refunds;
mod seat_row_inventories;
mod sellable_events;
mod sets;
mod system;
mod tickets;
mod users;
mod venues;
mod webhooks;

pub use api_keys::*;
pub use attachments::*;
pub use changes::*;
pub use customers::*;
pub use deals::*;
pub use events::*;
pub use hall_maps::*;
pub use idempotency::*;
pub use invitations::*;
pub use jobs::*;
pub use mails::*;
pub use orders::*;
pub use partners::*;
pub use promocodes::*;
pub use promotions::*;
pub use refunds::*;
pub use sellable_events::*;
pub use tickets::*;
pub use users::*;
pub use venues::*;
pub use webhooks::*;
