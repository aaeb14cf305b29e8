//! What happened to something, as histories tell it, in words.

use jiff::tz::TimeZone;
use serde_json::Value;

use super::frame::ConsoleFrame;
use super::times::{in_words, of_v2};
use super::visit::Visit;

/// Changes that have texts of their own, by their types.
const CHANGES: [(&str, &str); 34] = [
    ("event.published", "change-published"),
    ("event.canceled", "change-called-off"),
    ("partner.suspended", "change-suspended"),
    ("deal.revoked", "change-revoked"),
    ("partner.created", "change-created"),
    ("partner.changed", "change-changed"),
    ("partner.removed", "change-removed"),
    ("partner.restored", "change-restored"),
    ("event.created", "change-created"),
    ("event.changed", "change-changed"),
    ("event.removed", "change-removed"),
    ("set.created", "change-created"),
    ("set.changed", "change-changed"),
    ("set.removed", "change-removed"),
    ("deal.proposed", "change-proposed"),
    ("deal.accepted", "change-accepted"),
    ("deal.declined", "change-declined"),
    ("deal.terminated", "change-terminated"),
    ("order.reserved", "change-order-reserved"),
    ("order.changed", "change-order-changed"),
    ("order.payment_started", "change-order-paying"),
    ("order.paid", "change-order-paid"),
    ("order.canceled", "change-order-canceled"),
    ("order.expired", "change-order-expired"),
    ("order.refunded", "change-order-refunded"),
    ("ticket.issued", "change-ticket-issued"),
    ("ticket.voided", "change-ticket-voided"),
    ("payment.started", "change-payment-started"),
    ("payment.changed", "change-payment-changed"),
    ("payment.returning", "change-payment-returning"),
    ("payment.paid", "change-payment-paid"),
    ("payment.failed", "change-payment-failed"),
    ("payment.canceled", "change-payment-canceled"),
    ("payment.returned", "change-payment-returned"),
];

/// A change: what was done, by whom and when.
pub(super) struct ChangeRow {
    pub(super) what: String,
    pub(super) who: String,
    pub(super) at: String,
}

/// A change in words; one without words of its own is named as the interface names it. Who of the team has given no name
/// is told by the e-mail.
pub(super) fn change_row(visit: &Visit<'_>, frame: &ConsoleFrame<'_>, change: &Value, zone: &TimeZone) -> ChangeRow {
    let texts = visit.texts();
    let kind = change["type"].as_str().unwrap_or_default();
    let known = CHANGES.iter().find(|(name, _)| *name == kind);
    let actor = &change["actor"];
    let email = || actor["id"].as_str().and_then(|user| frame.email_of(user));
    let named = actor["name"].as_str().or_else(email).or_else(|| actor["partner"]["name"].as_str());
    ChangeRow {
        what: known.map_or_else(|| kind.to_owned(), |(_, key)| texts.text(key)),
        who: match (named, actor["type"].as_str()) {
            (Some(name), _) => name.to_owned(),
            (None, Some("system")) => texts.text("actor-system"),
            (None, Some("operator")) => texts.text("actor-operator"),
            (None, _) => texts.text("actor-customer"),
        },
        at: change["timestamp"]
            .as_str()
            .and_then(of_v2)
            .map(|at| in_words(visit.request.language, &at.to_zoned(zone.clone())))
            .unwrap_or_default(),
    }
}
