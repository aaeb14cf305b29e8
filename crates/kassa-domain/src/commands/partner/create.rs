//! A new partner.

use super::PartnerPatch;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::{ChangeType, Facts};
use crate::model::partner::{MANAGERS_MAX, Partner, PartnerManager, PartnerProfile};
use crate::model::quota::{PartnerUsage, QuotaExceptions};
use crate::model::role::Role;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::UserId;
use crate::values::revision::Revision;
use crate::view::{ReadSet, View};

/// Makes a partner that `manager` manages: a user for itself, the operator for any
/// user.
#[derive(Debug)]
pub struct CreatePartner {
    /// Who will manage it.
    pub manager: UserId,
    /// What it says of itself; a name is required by the caller.
    pub patch: PartnerPatch,
}

impl Command for CreatePartner {
    type Outcome = Partner;

    fn shard(&self) -> ShardTag {
        self.manager.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.manager);
        read_set.partners_of.push(self.manager);
        read_set.attachments.extend(self.patch.media.attachments());
        read_set.attachments.extend(self.patch.shop_files.attachments());
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Partner, Refusal> {
        permission::create_partner(cx.actor, self.manager)?;
        if view.users.get(self.manager).is_none() {
            return Err(Refusal::UserUnknown(self.manager.to_string()));
        }
        if view.partners_of(self.manager).len() >= MANAGERS_MAX as usize {
            return Err(Refusal::TooMany { what: "partners of one user", max: MANAGERS_MAX });
        }
        let mut partner = Partner {
            id: cx.root_id(),
            name: String::new(),
            profile: PartnerProfile::default(),
            removed: false,
            suspension: None,
            user: Some(self.manager),
            created_at: cx.now,
            updated_at: cx.now,
            revision: Revision::default(),
            usage: PartnerUsage::default(),
            quotas: QuotaExceptions::new(),
        };
        partner.apply(self.patch.clone(), cx, view)?;
        if partner.profile.require_second_factor {
            permission::change_second_factor_rule(cx.actor)?;
        }
        view.managers.put(PartnerManager { partner: partner.id, user: self.manager, role: Role::Owner });
        cx.state(&mut partner, ChangeType::PartnerCreated, Facts::none(), view);
        view.partners.put(partner.clone());
        Ok(partner)
    }
}
