//! Reservation: from what an order shall hold to what is taken and what is given back.

use crate::context::Context;
use crate::model::change::{ChangeType, FactName};
use crate::model::deal::Deal;
use crate::model::event::{DEFAULT_TICKETS_LIMIT, Event};
use crate::model::order::{Order, OrderLine, OrderStatus, OrderStatusKind};
use crate::model::set::TicketSet;
use crate::model::ticket::{Ticket, TicketState};
use crate::permission;
use crate::refusal::{Refusal, Shortfall, ShortfallReason};
use crate::values::money::Money;
use crate::values::price::TicketPrice;
use crate::values::resource_ids::{SetId, TicketId};
use crate::values::time::Timestamp;
use crate::view::{PickedTickets, View};

/// All that an order shall hold: the full desired state, not a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TicketSelection {
    /// These tickets.
    Tickets(Vec<TicketId>),
    /// So many tickets of each of these sets, whichever.
    AnyOfSets(Vec<(SetId, u32)>),
}

impl TicketSelection {
    /// How many tickets that is.
    pub fn len(&self) -> usize {
        match self {
            Self::Tickets(tickets) => tickets.len(),
            Self::AnyOfSets(sets) => sets.iter().map(|(_, count)| *count as usize).sum(),
        }
    }

    /// How many tickets have to be loaded for it: none for more than any event allows.
    pub(super) fn weight(&self) -> u32 {
        u32::try_from(self.len()).ok().filter(|count| *count <= DEFAULT_TICKETS_LIMIT).unwrap_or(0)
    }

