//! A new venue.

use super::{About, Venue, VenuePatch};
use crate::command::Command;
use crate::context::Context;
use crate::id::Tag;
use crate::partner::PartnerId;
use crate::permission;
use crate::refusal::Refusal;
use crate::view::{Needs, View};

/// Makes a venue of the partner that acts.
#[derive(Debug)]
pub struct CreateVenue {
    /// The partner that acts.
    pub org: PartnerId,
    /// What it is; a name is required by the caller.
    pub patch: VenuePatch,
}

impl Command for CreateVenue {
    type Outcome = Venue;

    fn shard(&self) -> Tag {
        self.org.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.partners.push(self.org);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Venue, Refusal> {
        permission::act_for(cx.actor, self.org)?;
        if view.partners.get(self.org).is_none() {
            return Err(Refusal::NotFound("partner"));
        }
        let mut venue = Venue {
            id: cx.root_id(),
            org: self.org,
            name: String::new(),
            about: About::default(),
            city: None,
            country: None,
            removed: false,
            created_at: cx.now,
            updated_at: cx.now,
            revision: 1,
        };
        venue.apply(self.patch.clone())?;
        view.venues.put(venue.clone());
        Ok(venue)
    }
}
