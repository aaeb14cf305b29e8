//! What the changes of a partner say: which parts of it changed, and what of it anybody may know.

use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::partner::Partner;

impl Partner {
    /// What an edit is stated as.
    pub(super) fn edit_type(&self, was: &Self) -> ChangeType {
        match (was.removed, self.removed) {
            (false, true) => ChangeType::PartnerRemoved,
            (true, false) => ChangeType::PartnerRestored,
            (true, true) | (false, false) => ChangeType::PartnerChanged,
        }
    }

    /// The facts of an edit, a suspension or its end.
    pub(super) fn edit_facts(&self, was: &Self) -> Facts {
        let (about, before) = (&self.profile, &was.profile);
        let is_profile_changed = (&before.desc, &before.director, &before.channels, &before.roles, &before.tags)
            != (&about.desc, &about.director, &about.channels, &about.roles, &about.tags);
        let reason = |partner: &Self| partner.suspension.as_ref().and_then(|suspension| suspension.reason.clone());
        Facts::none()
            .step(FactName::Removed, was.removed, self.removed)
            .step(FactName::Suspended, was.suspension.is_some(), self.suspension.is_some())
            .hidden_step(FactName::Reason, &reason(was), &reason(self))
            .step(FactName::SecondFactorRequired, before.require_second_factor, about.require_second_factor)
            .hidden_step(FactName::Name, &was.name, &self.name)
            .hidden_if(FactName::Profile, is_profile_changed)
            .hidden_step(FactName::Contact, &before.contact, &about.contact)
            .hidden_step(FactName::Legal, &before.legal, &about.legal)
            .hidden_step(FactName::StandardTerms, &before.standard_terms, &about.standard_terms)
            .hidden_step(FactName::RefundPolicy, &before.refund_policy, &about.refund_policy)
            .hidden_step(FactName::Shop, &before.shop, &about.shop)
            .hidden_step(FactName::Media, &before.media, &about.media)
            .hidden_step(FactName::Quotas, &was.quotas, &self.quotas)
    }
}
