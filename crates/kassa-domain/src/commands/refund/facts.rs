//! What the changes of a refund request say: states, tickets and sums, and nothing of why.

use crate::model::change::{ChangeType, FactName, Facts, IdList};
use crate::model::refund::{RefundRequest, RefundStatusKind};

impl RefundRequest {
    /// The facts of a new request.
    pub(super) fn creation_facts(&self) -> Facts {
        let tickets = IdList::new(self.event.tag(), self.tickets());
        let facts = Facts::with_room(9)
            .with(FactName::Status, self.state())
            .with(FactName::Order, self.order)
            .with(FactName::Culprit, self.culprit)
            .with(FactName::Tickets, tickets);
        self.add_amounts(facts)
    }

    /// What an edit is stated as: by the step that it took, if any.
    pub(super) fn edit_type(&self, was: &Self) -> ChangeType {
        match self.state() {
            state if state == was.state() => ChangeType::RefundRequestChanged,
            RefundStatusKind::New => ChangeType::RefundRequestChanged,
            RefundStatusKind::InProgress => ChangeType::RefundRequestInProgress,
            RefundStatusKind::Approved => ChangeType::RefundRequestApproved,
            RefundStatusKind::Rejected => ChangeType::RefundRequestRejected,
        }
    }

    /// The facts of an edit.
    pub(super) fn edit_facts(&self, was: &Self) -> Facts {
        let facts = Facts::with_room(8)
            .step(FactName::Status, was.state(), self.state())
            .with(FactName::Order, self.order)
            .step(FactName::Culprit, was.culprit, self.culprit)
            .hidden_step(FactName::Reason, &was.reason, &self.reason);
        self.add_amounts(facts)
    }

    fn add_amounts(&self, facts: Facts) -> Facts {
        let amounts = self.amounts();
        facts
            .with(FactName::RefundPaid, self.paid())
            .with(FactName::RefundReturned, amounts.total())
            .with(FactName::OrganizerAmount, amounts.organizer)
            .with(FactName::AgentAmount, amounts.agent())
            .with(FactName::PlatformAmount, amounts.platform)
    }
}
