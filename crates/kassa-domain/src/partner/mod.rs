//! Partners: organizations that put events on sale and sell tickets.

mod create;
mod update;

pub use create::CreatePartner;
pub use update::UpdatePartner;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::Id;
use crate::media::{Media, MediaItem, MediaPatch};
use crate::patch::Patch;
use crate::price::Share;
use crate::refund::{RefundPolicy, RefundPolicyPatch};
use crate::refusal::Refusal;
use crate::time::Timestamp;
use crate::user::{User, UserId};
use crate::view::Row;

/// The id of a partner.
pub type PartnerId = Id<Partner>;

/// Users that can manage one partner, and partners that one user can manage.
pub const MANAGERS_MAX: u32 = 100;

/// Keys of a legal form, at all levels together.
pub const LEGAL_KEYS_MAX: u32 = 100;

/// What a partner does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartnerRole {
    /// Organizes events.
    Organizer,
    /// Sells tickets of others.
    Agent,
}

/// How to reach a partner.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Contact {
    /// Postal address.
    pub address: Option<String>,
    /// E-mail, as text for people.
    pub email: Option<String>,
    /// Whom to ask for.
    pub name: Option<String>,
    /// Telephone numbers.
    pub phones: Vec<String>,
    /// Web site; the one part that everybody sees.
    pub www: Option<String>,
}

/// A partial update of [`Contact`].
#[derive(Clone, Debug, Default)]
pub struct ContactPatch {
    /// Postal address.
    pub address: Patch<String>,
    /// E-mail.
    pub email: Patch<String>,
    /// Whom to ask for.
    pub name: Patch<String>,
    /// All telephone numbers.
    pub phones: Patch<Vec<String>>,
    /// Web site.
    pub www: Patch<String>,
}

/// A partner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partner {
    /// The id.
    pub id: PartnerId,
    /// Its name.
    pub name: String,
    /// The rest of what its people write.
    pub profile: PartnerProfile,
    /// Whether it was deleted.
    pub removed: bool,
    /// The user that made it; `None` when the operator did.
    pub user: Option<UserId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last edited.
    pub updated_at: Timestamp,
    /// Counts edits.
    pub revision: i64,
}

/// What a partner says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PartnerProfile {
    /// Description.
    pub desc: Option<String>,
    /// Who directs it.
    pub director: Option<String>,
    /// Its channels of distribution, in words.
    pub channels: Option<String>,
    /// How to reach it.
    pub contact: Contact,
    /// Its legal form and bank: an object of objects of texts, shaped by country.
    pub legal: Option<Map<String, Value>>,
    /// What it does.
    pub roles: Vec<PartnerRole>,
    /// Labels.
    pub tags: Vec<String>,
    /// What an organizer asks of agents: a proposal that is no worse is accepted at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_terms: Option<StandardTerms>,
    /// What it keeps of tickets that customers give back, unless an event says otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refund_policy: Option<RefundPolicy>,
    /// Its logo.
    pub media: Media,
}

/// An organizer's usual terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandardTerms {
    /// The organizer's part.
    pub organizer_share: Share,
    /// What the agent usually adds.
    pub markup: Share,
    /// Whether the customer pays the commission on top.
    pub platform_fee_on_top: bool,
}

/// A partial update of a partner; what a new one is made of, too.
#[derive(Clone, Debug, Default)]
pub struct PartnerPatch {
    /// Its name.
    pub name: Patch<String>,
    /// Description.
    pub desc: Patch<String>,
    /// Who directs it.
    pub director: Patch<String>,
    /// Its channels of distribution.
    pub channels: Patch<String>,
    /// How to reach it, key by key.
    pub contact: Patch<ContactPatch>,
    /// Its legal form, key by key.
    pub legal: Patch<Map<String, Value>>,
    /// All its roles.
    pub roles: Patch<Vec<PartnerRole>>,
    /// All its labels.
    pub tags: Patch<Vec<String>>,
    /// Its logo, key by key.
    pub media: MediaPatch,
    /// Its usual terms.
    pub standard_terms: Patch<StandardTerms>,
    /// What it usually keeps of tickets that are given back, key by key.
    pub refund_policy: Patch<RefundPolicyPatch>,
    /// Whether it is deleted.
    pub removed: Patch<bool>,
}

