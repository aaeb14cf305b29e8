//! A partial update of a partner.

use serde_json::{Map, Value};

use crate::model::partner::{Contact, Partner, PartnerRole, StandardTerms};
use crate::refusal::Refusal;
use crate::values::media::{MediaItem, MediaPatch};
use crate::values::patch::Patch;
use crate::values::refund_policy::RefundPolicyPatch;

/// Keys of a legal form, at all levels together.
pub const LEGAL_KEYS_MAX: u32 = 100;

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
    pub(super) fn apply(&mut self, patch: PartnerPatch, media: MediaPatch<MediaItem>) -> Result<(), Refusal> {
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
            return Err(Refusal::TooMany { what: "entries in legal", max: LEGAL_KEYS_MAX });
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
