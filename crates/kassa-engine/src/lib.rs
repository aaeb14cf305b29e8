//! The engine: takes commands, decides them in batches, and answers when they are durable.
//!
//! ```text
//! execute -> lane of the event (bounded queue) -> batch -> transact(load, decide …, write, commit) -> replies
//! ```
//!
//! Around it: credentials and their cache, passwords, the clock, files, mails, and what a server does by itself. The
//! methods of [`Engine`] stand in the modules of their subjects.

pub mod accounts;
mod attachments;
mod auth;
pub mod availability;
mod backup_claims;
mod caller;
pub mod clock;
pub mod confirmation;
mod credential_cache;
mod engine;
mod event_bytes;
pub mod export;
mod failure;
pub mod fair_permits;
pub mod feed;
pub mod files;
pub mod history;
pub mod housekeeping;
pub mod idempotency;
mod kept_answers;
mod key_or_row;
mod lane;
mod lanes;
mod list_turns;
pub mod mail;
mod mailed_token;
mod mark_board;
pub mod metrics;
mod order_documents;
pub mod order_index;
mod order_links;
mod orders;
pub mod outgoing;
mod partner_feed;
mod password;
mod password_reset;
mod pause;
pub mod payments;
pub mod platform;
pub mod random;
pub mod rate_limiter;
mod recent_orders;
pub mod refunds;
pub mod second_factor;
pub mod secret;
mod sessions;
mod sets;
mod shop_tokens;
mod short_events;
mod start_error;
pub mod stripe;
mod task;
mod tenant;
pub mod thread_priority;
pub mod traces;
pub mod verify;
pub mod webhooks;

pub use caller::{Caller, CallerRef, RequestConditions};
pub use clock::Clock;
pub use credential_cache::{KeyHolder, REVOCATION_DELAY_MAX};
pub use engine::{ChangeSelector, Engine, EngineParts, ReadMarks, SequencerRound};
pub use failure::Failure;
pub use files::FileStore;
pub use kassa_documents as documents;
pub use key_or_row::KeyOrRow;
#[cfg(feature = "test-support")]
pub use lane::ManualLane;
pub use lanes::LanesAtWork;
pub use list_turns::{ListTurn, ReadLimits, Reader};
pub use order_documents::PaidOrder;
pub use partner_feed::PartnerFeed;
pub use secret::Secret;
pub use start_error::StartError;
