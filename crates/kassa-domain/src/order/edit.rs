//! One request to an order: several actions, decided together. A refusal of one leaves all undone.

use super::{CustomerPatch, NotesPatch, Order, OrderState, OrderStatus, PAYMENT_MINUTES, PROMOCODES_MAX, PaymentPatch};
use super::{Unusable, Wanted, promocodes::need_promocodes};
use crate::context::Context;
use crate::event::{Event, EventId, EventStatus, TICKETS_LIMIT};
use crate::mail;
use crate::patch::Patch;
use crate::promocode::Code;
use crate::refusal::{Refusal, Shortfall};
use crate::set::Set;
use crate::ticket::{TicketId, TicketState, with_check_digit};
use crate::time::Timestamp;
use crate::view::{Needs, View};

/// A step that a caller may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The payment begins.
    InProgress,
    /// The money is there.
    Done,
    /// The order is given up.
    Canceled,
}

impl Step {
    fn state(self) -> OrderState {
        match self {
            Self::InProgress => OrderState::InProgress,
            Self::Done => OrderState::Done,
            Self::Canceled => OrderState::Canceled,
        }
    }
}

/// What a request does to an order; all parts are optional.
#[derive(Clone, Debug, Default)]
pub struct OrderEdit {
    /// All that it shall hold.
    pub wanted: Option<Wanted>,
    /// Whether a shortfall leaves the tickets as they were.
    pub all_or_nothing: bool,
    /// Who buys.
    pub customer: Option<CustomerPatch>,
    /// How it is paid.
    pub payment: Option<PaymentPatch>,
    /// What is kept with it.
    pub notes: Option<NotesPatch>,
    /// Until when it shall hold its tickets: no longer than its event lets orders.
    pub hold_till: Option<Timestamp>,
    /// All the promocodes that it shall name.
    pub promocodes: Option<Vec<Code>>,
    /// What becomes of a promocode that cannot be used.
    pub unusable: Unusable,
    /// Where it goes.
    pub step: Option<Step>,
}

/// What an edit has to tell besides the order.
pub(super) struct Told {
    /// What was asked for and could not be had.
    pub(super) details: Vec<Shortfall>,
    /// Why codes were left out.
    pub(super) left_out: Vec<Refusal>,
}

impl OrderEdit {
    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.changes_nothing_but_status() && self.step.is_none()
    }

    /// Whether it does nothing but cancel, which the organizer may do, too.
    pub fn only_cancels(&self) -> bool {
        self.changes_nothing_but_status() && self.step == Some(Step::Canceled)
    }

    /// What it may touch, but for the order itself and what goes with the event.
    pub(super) fn needs(&self, event: EventId, needs: &mut Needs) {
        if let Some(CustomerPatch { email: Patch::Set(email), .. }) = &self.customer {
            needs.emails.push(email.clone());
        }
        need_promocodes(event, self.promocodes.as_deref(), needs);
        // A wish for more than any event allows is refused without a look at the tickets.
        match self.wanted.as_ref().filter(|wanted| wanted.len() <= TICKETS_LIMIT as usize) {
            Some(Wanted::Tickets(tickets)) => needs.tickets.extend(tickets),
            Some(Wanted::Random(sets)) => needs.vacant.extend(sets.iter().filter(|(_, count)| *count > 0)),
            None => {}
        }
    }

    /// About how many rows it needs.
    pub(super) fn weight(&self) -> u32 {
        let codes = u32::try_from(self.promocodes.as_ref().map_or(0, Vec::len)).unwrap_or(PROMOCODES_MAX);
        self.wanted.as_ref().map_or(0, Wanted::weight) + codes.min(PROMOCODES_MAX)
    }

    fn changes_nothing_but_status(&self) -> bool {
        self.customer.is_none() && self.notes.is_none() && self.hold_till.is_none() && !self.changes_prices()
    }

    /// Whether it touches what prices depend on.
    fn changes_prices(&self) -> bool {
        self.wanted.is_some() || self.payment.is_some() || self.promocodes.is_some()
    }
}

