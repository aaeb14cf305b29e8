//! What partners say of an endpoint.

use crate::context::actor::Actor;
use crate::model::webhook::{SELECTION_MAX, TypePattern, Webhook, WebhookPayload};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::patch::Patch;
use crate::values::resource_ids::{EventId, PartnerId};
use crate::view::{ReadSet, View};

/// What an endpoint shall be. What is not mentioned stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebhookPatch {
    /// Where changes are posted to: checked before.
    pub url: Option<String>,
    /// What it is for.
    pub description: Patch<String>,
    /// Which types it wants.
    pub types: Option<Vec<TypePattern>>,
    /// Which events it wants; none are all.
    pub events: Option<Vec<EventId>>,
    /// What a message has.
    pub payload: Option<WebhookPayload>,
    /// Whether messages have the data of customers.
    pub has_customers: Option<bool>,
    /// Whether anything is sent.
    pub enabled: Option<bool>,
}

impl WebhookPatch {
    /// Names the events, and what says who sees them.
    pub(super) fn read_set(&self, partner: PartnerId, read_set: &mut ReadSet) {
        for event in self.events.iter().flatten() {
            read_set.events.push(*event);
            read_set.organizers_of.push(*event);
            read_set.deals_of.push((*event, partner));
        }
    }

    pub(super) fn weight(&self) -> u32 {
        let events = self.events.as_ref().map_or(0, Vec::len);
        u32::try_from(events).unwrap_or(u32::MAX).saturating_mul(3)
    }

    /// Applies it, except for whether anything is sent. Events that the actor does not see are unknown.
    pub(super) fn apply(&self, webhook: &mut Webhook, actor: &Actor, view: &View) -> Result<(), Refusal> {
        if let Some(events) = &self.events {
            check_count("events of a webhook", events.len())?;
            let is_seen =
                |event: EventId| view.events.get(event).is_some_and(|row| permission::sees_event(actor, row, view));
            if let Some(unseen) = events.iter().find(|event| !is_seen(**event)) {
                return Err(Refusal::EventUnknown(unseen.to_string()));
            }
            webhook.selection.events.clone_from(events);
        }
        if let Some(types) = &self.types {
            check_count("types of a webhook", types.len())?;
            webhook.selection.types.clone_from(types);
        }
        if let Some(url) = &self.url {
            webhook.url.clone_from(url);
        }
        self.description.clone().apply(&mut webhook.description);
        webhook.payload = self.payload.unwrap_or(webhook.payload);
        webhook.has_customers = self.has_customers.unwrap_or(webhook.has_customers);
        Ok(())
    }
}

fn check_count(what: &'static str, count: usize) -> Result<(), Refusal> {
    if count > SELECTION_MAX as usize { Err(Refusal::TooMany { what, max: SELECTION_MAX }) } else { Ok(()) }
}
