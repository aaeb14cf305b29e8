//! Attachments, and the pictures that they are.

use super::roles::decided_by_role;
use crate::context::actor::Actor;
use crate::model::attachment::Attachment;
use crate::model::role::Capability;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::resource_ids::PartnerId;

/// A partner uploads files in its own name, and removes them.
pub fn upload_attachment(actor: &Actor, author: PartnerId) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(author)?;
    let decided = decided_by_role(actor, Capability::Organize, &[author]);
    decided.unwrap_or_else(|| Err(ForbiddenReason::OwnPartnerOnly.into()))
}

/// An attachment is its author's to see; the bytes are open to whoever has the url.
pub fn sees_attachment(actor: &Actor, attachment: &Attachment) -> bool {
    actor.acts_for(attachment.author)
}

/// The pictures of an event or a partner are attachments of the one who puts them there.
pub fn may_publish_attachment(actor: &Actor, attachment: &Attachment) -> bool {
    sees_attachment(actor, attachment) && !attachment.removed
}

/// Whether anybody who has the url may have the bytes.
pub fn is_downloadable(attachment: &Attachment) -> bool {
    !attachment.removed
}
