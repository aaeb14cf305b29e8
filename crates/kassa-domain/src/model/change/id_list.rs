//! Many ids of one shard, in little room.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::values::id::{Id, ShardTag};
use crate::values::resource_ids::ResourceId;

/// Ids of one shard, such as those of an event's tickets. Packed, each but the first takes as much room as it differs
/// from the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdList {
    tag: ShardTag,
    keys: Box<[i64]>,
}

impl IdList {
    /// Ids that have the tag of `shard`.
    pub fn new<K>(shard: ShardTag, ids: impl Iterator<Item = Id<K>>) -> Self {
        let key = |id: Id<K>| {
            debug_assert_eq!(id.tag(), shard, "ids of one shard");
            id.key()
        };
        Self { tag: shard, keys: ids.map(key).collect() }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The ids, whatever they name.
    pub fn ids(&self) -> impl Iterator<Item = ResourceId> {
        self.keys.iter().map(|key| ResourceId::with_tag(self.tag, *key))
    }
}

impl Serialize for IdList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.collect_seq(self.ids());
        }
        let mut last = 0_i64;
        let difference = |key: &i64| key.wrapping_sub(std::mem::replace(&mut last, *key));
        let differences: Vec<i64> = self.keys.iter().map(difference).collect();
        (self.tag, differences).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for IdList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let ids = Vec::<ResourceId>::deserialize(deserializer)?;
            let tag = ids.first().map_or(ShardTag::of_key(0), |id| id.tag());
            return Ok(Self { tag, keys: ids.into_iter().map(Id::key).collect() });
        }
        let (tag, mut keys) = <(ShardTag, Box<[i64]>)>::deserialize(deserializer)?;
        let mut last = 0_i64;
        for key in &mut keys {
            last = last.wrapping_add(*key);
            *key = last;
        }
        Ok(Self { tag, keys })
    }
}
