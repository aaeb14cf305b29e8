//! A new order.

use super::edit::EditReport;
use super::{OrderEdit, OrderOutcome};
use crate::context::Context;
use crate::context::actor::Actor;
use crate::context::command::Command;
use crate::model::change::ChangeType;
use crate::model::deal::Deal;
use crate::model::event::Event;
use crate::model::order::{Customer, Order, OrderNotes, OrderOrigin, OrderStatus, Payment, RefundTotals};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::{Id, ShardTag};
use crate::values::price::Terms;
use crate::values::refund_policy::RefundPolicy;
use crate::values::resource_ids::{DealId, EventId, PartnerId};
use crate::values::revision::Revision;
use crate::view::{ReadSet, View};

/// Reserves tickets for a customer. What is not to be had is left out and reported.
#[derive(Debug)]
pub struct CreateOrder {
    /// For which event.
    pub event: EventId,
    /// Who sells: the partner that acts.
    pub vendor: PartnerId,
    /// Whether a certain deal shall be used.
    pub deal: Option<DealId>,
    /// What the order shall hold, and the rest.
    pub edit: OrderEdit,
}

impl Command for CreateOrder {
    type Outcome = OrderOutcome;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.organizers_of.push(self.event);
        read_set.events.push(self.event);
        read_set.sets_of.push(self.event);
        read_set.deals.extend(self.deal);
        read_set.deals_of.push((self.event, self.vendor));
        read_set.promotions_of.push(self.event);
        self.edit.read_set(self.event, read_set);
    }

    fn weight(&self) -> u32 {
        8 + self.edit.weight()
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<OrderOutcome, Refusal> {
        permission::sell_for(cx.actor, self.vendor, self.event)?;
        self.edit.check_shopper(cx.actor)?;
        if self.deal.is_some() {
            permission::change_as_vendor(cx.actor, "the deal under which it is sold")?;
        }
        let event = view.events.get(self.event).filter(|event| permission::sees_event(cx.actor, event, view));
        let event = event.ok_or_else(|| Refusal::EventUnknown(self.event.to_string()))?.clone();
        let (deal, terms) = self.resolve_deal(&event, cx, view)?;
        if !permission::is_on_sale(&event, cx.now, view) {
            return Err(Refusal::EventNotOnSale);
        }
        let mut order = Order {
            id: Id::with_tag(event.id.tag(), cx.node.next_key(cx.now)),
            event: event.id,
            organizer: event.organizer,
            vendor: self.vendor,
            number: cx.order_number()?,
            status: OrderStatus::Reserved,
            reserved_till: cx.now.plus_minutes(event.hold_minutes),
            lines: Vec::new(),
            promocodes: Vec::new(),
            promotion_grants: Vec::new(),
            deal,
            terms,
            refund_policy: effective_policy(&event, view),
            refunded: RefundTotals::default(),
            customer: Customer::default(),
            payment: Payment::default(),
            origin: OrderOrigin::of(cx.actor),
            network: self.edit.network,
            notes: OrderNotes::default(),
            created_at: cx.now,
            updated_at: cx.now,
            revision: Revision::default(),
        };
        let EditReport { shortfalls: details, refused_promocodes: left_out } =
            order.edit(&self.edit, &event, cx, view)?;
        if self.edit.needs_tickets && order.lines.is_empty() {
            return Err(Refusal::OrderEmpty);
        }
        order.check_holds(None, permission::hold_limits(cx.actor, cx.settings), cx.now, view)?;
        let facts = order.reservation_facts();
        cx.state(&mut order, ChangeType::OrderReserved, facts, view);
        if let Some(step) = self.edit.transition {
            order.transition(step, &event, cx, view)?;
        }
        view.orders.put(order.clone());
        Ok(OrderOutcome { order, shortfalls: details, refused_promocodes: left_out })
    }
}

impl CreateOrder {
    /// The deal that was asked for, else the vendor's newest, else none for the organizer itself.
    fn resolve_deal(&self, event: &Event, cx: &Context<'_>, view: &View) -> Result<(Option<DealId>, Terms), Refusal> {
        let usable = |deal: &&Deal| deal.is_accepted() && deal.event == event.id && deal.agent == self.vendor;
        let deal = match self.deal {
            Some(id) => Some(view.deals.get(id).filter(usable).ok_or(Refusal::DealUnknown)?),
            None => view.newest_deal_of(event.id, &[self.vendor]),
        };
        match deal {
            Some(deal) => Ok((Some(deal.id), deal.terms)),
            None if event.organizer == self.vendor => Ok((None, Terms::own_sale(cx.settings.commission))),
            None => Err(Refusal::DealUnknown),
        }
    }
}

/// The policy under which an event sells: its own, else its organizer's, which is in the view, else the
/// default.
fn effective_policy(event: &Event, view: &View) -> RefundPolicy {
    let by_partner = || view.partners.get(event.organizer).and_then(|org| org.profile.refund_policy);
    event.details.refund_policy.or_else(by_partner).unwrap_or_default()
}

impl OrderOrigin {
    /// How an order of this caller comes in.
    fn of(actor: &Actor) -> Self {
        match actor {
            Actor::User(_) => Self::ControlPanel,
            Actor::Visitor(_) => Self::Widget,
            Actor::Anonymous | Actor::Partner(_) | Actor::Buyer(_) | Actor::Operator | Actor::System => Self::Api,
        }
    }
}
