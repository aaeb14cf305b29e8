//! Why something could not be had.

use kassa_domain::refusal::ShortfallReason;
use utoipa::openapi::{RefOr, Schema};

use crate::openapi::schema;

/// Its name in the interface.
pub(crate) fn shortfall_reason_name(reason: ShortfallReason) -> &'static str {
    match reason {
        ShortfallReason::Sold => "sold",
        ShortfallReason::Reserved => "reserved",
        ShortfallReason::Blocked => "blocked",
        ShortfallReason::NotOnSale => "not_on_sale",
        ShortfallReason::Scattered => "scattered",
    }
}

/// All the names.
pub(crate) fn shortfall_reasons_schema() -> RefOr<Schema> {
    let reasons = [
        ShortfallReason::Sold,
        ShortfallReason::Reserved,
        ShortfallReason::Blocked,
        ShortfallReason::NotOnSale,
        ShortfallReason::Scattered,
    ];
    let about = "Why: `blocked` is held back by the organizer, `not_on_sale` outside all price rules; \
                 `scattered`: the tickets were found, but their seats are not all next to each other.";
    schema::words(reasons.map(shortfall_reason_name)).description(Some(about)).into()
}
