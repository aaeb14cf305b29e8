//! One request to an order: several actions, decided together. A refusal of one leaves all undone.

use super::promocodes::add_promocode_reads;
use super::{
    CheckoutPatch, CustomerPatch, OrderNotesPatch, PROMOCODES_MAX, PaymentPatch, TicketSelection,
    UnusablePromocodePolicy,
};
use crate::commands::mail::queue_tickets_mail;
use crate::context::Context;
use crate::context::actor::Actor;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::event::{DEFAULT_TICKETS_LIMIT, Event, EventStatus};
use crate::model::order::{NetworkMark, Order, OrderStatus, OrderStatusKind};
use crate::model::set::TicketSet;
use crate::model::ticket::{TicketState, with_check_digit};
use crate::permission;
use crate::refusal::{Refusal, Shortfall};
use crate::values::patch::Patch;
use crate::values::promocode_text::PromocodeText;
use crate::values::resource_ids::{EventId, TicketId};
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// Minutes that an order holds its tickets once its payment has begun.
pub const PAYMENT_MINUTES: u32 = 30;

/// A step that a caller may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderTransition {
    /// The payment begins.
    AwaitingPayment,
    /// The money is there.
    Paid,
    /// The order is given up.
    Canceled,
    /// It stays in a state that nobody can ask for: refused unless the order is in it.
    Remain(OrderStatusKind),
}

impl OrderTransition {
    pub(super) fn target_state(self) -> OrderStatusKind {
        match self {
            Self::AwaitingPayment => OrderStatusKind::AwaitingPayment,
            Self::Paid => OrderStatusKind::Paid,
            Self::Canceled => OrderStatusKind::Canceled,
            Self::Remain(state) => state,
        }
    }
}

/// What a request does to an order; all parts are optional.
#[derive(Clone, Debug, Default)]
pub struct OrderEdit {
    /// All that it shall hold.
    pub selection: Option<TicketSelection>,
    /// Whether a shortfall leaves the tickets as they were.
    pub all_or_nothing: bool,
    /// Whether a new order is refused that would have no tickets.
    pub needs_tickets: bool,
    /// Where whoever buys for itself asks from: what else is held from there is looked at.
    pub network: Option<NetworkMark>,
    /// Who buys.
    pub customer: Option<CustomerPatch>,
    /// How it is paid.
    pub payment: Option<PaymentPatch>,
    /// What is kept with it.
    pub notes: Option<OrderNotesPatch>,
    /// What whoever buys says for its organizer.
    pub checkout: Option<Box<CheckoutPatch>>,
    /// Until when it shall hold its tickets: no longer than its event lets orders.
    pub hold_till: Option<Timestamp>,
    /// All the promocodes that it shall name.
    pub promocodes: Option<Vec<PromocodeText>>,
    /// What becomes of a promocode that cannot be used.
    pub on_unusable_promocode: UnusablePromocodePolicy,
    /// Where it goes.
    pub transition: Option<OrderTransition>,
}

/// What an edit reports besides the order.
pub(super) struct EditReport {
    /// What was asked for and could not be had.
    pub(super) shortfalls: Vec<Shortfall>,
    /// Why codes were left out.
    pub(super) refused_promocodes: Vec<Refusal>,
}

