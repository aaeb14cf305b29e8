//! An event of the demo, and the sets that it sells by.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::client::text_field;
use super::partners::DemoPartner;
use crate::error::Fatal;

/// An event, and its sets by name.
pub(super) struct DemoEvent {
    /// The id.
    pub(super) id: String,
    sets: BTreeMap<String, String>,
}

impl DemoEvent {
    pub(super) async fn publish(
        org: &DemoPartner,
        about: Value,
        sets: impl IntoIterator<Item = Value>,
    ) -> Result<Self, Fatal> {
        let id = text_field(&org.client.post("/v1/resources/events", about).await?, "id")?;
        let mut event = Self { id, sets: BTreeMap::new() };
        for set in sets {
            let set = org.client.post(&format!("/v1/resources/events/{}/sets", event.id), set).await?;
            event.sets.insert(text_field(&set, "name")?, text_field(&set, "id")?);
        }
        Ok(event)
    }

    /// The id of a set.
    pub(super) fn set_id(&self, name: &str) -> Result<String, Fatal> {
        Ok(self.sets.get(name).ok_or_else(|| format!("there is no set {name}"))?.clone())
    }

    /// A selection of any tickets, so many of each of these sets.
    pub(super) fn order_body(&self, wanted: &[(&str, u32)]) -> Result<Value, Fatal> {
        let count = |(name, count): &(&str, u32)| Ok((self.set_id(name)?, json!(count)));
        let sets: Map<String, Value> = wanted.iter().map(count).collect::<Result<_, Fatal>>()?;
        Ok(json!({"event": self.id, "random": sets}))
    }
}
