//! What a request says of its conditions: its key, and what it is about.

use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use kassa_domain::precondition::ResourceRef;
use kassa_domain::{Id, ShardTag};
use serde::Deserialize;
use serde_json::Value;

use super::IDEMPOTENCY_KEY;
use crate::app::HttpConfig;
use crate::error::ApiError;
use crate::input::{self, BodyMemoryPermit};
use crate::middleware::Handlers;

/// The longest key, in characters.
const KEY_CHARS_MAX: usize = 255;

/// The key of a request: 1 to 255 visible ASCII characters.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let mut values = headers.get_all(&IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let text = value.to_str().ok().filter(|text| (1..=KEY_CHARS_MAX).contains(&text.len()) && values.next().is_none());
    let text = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_graphic())).ok_or_else(|| {
        let reason = format!("Idempotency-Key must be one value of 1 to {KEY_CHARS_MAX} visible ASCII characters");
        ApiError::new(StatusCode::BAD_REQUEST, "bad_idempotency_key", reason)
    })?;
    Ok(Some(text.to_owned()))
}

/// The body, with the memory that it takes.
pub(super) async fn buffer_body(
    handlers: &Handlers,
    parts: &Parts,
    body: Body,
) -> Result<(Bytes, BodyMemoryPermit), ApiError> {
    let app = &handlers.app;
    let mut taken = BodyMemoryPermit::default();
    let bytes =
        input::read_body(body, body_bytes_max(parts.uri.path(), &app.config), &app.body_memory, &mut taken).await?;
    Ok((bytes, taken))
}

/// The longest body that a path takes.
fn body_bytes_max(path: &str, config: &HttpConfig) -> usize {
    match resource_segments(path).as_slice() {
        ["attachments", ..] => config.attachment_bytes_max,
        ["venues", _, "maps", ..] => config.map_bytes_max,
        _ => config.json_bytes_max,
    }
}

/// The segments of a path behind its version and `resources`.
fn resource_segments(path: &str) -> Vec<&str> {
    let mut segments = path.trim_start_matches('/').split('/');
    match (segments.next(), segments.next()) {
        (Some(_), Some("resources")) => segments.collect(),
        _ => Vec::new(),
    }
}

/// Whether a path is that of a resource, or of a collection. A service has no tag that it could be expected to have.
pub(super) fn is_on_resource(path: &str) -> bool {
    !resource_segments(path).is_empty()
}

/// The row that a path names, and whose tag a GET of it shows. A collection is none, and neither is a service.
pub(super) fn resource_ref(path: &str) -> Option<ResourceRef> {
    fn id<K>(text: &str) -> Option<Id<K>> {
        text.parse().ok()
    }
    match resource_segments(path).as_slice() {
        ["users", it] => id(it).map(ResourceRef::User),
        ["partners", it] => id(it).map(ResourceRef::Partner),
        ["partners", _, "api_keys", it] => id(it).map(ResourceRef::ApiKey),
        ["attachments", it] => id(it).map(ResourceRef::Attachment),
        ["orders", it] => id(it).map(ResourceRef::Order),
        ["refund_requests", it] => id(it).map(ResourceRef::Refund),
        ["events", _, "promocodes", it] => id(it).map(ResourceRef::Promocode),
        ["events", _, "promotions", it] => id(it).map(ResourceRef::Promotion),
        ["events", _, "sets", it] => id(it).map(ResourceRef::Set),
        ["events", it] => id(it).map(ResourceRef::Event),
        ["venues", _, "maps", it] => id(it).map(ResourceRef::HallMap),
        ["venues", it] => id(it).map(ResourceRef::Venue),
        ["deals", it] => id(it).map(ResourceRef::Deal),
        _ => None,
    }
}

/// The ids of a body that say which event it is about.
#[derive(Deserialize)]
struct EventHints {
    event: Option<Value>,
    order: Option<Value>,
    tickets: Option<Value>,
    random: Option<Value>,
}

