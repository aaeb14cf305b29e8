//! What is said of changes of endpoints: secrets and URLs never.

use crate::model::change::{FactName, Facts};
use crate::model::webhook::{DisabledReason, Webhook};

impl Webhook {
    /// What is said of a new one.
    pub(super) fn creation_facts(&self) -> Facts {
        Facts::none().with(FactName::Status, self.status.name())
    }

    /// What is said of an edit.
    pub(super) fn edit_facts(&self, was: &Self) -> Facts {
        let reason = |webhook: &Self| webhook.status.reason().map(DisabledReason::name);
        let selection = |webhook: &Self| (webhook.selection.clone(), webhook.payload, webhook.has_customers);
        Facts::none()
            .step(FactName::Status, was.status.name(), self.status.name())
            .step(FactName::Reason, reason(was), reason(self))
            .hidden_step(FactName::Url, &was.url, &self.url)
            .hidden_step(FactName::Selection, &selection(was), &selection(self))
            .hidden_step(FactName::Description, &was.description, &self.description)
            .step(FactName::Removed, was.removed, self.removed)
    }
}
