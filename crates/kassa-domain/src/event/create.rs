//! A new event.

use super::{About, Event, EventPatch, EventStatus, HOLD_MINUTES, TICKETS_LIMIT};
use crate::command::Command;
use crate::context::Context;
use crate::id::Tag;
use crate::partner::PartnerId;
use crate::permission;
use crate::refusal::Refusal;
use crate::view::{Needs, View};

/// Makes an event of the partner that acts.
#[derive(Debug)]
pub struct CreateEvent {
    /// The organizer: the partner that acts.
    pub org: PartnerId,
    /// What it is; a title is required by the caller.
    pub patch: EventPatch,
}

impl Command for CreateEvent {
    type Outcome = Event;

    fn shard(&self) -> Tag {
        self.org.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.partners.push(self.org);
        self.patch.needs(needs);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Event, Refusal> {
        permission::act_for(cx.actor, self.org)?;
        if view.partners.get(self.org).is_none() {
            return Err(Refusal::NotFound("partner"));
        }
        self.patch.check_venue(None, view)?;
        let mut event = Event {
            id: cx.root_id(),
            org: self.org,
            status: EventStatus::StandBy,
            lifetime: None,
            venue: None,
            map: None,
            removed: false,
            about: About::default(),
            tickets_limit: TICKETS_LIMIT,
            hold_minutes: HOLD_MINUTES,
            next_ticket: 1,
            created_at: cx.now,
            updated_at: cx.now,
            revision: 1,
        };
        event.apply(self.patch.clone(), self.patch.media.resolve(cx.actor, view)?);
        event.check_map(None, view)?;
        view.events.put(event.clone());
        Ok(event)
    }
}