impl Order {
    /// Applies the parts in turn: customer, notes, payment, hold, tickets, promocodes, step.
    pub(super) fn edit(
        &mut self,
        edit: &OrderEdit,
        event: &Event,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<Told, Refusal> {
        if let Some(customer) = &edit.customer {
            self.may_change_tickets()?;
            self.customer.apply(customer.clone(), cx, view);
        }
        if let Some(notes) = &edit.notes {
            self.may_change_tickets()?;
            self.notes.apply(notes.clone())?;
        }
        if let Some(payment) = &edit.payment {
            self.may_change_tickets()?;
            let invited = self.payment.invites();
            self.payment.apply(payment.clone());
            if self.status == OrderStatus::InProgress && self.payment.invites() != invited {
                // The payment that has begun is for another sum.
                return Err(Refusal::OrderFinal(self.state()));
            }
            if self.payment.invites() && self.vendor != self.org {
                return Err(Refusal::InvitationForbidden);
            }
        }
        if let Some(till) = edit.hold_till {
            self.hold_less(till, event, view)?;
        }
        let details = match &edit.wanted {
            Some(wanted) => {
                self.may_change_tickets()?;
                self.hold(wanted, edit.all_or_nothing, event, cx, view)?
            }
            None => Vec::new(),
        };
        let left_out = match &edit.promocodes {
            Some(codes) => self.name_promocodes(codes, edit.unusable, cx.now, view)?,
            None => Vec::new(),
        };
        if edit.changes_prices() {
            self.reprice(view)?;
        }
        if let Some(step) = edit.step {
            self.step(step, event, cx, view)?;
        }
        Ok(Told { details, left_out })
    }

    fn step(&mut self, step: Step, event: &Event, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        match (self.state(), step) {
            (OrderState::Executed, Step::InProgress) if self.payment.invites() => {
                // Nobody pays for an invitation: it is done as soon as it is committed.
                self.finish(event, cx, view)
            }
            (OrderState::Executed, Step::InProgress) if event.status == EventStatus::Canceled => {
                // Nobody is sent to pay for what will not be.
                Err(Refusal::EventOver)
            }
            (OrderState::Executed, Step::InProgress) => {
                self.status = OrderStatus::InProgress;
                self.hold_until(cx.now.plus_minutes(PAYMENT_MINUTES), view);
                Ok(())
            }
            (OrderState::Executed | OrderState::InProgress, Step::Done) => self.finish(event, cx, view),
            (OrderState::Executed | OrderState::InProgress, Step::Canceled) => {
                self.give_up(view)?;
                self.status = OrderStatus::Canceled;
                Ok(())
            }
            (OrderState::Expired, Step::Done) => {
                self.revive(event, cx, view)?;
                self.finish(event, cx, view)
            }
            (OrderState::InProgress, Step::InProgress)
            | (OrderState::Done | OrderState::Canceled | OrderState::Refunded, _)
            | (OrderState::Expired, Step::InProgress | Step::Canceled) => {
                Err(Refusal::OrderTransition { from: self.state(), to: step.state() })
            }
        }
    }

    /// The money is there: the tickets are sold, each with its barcode.
    fn finish(&mut self, event: &Event, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        if event.status == EventStatus::Canceled {
            // Nobody is sold a ticket to what will not be.
            return Err(Refusal::EventOver);
        }
        if self.lines.is_empty() {
            return Err(Refusal::OrderEmpty);
        }
        if (self.payment.send_tickets || self.payment.invites()) && self.customer.email.is_none() {
            return Err(Refusal::CustomerEmailRequired);
        }
        let held = self.held(view);
        if held.len() != self.lines.len() {
            return Err(Refusal::Stale);
        }
        for ticket in held {
            let barcode = with_check_digit(&cx.text(b"0123456789", 15));
            view.turn_ticket(ticket.id, TicketState::Sold { order: self.id, barcode, refund: None })?;
        }
        self.use_promocodes_up(view)?;
        self.keep_promises();
        let code = cx.text(b"abcdefghijklmnopqrstuvwxyz0123456789", 8);
        self.status = OrderStatus::Done { at: cx.now, code };
        if self.payment.send_tickets {
            mail::send_tickets(self, cx, view);
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
        let mut lines = self.lines.clone();
        // First what was theirs, so that no substitute takes the ticket of a later line.
        let mut gone = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let vacant = view.tickets.get(line.ticket).filter(|ticket| ticket.state == TicketState::Vacant);
            let set = view.sets.get(line.set).filter(|set| set.free() > 0 && !set.removed);
            if vacant.zip(set).is_some_and(|(ticket, set)| set.staying()(ticket)) {
                self.retake(line.ticket, view)?;
            } else {
                gone.push(at);
            }
        }
        for at in gone {
            let line = &mut lines[at];
            let set = view.sets.get(line.set).ok_or(Refusal::TicketsGone)?;
            let same_price = |set: &Set| set.selling_rule(cx.now).is_some_and(|rule| rule.price == line.price.price);
            // No other chair is the one that was paid for.
            if set.seats.is_some() || set.free() == 0 || !same_price(set) {
                return Err(Refusal::TicketsGone);
            }
            let ticket = *view.pick_vacant(set, 1).first().ok_or(Refusal::TicketsGone)?;
            for visitor in self.notes.visitors.iter_mut().filter(|visitor| visitor.ticket == line.ticket) {
                visitor.ticket = ticket;
            }
            line.number = view.tickets.get(ticket).map_or(line.number, |ticket| ticket.number);
            line.ticket = ticket;
            self.retake(ticket, view)?;
        }
        self.lines = lines;
        self.take_uses_again(view)
    }

    fn retake(&self, ticket: TicketId, view: &mut View) -> Result<(), Refusal> {
        let ticket = view.tickets.get(ticket).ok_or(Refusal::TicketsGone)?.clone();
        let set = view.sets.get(ticket.set).ok_or(Refusal::TicketsGone)?.clone();
        self.occupy(ticket, set, view)
    }
}
