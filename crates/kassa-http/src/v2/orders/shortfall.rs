//! What an order could not have, as v2 shows it.

use crate::wire::{TimeV2, shortfall_body};

shortfall_body! {
    pub(super) enum ShortfallV2Body with TimeV2;
}
