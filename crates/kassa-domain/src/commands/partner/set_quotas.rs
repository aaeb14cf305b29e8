//! What one partner may store, where it is not what all may.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::ChangeType;
use crate::model::partner::Partner;
use crate::model::quota::QuotaKind;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::PartnerId;
use crate::view::{ReadSet, View};

/// Allows a partner other amounts than all are allowed. What it has stored already stays, however much it is.
#[derive(Debug)]
pub struct SetPartnerQuotas {
    /// Which.
    pub partner: PartnerId,
    /// How much of each kind; `None` for what all are allowed.
    pub quotas: Vec<(QuotaKind, Option<i64>)>,
}

impl Command for SetPartnerQuotas {
    type Outcome = Partner;

    fn shard(&self) -> ShardTag {
        self.partner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.partners.push(self.partner);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Partner, Refusal> {
        permission::run_platform(cx.actor)?;
        let mut partner = view.partners.get(self.partner).ok_or(Refusal::NotFound("partner"))?.clone();
        let was = partner.clone();
        for (kind, amount) in &self.quotas {
            match amount {
                Some(amount) => partner.quotas.insert(*kind, *amount),
                None => partner.quotas.remove(kind),
            };
        }
        if partner != was {
            let facts = partner.edit_facts(&was);
            cx.state(&mut partner, ChangeType::PartnerChanged, facts, view);
            view.partners.put(partner.clone());
        }
        Ok(partner)
    }
}