impl OrderEdit {
    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.changes_nothing_but_status() && self.transition.is_none()
    }

    /// Whether it does nothing but cancel, which the organizer may do, too.
    pub fn only_cancels(&self) -> bool {
        self.changes_nothing_but_status() && self.transition == Some(OrderTransition::Canceled)
    }

    /// Whether an order that has ended refuses it, but for late money to one that has expired. The end of the hold can
    /// be named again at any time.
    pub fn needs_order_in_progress(&self) -> bool {
        let is_of_checkout = self.checkout.as_ref().is_some_and(|checkout| checkout.is_of_checkout());
        let is_said = self.customer.is_some() || self.notes.is_some() || is_of_checkout;
        is_said || self.changes_prices() || self.transition.is_some()
    }

    /// What it may touch, but for the order itself and what goes with the event.
    pub(super) fn read_set(&self, event: EventId, read_set: &mut ReadSet) {
        if let Some(CustomerPatch { email: Patch::Set(email), .. }) = &self.customer {
            read_set.users_by_email.push(email.clone());
            if self.network.is_some() {
                read_set.unpaid_orders_of_email.push((event, email.clone()));
            }
        }
        if let Some(network) = self.network.filter(|_| self.selection.is_some()) {
            read_set.unpaid_orders_of_network.push((event, network));
        }
        add_promocode_reads(event, self.promocodes.as_deref(), read_set);
        // A selection of more than any event allows is refused without a look at the tickets.
        match self.selection.as_ref().filter(|wanted| wanted.len() <= DEFAULT_TICKETS_LIMIT as usize) {
            Some(TicketSelection::Tickets(tickets)) => read_set.tickets.extend(tickets),
            Some(TicketSelection::AnyOfSets(sets)) => {
                read_set.vacant.extend(sets.iter().filter(|(_, count)| *count > 0));
            }
            None => {}
        }
    }

    /// About how many rows it needs.
    pub(super) fn weight(&self) -> u32 {
        let codes = u32::try_from(self.promocodes.as_ref().map_or(0, Vec::len)).unwrap_or(PROMOCODES_MAX);
        self.selection.as_ref().map_or(0, TicketSelection::weight) + codes.min(PROMOCODES_MAX)
    }

    /// Refuses what the vendor of an order does, and whoever buys for itself does not: to say that it is paid, to give it
    /// away, and what the vendor keeps with it.
    pub(super) fn check_shopper(&self, actor: &Actor) -> Result<(), Refusal> {
        let is_payment_set = |payment: &PaymentPatch| {
            PaymentPatch { send_tickets: Patch::Keep, ..payment.clone() } != PaymentPatch::default()
        };
        let is_data_set = |notes: &OrderNotesPatch| notes.order_id.is_given() || notes.raw.is_given();
        let is_step_taken = |step: OrderTransition| step != OrderTransition::Canceled;
        let parts = [
            (self.transition.is_some_and(is_step_taken), "its status, but to cancel it"),
            (self.payment.as_ref().is_some_and(is_payment_set), "how it is paid"),
            (self.notes.as_ref().is_some_and(is_data_set), "what the seller keeps with it"),
        ];
        let vendors = parts.into_iter().filter(|(is_changed, _)| *is_changed);
        vendors.into_iter().try_for_each(|(_, what)| permission::change_as_vendor(actor, what))
    }

    pub(super) fn changes_nothing_but_status(&self) -> bool {
        let says_nothing = self.customer.is_none() && self.notes.is_none() && self.checkout.is_none();
        says_nothing && self.hold_till.is_none() && !self.changes_prices()
    }

    /// Whether it touches what prices depend on.
    pub(super) fn changes_prices(&self) -> bool {
        self.selection.is_some() || self.payment.is_some() || self.promocodes.is_some()
    }
}

