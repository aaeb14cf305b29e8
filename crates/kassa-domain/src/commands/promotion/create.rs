//! A new promotion.

use super::RequestedLevel;
use super::levels::parse_levels;
use super::shared::{resolve_lifetime, serialize_on_event};
use crate::commands::set::resolve_sets;
use crate::commands::usage::charge;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::{ChangeType, Facts};
use crate::model::promotion::{DiscountKind, LevelDiscount, LevelMeasure, PROMOTIONS_MAX, Promotion};
use crate::model::quota::QuotaKind;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::lifetime_patch::LifetimePatch;
use crate::values::resource_ids::{EventId, SetId};
use crate::values::revision::Revision;
use crate::view::{ReadSet, View};

/// Makes a promotion.
#[derive(Debug)]
pub struct CreatePromotion {
    /// Of which event.
    pub event: EventId,
    /// When it runs: from now on, and until somebody ends it, where that says nothing.
    pub lifetime: LifetimePatch,
    /// The sets whose tickets it makes cheaper; all of them when none is named.
    pub sets: Vec<SetId>,
    /// By what an order reaches a level.
    pub measure: LevelMeasure,
    /// What the values of its levels are.
    pub kind: DiscountKind,
    /// From the lowest on.
    pub levels: Vec<RequestedLevel>,
}

impl Command for CreatePromotion {
    type Outcome = Promotion;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.events.push(self.event);
        read_set.organizers_of.push(self.event);
        // A promotion switches prices: it meets orders at the event's sets.
        read_set.sets_of.push(self.event);
        read_set.organizers_to_charge.push(self.event);
        read_set.promotions_of.push(self.event);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Promotion, Refusal> {
        let event = view.events.get(self.event).ok_or(Refusal::NotFound("event"))?;
        permission::create_promotion(cx.actor, event, view)?;
        let organizer = event.organizer;
        let discount = LevelDiscount {
            sets: resolve_sets(event.id, &self.sets, view)?,
            measure: self.measure,
            levels: parse_levels(self.measure, self.kind, &self.levels)?,
        };
        if view.promotions_of(event.id).count() >= PROMOTIONS_MAX as usize {
            return Err(Refusal::TooMany { what: "promotions of one event", max: PROMOTIONS_MAX });
        }
        let mut promotion = Promotion {
            id: cx.id_with_tag(event.id.tag()),
            event: event.id,
            lifetime: resolve_lifetime(self.lifetime.clone(), None, cx.now),
            discount,
            removed: false,
            created_at: cx.now,
            updated_at: cx.now,
            revision: Revision::default(),
        };
        promotion.check_no_overlap(view)?;
        charge(organizer, QuotaKind::Promotions, 1, &cx.settings.quotas, view)?;
        serialize_on_event(promotion.event, view);
        let facts = Facts::none().window_step(None, Some(promotion.lifetime));
        cx.state(&mut promotion, ChangeType::PromotionCreated, facts, view);
        view.promotions.put(promotion.clone());
        Ok(promotion)
    }
}
