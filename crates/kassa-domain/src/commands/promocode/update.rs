//! Changes to a promocode.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::promocode::Promocode;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::lifetime_patch::LifetimePatch;
use crate::values::patch::Patch;
use crate::values::resource_ids::{EventId, PromocodeId};
use crate::view::{ReadSet, View};

/// Changes how a promocode is called, and how long and how often it can be used. Orders that hold a use
/// keep it. Code, discount, sets and numbers of tickets stay as they were made.
#[derive(Debug)]
pub struct UpdatePromocode {
    /// Of which event it must be.
    pub event: EventId,
    /// Which.
    pub promocode: PromocodeId,
    /// What the organizer calls it.
    pub name: Patch<String>,
    /// What the organizer notes about it.
    pub desc: Patch<String>,
    /// How many orders can use it: no fewer than do.
    pub uses_limit: Patch<u32>,
    /// When orders can begin to use it.
    pub lifetime: Patch<LifetimePatch>,
}

#[cfg(feature = "test-support")]
impl UpdatePromocode {
    /// Everything stays as it is; other fields say what changes.
    pub fn unchanged(event: EventId, promocode: PromocodeId) -> Self {
        let (name, desc) = (Patch::Keep, Patch::Keep);
        Self { event, promocode, name, desc, uses_limit: Patch::Keep, lifetime: Patch::Keep }
    }
}

impl Command for UpdatePromocode {
    type Outcome = Promocode;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.promocodes.push(self.promocode);
        read_set.events.push(self.event);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Promocode, Refusal> {
        let event = view.events.get(self.event).ok_or(Refusal::NotFound("event"))?;
        permission::manage_promocodes(cx.actor, event)?;
        let promocode = view.promocodes.get(self.promocode).filter(|promocode| promocode.event == event.id);
        let mut promocode = promocode.ok_or(Refusal::NotFound("promocode"))?.clone();
        let was = promocode.clone();
        self.name.clone().apply(&mut promocode.name);
        self.desc.clone().apply(&mut promocode.desc);
        self.uses_limit.clone().map(i64::from).apply(&mut promocode.uses.limit);
        if !promocode.uses.is_balanced() {
            return Err(Refusal::AmountBelowUses);
        }
        match self.lifetime.clone() {
            Patch::Keep => {}
            Patch::Clear => promocode.lifetime = None,
            Patch::Set(patch) => promocode.lifetime = patch.apply_to(promocode.lifetime, promocode.created_at),
        }
        if promocode != was {
            let facts = Facts::none()
                .hidden_step(FactName::Name, &was.name, &promocode.name)
                .hidden_step(FactName::Description, &was.desc, &promocode.desc)
                .step(FactName::UsesLimit, was.uses.limit, promocode.uses.limit)
                .window_step(was.lifetime, promocode.lifetime);
            cx.state(&mut promocode, ChangeType::PromocodeChanged, facts, view);
            promocode.state_if_exhausted(was.uses.has_remaining(), cx, view);
            view.promocodes.put(promocode.clone());
        }
        Ok(promocode)
    }
}
