//! Orders: they are made, changed, and given back.

use std::any::Any;
use std::sync::Arc;

use kassa_domain::event::EventId;
use kassa_domain::order::{
    CreateOrder, CustomerPatch, Order, OrderEdit, OrderTransition, PaymentPatch, PaymentSystem, TicketSelection,
    UnusablePromocodePolicy,
};
use kassa_domain::refund::RefundTickets;
use kassa_domain::set::SetId;
use kassa_domain::{Actor, Patch};
use kassa_engine::idempotency::ResponseCodec;
use kassa_engine::refunds::NewRefundRequest;
use kassa_engine::{Caller, RequestConditions};

use super::accounts::address;
use super::discounts::code_named;
use super::{ActionRunner, report};
use crate::acknowledged_orders::without_batch;
use crate::play::action_result::{ActionReport, ActionResult};
use crate::play::actions::{OrderAction, PromocodeChoice, RefundAction, TicketChoice};
use crate::play::known_rows::KnownRows;

impl ActionRunner<'_> {
    pub(super) async fn sale(
        &self,
        event: usize,
        agent: Option<usize>,
        choice: &TicketChoice,
        codes: Option<&PromocodeChoice>,
        email: Option<usize>,
    ) -> ActionResult {
        let Some(event) = self.known.event(event) else { return Ok(ActionReport::Nothing) };
        let Some(selection) = ticket_selection(event.id, choice, self.known) else { return Ok(ActionReport::Nothing) };
        let mut edit = OrderEdit { selection: Some(selection), ..OrderEdit::default() };
        if let Some(codes) = codes {
            set_promocodes(codes, &mut edit);
        }
        edit.customer = email.map(address).map(CustomerPatch::with_email);
        let vendor = agent.and_then(|agent| self.known.partner(agent)).unwrap_or(event.organizer);
        let caller = self.caller_with_key(self.acting_as(Actor::Partner(vendor)), event.id);
        let command = CreateOrder { event: event.id, vendor, deal: None, edit };
        self.server.engine.execute(&caller, command, report).await
    }

    pub(super) async fn change(&self, order: &Order, act: &OrderAction) -> ActionResult {
        let mut edit = OrderEdit::default();
        match act {
            OrderAction::SetTickets { choice, all_or_nothing } => {
                let Some(selection) = ticket_selection(order.event, choice, self.known) else {
                    return Ok(ActionReport::Nothing);
                };
                edit.selection = Some(selection);
                edit.all_or_nothing = *all_or_nothing;
            }
            OrderAction::SetPromocodes(codes) => set_promocodes(codes, &mut edit),
            OrderAction::Invite { email } => {
                let (system, send_tickets) = (Patch::Set(PaymentSystem::Invitation), Patch::Set(true));
                edit.payment = Some(PaymentPatch { system, send_tickets, ..PaymentPatch::default() });
                edit.transition = Some(OrderTransition::AwaitingPayment);
                edit.customer = Some(CustomerPatch::with_email(address(*email)));
            }
            OrderAction::Transition(step) => edit.transition = Some(*step),
        }
        let actor = self.acting_as(Actor::Partner(order.vendor));
        self.server.engine.update_order(&actor, order.id, edit, report).await
    }

    pub(super) async fn refund(&self, act: &RefundAction) -> ActionResult {
        let engine = &self.server.engine;
        match act {
            RefundAction::Request { order, culprit, places, keeps } => {
                let Some(order) = self.known.order(*order) else { return Ok(ActionReport::Nothing) };
                let lines = &order.lines;
                let named = places.iter().filter_map(|at| lines.get(at % lines.len().max(1)));
                let named = named.map(|line| line.ticket).collect();
                let tickets = if *keeps { RefundTickets::AllExcept(named) } else { RefundTickets::Tickets(named) };
                let request = NewRefundRequest {
                    order: order.id.into(),
                    culprit: *culprit,
                    tickets,
                    requested_at: None,
                    reason: None,
                };
                let actor = self.acting_as(Actor::Partner(order.vendor));
                engine.create_refund(&actor, request, report).await
            }
            RefundAction::Decide { request, step } => {
                let Some(request) = self.known.refund(*request) else { return Ok(ActionReport::Nothing) };
                let actor = self.acting_as(Actor::Partner(request.organizer));
                engine.update_refund(&actor, request.id, Some(*step), Patch::Keep, report).await
            }
        }
    }

    /// The caller, on the condition that what it asks for under its key is done once.
    fn caller_with_key(&self, actor: Actor, event: EventId) -> Caller {
        let once = self.key.as_ref().and_then(|key| {
            self.server.engine.idempotent_request(&actor, Some(event.tag()), key, &[b"a sale"], true, CODEC)
        });
        let conditions = once.map(|once| RequestConditions { idempotency: Some(Arc::new(once)), precondition: None });
        Caller::new(actor, conditions.map(Arc::new))
    }
}

/// What is kept of an answer under a key: the order that it shows. Nobody is told in which batch it was changed.
pub fn order_bytes(order: &Order) -> Vec<u8> {
    format!("{:?}", without_batch(order)).into_bytes()
}

/// How reports are kept under a key.
const CODEC: ResponseCodec =
    ResponseCodec { encode: result_bytes, decode: |saved| Some(Box::new(ActionReport::Replayed(saved.bytes))) };

fn result_bytes(answer: &dyn Any) -> Option<Vec<u8>> {
    let report: &ActionReport = answer.downcast_ref()?;
    if let ActionReport::Order(outcome) = report { Some(order_bytes(&outcome.order)) } else { None }
}

fn set_promocodes(codes: &PromocodeChoice, edit: &mut OrderEdit) {
    edit.promocodes = Some(codes.codes.iter().map(|code| code_named(*code)).collect());
    edit.on_unusable_promocode =
        if codes.skips_unusable { UnusablePromocodePolicy::LeaveOut } else { UnusablePromocodePolicy::Refuse };
}

/// What an order of an event shall hold; `None` where there is no set to name.
fn ticket_selection(event: EventId, choice: &TicketChoice, known: &KnownRows) -> Option<TicketSelection> {
    Some(match choice {
        TicketChoice::Random(wishes) => {
            // Different numbers may name the same set.
            let mut sets: Vec<(SetId, u32)> = Vec::new();
            for (set, count) in wishes {
                let set = known.set_of(event, *set)?.id;
                if sets.iter().all(|(named, _)| *named != set) {
                    sets.push((set, *count));
                }
            }
            TicketSelection::AnyOfSets(sets)
        }
        TicketChoice::SameSet(counts) => {
            let set = known.set_of(event, 0)?.id;
            TicketSelection::AnyOfSets(counts.iter().map(|count| (set, *count)).collect())
        }
        TicketChoice::Tickets(places) => TicketSelection::Tickets(known.tickets_of(event, places)),
    })
}
