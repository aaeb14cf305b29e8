//! Mails.

use std::cmp::Ordering;

use kassa_domain::Timestamp;
use kassa_domain::mail::Mail;

use super::{Conditions, Filter, newest_first};
use crate::memory::MemoryTables;

/// Mails that the house must look at, the longest due first.
#[derive(Clone, Copy, Debug)]
pub struct DueMails {
    /// The time.
    pub now: Timestamp,
}

impl Filter for DueMails {
    type Row = Mail;
    const ORDER: &'static str = "due_at, id";

    fn conditions(&self, sql: &mut Conditions) {
        sql.add("due_at <= ?", [self.now.ms().into()]);
    }

    fn matches(&self, mail: &Mail, _: &MemoryTables) -> bool {
        mail.due_at <= self.now
    }

    fn compare(&self, one: &Mail, other: &Mail) -> Ordering {
        (one.due_at, one.id).cmp(&(other.due_at, other.id))
    }
}

/// All mails that were not sent, newest first: for the operator.
#[derive(Clone, Copy, Debug)]
pub struct UnsentMailsFilter;

impl Filter for UnsentMailsFilter {
    type Row = Mail;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, _: &mut Conditions) {}

    fn matches(&self, _: &Mail, _: &MemoryTables) -> bool {
        true
    }

    fn compare(&self, one: &Mail, other: &Mail) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}
