//! Promo codes of an event: their list, new ones, and how one is changed and ended.

mod changing;
mod creating;
mod listing;

pub(crate) use self::changing::show;
pub(super) use self::creating::{create, create_many};
pub(crate) use self::listing::list;
pub(super) use self::listing::{PromocodeRow, csv, newest};

/// Which field of the forms says what of the interface's.
const NAMES: [(&str, &str); 4] =
    [("discount", "value"), ("tickets_count", "min"), ("lifetime", "until"), ("promocode", "code")];