/// The tag of the event whose command a request is: that of an id in its path, else of one in its body.
/// `None` where it is about no event.
pub(super) fn event_tag(path: &str, body: &[u8]) -> Option<ShardTag> {
    fn tag(text: &str) -> Option<ShardTag> {
        text.parse().ok().map(Id::<()>::tag)
    }
    let segments: Vec<&str> = path.trim_start_matches('/').split('/').skip(1).collect();
    match segments.as_slice() {
        ["resources", "orders", "export"] => None,
        ["resources", "events", it, ..] | ["resources", "orders" | "deals" | "refund_requests", it] => tag(it),
        ["resources", "orders" | "deals" | "refund_requests"] | ["services", "orders" | "promocodes", ..] => {
            let named: EventHints = serde_json::from_slice(body).ok()?;
            let said = [&named.event, &named.order].into_iter().flatten().find_map(Value::as_str);
            let ticket = || named.tickets.as_ref()?.get(0)?.as_str();
            let set = || Some(named.random.as_ref()?.as_object()?.keys().next()?.as_str());
            tag(said.or_else(ticket).or_else(set)?)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const EVENT: &str = "6955b9000000000700000001";
    const OTHER: &str = "6955b9000000000900000001";

    #[test]
    fn a_key_is_one_visible_text() {
        let read = |values: &[&str]| {
            let value = |text: &&str| (IDEMPOTENCY_KEY, HeaderValue::from_bytes(text.as_bytes()).unwrap());
            let mut headers = HeaderMap::new();
            for (name, value) in values.iter().map(value) {
                headers.append(name, value);
            }
            idempotency_key(&headers)
        };
        assert_eq!(read(&[]).unwrap(), None);
        for text in ["k", "\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", &"x".repeat(KEY_CHARS_MAX)] {
            assert_eq!(read(&[text]).unwrap().as_deref(), Some(text));
        }
        for values in [&[""][..], &["a b"], &["é"], &[&"x".repeat(KEY_CHARS_MAX + 1)], &["a", "a"]] {
            assert!(read(values).is_err(), "{values:?}");
        }
    }

    #[test]
    fn a_request_is_about_the_event_that_its_path_or_its_body_names() {
        let of = |path: &str, body: &str| event_tag(path, body.as_bytes()).map(ShardTag::to_i64);
        for path in [
            format!("/v1/resources/events/{EVENT}"),
            format!("/v1/resources/events/{EVENT}/sets/{OTHER}"),
            format!("/v2/resources/orders/{EVENT}"),
            format!("/v1/resources/deals/{EVENT}"),
            format!("/v2/resources/refund_requests/{EVENT}"),
        ] {
            assert_eq!(of(&path, "{}"), Some(7), "{path}");
        }
        for (path, body) in [
            ("/v1/resources/orders", format!(r#"{{"event": "{EVENT}", "tickets": ["{OTHER}"]}}"#)),
            ("/v2/resources/orders", format!(r#"{{"tickets": ["{EVENT}"], "customer": null}}"#)),
            ("/v2/resources/orders", format!(r#"{{"random": {{"{EVENT}": 2}}}}"#)),
            ("/v2/services/orders/quote", format!(r#"{{"event": "{EVENT}"}}"#)),
            ("/v2/services/orders/mosbilet/user_data", format!(r#"{{"order": "{EVENT}"}}"#)),
            ("/v1/resources/refund_requests", format!(r#"{{"order": "{EVENT}"}}"#)),
            ("/v2/services/promocodes/check", format!(r#"{{"event": "{EVENT}"}}"#)),
        ] {
            assert_eq!(of(path, &body), Some(7), "{path} {body}");
        }
        for (path, body) in [
            (format!("/v1/resources/users/{EVENT}"), "{}"),
            (format!("/v1/resources/venues/{EVENT}/maps"), r#"{"event": "6955b9000000000700000001"}"#),
            ("/v1/resources/events".to_owned(), "{}"),
            ("/v2/resources/orders/export".to_owned(), "{}"),
            ("/v1/resources/orders".to_owned(), "not JSON"),
            ("/v1/resources/orders".to_owned(), r#"{"event": 5}"#),
            ("/v1".to_owned(), ""),
        ] {
            assert_eq!(of(&path, body), None, "{path} {body}");
        }
    }

    #[test]
    fn path_refers_to_its_last_resource() {
        let subject = |path: String| resource_ref(&path);
        let set = subject(format!("/v1/resources/events/{EVENT}/sets/{OTHER}"));
        assert_eq!(set, Some(ResourceRef::Set(OTHER.parse().unwrap())));
        assert_eq!(subject(format!("/v2/resources/orders/{EVENT}")), Some(ResourceRef::Order(EVENT.parse().unwrap())));
        assert_eq!(subject(format!("/v1/resources/events/{EVENT}/sets")), None);
        assert_eq!(subject("/v2/services/orders/mosbilet/user_data".to_owned()), None);
        assert_eq!(subject("/v1/resources/orders/x".to_owned()), None);
    }

    #[test]
    fn a_body_may_be_as_long_as_its_route_takes() {
        let config = HttpConfig::default();
        let max = |path: &str| body_bytes_max(path, &config);
        assert_eq!(max("/v1/resources/attachments"), config.attachment_bytes_max);
        assert_eq!(max("/v1/resources/venues/x/maps"), config.map_bytes_max);
        assert_eq!(max("/v1/resources/venues/x/maps/y"), config.map_bytes_max);
        assert_eq!(max("/v1/resources/venues/x"), config.json_bytes_max);
        assert_eq!(max("/v2/services/orders/quote"), config.json_bytes_max);
    }
}