    /// Whether the order shall hold nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What has to be done to get from what is held to what is wanted.
#[derive(Default)]
struct ReservationPlan {
    keep: Vec<TicketId>,
    take: Vec<TicketId>,
    shortfalls: Vec<Shortfall>,
}

impl Order {
    /// Makes the order hold what is wanted, as far as it is to be had. With `all_or_nothing`, a
    /// shortfall leaves everything as it was.
    pub(super) fn apply_selection(
        &mut self,
        wanted: &TicketSelection,
        all_or_nothing: bool,
        event: &Event,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<Vec<Shortfall>, Refusal> {
        if wanted.len() > event.tickets_limit as usize {
            return Err(Refusal::TicketsLimit(event.tickets_limit));
        }
        let plan = match wanted {
            TicketSelection::Tickets(tickets) => self.plan_tickets(tickets, cx, view)?,
            TicketSelection::AnyOfSets(sets) => self.plan_any_of_sets(sets, cx, view)?,
        };
        let adds = !plan.take.is_empty() || !plan.shortfalls.is_empty();
        let leaves_out = plan.shortfalls.iter().any(Shortfall::is_short);
        if adds && self.status == OrderStatus::AwaitingPayment {
            return Err(Refusal::TicketsFixed);
        }
        if adds && !permission::is_on_sale(event, cx.now, view) {
            return Err(Refusal::EventNotOnSale);
        }
        let in_force = |id| view.deals.get(id).is_some_and(Deal::is_accepted);
        if adds && !self.deal.is_none_or(in_force) {
            return Err(Refusal::DealUnknown);
        }
        if all_or_nothing && leaves_out {
            let short = plan.shortfalls.into_iter().filter(Shortfall::is_short);
            return Ok(short.map(|short| self.shortfall_if_nothing_taken(short)).collect());
        }
        if let TicketSelection::Tickets(_) = wanted {
            self.check_single_seats(&plan.keep, &plan.take, event, cx, view)?;
        }
        let dropped: Vec<TicketId> =
            self.lines.iter().map(|line| line.ticket).filter(|ticket| !plan.keep.contains(ticket)).collect();
        release_tickets(&dropped, view)?;
        self.lines.retain(|line| plan.keep.contains(&line.ticket));
        let kept = self.lines.len();
        self.notes.retain_tickets(|ticket| plan.keep.contains(&ticket));
        self.reserve_tickets(&plan.take, cx, view)?;
        self.grant_promotions(kept, cx.now, view);
        Ok(plan.shortfalls)
    }

    /// The shortfall when nothing was taken: the order has what it had.
    fn shortfall_if_nothing_taken(&self, short: Shortfall) -> Shortfall {
        match short {
            Shortfall::AnyOfSet { set, requested: wanted, reason, .. } => {
                let had = self.lines.iter().filter(|line| line.set == set).count();
                Shortfall::AnyOfSet {
                    set,
                    requested: wanted,
                    granted: u32::try_from(had).unwrap_or(wanted).min(wanted),
                    reason,
                }
            }
            short @ Shortfall::Ticket { .. } => short,
        }
    }

    fn plan_tickets(&self, wanted: &[TicketId], cx: &Context<'_>, view: &View) -> Result<ReservationPlan, Refusal> {
        let mut plan = ReservationPlan::default();
        for (at, id) in wanted.iter().enumerate() {
            let ticket = view.tickets.get(*id).filter(|ticket| ticket.event == self.event);
            let ticket = ticket.ok_or(Refusal::TicketUnknown(*id))?;
            if wanted[..at].contains(id) {
                return Err(Refusal::DuplicateTicket(*id));
            }
            let set = view.sets.get(ticket.set).ok_or(Refusal::TicketUnknown(*id))?;
            if ticket.holder() == Some(self.id) {
                plan.keep.push(*id);
                continue;
            }
            let taken = plan.take.iter().filter(|other| view.tickets.get(**other).is_some_and(|t| t.set == set.id));
            let left = set.available() - i64::try_from(taken.count()).unwrap_or(i64::MAX);
            let reason = match ticket.state {
                TicketState::Held { .. } => ShortfallReason::Reserved,
                TicketState::Sold { .. } => ShortfallReason::Sold,
                TicketState::Blocked => ShortfallReason::Blocked,
                TicketState::Vacant if set.is_unpriced() => ShortfallReason::NoPrice,
                TicketState::Vacant if set.selling_rule(cx.now).is_none() || left <= 0 => ShortfallReason::NotOnSale,
                TicketState::Vacant if !set.retained_filter()(ticket) => ShortfallReason::NotOnSale,
                TicketState::Vacant => {
                    plan.take.push(*id);
                    continue;
                }
            };
            plan.shortfalls.push(Shortfall::Ticket { ticket: *id, reason, reserved_till: ticket.reserved_till() });
        }
        Ok(plan)
    }

    fn plan_any_of_sets(
        &self,
        wanted: &[(SetId, u32)],
        cx: &Context<'_>,
        view: &mut View,
    ) -> Result<ReservationPlan, Refusal> {
        let (mut plan, mut stale) = (ReservationPlan::default(), false);
        for (at, (id, count)) in wanted.iter().enumerate() {
            if wanted[..at].iter().any(|(other, _)| other == id) {
                return Err(Refusal::DuplicateSet(*id));
            }
            let set = view.sets.get(*id).filter(|set| set.event == self.event).ok_or(Refusal::SetUnknown(*id))?;
            let want = *count as usize;
            let held = self.lines.iter().filter(|line| line.set == *id).map(|line| line.ticket);
            let before = plan.keep.len();
            plan.keep.extend(held.take(want));
            let kept = plan.keep.len() - before;
            let selling = set.selling_rule(cx.now).is_some();
            let free = if selling { usize::try_from(set.available()).unwrap_or(0) } else { 0 };
            let Some(picked) = pick_tickets(*id, (want - kept).min(free), &plan.keep[before..], view)? else {
                // What the other sets miss is named in the same run.
                stale = true;
                continue;
            };
            let got = u32::try_from(kept + picked.tickets.len()).unwrap_or(*count);
            if got < *count {
                let set = view.sets.get(*id).ok_or(Refusal::SetUnknown(*id))?;
                let elsewhere = set.counts.held - i64::try_from(kept).unwrap_or(0);
                let reason = shortfall_reason(set, elsewhere, selling);
                plan.shortfalls.push(Shortfall::AnyOfSet { set: *id, requested: *count, granted: got, reason });
            } else if !picked.adjacent && !picked.tickets.is_empty() {
                plan.shortfalls.push(Shortfall::AnyOfSet {
                    set: *id,
                    requested: *count,
                    granted: got,
                    reason: ShortfallReason::Scattered,
                });
            }
            plan.take.extend(picked.tickets);
        }
        if stale { Err(Refusal::Stale) } else { Ok(plan) }
    }

    /// Takes vacant tickets, at their plain prices: discounts depend on all tickets.
    fn reserve_tickets(&mut self, tickets: &[TicketId], cx: &Context<'_>, view: &mut View) -> Result<(), Refusal> {
        // Tickets of one set follow each other: it is changed once for all of them.
        let mut changed: Option<TicketSet> = None;
        for id in tickets {
            let ticket = view.tickets.get(*id).ok_or(Refusal::TicketUnknown(*id))?.clone();
            if let Some(other) = changed.take_if(|set| set.id != ticket.set) {
                view.sets.put(other);
            }
            let set = match &mut changed {
                Some(set) => set,
                None => changed.insert(view.sets.get(ticket.set).ok_or(Refusal::TicketUnknown(*id))?.clone()),
            };
            self.reserve_ticket(ticket, set, cx, view)?;
        }
        if let Some(set) = changed {
            view.sets.put(set);
        }
        Ok(())
    }

    /// Takes one of a set, which the caller stores.
    fn reserve_ticket(
        &mut self,
        ticket: Ticket,
        set: &mut TicketSet,
        cx: &Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        let rule = set.selling_rule(cx.now).ok_or(Refusal::EventNotOnSale)?;
        let line = OrderLine {
            ticket: ticket.id,
            number: ticket.number,
            set: set.id,
            rule: rule.id,
            promocode: None,
            promotion: None,
            price: TicketPrice::new(rule.price, Money::ZERO, &self.terms),
        };
        if let Some(rule) = set.rules.iter_mut().find(|rule| rule.id == line.rule) {
            rule.has_sold = true;
        }
        self.hold_ticket(ticket, set, view)?;
        self.lines.push(line);
        Ok(())
    }

    /// Moves a vacant ticket into this order, and the counters of its set with it. The caller stores the set.
    pub(super) fn hold_ticket(&self, ticket: Ticket, set: &mut TicketSet, view: &mut View) -> Result<(), Refusal> {
        if set.seats.is_none() {
            set.pick_cursor = ticket.id.key();
        }
        set.transition(ticket, TicketState::Held { order: self.id, till: self.reserved_till }, view)
    }

    /// The tickets of its lines that it holds at this moment.
    pub(super) fn held_tickets(&self, view: &View) -> Vec<Ticket> {
        let tickets = self.lines.iter().filter_map(|line| view.tickets.get(line.ticket));
        tickets.filter(|ticket| ticket.holder() == Some(self.id)).cloned().collect()
    }

    /// Ends the order unpaid, and states it: gives all tickets and uses of promocodes back. The lines stay, to show
    /// what the order held.
    pub(super) fn end(
        &mut self,
        status: OrderStatus,
        kind: ChangeType,
        cx: &Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        let tickets: Vec<TicketId> = self.held_tickets(view).iter().map(|ticket| ticket.id).collect();
        release_tickets(&tickets, view)?;
        self.release_promocode_uses(cx, view)?;
        let from = self.state();
        self.status = status;
        self.network = None;
        let facts = self.step_facts(from).with(FactName::Tickets, self.list_tickets(tickets.into_iter()));
        cx.state(self, kind, facts, view);
        Ok(())
    }

    /// Holds the tickets until the time that somebody asks for: before payment begins, and no longer than
    /// the event lets orders hold them, or those of shoppers. What it is already is no change, to the second that is shown.
    pub(super) fn set_hold_end(
        &mut self,
        till: Timestamp,
        event: &Event,
        cx: &Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        if till.whole_second() == self.reserved_till.whole_second() {
            return Ok(());
        }
        if self.status != OrderStatus::Reserved {
            return Err(Refusal::HoldFixed);
        }
        let max = self.created_at.plus_minutes(permission::hold_minutes_max(cx.actor, event));
        if till > max {
            return Err(Refusal::HoldTooLong(max));
        }
        self.hold_until(till, view);
        Ok(())
    }

    /// Holds the tickets until another time.
    pub(crate) fn hold_until(&mut self, till: Timestamp, view: &mut View) {
        self.reserved_till = till;
        for mut ticket in self.held_tickets(view) {
            ticket.state = TicketState::Held { order: self.id, till };
            view.tickets.put(ticket);
        }
    }

    /// Refuses a change of tickets that this state does not allow.
    pub(super) fn check_tickets_changeable(&self) -> Result<(), Refusal> {
        match self.state() {
            OrderStatusKind::Reserved | OrderStatusKind::AwaitingPayment => Ok(()),
            state @ (OrderStatusKind::Paid
            | OrderStatusKind::Canceled
            | OrderStatusKind::Expired
            | OrderStatusKind::Refunded) => Err(Refusal::OrderFinal(state)),
        }
    }
}

/// Why a set gives no more: what other orders hold (`elsewhere`) may come back, and is named first.
fn shortfall_reason(set: &TicketSet, elsewhere: i64, selling: bool) -> ShortfallReason {
    if set.is_unpriced() {
        return ShortfallReason::NoPrice;
    }
    let moving = set.counts.pending > 0 || (set.seats.is_some() && set.pending_removal > 0);
    if !selling || moving {
        // Not on sale at all, or its tickets are still being made, or its seats moved.
        ShortfallReason::NotOnSale
    } else if elsewhere > 0 {
        ShortfallReason::Reserved
    } else if set.counts.sold == 0 && set.counts.blocked > 0 {
        ShortfallReason::Blocked
    } else {
        ShortfallReason::Sold
    }
}

/// Up to `count` tickets of a set that are vacant, beside those that are held if they have seats; `None` if
/// rows are missing in the view.
fn pick_tickets(id: SetId, count: usize, held: &[TicketId], view: &mut View) -> Result<Option<PickedTickets>, Refusal> {
    let set = view.sets.get(id).ok_or(Refusal::SetUnknown(id))?;
    if set.seats.is_none() {
        // Where nobody has a seat, nobody sits apart.
        return Ok(Some(PickedTickets { tickets: view.pick_vacant(set, count), adjacent: true }));
    }
    let set = set.clone();
    Ok(view.pick_seats(&set, count, held))
}

/// Puts tickets of orders back on sale. With its state goes the barcode of a sold one, for good: the next
/// sale makes another.
pub(super) fn release_tickets(tickets: &[TicketId], view: &mut View) -> Result<(), Refusal> {
    tickets.iter().try_for_each(|ticket| view.transition_ticket(*ticket, TicketState::Vacant))
}
