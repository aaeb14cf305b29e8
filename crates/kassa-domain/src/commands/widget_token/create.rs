//! A new token of a shop.

use super::put;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::widget_token::{WIDGET_TOKENS_MAX, WidgetToken};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{EventId, PartnerId};
use crate::view::{ReadSet, View};

/// Makes a token of a partner's shop.
#[derive(Debug)]
pub struct CreateWidgetToken {
    /// Whose.
    pub partner: PartnerId,
    /// The one event that it shall sell.
    pub event: Option<EventId>,
}

impl Command for CreateWidgetToken {
    type Outcome = WidgetToken;

    fn shard(&self) -> ShardTag {
        self.partner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.partners.push(self.partner);
        read_set.events.extend(self.event);
        read_set.organizers_of.extend(self.event);
        read_set.deals_of.extend(self.event.map(|event| (event, self.partner)));
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<WidgetToken, Refusal> {
        permission::manage_widget_tokens(cx.actor, self.partner)?;
        let mut partner = view.partners.get(self.partner).ok_or(Refusal::NotFound("partner"))?.clone();
        if let Some(event) = self.event {
            let seen = view.events.get(event).filter(|event| permission::sees_event(cx.actor, event, view));
            seen.ok_or_else(|| Refusal::EventUnknown(event.to_string()))?;
        }
        if partner.profile.widget_tokens.len() >= WIDGET_TOKENS_MAX as usize {
            return Err(Refusal::TooMany { what: "widget tokens of one partner", max: WIDGET_TOKENS_MAX });
        }
        let token = WidgetToken { id: cx.root_id(), event: self.event, created_at: cx.now };
        partner.profile.widget_tokens.push(token.clone());
        put(partner, cx, view);
        Ok(token)
    }
}