impl Partner {
    fn apply(&mut self, patch: PartnerPatch, media: MediaPatch<MediaItem>) -> Result<(), Refusal> {
        patch.name.apply_or(&mut self.name, String::new());
        let about = &mut self.profile;
        patch.desc.apply(&mut about.desc);
        patch.director.apply(&mut about.director);
        patch.channels.apply(&mut about.channels);
        match patch.contact {
            Patch::Keep => {}
            Patch::Clear => about.contact = Contact::default(),
            Patch::Set(contact) => about.contact.apply(contact),
        }
        match patch.legal {
            Patch::Keep => {}
            Patch::Clear => about.legal = None,
            Patch::Set(legal) => merge_patch(about.legal.get_or_insert_with(Map::new), legal),
        }
        patch.roles.apply_or(&mut about.roles, Vec::new());
        patch.tags.apply_or(&mut about.tags, Vec::new());
        about.media.apply(media);
        patch.standard_terms.apply(&mut about.standard_terms);
        RefundPolicyPatch::apply(patch.refund_policy, &mut about.refund_policy);
        patch.removed.apply_or(&mut self.removed, false);
        if about.legal.as_ref().is_some_and(|legal| count_keys(legal) > LEGAL_KEYS_MAX as usize) {
            return Err(Refusal::TooMany(LEGAL_KEYS_MAX));
        }
        Ok(())
    }
}

impl Contact {
    fn apply(&mut self, patch: ContactPatch) {
        patch.address.apply(&mut self.address);
        patch.email.apply(&mut self.email);
        patch.name.apply(&mut self.name);
        patch.phones.apply_or(&mut self.phones, Vec::new());
        patch.www.apply(&mut self.www);
    }
}

/// Merges by key, as PATCH does: nested objects merge, null removes, all else replaces.
fn merge_patch(into: &mut Map<String, Value>, patch: Map<String, Value>) {
    for (key, value) in patch {
        match (value, into.get_mut(&key)) {
            (Value::Null, _) => {
                into.remove(&key);
            }
            (Value::Object(nested), Some(Value::Object(old))) => merge_patch(old, nested),
            (Value::Object(nested), _) => {
                // Null clears, also in what is new.
                let mut new = Map::new();
                merge_patch(&mut new, nested);
                into.insert(key, Value::Object(new));
            }
            (value, _) => {
                into.insert(key, value);
            }
        }
    }
}

/// How many keys an object has, at all levels.
fn count_keys(object: &Map<String, Value>) -> usize {
    let nested = object.values().filter_map(Value::as_object).map(count_keys);
    object.len() + nested.sum::<usize>()
}

impl Row for Partner {
    type Key = PartnerId;

    fn key(&self) -> PartnerId {
        self.id
    }
}

/// The tie between a partner and a user that manages it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartnerManager {
    /// The partner.
    pub partner: PartnerId,
    /// The user.
    pub user: UserId,
}

impl Row for PartnerManager {
    type Key = (PartnerId, Id<User>);

    fn key(&self) -> Self::Key {
        (self.partner, self.user)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_merge_goes_key_by_key() {
        let Value::Object(mut legal) = json!({"type": "ru/ip", "bank": {"bik": "1", "rs": "2"}, "who": {"name": "A"}})
        else {
            panic!()
        };
        let Value::Object(patch) = json!({"bank": {"rs": "3", "bik": null}, "who": null, "type": "ru/ltd"}) else {
            panic!()
        };
        merge_patch(&mut legal, patch);
        assert_eq!(Value::Object(legal), json!({"type": "ru/ltd", "bank": {"rs": "3"}}));
    }
}
