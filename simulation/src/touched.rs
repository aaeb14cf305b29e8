//! What an act is about.

use std::collections::BTreeSet;

use kassa_domain::event::EventId;
use kassa_domain::order::OrderId;

use crate::play::acts::{DealAct, EventAct, PromocodeAct, PromotionAct, RefundAct};
use crate::play::{Act, Known, Report};

/// Orders and events that something was done to, or was tried.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    /// Events, for their sets and promocodes.
    pub(crate) events: BTreeSet<EventId>,
    /// Orders, with their events.
    pub(crate) orders: BTreeSet<(EventId, OrderId)>,
}

impl Touched {
    /// What one act names.
    pub(crate) fn by(act: &Act, known: &Known) -> Self {
        let mut touched = Self::default();
        touched.add_act(act, known);
        touched
    }

    /// What something else has touched.
    pub(crate) fn add(&mut self, other: &Self) {
        self.events.extend(&other.events);
        self.orders.extend(&other.orders);
    }

    /// What an act names.
    pub(crate) fn add_act(&mut self, act: &Act, known: &Known) {
        match act {
            Act::Account(_) | Act::Wait { .. } | Act::Expire | Act::RunJobs | Act::SendMails => {}
            Act::Event(act) => self.add_event(known.event(act.event()).map(|event| event.id)),
            Act::Set { set, .. } => self.add_event(known.set(*set).map(|set| set.event)),
            Act::Promocode(PromocodeAct::Create { event, .. })
            | Act::Promotion(PromotionAct::Create { event, .. })
            | Act::Deal(DealAct::Make { event, .. })
            | Act::Sale { event, .. } => self.add_event(known.event(*event).map(|event| event.id)),
            Act::Promocode(PromocodeAct::Amend { promocode, .. }) => {
                self.add_event(known.promocode(*promocode).map(|promocode| promocode.event));
            }
            Act::Promotion(PromotionAct::Amend { promotion, .. } | PromotionAct::Remove { promotion }) => {
                self.add_event(known.promotion(*promotion).map(|promotion| promotion.event));
            }
            Act::Deal(DealAct::Decide { deal, .. }) => self.add_event(known.deal(*deal).map(|deal| deal.event)),
            Act::Refund(RefundAct::Ask { order, .. }) | Act::Change { order, .. } | Act::ExpireOne { order } => {
                self.add_order(known.order(*order).map(|order| (order.event, order.id)));
            }
            Act::Refund(RefundAct::Decide { request, .. }) => {
                self.add_order(known.refund(*request).map(|request| (request.event, request.order)));
            }
        }
    }

    /// What an answer shows.
    pub(crate) fn add_report(&mut self, report: &Report) {
        match report {
            Report::Order(outcome) => self.add_order(Some((outcome.order.event, outcome.order.id))),
            Report::Refund(request) => self.add_order(Some((request.event, request.order))),
            Report::Event(event, _) => self.add_event(Some(event.id)),
            Report::Set(set) => self.add_event(Some(set.event)),
            Report::Nothing
            | Report::User(_)
            | Report::Partner(_)
            | Report::Key(_)
            | Report::Promocode(_)
            | Report::Promotion(_)
            | Report::Deal(_)
            | Report::Expired(_)
            | Report::ExpiredOne(..)
            | Report::Mails(_) => {}
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
pub(crate) fn moves_tickets(act: &Act) -> bool {
    let makes = |act: &EventAct| matches!(act, EventAct::AddSet { .. } | EventAct::AddHall { .. });
    matches!(act, Act::Set { .. } | Act::RunJobs) || matches!(act, Act::Event(act) if makes(act))
}
