//! Mails.

use kassa_domain::Timestamp;
use kassa_domain::mail::Mail;

use super::{Conditions, Filter};

/// Mails that must be sent or given up, the longest due first.
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
}

/// All mails that were not sent, newest first: for the operator.
#[derive(Clone, Copy, Debug)]
pub struct UnsentMailsFilter;

impl Filter for UnsentMailsFilter {
    type Row = Mail;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, _: &mut Conditions) {}
}
