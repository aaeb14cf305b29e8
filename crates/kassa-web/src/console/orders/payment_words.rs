//! What payments are called, and what of them is to go back.

use kassa_domain::Money;
use kassa_texts::Texts;
use serde_json::Value;

/// How the money comes.
pub(super) fn provider_text(payment: &Value, texts: &Texts) -> String {
    match payment["provider"].as_str().unwrap_or_default() {
        "TRANSFER" => texts.text("pay-transfer"),
        "DOOR" => texts.text("pay-door"),
        "TEST" => texts.text("pay-test"),
        other => other.to_owned(),
    }
}

/// Whether its vendor sends the money back, and no provider does.
pub(super) fn is_by_hand(payment: &Value) -> bool {
    matches!(payment["provider"].as_str(), Some("TRANSFER" | "DOOR"))
}

/// What has come in, has bought nothing, and has not gone back.
pub(super) fn open_sum(payment: &Value) -> Money {
    let sum = |name: &str| payment[name].as_str().and_then(|sum| sum.parse().ok()).unwrap_or(Money::ZERO);
    sum("received") - sum("used") - sum("returned")
}

/// Why a payment did not go as it began, where its state does not say that.
pub(super) fn reason_text(payment: &Value, texts: &Texts) -> Option<String> {
    let key = match payment["reason"].as_str()? {
        "declined" => "payment-reason-declined",
        "expired" => "payment-reason-expired",
        "replaced" => "payment-reason-replaced",
        "order_canceled" => "payment-reason-order-canceled",
        "order_paid" => "payment-reason-order-paid",
        "order_changed" => "payment-reason-order-changed",
        "tickets_gone" => "payment-reason-tickets-gone",
        "event_over" => "payment-reason-event-over",
        "surplus" => "payment-reason-surplus",
        "refund" => "payment-reason-refund",
        _ => return None,
    };
    Some(texts.text(key))
}
