//! A new event.

use super::EventPatch;
use crate::commands::usage::charge;
use crate::context::Context;
use crate::context::command::{Command, LIGHT_WEIGHT};
use crate::model::event::{DEFAULT_HOLD_MINUTES, DEFAULT_TICKETS_LIMIT, Event, EventDetails, EventStatus};
use crate::model::quota::QuotaKind;
use crate::model::role::Capability;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::PartnerId;
use crate::values::revision::Revision;
use crate::view::{ReadSet, View};

/// Makes an event of the partner that acts.
#[derive(Debug)]
pub struct CreateEvent {
    /// The organizer: the partner that acts.
    pub organizer: PartnerId,
    /// What it is; a title is required by the caller.
    pub patch: EventPatch,
}

impl Command for CreateEvent {
    type Outcome = Event;

    fn shard(&self) -> ShardTag {
        self.organizer.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.partners.push(self.organizer);
        self.patch.read_set(read_set);
    }

    fn weight(&self) -> u32 {
        LIGHT_WEIGHT + self.patch.weight()
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Event, Refusal> {
        permission::act_for(cx.actor, Capability::Organize, self.organizer)?;
        if view.partners.get(self.organizer).is_none() {
            return Err(Refusal::NotFound("partner"));
        }
        self.patch.check_venue(None, view)?;
        let mut event = Event {
            id: cx.root_id(),
            organizer: self.organizer,
            status: EventStatus::StandBy,
            lifetime: None,
            venue: None,
            hall_map: None,
            removed: false,
            withdrawn: false,
            details: EventDetails::default(),
            tickets_limit: DEFAULT_TICKETS_LIMIT,
            hold_minutes: DEFAULT_HOLD_MINUTES,
            next_ticket_number: 1,
            created_at: cx.now,
            updated_at: cx.now,
            revision: Revision::default(),
        };
        event.apply(self.patch.clone(), self.patch.media.resolve(cx.actor, view)?);
        event.check_hall_map(None, view)?;
        event.check_sellable(None)?;
        charge(self.organizer, QuotaKind::Events, 1, &cx.settings.quotas, view)?;
        event.state_creation(cx, view);
        view.events.put(event.clone());
        Ok(event)
    }
}
