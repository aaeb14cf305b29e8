//! What the changes of an order say: states, sums and tickets, and nothing about who buys.

use crate::model::change::{FactName, Facts, IdList};
use crate::model::order::{Customer, Order, OrderStatusKind};
use crate::values::money::Money;
use crate::values::resource_ids::TicketId;

impl Order {
    /// The facts of a step that took it from a state to the one that it has now.
    pub(super) fn step_facts(&self, from: OrderStatusKind) -> Facts {
        Facts::with_room(7)
            .step(FactName::Status, from, self.state())
            .with(FactName::Full, self.full_price())
            .with(FactName::TicketCount, self.ticket_count())
    }

    /// The facts of a new order. Whether it names a customer, it says by hiding who that is.
    pub(super) fn reservation_facts(&self) -> Facts {
        Facts::with_room(6)
            .with(FactName::Status, self.state())
            .with(FactName::Full, self.full_price())
            .with(FactName::TicketCount, self.ticket_count())
            .with(FactName::Tickets, self.ticket_ids())
            .with(FactName::ReservedTill, self.reserved_till)
            .hidden_step(FactName::Customer, &Customer::default(), &self.customer)
    }

    /// The facts of a sale, which took it from a state to being paid.
    pub(super) fn sale_facts(&self, from: OrderStatusKind) -> Facts {
        let split = self.revenue_split();
        self.step_facts(from)
            .with(FactName::OrganizerAmount, split.organizer)
            .with(FactName::AgentAmount, split.agent)
            .with(FactName::PlatformAmount, split.platform)
    }

    /// The facts of an edit, which left its state as it was.
    pub(crate) fn edit_facts(&self, was: &Self) -> Facts {
        let (payment, before) = (&self.payment, &was.payment);
        let is_payment_changed = (&before.success_url, &before.failure_url, before.send_tickets)
            != (&payment.success_url, &payment.failure_url, payment.send_tickets);
        let (tickets, tickets_before) = (self.ticket_ids(), was.ticket_ids());
        let facts = Facts::none()
            .step(FactName::Full, was.full_price(), self.full_price())
            .step(FactName::TicketCount, was.ticket_count(), self.ticket_count())
            .step(FactName::ReservedTill, was.reserved_till, self.reserved_till)
            .step(FactName::PaymentSystem, before.system, payment.system)
            .hidden_if(FactName::Payment, is_payment_changed)
            .hidden_step(FactName::Customer, &was.customer, &self.customer)
            .hidden_step(FactName::Subscription, &was.notes.subscribe_agree, &self.notes.subscribe_agree)
            .hidden_step(FactName::VendorData, &was.notes.vendor_data, &self.notes.vendor_data)
            .hidden_step(FactName::Visitors, &was.notes.visitors, &self.notes.visitors)
            .hidden_step(FactName::Answers, &was.notes.answers, &self.notes.answers)
            .hidden_step(FactName::Holders, &was.notes.holders, &self.notes.holders)
            .hidden_step(FactName::AcceptedTerms, &was.notes.accepted_terms, &self.notes.accepted_terms)
            .hidden_step(FactName::Promocodes, &was.promocodes, &self.promocodes)
            .hidden_step(FactName::Promotions, &was.promotion_grants, &self.promotion_grants);
        if tickets == tickets_before { facts } else { facts.with(FactName::Tickets, tickets) }
    }

    /// The ids of the tickets of its lines.
    pub(super) fn ticket_ids(&self) -> IdList {
        self.list_tickets(self.lines.iter().map(|line| line.ticket))
    }

    /// The ids of tickets of its event.
    pub(super) fn list_tickets(&self, tickets: impl Iterator<Item = TicketId>) -> IdList {
        IdList::new(self.event.tag(), tickets)
    }

    pub(super) fn ticket_count(&self) -> i64 {
        i64::try_from(self.lines.len()).unwrap_or(i64::MAX)
    }

    pub(super) fn full_price(&self) -> Money {
        self.lines.iter().map(|line| line.price.full()).sum()
    }
}
