//! Why something could not be had (decisions §7).

use kassa_domain::refusal::Reason;
use utoipa::openapi::{RefOr, Schema};

use crate::openapi::schema;

/// Its name in the interface.
pub(crate) fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::Sold => "sold",
        Reason::Reserved => "reserved",
        Reason::Blocked => "blocked",
        Reason::NotOnSale => "not_on_sale",
        Reason::Scattered => "scattered",
    }
}

/// All the names.
pub(crate) fn reasons() -> RefOr<Schema> {
    let reasons = [Reason::Sold, Reason::Reserved, Reason::Blocked, Reason::NotOnSale, Reason::Scattered];
    schema::words(reasons.map(reason_name)).into()
}
