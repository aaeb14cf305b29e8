//! A partial update of a partner.

use serde_json::{Map, Value};

use crate::context::Context;
use crate::model::partner::{Partner, PartnerProfilePatch};
use crate::model::shop::ShopFilesPatch;
use crate::refusal::Refusal;
use crate::values::media::MediaPatch;
use crate::values::patch::{ApplyTo, Patch};
use crate::view::View;

/// Keys of a legal form, at all levels together.
pub const LEGAL_KEYS_MAX: u32 = 100;

/// A partial update of a partner; what a new one is made of, too.
#[derive(Clone, Debug, Default)]
pub struct PartnerPatch {
    /// Its name.
    pub name: Patch<String>,
    /// What it says of itself.
    pub profile: PartnerProfilePatch,
    /// Its legal form, key by key.
    pub legal: Patch<Map<String, Value>>,
    /// Its logo, key by key.
    pub media: MediaPatch,
    /// What of its shop is made of attachments.
    pub shop_files: ShopFilesPatch,
    /// Whether it is deleted.
    pub removed: Patch<bool>,
}

impl Partner {
    /// `view` has the attachments that the patch names.
    pub(super) fn apply(&mut self, patch: PartnerPatch, cx: &Context<'_>, view: &View) -> Result<(), Refusal> {
        let media = patch.media.resolve(cx.actor, view)?;
        let files = patch.shop_files.resolve(self.id, cx.actor, view)?;
        patch.name.apply_or(&mut self.name, String::new());
        let about = &mut self.profile;
        patch.profile.apply_to(about);
        about.media.apply(media);
        about.shop.apply_files(files, cx.now);
        match patch.legal {
            Patch::Keep => {}
            Patch::Clear => about.legal = None,
            Patch::Set(legal) => merge_patch(about.legal.get_or_insert_with(Map::new), legal),
        }
        patch.removed.apply_or(&mut self.removed, false);
        if about.legal.as_ref().is_some_and(|legal| count_keys(legal) > LEGAL_KEYS_MAX as usize) {
            return Err(Refusal::TooMany { what: "entries in legal", max: LEGAL_KEYS_MAX });
        }
        Ok(())
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
