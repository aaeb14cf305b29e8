//! The end of a token of a shop.

use super::put;
use crate::context::Context;
use crate::context::command::Command;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{PartnerId, WidgetTokenId};
use crate::view::{ReadSet, View};

/// Takes a token of a partner's shop back: from now on it opens nothing.
#[derive(Debug)]
pub struct RevokeWidgetToken {
    /// Whose.
    pub partner: PartnerId,
    /// Which.
    pub token: WidgetTokenId,
}

impl Command for RevokeWidgetToken {
    type Outcome = ();

    fn shard(&self) -> ShardTag {
        self.partner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.partners.push(self.partner);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        permission::manage_widget_tokens(cx.actor, self.partner)?;
        let mut partner = view.partners.get(self.partner).ok_or(Refusal::NotFound("partner"))?.clone();
        let tokens = &mut partner.profile.widget_tokens;
        let place = tokens.iter().position(|token| token.id == self.token).ok_or(Refusal::NotFound("widget token"))?;
        tokens.remove(place);
        put(partner, cx, view);
        Ok(())
    }
}
