//! A reader of the feed, page by page, as partners read it.

use std::collections::HashSet;

use serde_json::Value;

use crate::client::{Client, items, text};

/// Where a reader stands in the feed.
pub(crate) struct FeedReader {
    client: Client,
    /// Which changes it wants, as a query.
    wanted: &'static str,
    pub(crate) cursor: String,
}

impl FeedReader {
    /// One that stands behind a cursor, at `start` or at `end`.
    pub(crate) fn new(client: Client, wanted: &'static str, after: &str) -> Self {
        Self { client, wanted, cursor: after.to_owned() }
    }

    /// The next changes, and whether there are more at once. Where there are none, it waits for so many seconds.
    #[track_caller]
    pub(crate) fn read(&mut self, wait: u32) -> (Vec<Value>, bool) {
        let Self { client, wanted, cursor } = self;
        let path = format!("/v2/resources/changes?{wanted}&payload=thin&limit=100&wait={wait}&after={cursor}");
        let mut page = client.get(&path).success_body();
        self.cursor = text(&page["pagination"]["cursor"]);
        let has_more = page["pagination"]["has_more"].as_bool().unwrap();
        let changes = page["data"].take();
        (items(&changes).to_vec(), has_more)
    }

    /// The ids of all that is there now.
    #[track_caller]
    pub(crate) fn read_ids(&mut self) -> HashSet<String> {
        let mut ids = HashSet::new();
        loop {
            let (changes, has_more) = self.read(0);
            ids.extend(changes.iter().map(|change| text(&change["id"])));
            if !has_more {
                return ids;
            }
        }
    }

    /// Reads on until there is a change of this resource.
    #[track_caller]
    pub(crate) fn read_until(&mut self, resource: &str) {
        while !self.read(30).0.iter().any(|change| change["resource"]["id"] == resource) {}
    }
}
