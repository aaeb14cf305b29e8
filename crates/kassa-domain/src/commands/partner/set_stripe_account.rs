//! The account at Stripe of a shop.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::shop::StripeAccount;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::PartnerId;
use crate::view::{ReadSet, View};

/// Says which account takes the payments of a shop by card, or that none does.
#[derive(Debug)]
pub struct SetStripeAccount {
    /// Whose shop.
    pub partner: PartnerId,
    /// The account, with its secrets sealed.
    pub account: Option<StripeAccount>,
}

impl Command for SetStripeAccount {
    type Outcome = Option<StripeAccount>;

    fn shard(&self) -> ShardTag {
        self.partner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.partners.push(self.partner);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Option<StripeAccount>, Refusal> {
        permission::manage_keys(cx.actor, self.partner)?;
        let mut partner = view.partners.get(self.partner).ok_or(Refusal::NotFound("partner"))?.clone();
        if partner.profile.shop.stripe != self.account {
            partner.profile.shop.stripe.clone_from(&self.account);
            cx.state(&mut partner, ChangeType::PartnerChanged, Facts::none().hidden(FactName::Profile), view);
            view.partners.put(partner);
        }
        Ok(self.account.clone())
    }
}
