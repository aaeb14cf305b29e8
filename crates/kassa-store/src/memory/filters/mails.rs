//! What passes the filters of queries/mails.rs, and in which order.

use std::cmp::Ordering;

use super::newest_first;
use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::{DueMails, UnsentMailsFilter};
use kassa_domain::mail::Mail;

impl FilterInMemory<Mail> for DueMails {
    fn matches(&self, mail: &Mail, _: &MemoryTables) -> bool {
        mail.due_at <= self.now
    }

    fn compare(&self, one: &Mail, other: &Mail) -> Ordering {
        (one.due_at, one.id).cmp(&(other.due_at, other.id))
    }
}

impl FilterInMemory<Mail> for UnsentMailsFilter {
    fn matches(&self, _: &Mail, _: &MemoryTables) -> bool {
        true
    }

    fn compare(&self, one: &Mail, other: &Mail) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}
