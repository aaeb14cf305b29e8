//! A new promocode.

use crate::commands::set::resolve_sets;
use crate::commands::usage::charge;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::promocode::{Promocode, PromocodeUses, TicketCountLimits};
use crate::model::quota::QuotaKind;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::lifetime_patch::LifetimePatch;
use crate::values::price::Share;
use crate::values::promocode_text::PromocodeText;
use crate::values::resource_ids::{EventId, SetId};
use crate::values::revision::Revision;
use crate::view::{ReadSet, View};

/// Makes a promocode.
#[derive(Debug)]
pub struct CreatePromocode {
    /// Of which event.
    pub event: EventId,
    /// What customers type.
    pub code: PromocodeText,
    /// What the organizer calls it.
    pub name: Option<String>,
    /// What the organizer notes about it.
    pub desc: Option<String>,
    /// The sets whose tickets it makes cheaper; all of them when none is named.
    pub sets: Vec<SetId>,
    /// What it takes off the price of each ticket.
    pub discount: Share,
    /// How many such tickets an order must have.
    pub ticket_count_limits: TicketCountLimits,
    /// When orders can begin to use it; always, if that says nothing.
    pub lifetime: LifetimePatch,
    /// How many orders can use it; any number when `None`.
    pub uses_limit: Option<u32>,
}

#[cfg(feature = "test-support")]
impl CreatePromocode {
    /// A promocode for any ticket, at any time, and for any number of orders; other fields say what limits it.
    pub fn unlimited(event: EventId, code: PromocodeText, discount: Share) -> Self {
        Self {
            event,
            code,
            name: None,
            desc: None,
            sets: Vec::new(),
            discount,
            ticket_count_limits: TicketCountLimits::default(),
            lifetime: LifetimePatch::default(),
            uses_limit: None,
        }
    }
}

impl Command for CreatePromocode {
    type Outcome = Promocode;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.promocodes_by_text.push((self.event, self.code.clone()));
        read_set.sets.extend(&self.sets);
        read_set.events.push(self.event);
        read_set.organizers_to_charge.push(self.event);
        read_set.organizers_of.push(self.event);
    }

    fn weight(&self) -> u32 {
        8 + u32::try_from(self.sets.len()).unwrap_or(u32::MAX)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Promocode, Refusal> {
        let event = view.events.get(self.event).ok_or(Refusal::NotFound("event"))?;
        permission::create_promocode(cx.actor, event, view)?;
        let organizer = event.organizer;
        let sets = resolve_sets(event.id, &self.sets, view)?;
        if view.promocode(event.id, &self.code).is_some() {
            return Err(Refusal::PromocodeTaken);
        }
        let mut promocode = Promocode {
            id: cx.id_with_tag(event.id.tag()),
            event: event.id,
            code: self.code.clone(),
            name: self.name.clone(),
            desc: self.desc.clone(),
            sets,
            discount: self.discount,
            ticket_count_limits: self.ticket_count_limits,
            lifetime: self.lifetime.clone().apply_to(None, cx.now),
            uses: PromocodeUses { limit: self.uses_limit.map(i64::from), reserved: 0, used: 0 },
            created_at: cx.now,
            updated_at: cx.now,
            revision: Revision::default(),
        };
        charge(organizer, QuotaKind::Promocodes, 1, &cx.settings.quotas, view)?;
        let facts = Facts::none().with(FactName::UsesLimit, promocode.uses.limit).window_step(None, promocode.lifetime);
        cx.state(&mut promocode, ChangeType::PromocodeCreated, facts, view);
        view.promocodes.put(promocode.clone());
        Ok(promocode)
    }
}
