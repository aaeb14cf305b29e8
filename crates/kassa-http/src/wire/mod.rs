//! Values as they stand in answers and requests.

mod media;
mod names;
mod share;
mod time;
mod vevent;

pub(crate) use media::{COVER, LOGO, MediaBody, MediaKeys};
pub(crate) use names::PlaceNames;
pub(crate) use share::{ReadShare, show as show_share};
pub(crate) use time::{ReadTime, Time};
pub(crate) use vevent::{Cal, Vevent, show as show_vevent};

use kassa_domain::Money;
use serde::{Serialize, Serializer};

/// Money as a string with two decimals: `"100.00"`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Price(pub(crate) Money);

impl Serialize for Price {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}
