//! Changes to a hall map.

use super::sectors::{assign_sector_ids, check_sectors};
use crate::context::Context;
use crate::context::command::{Command, HALL_MAP_WEIGHT, LIGHT_WEIGHT};
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::hall_map::{HallMap, Sector};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::patch::Patch;
use crate::values::resource_ids::{HallMapId, VenueId};
use crate::view::{EVENTS_AT_MAX, ReadSet, View};

/// Changes a hall map. While an event that occupies the venue sells by it, its seats can be moved and added to, and none
/// can go.
#[derive(Debug)]
pub struct UpdateHallMap {
    /// Of which venue it must be.
    pub venue: VenueId,
    /// Which.
    pub hall_map: HallMapId,
    /// Its name.
    pub name: Patch<String>,
    /// Its description.
    pub desc: Patch<String>,
    /// All its sectors.
    pub sectors: Option<Vec<Sector>>,
}

impl Command for UpdateHallMap {
    type Outcome = HallMap;

    fn shard(&self) -> ShardTag {
        self.venue.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.venues.push(self.venue);
        read_set.hall_maps.push(self.hall_map);
        if self.sectors.is_some() {
            read_set.events_at.push(self.venue);
        }
    }

    fn weight(&self) -> u32 {
        HALL_MAP_WEIGHT + if self.sectors.is_some() { EVENTS_AT_MAX } else { LIGHT_WEIGHT }
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<HallMap, Refusal> {
        let venue = view.venues.get(self.venue).ok_or(Refusal::NotFound("venue"))?;
        permission::write_venue(cx.actor, venue)?;
        let was =
            view.hall_maps.get(self.hall_map).filter(|map| map.venue == self.venue).ok_or(Refusal::NotFound("map"))?;
        let mut map = was.clone();
        self.name.clone().apply_or(&mut map.name, String::new());
        self.desc.clone().apply(&mut map.desc);
        if let Some(sectors) = self.sectors.as_ref().filter(|sectors| **sectors != was.sectors) {
            map.sectors = assign_sector_ids(sectors, cx);
            check_sectors(&map.sectors)?;
            let sells_by_it =
                view.events_at(self.venue).any(|e| e.hall_map == Some(self.hall_map) && e.occupies_venue(cx.now));
            if sells_by_it && !map.covers(was) {
                return Err(Refusal::MapInUse);
            }
        }
        if map != *was {
            let facts = Facts::none()
                .hidden_step(FactName::Name, &was.name, &map.name)
                .hidden_step(FactName::Description, &was.desc, &map.desc)
                .hidden_step(FactName::Sectors, &was.sectors, &map.sectors);
            cx.state(&mut map, ChangeType::HallMapChanged, facts, view);
            view.hall_maps.put(map.clone());
        }
        Ok(map)
    }
}
