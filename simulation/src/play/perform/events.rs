//! Events and their sets.

use kassa_domain::event::{CreateEvent, Event, EventDetailsPatch, EventId, EventPatch, UpdateEvent};
use kassa_domain::refund::RefundPolicyPatch;
use kassa_domain::seating::Seating;
use kassa_domain::set::{CreateSet, UpdateSet};
use kassa_domain::{Actor, Money, Patch, Percent, Window};
use kassa_engine::Clock;

use super::{ActionRunner, DAY_MS, MINUTE_MS, report};
use crate::play::action_result::{ActionReport, ActionResult};
use crate::play::actions::{EventAction, SetAction};

impl ActionRunner<'_> {
    pub(super) async fn event(&self, act: &EventAction) -> ActionResult {
        if let EventAction::Create { partner } = act {
            let Some(org) = self.known.partner(*partner) else { return Ok(ActionReport::Nothing) };
            // Transfers take a day at least, and what is paid at the door is due when the event begins.
            let start = self.server.clock.now().plus_ms(2 * DAY_MS);
            let lifetime = Patch::Set(Window { start, finish: None });
            let patch = EventPatch { tickets_limit: Patch::Set(6), lifetime, ..EventPatch::default() };
            return self.execute(Actor::Partner(org), CreateEvent { organizer: org, patch }).await;
        }
        let Some(&Event { id, organizer: org, .. }) = self.known.event(act.event()) else {
            return Ok(ActionReport::Nothing);
        };
        let owner = Actor::Partner(org);
        let new_set = |price: &i64| new_set(id, *price);
        let patch = match act {
            EventAction::AddSet { amount, price, .. } => {
                return self.execute(owner, CreateSet { amount: *amount, ..new_set(price) }).await;
            }
            EventAction::AddHall { chairs, price, .. } => {
                let command = CreateSet { seats: Some(seating(*chairs)), ..new_set(price) };
                return self.execute(owner, command).await;
            }
            EventAction::SetStatus { status, .. } => {
                EventPatch { status: Patch::Set(*status), ..EventPatch::default() }
            }
            EventAction::SetLifetime { minutes, .. } => {
                let start = self.server.clock.now();
                let window = Window { start, finish: Some(start.plus_ms(minutes * MINUTE_MS)) };
                EventPatch { lifetime: Patch::Set(window), ..EventPatch::default() }
            }
            EventAction::SetRefundPolicy { kept, days_before, after_start, .. } => {
                let policy = RefundPolicyPatch {
                    retained: Patch::Set(Percent::from_percent(*kept)),
                    days_before: Patch::Set(*days_before),
                    after_start: Patch::Set(*after_start),
                };
                let details = EventDetailsPatch { refund_policy: Patch::Set(policy), ..EventDetailsPatch::default() };
                EventPatch { details, ..EventPatch::default() }
            }
            EventAction::Remove { .. } | EventAction::Create { .. } => UpdateEvent::remove(id).patch,
        };
        self.execute(owner, UpdateEvent { event: id, patch }).await
    }

    pub(super) async fn set(&self, set: usize, act: &SetAction) -> ActionResult {
        let Some(set) = self.known.set(set) else { return Ok(ActionReport::Nothing) };
        let actor = self.acting_as(self.known.organizer(set.event));
        let same = UpdateSet::unchanged(set.event, set.id);
        let engine = &self.server.engine;
        let command = match act {
            SetAction::Resize { amount } => UpdateSet { amount: Some(*amount), ..same },
            SetAction::ChangeSeating { chairs } => UpdateSet { seats: Patch::Set(seating(*chairs)), ..same },
            SetAction::ChangePrice { price } => UpdateSet { price: Some(Money::from_minor(*price)), ..same },
            SetAction::Block { places } => UpdateSet { blocked: Some(self.known.tickets_in(set.id, places)), ..same },
            SetAction::Remove => {
                return engine.remove_set(&actor, set.event, set.id, report).await;
            }
        };
        engine.update_set(&actor, command, report).await
    }
}

fn new_set(event: EventId, price: i64) -> CreateSet {
    CreateSet { name: "Set".to_owned(), price: Some(Money::from_minor(price)), ..CreateSet::empty(event) }
}

/// The seats of these bits: eight in each of two rows.
#[expect(clippy::expect_used, reason = "two rows with two names")]
fn seating(chairs: u16) -> Seating {
    let mut hall = Seating::default();
    for row in ["9", "10"] {
        let row = row.parse().expect("a row");
        hall.add_row(row, vec![(1, 8).into()]).expect("a row of its own");
    }
    let mut bits = (0..16).map(|bit| chairs >> bit & 1 == 1);
    hall.take_first_matching(16, |_, _| bits.next().unwrap_or(false))
}
