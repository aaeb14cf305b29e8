//! Venues, with their maps.

use super::roles::decided_by_role;
use crate::context::actor::Actor;
use crate::model::role::Capability;
use crate::model::venue::Venue;
use crate::refusal::{ForbiddenReason, Refusal};

/// Everybody sees a venue; a removed one only the partner that made it.
pub fn sees_venue(actor: &Actor, venue: &Venue) -> bool {
    !venue.removed || actor.acts_for(venue.owner)
}

/// A venue is changed by the partner that made it.
pub fn write_venue(actor: &Actor, venue: &Venue) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(venue.owner)?;
    match decided_by_role(actor, Capability::Organize, &[venue.owner]) {
        Some(decided) => decided,
        None if sees_venue(actor, venue) => Err(ForbiddenReason::VenueOwnerOnly.into()),
        None => Err(Refusal::NotFound("venue")),
    }
}

/// Any organizer may use any venue that is not removed.
pub fn is_venue_usable(venue: &Venue) -> bool {
    !venue.removed
}
