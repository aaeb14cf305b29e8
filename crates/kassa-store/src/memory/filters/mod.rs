//! The filters of lists as conditions on rows: the model of their SQL.

mod attachments;
mod customers;
mod deals;
mod events;
mod idempotency;
mod jobs;
mod mails;
mod maps;
mod orders;
mod partners;
mod promocodes;
mod promotions;
mod refunds;
mod sellable;
mod tickets;
mod venues;

use std::cmp::Ordering;

/// Newest first.
fn newest_first<T: Ord>(one: &T, other: &T) -> Ordering {
    other.cmp(one)
}
