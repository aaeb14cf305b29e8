//! What the changes of a set say.

use crate::model::change::{FactName, Facts};
use crate::model::set::TicketSet;
use crate::values::money::Money;
use crate::values::time::Timestamp;

impl TicketSet {
    /// The facts of a new set.
    pub(super) fn creation_facts(&self, now: Timestamp) -> Facts {
        Facts::none()
            .with(FactName::Amount, self.counts.amount)
            .with(FactName::Pending, self.counts.pending)
            .with(FactName::Price, self.price_at(now))
    }

    /// The facts of an edit, or of a step towards the number of tickets that it shall have.
    pub(super) fn edit_facts(&self, was: &Self, now: Timestamp) -> Facts {
        Facts::none()
            .hidden_step(FactName::Name, &was.name, &self.name)
            .hidden_step(FactName::Description, &was.desc, &self.desc)
            .hidden_step(FactName::Sector, &was.sector, &self.sector)
            .step(FactName::Position, was.pos, self.pos)
            .step(FactName::Amount, was.counts.amount, self.counts.amount)
            .step(FactName::Pending, was.counts.pending, self.counts.pending)
            .step(FactName::PendingRemoval, was.pending_removal, self.pending_removal)
            .step(FactName::Blocked, was.counts.blocked, self.counts.blocked)
            .step(FactName::Price, was.price_at(now), self.price_at(now))
            .hidden_step(FactName::PriceRules, &was.rules, &self.rules)
            .hidden_step(FactName::Seats, &was.seats, &self.seats)
            .step(FactName::Removed, was.removed, self.removed)
    }

    fn price_at(&self, now: Timestamp) -> Option<Money> {
        self.current_rule(now).map(|rule| rule.price)
    }
}
