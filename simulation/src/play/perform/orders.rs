//! Orders: they are made, changed, and given back.

use std::any::Any;
use std::sync::Arc;

use kassa_domain::event::EventId;
use kassa_domain::order::{
    CreateOrder, CustomerPatch, Order, OrderEdit, PaymentPatch, PaymentSystem, Step, Unusable, Wanted,
};
use kassa_domain::refund::RefundOf;
use kassa_domain::set::SetId;
use kassa_domain::{Actor, Patch};
use kassa_engine::refunds::RefundWish;
use kassa_engine::{Asker, Conditions};

use super::accounts::address;
use super::discounts::code_named;
use super::{Player, report_of};
use crate::play::acts::{ChangeAct, Codes, RefundAct, Wish};
use crate::play::answer::{Answer, Report};
use crate::play::known::Known;

impl Player<'_> {
    pub(super) async fn sale(
        &self,
        event: usize,
        agent: Option<usize>,
        (wish, codes): (&Wish, Option<&Codes>),
        email: Option<usize>,
    ) -> Answer {
        let Some(event) = self.known.event(event) else { return Ok(Report::Nothing) };
        let Some(wanted) = wanted(event.id, wish, self.known) else { return Ok(Report::Nothing) };
        let mut edit = OrderEdit { wanted: Some(wanted), ..OrderEdit::default() };
        if let Some(codes) = codes {
            name(codes, &mut edit);
        }
        edit.customer = email.map(address).map(CustomerPatch::with_email);
        let vendor = agent.and_then(|agent| self.known.partner(agent)).unwrap_or(event.org);
        let asker = self.asker(self.caller(Actor::Partner(vendor)), event.id);
        let command = CreateOrder { event: event.id, vendor, deal: None, edit };
        self.server.engine.execute(&asker, command, report_of).await
    }

    pub(super) async fn change(&self, order: &Order, act: &ChangeAct) -> Answer {
        let mut edit = OrderEdit::default();
        match act {
            ChangeAct::Tickets { wish, all_or_nothing } => {
                let Some(wanted) = wanted(order.event, wish, self.known) else { return Ok(Report::Nothing) };
                edit.wanted = Some(wanted);
                edit.all_or_nothing = *all_or_nothing;
            }
            ChangeAct::Codes(codes) => name(codes, &mut edit),
            ChangeAct::Invite { email } => {
                let (system, send_tickets) = (Patch::Set(PaymentSystem::Invitation), Patch::Set(true));
                edit.payment = Some(PaymentPatch { system, send_tickets, ..PaymentPatch::default() });
                edit.step = Some(Step::InProgress);
                edit.customer = Some(CustomerPatch::with_email(address(*email)));
            }
            ChangeAct::Step(step) => edit.step = Some(*step),
        }
        let actor = self.caller(Actor::Partner(order.vendor));
        self.server.engine.update_order(&actor, order.id, edit, report_of).await
    }

    pub(super) async fn refund(&self, act: &RefundAct) -> Answer {
        let engine = &self.server.engine;
        match act {
            RefundAct::Ask { order, culprit, places, keeps } => {
                let Some(order) = self.known.order(*order) else { return Ok(Report::Nothing) };
                let lines = &order.lines;
                let named = places.iter().filter_map(|at| lines.get(at % lines.len().max(1)));
                let named = named.map(|line| line.ticket).collect();
                let tickets = if *keeps { RefundOf::AllBut(named) } else { RefundOf::Tickets(named) };
                let wish = RefundWish { order: order.id, culprit: *culprit, tickets, requested_at: None, reason: None };
                let actor = self.caller(Actor::Partner(order.vendor));
                engine.create_refund(&actor, wish, report_of).await
            }
            RefundAct::Decide { request, step } => {
                let Some(request) = self.known.refund(*request) else { return Ok(Report::Nothing) };
                let decision = (Some(*step), Patch::Keep);
                let actor = self.caller(Actor::Partner(request.org));
                engine.update_refund(&actor, request.id, decision, report_of).await
            }
        }
    }

    /// The caller, on the condition that what it asks for under its key is done once.
    fn asker(&self, actor: Actor, event: EventId) -> Asker {
        let once = self.key.as_ref().and_then(|key| {
            self.server.engine.once(&actor, (Some(event.tag()), key), &[b"a sale"], (true, answer_bytes))
        });
        let conditions = once.map(|once| Conditions { once: Some(Arc::new(once)), expects: None });
        Asker::new(actor, conditions.map(Arc::new))
    }
}

/// What is kept of an answer under a key: the order that it shows.
pub fn order_bytes(order: &Order) -> Vec<u8> {
    format!("{order:?}").into_bytes()
}

fn answer_bytes(answer: &dyn Any) -> Option<Vec<u8>> {
    let report: &Report = answer.downcast_ref()?;
    if let Report::Order(outcome) = report { Some(order_bytes(&outcome.order)) } else { None }
}

fn name(codes: &Codes, edit: &mut OrderEdit) {
    edit.promocodes = Some(codes.named.iter().map(|code| code_named(*code)).collect());
    edit.unusable = if codes.leaves_out { Unusable::LeaveOut } else { Unusable::Refuse };
}

/// What an order of an event shall hold; `None` where there is no set to name.
fn wanted(event: EventId, wish: &Wish, known: &Known) -> Option<Wanted> {
    Some(match wish {
        Wish::Random(wishes) => {
            // Different numbers may name the same set.
            let mut sets: Vec<(SetId, u32)> = Vec::new();
            for (set, count) in wishes {
                let set = known.set_of(event, *set)?.id;
                if sets.iter().all(|(named, _)| *named != set) {
                    sets.push((set, *count));
                }
            }
            Wanted::Random(sets)
        }
        Wish::SameSet(counts) => {
            let set = known.set_of(event, 0)?.id;
            Wanted::Random(counts.iter().map(|count| (set, *count)).collect())
        }
        Wish::Tickets(places) => Wanted::Tickets(known.tickets_of(event, places)),
    })
}
