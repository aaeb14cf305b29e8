//! What Kassa decides, and nothing else: ids, money, time, the things that are sold, the commands
//! that change them, and who may give which command.
//!
//! This crate is pure. It has no async, no SQL, no HTTP, no clock and no randomness: time, ids and
//! random bits are parameters (see [`context::Context`]).

pub mod actor;
pub mod api_key;
pub mod attachment;
pub mod audit;
pub mod command;
pub mod context;
pub mod deal;
pub mod event;
pub mod field_selection;
pub mod geo;
pub mod hall_map;
pub mod hex;
pub mod id;
pub mod idempotency;
pub mod job;
pub mod mail;
pub mod media;
pub mod money;
pub mod natural_sort;
pub mod node;
pub mod order;
pub mod partner;
pub mod patch;
pub mod permission;
pub mod precondition;
pub mod price;
pub mod promocode;
pub mod promotion;
pub mod refund;
pub mod refusal;
pub mod safeguard;
pub mod seat_row_inventory;
pub mod seating;
pub mod session;
pub mod set;
pub mod ticket;
pub mod time;
pub mod user;
pub mod venue;
pub mod view;

pub use actor::Actor;
pub use command::Command;
pub use context::{Context, DecisionSettings};
pub use id::{Id, ShardTag};
pub use money::{Money, Percent};
pub use patch::Patch;
pub use refusal::Refusal;
pub use time::{Timestamp, Window};
pub use view::{ReadSet, View};
