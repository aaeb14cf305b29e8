//! A new order.

use super::edit::Told;
use super::{Customer, Notes, Order, OrderEdit, OrderOutcome, OrderStatus, Origin, Payment, Refunded};
use crate::command::Command;
use crate::context::Context;
use crate::deal::{Deal, DealId};
use crate::event::{Event, EventId};
use crate::id::{Id, Tag};
use crate::partner::PartnerId;
use crate::permission;
use crate::price::Terms;
use crate::refund::policy_of;
use crate::refusal::Refusal;
use crate::view::{Needs, View};

/// Reserves tickets for a customer. What is not to be had is left out and told.
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

    fn shard(&self) -> Tag {
        self.event.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.organizers_of.push(self.event);
        needs.events.push(self.event);
        needs.sets_of.push(self.event);
        needs.deals.extend(self.deal);
        needs.deals_of.push((self.event, self.vendor));
        needs.promotions_of.push(self.event);
        self.edit.needs(self.event, needs);
    }

    fn weight(&self) -> u32 {
        8 + self.edit.weight()
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<OrderOutcome, Refusal> {
        permission::act_for(cx.actor, self.vendor)?;
        let event = view.events.get(self.event).filter(|event| permission::sees_event(cx.actor, event, view));
        let event = event.ok_or_else(|| Refusal::EventUnknown(self.event.to_string()))?.clone();
        let (deal, terms) = self.deal(&event, cx, view)?;
        if !event.sells(cx.now) {
            return Err(Refusal::EventNotOnSale);
        }
        let mut order = Order {
            id: Id::under(event.id.tag(), cx.node.next_key(cx.now)),
            event: event.id,
            org: event.org,
            vendor: self.vendor,
            number: cx.order_number()?,
            status: OrderStatus::Executed,
            reserved_till: cx.now.plus_minutes(event.hold_minutes),
            lines: Vec::new(),
            promocodes: Vec::new(),
            promises: Vec::new(),
            deal,
            terms,
            refund_policy: policy_of(&event, view),
            refunded: Refunded::default(),
            customer: Customer::default(),
            payment: Payment::default(),
            origin: Origin::of(cx.actor),
            notes: Notes::default(),
            created_at: cx.now,
            updated_at: cx.now,
            revision: 1,
        };
        let Told { details, left_out } = order.edit(&self.edit, &event, cx, view)?;
        view.orders.put(order.clone());
        Ok(OrderOutcome { order, details, left_out })
    }
}

impl CreateOrder {
    /// The deal that was asked for, else the vendor's newest, else none for the organizer itself.
    fn deal(&self, event: &Event, cx: &Context<'_>, view: &View) -> Result<(Option<DealId>, Terms), Refusal> {
        let usable = |deal: &&Deal| deal.is_accepted() && deal.event == event.id && deal.subj == self.vendor;
        let deal = match self.deal {
            Some(id) => Some(view.deals.get(id).filter(usable).ok_or(Refusal::DealUnknown)?),
            None => view.deal_of(event.id, &[self.vendor]),
        };
        match deal {
            Some(deal) => Ok((Some(deal.id), deal.terms)),
            None if event.org == self.vendor => Ok((None, Terms::own_sale(cx.settings.commission))),
            None => Err(Refusal::DealUnknown),
        }
    }
}
