//! A new hall map.

use super::sectors::{assign_sector_ids, check_sectors};
use crate::commands::usage::charge;
use crate::context::Context;
use crate::context::command::{Command, HALL_MAP_WEIGHT, LIGHT_WEIGHT};
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::hall_map::{HallMap, Sector};
use crate::model::quota::QuotaKind;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::VenueId;
use crate::values::revision::Revision;
use crate::view::{ReadSet, View};

/// Makes a map of a venue.
#[derive(Debug)]
pub struct CreateHallMap {
    /// Of which venue.
    pub venue: VenueId,
    /// Its name.
    pub name: String,
    /// Its description.
    pub desc: Option<String>,
    /// Its sectors; one without an id is given one.
    pub sectors: Vec<Sector>,
}

impl Command for CreateHallMap {
    type Outcome = HallMap;

    fn shard(&self) -> ShardTag {
        self.venue.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.venues.push(self.venue);
    }

    fn weight(&self) -> u32 {
        LIGHT_WEIGHT + HALL_MAP_WEIGHT
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<HallMap, Refusal> {
        let venue = view.venues.get(self.venue).ok_or(Refusal::NotFound("venue"))?;
        permission::write_venue(cx.actor, venue)?;
        let owner = venue.owner;
        let sectors = assign_sector_ids(&self.sectors, cx);
        check_sectors(&sectors)?;
        let mut map = HallMap {
            id: cx.root_id(),
            venue: self.venue,
            name: self.name.clone(),
            desc: self.desc.clone(),
            sectors,
            created_at: cx.now,
            updated_at: cx.now,
            revision: Revision::default(),
        };
        charge(owner, QuotaKind::HallMaps, 1, &cx.settings.quotas, view)?;
        cx.state(&mut map, ChangeType::HallMapCreated, Facts::none().with(FactName::Venue, self.venue), view);
        view.hall_maps.put(map.clone());
        Ok(map)
    }
}
