//! A stop of a partner, and its end.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::ChangeType;
use crate::model::partner::Partner;
use crate::model::suspension::Suspension;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::PartnerId;
use crate::view::{ReadSet, View};

/// Suspends a partner, as the operator: nobody acts for it, and its events do not sell. One that is suspended stays so
/// since when it was.
#[derive(Debug)]
pub struct SuspendPartner {
    /// Which.
    pub partner: PartnerId,
    /// The operator's note.
    pub reason: Option<String>,
}

impl Command for SuspendPartner {
    type Outcome = Partner;

    fn shard(&self) -> ShardTag {
        self.partner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.partners.push(self.partner);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Partner, Refusal> {
        let mut partner = find_partner(self.partner, cx, view)?;
        let suspension = Some(Suspension::renewed(partner.suspension.as_ref(), self.reason.clone(), cx.now));
        if partner.suspension != suspension {
            let was = partner.clone();
            partner.suspension = suspension;
            let is_new = was.suspension.is_none();
            let kind = if is_new { ChangeType::PartnerSuspended } else { ChangeType::PartnerChanged };
            put_partner(&mut partner, &was, kind, cx, view);
        }
        Ok(partner)
    }
}

/// Lets a partner act again that was suspended or removed, as the operator.
#[derive(Debug)]
pub struct RestorePartner {
    /// Which.
    pub partner: PartnerId,
}

impl Command for RestorePartner {
    type Outcome = Partner;

    fn shard(&self) -> ShardTag {
        self.partner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.partners.push(self.partner);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Partner, Refusal> {
        let mut partner = find_partner(self.partner, cx, view)?;
        if partner.inactivity().is_some() {
            let was = partner.clone();
            (partner.suspension, partner.removed) = (None, false);
            put_partner(&mut partner, &was, ChangeType::PartnerRestored, cx, view);
        }
        Ok(partner)
    }
}

fn find_partner(partner: PartnerId, cx: &Context<'_>, view: &View) -> Result<Partner, Refusal> {
    permission::run_platform(cx.actor)?;
    view.partners.get(partner).cloned().ok_or(Refusal::NotFound("partner"))
}

fn put_partner(partner: &mut Partner, was: &Partner, kind: ChangeType, cx: &Context<'_>, view: &mut View) {
    let facts = partner.edit_facts(was);
    cx.state(partner, kind, facts, view);
    view.partners.put(partner.clone());
}
