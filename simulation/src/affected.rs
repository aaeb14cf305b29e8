//! What an act is about.

use std::collections::BTreeSet;

use kassa_domain::event::EventId;
use kassa_domain::order::OrderId;

use crate::play::actions::{DealAction, EventAction, PaymentAction, PromocodeAction, PromotionAction, RefundAction};
use crate::play::{Action, ActionReport, KnownRows};

/// Orders and events that something was done to, or was tried.
#[derive(Clone, Debug, Default)]
pub(crate) struct AffectedRows {
    /// Events, for their sets and promocodes.
    pub(crate) events: BTreeSet<EventId>,
    /// Orders, with their events.
    pub(crate) orders: BTreeSet<(EventId, OrderId)>,
}

impl AffectedRows {
    /// What one act names.
    pub(crate) fn of_action(act: &Action, known: &KnownRows) -> Self {
        let mut touched = Self::default();
        touched.add_action(act, known);
        touched
    }

    /// What something else has touched.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.events.extend(&other.events);
        self.orders.extend(&other.orders);
    }

    /// What an act names.
    pub(crate) fn add_action(&mut self, act: &Action, known: &KnownRows) {
        match act {
            Action::Account(_)
            | Action::AdvanceClock { .. }
            | Action::ExpireDue
            | Action::RunJobs
            | Action::LookAtPayments
            | Action::SendMails
            | Action::PlaceChanges => {}
            Action::Payment(PaymentAction::Begin { order, .. }) => {
                self.add_order(known.order_to_pay(*order).map(|order| (order.event, order.id)));
            }
            Action::Payment(act) => {
                let payment = act.payment().and_then(|at| known.payment(at));
                self.add_order(payment.map(|payment| (payment.event, payment.order)));
            }
            Action::Event(act) => self.add_event(known.event(act.event()).map(|event| event.id)),
            Action::Set { set, .. } => self.add_event(known.set(*set).map(|set| set.event)),
            Action::Promocode(PromocodeAction::Create { event, .. })
            | Action::Promotion(PromotionAction::Create { event, .. })
            | Action::Deal(DealAction::Create { event, .. })
            | Action::Sale { event, .. } => self.add_event(known.event(*event).map(|event| event.id)),
            Action::Promocode(PromocodeAction::Update { promocode, .. }) => {
                self.add_event(known.promocode(*promocode).map(|promocode| promocode.event));
            }
            Action::Promotion(PromotionAction::Update { promotion, .. } | PromotionAction::Remove { promotion }) => {
                self.add_event(known.promotion(*promotion).map(|promotion| promotion.event));
            }
            Action::Deal(DealAction::Decide { deal, .. }) => self.add_event(known.deal(*deal).map(|deal| deal.event)),
            Action::Refund(RefundAction::Request { order, .. })
            | Action::ChangeOrder { order, .. }
            | Action::ExpireOne { order } => {
                self.add_order(known.order(*order).map(|order| (order.event, order.id)));
            }
            Action::Refund(RefundAction::Decide { request, .. }) => {
                self.add_order(known.refund(*request).map(|request| (request.event, request.order)));
            }
        }
    }

    /// What an answer shows.
    pub(crate) fn add_report(&mut self, report: &ActionReport) {
        match report {
            ActionReport::Order(outcome) => self.add_order(Some((outcome.order.event, outcome.order.id))),
            ActionReport::Refund(request) => self.add_order(Some((request.event, request.order))),
            ActionReport::Payment(order, _) => self.add_order(Some((order.event, order.id))),
            ActionReport::Event(event, _) => self.add_event(Some(event.id)),
            ActionReport::Set(set) => self.add_event(Some(set.event)),
            ActionReport::Nothing
            | ActionReport::User(_)
            | ActionReport::Partner(_)
            | ActionReport::Key(_)
            | ActionReport::Promocode(_)
            | ActionReport::Promotion(_)
            | ActionReport::Deal(_)
            | ActionReport::Looked(_)
            | ActionReport::Expired(_)
            | ActionReport::ExpiredOne(..)
            | ActionReport::Mails(_)
            | ActionReport::Replayed(_) => {}
        }
    }

    /// An order, and its event.
    pub(crate) fn add_order(&mut self, order: Option<(EventId, OrderId)>) {
        self.add_event(order.map(|(event, _)| event));
        self.orders.extend(order);
    }

    fn add_event(&mut self, event: Option<EventId>) {
        self.events.extend(event);
    }
}

/// Whether an act changes the tickets that sets have, or which of them are blocked.
pub(crate) fn changes_tickets(act: &Action) -> bool {
    let makes = |act: &EventAction| matches!(act, EventAction::AddSet { .. } | EventAction::AddHall { .. });
    matches!(act, Action::Set { .. } | Action::RunJobs) || matches!(act, Action::Event(act) if makes(act))
}
