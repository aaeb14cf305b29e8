//! Changes to what is kept with an order.

use crate::model::order::{OrderNotes, VENDOR_DATA_ENTRIES_MAX, VendorDataValue};
use crate::refusal::Refusal;
use crate::values::patch::Patch;

impl OrderNotes {
    pub(super) fn apply(&mut self, patch: OrderNotesPatch) -> Result<(), Refusal> {
        patch.subscribe_agree.apply_or(&mut self.subscribe_agree, false);
        patch.order_id.apply(&mut self.vendor_data.order_id);
        let raw = &mut self.vendor_data.raw;
        match patch.raw {
            Patch::Keep => {}
            Patch::Clear => raw.clear(),
            Patch::Set(entries) => {
                for (key, value) in entries {
                    match value {
                        Some(value) => drop(raw.insert(key, value)),
                        None => drop(raw.remove(&key)),
                    }
                }
            }
        }
        if raw.len() > VENDOR_DATA_ENTRIES_MAX as usize {
            Err(Refusal::TooMany { what: "entries in vendor_data.raw", max: VENDOR_DATA_ENTRIES_MAX })
        } else {
            Ok(())
        }
    }
}

/// A partial update of [`OrderNotes`], but for the visitors: see [`super::SetVisitors`].
#[derive(Clone, Debug, Default)]
pub struct OrderNotesPatch {
    /// Whether the customer wants to hear of other events.
    pub subscribe_agree: Patch<bool>,
    /// What the vendor calls the order.
    pub order_id: Patch<String>,
    /// Entries of the vendor's own data; `None` takes one away.
    pub raw: Patch<Vec<(String, Option<VendorDataValue>)>>,
}
