//! A new venue.

use super::VenuePatch;
use crate::commands::usage::charge;
use crate::context::Context;
use crate::context::command::{Command, LIGHT_WEIGHT, rows_of_text};
use crate::model::change::{ChangeType, Facts};
use crate::model::quota::QuotaKind;
use crate::model::role::Capability;
use crate::model::venue::{Venue, VenueProfile};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::PartnerId;
use crate::values::revision::Revision;
use crate::view::{ReadSet, View};

/// Makes a venue of the partner that acts.
#[derive(Debug)]
pub struct CreateVenue {
    /// The partner that acts.
    pub owner: PartnerId,
    /// What it is; a name is required by the caller.
    pub patch: VenuePatch,
}

impl Command for CreateVenue {
    type Outcome = Venue;

    fn shard(&self) -> ShardTag {
        self.owner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.partners.push(self.owner);
    }

    fn weight(&self) -> u32 {
        LIGHT_WEIGHT + rows_of_text(self.patch.profile.desc.text_bytes())
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Venue, Refusal> {
        permission::act_for(cx.actor, Capability::Organize, self.owner)?;
        if view.partners.get(self.owner).is_none() {
            return Err(Refusal::NotFound("partner"));
        }
        let mut venue = Venue {
            id: cx.root_id(),
            owner: self.owner,
            name: String::new(),
            profile: VenueProfile::default(),
            city: None,
            country: None,
            removed: false,
            created_at: cx.now,
            updated_at: cx.now,
            revision: Revision::default(),
        };
        venue.apply(self.patch.clone())?;
        charge(self.owner, QuotaKind::Venues, 1, &cx.settings.quotas, view)?;
        cx.state(&mut venue, ChangeType::VenueCreated, Facts::none(), view);
        view.venues.put(venue.clone());
        Ok(venue)
    }
}
