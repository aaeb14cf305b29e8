//! What the changes of a payment say: states and sums, and nothing of who pays.

use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::payment::{OrderPayment, PaymentStatus};

impl OrderPayment {
    /// The facts of a new payment.
    pub(crate) fn start_facts(&self) -> Facts {
        Facts::with_room(5)
            .with(FactName::Status, self.status)
            .with(FactName::Order, self.order)
            .with(FactName::PaymentSystem, self.provider.system())
            .with(FactName::Full, self.amount)
            .with(FactName::DueAt, self.due_at)
    }

    /// What a change is stated as: by the state that it led to, if that is another.
    pub(crate) fn change_type(&self, was: &Self) -> ChangeType {
        match self.status {
            state if state == was.status => ChangeType::PaymentChanged,
            PaymentStatus::Pending => ChangeType::PaymentChanged,
            PaymentStatus::Paid => ChangeType::PaymentPaid,
            PaymentStatus::Failed => ChangeType::PaymentFailed,
            PaymentStatus::Canceled => ChangeType::PaymentCanceled,
            PaymentStatus::Returning => ChangeType::PaymentReturning,
            PaymentStatus::Returned => ChangeType::PaymentReturned,
        }
    }

    /// The facts of a change.
    pub(crate) fn change_facts(&self, was: &Self) -> Facts {
        Facts::with_room(7)
            .step(FactName::Status, was.status, self.status)
            .with(FactName::Order, self.order)
            .with(FactName::PaymentSystem, self.provider.system())
            .with(FactName::Full, self.amount)
            .step(FactName::Received, was.received, self.received)
            .step(FactName::Used, was.used, self.used)
            .step(FactName::Returned, was.returned, self.returned)
    }
}
