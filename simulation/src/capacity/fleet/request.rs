//! What buyers ask for, and what they are answered.

use super::super::costs::{Costs, WriteCosts};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::capacity) enum RequestKind {
    /// The page of an event.
    Page,
    /// An event, by the API.
    Read,
    /// Two tickets.
    Reserve,
    /// Who buys them.
    Customer,
    /// That they are paid.
    Pay,
    /// Asked for by the server itself: a hold ends.
    Expire,
}

/// One request, with what its buyer remembers.
#[derive(Clone, Copy, Debug)]
pub(in crate::capacity) struct Request {
    pub(in crate::capacity) kind: RequestKind,
    pub(in crate::capacity) buyer: u32,
    pub(in crate::capacity) event: usize,
    pub(in crate::capacity) node: usize,
    /// When it was sent.
    pub(in crate::capacity) asked_at: u64,
    /// When the buyer came.
    pub(in crate::capacity) came_at: u64,
    /// How often the buyer was refused in a row.
    pub(in crate::capacity) refused: u32,
    /// Whether it came before as many others as its event has tickets for.
    pub(in crate::capacity) is_early: bool,
}

impl Request {
    pub(super) fn write_costs(&self, costs: &Costs) -> WriteCosts {
        match self.kind {
            RequestKind::Reserve | RequestKind::Page | RequestKind::Read => costs.order,
            RequestKind::Customer | RequestKind::Pay => costs.payment,
            // Nobody sends it, and nobody waits for its answer.
            RequestKind::Expire => WriteCosts { request: 0, answer: 0, ..costs.payment },
        }
    }
}

/// What a buyer hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::capacity) enum Answer {
    /// What it wanted.
    Done,
    /// There are no tickets now.
    SoldOut,
    /// 503: nothing was done.
    Busy,
    /// Nothing: the server has died.
    Lost,
}
