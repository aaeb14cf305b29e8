//! Titles of events, where somebody looks for one or chooses one.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::console::fault::Fault;
use crate::console::visit::{Visit, checked_id};

/// Events that are searched and offered, at most: what the interface lists at once.
const NEWEST_MAX: usize = 1_000;

/// Ids and titles of events.
pub(crate) struct EventTitles {
    /// The newest of the partner.
    pub(crate) newest: Vec<(String, String)>,
    /// What is named besides: older ones, removed ones, and those of others that may be seen.
    pub(crate) named: Vec<(String, String)>,
    /// Whether the partner has more than the newest.
    has_more: bool,
}

impl EventTitles {
    /// The newest events of the partner, and those of these ids.
    pub(crate) async fn load(visit: &Visit<'_>, named: &[&str]) -> Result<Self, Fault> {
        let query = format!("org={}&limit={NEWEST_MAX}", visit.segment("partner"));
        let (newest, total) = read(visit, &query).await?;
        let known: BTreeSet<&str> = newest.iter().map(|(id, _)| id.as_str()).collect();
        let is_missing = |id: &&str| checked_id(id).is_ok() && !known.contains(id);
        let missing: BTreeSet<&str> = named.iter().copied().filter(is_missing).collect();
        let named = if missing.is_empty() {
            Vec::new()
        } else {
            let ids: Vec<&str> = missing.into_iter().collect();
            read(visit, &format!("ids={}&removed=true", ids.join(","))).await?.0
        };
        Ok(Self { has_more: total > newest.len(), newest, named })
    }

    /// The title of an event, if it is among them.
    pub(crate) fn title(&self, id: &str) -> Option<&str> {
        let mut all = self.newest.iter().chain(&self.named);
        all.find(|(other, _)| other == id).map(|(_, title)| title.as_str())
    }

    /// Says by a text that there are more, if there are.
    pub(crate) fn hint(&self, visit: &Visit<'_>, key: &str) -> Option<String> {
        self.has_more.then(|| visit.texts().count(key, i64::try_from(self.newest.len()).unwrap_or(i64::MAX)))
    }
}

async fn read(visit: &Visit<'_>, query: &str) -> Result<(Vec<(String, String)>, usize), Fault> {
    let found = visit.read(&format!("/v1/resources/events?{query}&fields-schema=id,title%7Btext%7D")).await?;
    let title = |event: &Value| {
        Some((event["id"].as_str()?.to_owned(), event["title"]["text"].as_str().unwrap_or_default().to_owned()))
    };
    Ok((found.value.as_array().into_iter().flatten().filter_map(title).collect(), found.total))
}
