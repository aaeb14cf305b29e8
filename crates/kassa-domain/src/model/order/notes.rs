//! What comes with an order and means nothing to its sale: where it was made, and what its vendor keeps
//! with it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::values::checkout::AnswerValue;
use crate::values::resource_ids::TicketId;
use crate::values::time::Timestamp;

/// The most entries of a vendor's own data.
pub const VENDOR_DATA_ENTRIES_MAX: u32 = 20;

/// By what kind of client an order was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderOrigin {
    /// A partner's program, with a key.
    #[default]
    Api,
    /// A user in person, with a session.
    ControlPanel,
    /// The customer, in a shop.
    Widget,
}

impl OrderOrigin {
    /// Its name in the interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::ControlPanel => "control_panel",
            Self::Widget => "widget",
        }
    }
}

/// What is kept with an order for its vendor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OrderNotes {
    /// Whether the customer wants to hear of other events.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub subscribe_agree: bool,
    /// What the vendor keeps with the order.
    #[serde(skip_serializing_if = "VendorData::is_empty")]
    pub vendor_data: VendorData,
    /// Who will come with which of its tickets: each ticket once, and none that the order does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub visitors: Vec<Visitor>,
    /// Answers to the questions of its event: each question once, or once for each ticket that the order has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// The names on its tickets: each ticket once, and none that the order does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub holders: Vec<Holder>,
    /// Which terms of its seller the customer has accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted_terms: Option<TermsAcceptance>,
}

/// An answer to a question of the event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// For which ticket, where the question is asked for each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket: Option<TicketId>,
    /// The id of the question.
    pub question: String,
    /// The answer.
    pub value: AnswerValue,
}

/// The name on a ticket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// On which.
    pub ticket: TicketId,
    /// The name.
    pub name: String,
}

/// Which terms somebody has accepted, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermsAcceptance {
    /// Since when these terms hold: which they are.
    pub terms: Timestamp,
    /// When they were accepted.
    pub at: Timestamp,
}

impl TermsAcceptance {
    /// Whether it is of the terms that hold since then, to the second that is shown.
    pub fn is_of(&self, since: Timestamp) -> bool {
        self.terms.whole_second() == since.whole_second()
    }
}

impl OrderNotes {
    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The name on a ticket.
    pub fn holder_of(&self, ticket: TicketId) -> Option<&str> {
        self.holders.iter().find(|holder| holder.ticket == ticket).map(|holder| holder.name.as_str())
    }

    /// The answers for a ticket, or those for the whole order.
    pub fn answers_for(&self, ticket: Option<TicketId>) -> impl Iterator<Item = &Answer> {
        self.answers.iter().filter(move |answer| answer.ticket == ticket)
    }

    /// Forgets what is said of tickets that leave the order.
    pub(crate) fn retain_tickets(&mut self, stays: impl Fn(TicketId) -> bool) {
        self.visitors.retain(|visitor| stays(visitor.ticket));
        self.holders.retain(|holder| stays(holder.ticket));
        self.answers.retain(|answer| answer.ticket.is_none_or(&stays));
    }

    /// Has what is said of a ticket be said of the one that takes its place.
    pub(crate) fn replace_ticket(&mut self, old: TicketId, new: TicketId) {
        let visitors = self.visitors.iter_mut().map(|visitor| &mut visitor.ticket);
        let holders = self.holders.iter_mut().map(|holder| &mut holder.ticket);
        let answers = self.answers.iter_mut().filter_map(|answer| answer.ticket.as_mut());
        for ticket in visitors.chain(holders).chain(answers).filter(|ticket| **ticket == old) {
            *ticket = new;
        }
    }

    /// The visitor of a ticket.
    pub fn visitor_of(&self, ticket: TicketId) -> Option<&Visitor> {
        self.visitors.iter().find(|visitor| visitor.ticket == ticket)
    }
}

/// A vendor's own data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct VendorData {
    /// What the vendor calls the order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<String>,
    /// Whatever else, up to [`VENDOR_DATA_ENTRIES_MAX`] entries.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub raw: BTreeMap<String, VendorDataValue>,
}

impl VendorData {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.order_id.is_none() && self.raw.is_empty()
    }
}

/// A value that consists of no others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum VendorDataValue {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
}

impl VendorDataValue {
    /// The longest text, in characters.
    pub const CHARS_MAX: usize = 128;
}

/// Who will come with a ticket, as its vendor's own system knows them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visitor {
    /// With which.
    pub ticket: TicketId,
    /// What the vendor's system calls the person.
    pub user_id: String,
    /// First name.
    pub name: String,
    /// Last name.
    pub surname: String,
    /// Middle name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub middle_name: Option<String>,
}
