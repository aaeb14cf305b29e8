//! Changes to a venue, its removal included.

use super::VenuePatch;
use crate::context::Context;
use crate::context::command::{Command, LIGHT_WEIGHT, rows_of_text};
use crate::geo::CountryId;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::venue::Venue;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::patch::Patch;
use crate::values::resource_ids::VenueId;
use crate::view::{EVENTS_AT_MAX, ReadSet, View};

/// Changes a venue. It can be removed once no event occupies it; until then tickets tell people to come.
#[derive(Debug)]
pub struct UpdateVenue {
    /// Which.
    pub venue: VenueId,
    /// What changes.
    pub patch: VenuePatch,
}

impl Command for UpdateVenue {
    type Outcome = Venue;

    fn shard(&self) -> ShardTag {
        self.venue.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.venues.push(self.venue);
        if self.patch.removed == Patch::Set(true) {
            read_set.events_at.push(self.venue);
        }
    }

    fn weight(&self) -> u32 {
        let events = if self.patch.removed == Patch::Set(true) { EVENTS_AT_MAX } else { LIGHT_WEIGHT };
        events + rows_of_text(self.patch.profile.desc.text_bytes())
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Venue, Refusal> {
        let mut venue = view.venues.get(self.venue).ok_or(Refusal::NotFound("venue"))?.clone();
        permission::write_venue(cx.actor, &venue)?;
        let was = venue.clone();
        venue.apply(self.patch.clone())?;
        let goes = venue.removed && !was.removed;
        if goes && view.events_at(self.venue).any(|event| event.occupies_venue(cx.now)) {
            return Err(Refusal::VenueInUse);
        }
        if venue != was {
            let kind = if goes { ChangeType::VenueRemoved } else { ChangeType::VenueChanged };
            let facts = Facts::none()
                .step(FactName::Removed, was.removed, venue.removed)
                .step(FactName::City, was.city.map(|city| city.0), venue.city.map(|city| city.0))
                .step(
                    FactName::Country,
                    was.country.as_ref().map(CountryId::as_str),
                    venue.country.as_ref().map(CountryId::as_str),
                )
                .hidden_step(FactName::Name, &was.name, &venue.name)
                .hidden_step(FactName::Description, &was.profile.desc, &venue.profile.desc)
                .hidden_step(FactName::Address, &was.profile.address, &venue.profile.address)
                .hidden_step(FactName::Point, &was.profile.point, &venue.profile.point);
            cx.state(&mut venue, kind, facts, view);
            view.venues.put(venue.clone());
        }
        Ok(venue)
    }
}

impl UpdateVenue {
    /// The removal of a venue.
    pub fn remove(venue: VenueId) -> Self {
        let patch = VenuePatch { removed: Patch::Set(true), ..VenuePatch::default() };
        Self { venue, patch }
    }
}
