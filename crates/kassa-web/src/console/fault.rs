//! Why there is no page, and what the interface refuses, in words.

use kassa_http::http::StatusCode;
use kassa_texts::{Language, Texts};
use serde::Deserialize;

use crate::error::PageError;

/// Why a page of the console cannot be shown.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// As for any other page.
    Page(PageError),
    /// Nobody is signed in.
    SignedOut,
    /// The interface refuses it to this caller.
    Denied(Refusal),
}

impl From<PageError> for Fault {
    fn from(error: PageError) -> Self {
        Self::Page(error)
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        match refusal.status {
            StatusCode::UNAUTHORIZED => Self::SignedOut,
            // An id that is none leads nowhere.
            StatusCode::BAD_REQUEST => Self::Page(PageError::NotFound),
            StatusCode::TOO_MANY_REQUESTS => Self::Page(PageError::of_status(refusal.status)),
            _ => Self::Denied(refusal),
        }
    }
}

/// What the interface refuses.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Refusal {
    #[serde(skip)]
    pub(crate) status: StatusCode,
    /// The word for it that never changes.
    pub(crate) code: String,
    /// A sentence in English.
    #[serde(default)]
    pub(crate) reason: String,
    /// The fields that are wrong.
    #[serde(default)]
    details: Vec<Detail>,
}

#[derive(Clone, Debug, Deserialize)]
struct Detail {
    /// Its path in the body.
    #[serde(default)]
    field: String,
    #[serde(default)]
    problem: String,
}

/// Refusals that have texts of their own, by their codes.
const TEXTS: [(&str, &str); 68] = [
    ("picture_pixels", "denied-picture-pixels"),
    ("venue_in_use", "denied-venue-in-use"),
    ("venue_not_found", "denied-venue-gone"),
    ("count_wrong", "wrong-number"),
    ("nothing_chosen", "denied-nothing-chosen"),
    ("ticket_not_vacant", "denied-ticket-taken"),
    ("set_busy", "denied-set-busy"),
    ("seat_taken", "denied-seat-taken"),
    ("seats_not_on_map", "denied-seats-not-on-map"),
    ("sector_not_found", "denied-seats-not-on-map"),
    ("seats_not_chosen", "denied-seats-not-chosen"),
    ("seats_without_price", "denied-seats-without-price"),
    ("set_not_chosen", "denied-set-not-chosen"),
    ("other_sector", "denied-other-sector"),
    ("seats_fixed", "denied-seats-fixed"),
    ("promotion_overlap", "denied-promotion-overlap"),
    ("promotion_levels", "denied-promotion-levels"),
    ("too_many", "denied-too-many"),
    ("second_factor_code_wrong", "denied-factor-code"),
    ("second_factor_active", "denied-factor-active"),
    ("last_manager", "denied-last-owner"),
    ("amount_below_sold", "denied-amount-below-sold"),
    ("amount_below_uses", "denied-amount-below-uses"),
    ("attachment_not_image", "denied-not-image"),
    ("body_too_large", "denied-picture-large"),
    ("credential_invalid", "denied-credential"),
    ("current_password_required", "denied-password-wrong"),
    ("current_password_wrong", "denied-password-wrong"),
    ("customer_email_required", "denied-email-required"),
    ("agent_required", "denied-agent"),
    ("partner_not_found", "denied-agent"),
    ("deal_with_oneself", "denied-agent"),
    ("terms_exceed_price", "denied-terms"),
    ("nothing_to_sell", "denied-nothing-to-sell"),
    ("deal_transition", "denied-deal-state"),
    ("email_taken", "denied-email-taken"),
    ("email_unconfirmed", "denied-email-unconfirmed"),
    ("empty_body", "denied-no-picture"),
    ("multipart_files", "denied-no-picture"),
    ("event_not_on_sale", "denied-not-on-sale"),
    ("event_over", "denied-event-over"),
    ("order_empty", "denied-order-empty"),
    ("order_final", "denied-order-state"),
    ("order_transition", "denied-order-state"),
    ("refund_event_ended", "denied-refund-policy"),
    ("refund_event_started", "denied-refund-policy"),
    ("refund_tickets_taken", "denied-refund-open"),
    ("refund_too_late", "denied-refund-policy"),
    ("refund_empty", "denied-nothing-chosen"),
    ("tickets_gone", "denied-tickets-gone"),
    ("event_canceled", "denied-event-canceled"),
    ("forbidden", "denied-forbidden"),
    ("has_orders", "denied-has-orders"),
    ("idempotency_key_reused", "denied-sent-before"),
    ("lifetime_required", "denied-lifetime"),
    ("partner_foreign", "denied-partner-foreign"),
    ("partner_inactive", "denied-partner-inactive"),
    ("partner_requires_second_factor", "denied-partner-factor"),
    ("precondition_failed", "denied-changed"),
    ("promocode_taken", "denied-promocode-taken"),
    ("quota_exceeded", "denied-quota"),
    ("registration_by_invitation", "denied-by-invitation"),
    ("registration_closed", "denied-registration-closed"),
    ("rule_sold", "denied-rule-sold"),
    ("rules_overlap", "denied-rules-overlap"),
    ("second_factor_required", "denied-factor-required"),
    ("token_invalid", "denied-token"),
    ("too_many_requests", "denied-too-often"),
];

/// What is said of a field, by a part of what the interface says.
const PROBLEMS: [(&str, &str); 14] = [
    ("https", "wrong-url"),
    ("required", "wrong-required"),
    ("must not be null", "wrong-required"),
    ("must not be blank", "wrong-required"),
    ("8 to 128", "wrong-password"),
    ("e-mail", "wrong-email"),
    ("characters", "wrong-long"),
    ("whole number", "wrong-number"),
    ("DTEND after", "wrong-times"),
    ("must be after start", "wrong-times"),
    ("percentage", "wrong-percent"),
    ("amount", "wrong-money"),
    ("money", "wrong-money"),
    ("IBAN", "wrong-iban"),
];

impl Refusal {
    /// One that the page itself makes.
    pub(crate) fn of_page(code: &str) -> Self {
        Self { status: StatusCode::BAD_REQUEST, code: code.to_owned(), reason: String::new(), details: Vec::new() }
    }

    /// What has happened, in words.
    pub(crate) fn text(&self, texts: &Texts) -> String {
        if let Some((_, key)) = TEXTS.iter().find(|(code, _)| *code == self.code) {
            return texts.text(key);
        }
        if self.code == "invalid_fields" || self.reason.is_empty() {
            return texts.text("denied-fields");
        }
        // What has no text says it in English, rather than nothing.
        texts.about("denied-other", &self.reason)
    }

    /// The fields that are wrong, and what is said of each.
    pub(crate) fn fields(&self, texts: &Texts) -> Vec<(String, String)> {
        let said = |detail: &Detail| {
            let known = PROBLEMS.iter().find(|(part, _)| detail.problem.contains(part));
            match known {
                Some((_, key)) => texts.text(key),
                None if texts.language() == Language::En && !detail.problem.is_empty() => {
                    texts.about("wrong-other", &detail.problem)
                }
                None => texts.text("wrong-field"),
            }
        };
        self.details.iter().map(|detail| (detail.field.replacen("$.", "", 1), said(detail))).collect()
    }
}
