//! Events and their sets.

use kassa_domain::event::{CreateEvent, Event, EventId, EventPatch, UpdateEvent};
use kassa_domain::refund::PolicyPatch;
use kassa_domain::seating::Seating;
use kassa_domain::set::{CreateSet, UpdateSet};
use kassa_domain::{Actor, Money, Patch, Percent, Window};
use kassa_engine::Clock;

use super::{MINUTE_MS, Player, report_of};
use crate::play::acts::{EventAct, SetAct};
use crate::play::answer::{Answer, Report};

impl Player<'_> {
    pub(super) async fn event(&self, act: &EventAct) -> Answer {
        if let EventAct::Create { partner } = act {
            let Some(org) = self.known.partner(*partner) else { return Ok(Report::Nothing) };
            let patch = EventPatch { tickets_limit: Patch::Set(6), ..EventPatch::default() };
            return self.give(Actor::Partner(org), CreateEvent { org, patch }).await;
        }
        let Some(&Event { id, org, .. }) = self.known.event(act.event()) else { return Ok(Report::Nothing) };
        let owner = Actor::Partner(org);
        let new_set = |price: &i64| new_set(id, *price);
        let patch = match act {
            EventAct::AddSet { amount, price, .. } => {
                return self.give(owner, CreateSet { amount: *amount, ..new_set(price) }).await;
            }
            EventAct::AddHall { chairs, price, .. } => {
                let command = CreateSet { seats: Some(seating(*chairs)), ..new_set(price) };
                return self.give(owner, command).await;
            }
            EventAct::Status { status, .. } => EventPatch { status: Patch::Set(*status), ..EventPatch::default() },
            EventAct::Lifetime { minutes, .. } => {
                let start = self.server.clock.now();
                let window = Window { start, finish: Some(start.plus_ms(minutes * MINUTE_MS)) };
                EventPatch { lifetime: Patch::Set(window), ..EventPatch::default() }
            }
            EventAct::Policy { kept, days_before, after_start, .. } => {
                let policy = PolicyPatch {
                    kept: Patch::Set(Percent::whole(*kept)),
                    days_before: Patch::Set(*days_before),
                    after_start: Patch::Set(*after_start),
                };
                EventPatch { refund_policy: Patch::Set(policy), ..EventPatch::default() }
            }
            EventAct::Remove { .. } | EventAct::Create { .. } => UpdateEvent::remove(id).patch,
        };
        self.give(owner, UpdateEvent { event: id, patch }).await
    }

    pub(super) async fn set(&self, set: usize, act: &SetAct) -> Answer {
        let Some(set) = self.known.set(set) else { return Ok(Report::Nothing) };
        let actor = self.caller(self.known.organizer(set.event));
        let same = UpdateSet::keeping(set.event, set.id);
        let engine = &self.server.engine;
        let command = match act {
            SetAct::Resize { amount } => UpdateSet { amount: Some(*amount), ..same },
            SetAct::Reseat { chairs } => UpdateSet { seats: Patch::Set(seating(*chairs)), ..same },
            SetAct::Reprice { price } => UpdateSet { price: Some(Money::from_minor(*price)), ..same },
            SetAct::Block { places } => UpdateSet { blocked: Some(self.known.tickets_in(set.id, places)), ..same },
            SetAct::Remove => {
                return engine.remove_set(&actor, (set.event, set.id), report_of).await;
            }
        };
        engine.update_set(&actor, command, report_of).await
    }
}

fn new_set(event: EventId, price: i64) -> CreateSet {
    CreateSet { name: "Set".to_owned(), price: Some(Money::from_minor(price)), ..CreateSet::bare(event) }
}

/// The chairs of these bits: eight in each of two rows.
#[expect(clippy::expect_used, reason = "two rows with two names")]
fn seating(chairs: u16) -> Seating {
    let mut hall = Seating::default();
    for row in ["9", "10"] {
        let row = row.parse().expect("a row");
        hall.add_row(row, vec![(1, 8).into()]).expect("a row of its own");
    }
    let mut bits = (0..16).map(|bit| chairs >> bit & 1 == 1);
    hall.first(16, |_, _| bits.next().unwrap_or(false))
}
