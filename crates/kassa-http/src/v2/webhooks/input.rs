//! An endpoint of webhooks in a request.

use std::mem;

use kassa_domain::Patch;
use kassa_domain::event::Event;
use kassa_domain::webhook::{SELECTION_MAX, TypePattern, UnknownType, WebhookPatch, WebhookPayload};
use kassa_engine::outgoing::{OutgoingRules, TargetUrl};
use utoipa::openapi::{RefOr, Schema};

use super::super::changes::type_pattern_schema;
use crate::error::ErrorDetail;
use crate::input::{FromJson, Input, LineText, List, Problems, fields, invalid_value, parse_word, requires};
use crate::openapi::schema;
use crate::wire::{IdRef, ScopesInput};

/// Types and events that a webhook can name.
const NAMED_MAX: usize = SELECTION_MAX as usize;

fields! {
    /// A webhook in a request.
    pub(crate) struct WebhookInput {
        /// Where changes are posted to: https on port 443 or 8443, to an address of the internet, unless the operator
        /// allows others. Without user, password and fragment.
        url: Input<UrlText>,
        /// What it is for.
        description: Input<LineText>,
        /// The types of changes that it gets: `order.paid`, `order.*` or `*`.
        types: Input<TypePatterns>,
        /// The events whose changes it gets; an empty list is all.
        events: Input<List<IdRef<Event>, NAMED_MAX>>,
        /// `full`, which is the default, or `thin`.
        payload: Input<PayloadWord>,
        /// With `customers`, messages have the data of customers and visitors.
        scope: Input<ScopesInput>,
        /// `enabled` or `disabled`.
        status: Input<StatusWord>,
    }
}

requires! {
    /// A new webhook.
    pub(crate) struct NewWebhookInput: WebhookInput { url, types }
}

impl WebhookInput {
    /// The URL of a new one, checked by these rules, and what else it says.
    pub(super) fn into_new(mut self, rules: &OutgoingRules, problems: &mut Problems) -> (Option<String>, WebhookPatch) {
        let url = mem::take(&mut self.url).required("url", problems).map(|url| url.checked(rules, problems));
        let types = mem::take(&mut self.types).required("types", problems).map(|types| types.0);
        (url, WebhookPatch { types, ..self.into_patch(rules, problems) })
    }

    /// What it says; the URL is checked by these rules.
    pub(super) fn into_patch(self, rules: &OutgoingRules, problems: &mut Problems) -> WebhookPatch {
        let url = self.url.patch_non_null("url", problems).value().map(|url| url.checked(rules, problems));
        let types = self.types.patch_non_null("types", problems).value();
        let types = types.map(|types| types.0);
        let events = match self.events.patch("events", problems) {
            Patch::Keep => None,
            Patch::Clear => Some(Vec::new()),
            Patch::Set(events) => Some(events.0.into_iter().map(|event| event.0).collect()),
        };
        let has_customers = match self.scope.patch("scope", problems) {
            Patch::Keep => None,
            Patch::Clear => Some(false),
            Patch::Set(scope) => Some(scope.has_customers),
        };
        WebhookPatch {
            url,
            description: self.description.patch("description", problems).map(|text| text.0),
            types,
            events,
            payload: self.payload.patch_non_null("payload", problems).value().map(|payload| payload.0),
            has_customers,
            enabled: self.status.patch_non_null("status", problems).value().map(|status| status.0),
        }
    }
}

/// A URL; its rules depend on the configuration.
pub(crate) struct UrlText(String);

impl UrlText {
    fn checked(self, rules: &OutgoingRules, problems: &mut Problems) -> String {
        if let Err(fault) = TargetUrl::parse(&self.0, rules) {
            problems.add("url", fault.to_string());
        }
        self.0
    }
}

impl FromJson for UrlText {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        LineText::<2_048>::from_json(json).map(|text| Self(text.0.trim().to_owned()))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text_with_format("uri").max_length(Some(2_048)).into()
    }
}

/// A type of changes, or all of a kind.
struct TypePatternText(TypePattern);

impl FromJson for TypePatternText {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let LineText(text) = LineText::<64>::from_json(json)?;
        text.parse().map(Self).map_err(|error: UnknownType| invalid_value(error.to_string()))
    }

    fn json_schema() -> RefOr<Schema> {
        type_pattern_schema().into()
    }
}

/// At least one of these.
pub(crate) struct TypePatterns(Vec<TypePattern>);

impl FromJson for TypePatterns {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let List(patterns) = List::<TypePatternText, NAMED_MAX>::from_json(json)?;
        if patterns.is_empty() {
            return Err(invalid_value("must have at least one entry"));
        }
        Ok(Self(patterns.into_iter().map(|pattern| pattern.0).collect()))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::list(TypePatternText::json_schema()).min_items(Some(1)).max_items(Some(NAMED_MAX)).into()
    }
}

struct PayloadWord(WebhookPayload);

const PAYLOADS: &[(&str, WebhookPayload)] = &[("full", WebhookPayload::Full), ("thin", WebhookPayload::Thin)];

impl FromJson for PayloadWord {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        parse_word(PAYLOADS, json).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        schema::words(["full", "thin"]).into()
    }
}

struct StatusWord(bool);

impl FromJson for StatusWord {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        parse_word(&[("enabled", true), ("disabled", false)], json).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        schema::words(["enabled", "disabled"]).into()
    }
}
