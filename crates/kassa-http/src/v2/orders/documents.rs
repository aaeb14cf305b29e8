//! What the documents of an order share: whose order, in which language, and how they are sent.

use std::str::FromStr;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use kassa_domain::order::{Order, OrderId};
use kassa_domain::{Actor, View};
use kassa_engine::PaidOrder;
use kassa_engine::documents::Language;

use crate::app::AppState;
use crate::error::ApiError;
use crate::files::SANDBOX_CONTENT_POLICY;
use crate::input::{Problems, Query};
use crate::openapi::params::{parameters, single_value};
use crate::openapi::schema;
use crate::related::load_visible_order;

/// Nobody keeps what opens a door.
const NO_STORE: HeaderValue = HeaderValue::from_static("private, no-store");

parameters! {
    pub(crate) struct LanguageParameters:
        single_value(
            "lang", schema::words(Language::ALL.map(Language::code)),
            "The language of the document. By default it is one that `Accept-Language` names, else English.",
        ),
}

/// An order with the rows around it, for whoever sees it.
pub(super) struct LoadedOrder {
    pub(super) order: Order,
    rows: View,
}

impl LoadedOrder {
    pub(super) async fn load(app: &AppState, actor: &Actor, id: OrderId) -> Result<Self, ApiError> {
        let order = load_visible_order(&app.engine, actor, id).await?;
        let rows = app.engine.rows_of_documents(order.id, order.event).await?;
        Ok(Self { order, rows })
    }

    /// The order, if it is paid and has tickets.
    pub(super) fn paid(&self) -> Result<PaidOrder<'_>, ApiError> {
        PaidOrder::from_view(self.order.id, &self.rows).ok_or_else(|| {
            let reason = "Only a paid order that still has tickets has documents";
            ApiError::new(StatusCode::BAD_REQUEST, "order_not_done", reason)
        })
    }
}

/// The value of `lang`.
struct LanguageName(Language);

#[derive(Debug, thiserror::Error)]
#[error("must be one of en, de, ru")]
struct UnknownLanguage;

impl FromStr for LanguageName {
    type Err = UnknownLanguage;

    fn from_str(text: &str) -> Result<Self, UnknownLanguage> {
        Language::of_tag(text).map(Self).ok_or(UnknownLanguage)
    }
}

/// The language that a client asks for.
pub(super) fn asked_language(query: &Query, headers: &HeaderMap) -> Result<Language, ApiError> {
    let mut problems = Problems::default();
    let said: Option<LanguageName> = query.value("lang", &mut problems);
    problems.finish()?;
    Ok(said.map_or_else(|| accepted_language(headers).unwrap_or_default(), |name| name.0))
}

/// The language that `Accept-Language` prefers, of those that documents are written in.
fn accepted_language(headers: &HeaderMap) -> Option<Language> {
    let accepted = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
    let mut best: Option<(f32, Language)> = None;
    for part in accepted.flat_map(|value| value.split(',')) {
        let (tag, parameters) = part.split_once(';').unwrap_or((part, ""));
        let weight = parameters.trim().strip_prefix("q=").map_or(1.0, |weight| weight.trim().parse().unwrap_or(0.0));
        let Some(language) = Language::of_tag(tag) else { continue };
        if weight > best.map_or(0.0, |(known, _)| known) {
            best = Some((weight, language));
        }
    }
    best.map(|(_, language)| language)
}

/// A document as an answer: for saving, and for nobody else.
pub(super) fn respond(content_type: &'static str, name: &str, bytes: Vec<u8>) -> Response {
    let mut headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (header::CACHE_CONTROL, NO_STORE),
        (header::CONTENT_SECURITY_POLICY, SANDBOX_CONTENT_POLICY),
    ]);
    // Names are letters and digits.
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""));
    headers.extend(disposition.ok().map(|value| (header::CONTENT_DISPOSITION, value)));
    (headers, Body::from(bytes)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_the_one_that_is_asked_for() {
        let asked = |query: &str, accept: &str| {
            let headers = HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, accept.parse().unwrap())]);
            asked_language(&Query::read(query).unwrap(), &headers).ok()
        };
        let cases = [
            ("", "", Some(Language::En)),
            ("", "fr, de-AT;q=0.5, ru;q=0.7, *;q=0.1", Some(Language::Ru)),
            ("", "de,ru", Some(Language::De)),
            ("", "de;q=0, fr", Some(Language::En)),
            ("lang=de", "ru", Some(Language::De)),
            ("lang=fr", "ru", None),
        ];
        for (query, accept, language) in cases {
            assert_eq!(asked(query, accept), language, "{query} {accept}");
        }
    }
}
