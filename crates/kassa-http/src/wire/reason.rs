//! Why something could not be had (decisions §7).

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
    schema::words(reasons.map(shortfall_reason_name)).into()
}