impl Order {
    /// Applies the parts in turn: customer, notes, payment, hold, tickets, answers, promocodes. The step that it asks for comes
    /// after these.
    pub(super) fn edit(
        &mut self,
        edit: &OrderEdit,
        event: &Event,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<EditReport, Refusal> {
        if let Some(customer) = &edit.customer {
            self.check_tickets_changeable()?;
            Self::check_asked_for(customer, event, cx)?;
            self.customer.apply(customer.clone(), cx, view);
        }
        if let Some(notes) = &edit.notes {
            self.check_tickets_changeable()?;
            self.notes.apply(notes.clone())?;
        }
        if let Some(payment) = &edit.payment {
            self.check_tickets_changeable()?;
            let invited = self.payment.is_invitation();
            self.payment.apply(payment.clone());
            if self.status == OrderStatus::AwaitingPayment && self.payment.is_invitation() != invited {
                // The payment that has begun is for another sum.
                return Err(Refusal::OrderFinal(self.state()));
            }
            if self.payment.is_invitation() && self.vendor != self.organizer {
                return Err(Refusal::InvitationForbidden);
            }
        }
        if let Some(till) = edit.hold_till {
            self.set_hold_end(till, event, cx, view)?;
        }
        let details = match &edit.selection {
            Some(wanted) => {
                self.check_tickets_changeable()?;
                self.apply_selection(wanted, edit.all_or_nothing, event, cx, view)?
            }
            None => Vec::new(),
        };
        if let Some(checkout) = &edit.checkout {
            self.apply_checkout(checkout, event, cx)?;
        }
        let left_out = match &edit.promocodes {
            Some(codes) => self.set_promocodes(codes, edit.on_unusable_promocode, cx, view)?,
            None => Vec::new(),
        };
        if edit.changes_prices() {
            self.reprice(view)?;
        }
        Ok(EditReport { shortfalls: details, refused_promocodes: left_out })
    }

    /// Its payment begins, and has time until then.
    pub(crate) fn begin_payment_till(
        &mut self,
        till: Timestamp,
        event: &Event,
        cx: &Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        if event.status == EventStatus::Canceled {
            return Err(Refusal::EventOver);
        }
        if !view.is_organizer_active(event) {
            return Err(Refusal::EventNotOnSale);
        }
        self.hold_for_payment(till, cx, view);
        Ok(())
    }

    fn hold_for_payment(&mut self, till: Timestamp, cx: &Context<'_>, view: &mut View) {
        let (from, held_till) = (self.state(), self.reserved_till);
        self.status = OrderStatus::AwaitingPayment;
        self.hold_until(till, view);
        let facts = self.step_facts(from).step(FactName::ReservedTill, held_till, self.reserved_till);
        cx.state(self, ChangeType::OrderPaymentStarted, facts, view);
    }

    /// Takes a step, and states it.
    pub(crate) fn transition(
        &mut self,
        step: OrderTransition,
        event: &Event,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        match (self.state(), step) {
            (OrderStatusKind::Reserved, OrderTransition::AwaitingPayment | OrderTransition::Paid)
                if !view.is_organizer_active(event) && event.status != EventStatus::Canceled =>
            {
                // Payments that have begun may end, but nothing is sold any more.
                Err(Refusal::EventNotOnSale)
            }
            (OrderStatusKind::Reserved, OrderTransition::AwaitingPayment) if self.payment.is_invitation() => {
                // Nobody pays for an invitation: it is done as soon as it is committed.
                self.complete_sale(event, cx, view)
            }
            (OrderStatusKind::Reserved, OrderTransition::AwaitingPayment) if event.status == EventStatus::Canceled => {
                // Nobody is sent to pay for what will not be.
                Err(Refusal::EventOver)
            }
            (OrderStatusKind::Reserved, OrderTransition::AwaitingPayment) => {
                self.hold_for_payment(cx.now.plus_minutes(PAYMENT_MINUTES), cx, view);
                Ok(())
            }
            (OrderStatusKind::Reserved | OrderStatusKind::AwaitingPayment, OrderTransition::Paid) => {
                self.complete_sale(event, cx, view)
            }
            (OrderStatusKind::Reserved | OrderStatusKind::AwaitingPayment, OrderTransition::Canceled) => {
                self.end(OrderStatus::Canceled, ChangeType::OrderCanceled, cx, view)
            }
            (OrderStatusKind::Expired, OrderTransition::Paid) => {
                self.revive(event, cx, view)?;
                self.complete_sale(event, cx, view)
            }
            (OrderStatusKind::AwaitingPayment, OrderTransition::AwaitingPayment)
            | (_, OrderTransition::Remain(_))
            | (OrderStatusKind::Paid | OrderStatusKind::Canceled | OrderStatusKind::Refunded, _)
            | (OrderStatusKind::Expired, OrderTransition::AwaitingPayment | OrderTransition::Canceled) => {
                Err(Refusal::OrderTransition { from: self.state(), to: step.target_state() })
            }
        }
    }

    /// The money is there: the tickets are sold, each with its barcode.
    fn complete_sale(&mut self, event: &Event, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        if event.status == EventStatus::Canceled {
            // Nobody is sold a ticket to what will not be.
            return Err(Refusal::EventOver);
        }
        if self.lines.is_empty() {
            return Err(Refusal::OrderEmpty);
        }
        if (self.payment.send_tickets || self.payment.is_invitation()) && self.customer.email.is_none() {
            return Err(Refusal::CustomerEmailRequired);
        }
        let held = self.held_tickets(view);
        if held.len() != self.lines.len() {
            return Err(Refusal::Stale);
        }
        for ticket in held {
            let barcode = with_check_digit(&cx.random_text(b"0123456789", 15));
            view.transition_ticket(ticket.id, TicketState::Sold { order: self.id, barcode, refund: None })?;
        }
        self.redeem_promocodes(cx, view)?;
        self.retain_applied_grants();
        let from = self.state();
        let code = cx.random_text(b"abcdefghijklmnopqrstuvwxyz0123456789", 8);
        self.status = OrderStatus::Paid { at: cx.now, code };
        self.network = None;
        let (sale, tickets) = (self.sale_facts(from), Facts::none().with(FactName::Tickets, self.ticket_ids()));
        cx.state(self, ChangeType::OrderPaid, sale, view);
        cx.state(self, ChangeType::TicketIssued, tickets, view);
        if self.payment.send_tickets {
            queue_tickets_mail(self, cx, view);
        }
        Ok(())
    }

    /// Late money: takes the tickets of an expired order again at their old prices, and the uses of the
    /// promocodes that act on them; in place of a ticket that is gone, another of its set, if that costs
    /// the same.
    fn revive(&mut self, event: &Event, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        if event.is_over(cx.now) || event.removed {
            return Err(Refusal::EventOver);
        }
        if !view.is_organizer_active(event) {
            return Err(Refusal::EventNotOnSale);
        }
        let mut lines = self.lines.clone();
        // First what was theirs, so that no substitute takes the ticket of a later line.
        let mut gone = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let vacant = view.tickets.get(line.ticket).filter(|ticket| ticket.state == TicketState::Vacant);
            let set = view.sets.get(line.set).filter(|set| set.available() > 0 && !set.removed);
            if vacant.zip(set).is_some_and(|(ticket, set)| set.retained_filter()(ticket)) {
                self.hold_again(line.ticket, view)?;
            } else {
                gone.push(at);
            }
        }
        for at in gone {
            let line = &mut lines[at];
            let set = view.sets.get(line.set).ok_or(Refusal::TicketsGone)?;
            let same_price =
                |set: &TicketSet| set.selling_rule(cx.now).is_some_and(|rule| rule.price == line.price.price);
            // No other seat is the one that was paid for.
            if set.seats.is_some() || set.available() == 0 || !same_price(set) {
                return Err(Refusal::TicketsGone);
            }
            let ticket = *view.pick_vacant(set, 1).first().ok_or(Refusal::TicketsGone)?;
            self.notes.replace_ticket(line.ticket, ticket);
            line.number = view.tickets.get(ticket).map_or(line.number, |ticket| ticket.number);
            line.ticket = ticket;
            self.hold_again(ticket, view)?;
        }
        self.lines = lines;
        self.reserve_promocode_uses_again(cx, view)?;
        let from = self.state();
        self.status = OrderStatus::Reserved;
        let facts = self.step_facts(from).with(FactName::Tickets, self.ticket_ids());
        cx.state(self, ChangeType::OrderReserved, facts, view);
        Ok(())
    }

    fn hold_again(&self, ticket: TicketId, view: &mut View) -> Result<(), Refusal> {
        let ticket = view.tickets.get(ticket).ok_or(Refusal::TicketsGone)?.clone();
        let mut set = view.sets.get(ticket.set).ok_or(Refusal::TicketsGone)?.clone();
        self.hold_ticket(ticket, &mut set, view)?;
        view.sets.put(set);
        Ok(())
    }
}
