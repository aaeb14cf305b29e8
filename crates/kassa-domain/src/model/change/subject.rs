//! What a change happened to.

use serde::{Deserialize, Serialize};

use crate::model::resource_ref::ResourceRef;
use crate::values::resource_ids::{ResourceId, SetId};

/// What a change happened to: its versions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Subject {
    /// A row.
    Resource(ResourceRef),
    /// Whether a set has tickets to sell. Sales are no edits of the set, and are counted apart.
    Inventory(SetId),
}

impl Subject {
    /// What its kind is called.
    pub fn type_name(self) -> &'static str {
        match self {
            Self::Resource(resource) => resource.type_name(),
            Self::Inventory(_) => "inventory",
        }
    }

    /// The id of the row.
    pub fn id(self) -> ResourceId {
        match self {
            Self::Resource(resource) => resource.id(),
            Self::Inventory(set) => ResourceId::with_tag(set.tag(), set.key()),
        }
    }
}
