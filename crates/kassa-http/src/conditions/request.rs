//! What a request says of its conditions: its key, and what it is about.

use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use kassa_domain::expectation::Subject;
use kassa_domain::{Id, Tag};
use serde::Deserialize;
use serde_json::Value;

use super::IDEMPOTENCY_KEY;
use crate::app::Config;
use crate::edge::Handlers;
use crate::error::ApiError;
use crate::input::{self, Taken};

/// The longest key, in characters.
const KEY_MAX: usize = 255;

/// The key of a request: 1 to 255 visible ASCII characters.
pub(super) fn key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let mut values = headers.get_all(&IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let text = value.to_str().ok().filter(|text| (1..=KEY_MAX).contains(&text.len()) && values.next().is_none());
    let text = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_graphic())).ok_or_else(|| {
        let reason = format!("Idempotency-Key must be one value of 1 to {KEY_MAX} visible ASCII characters");
        ApiError::new(StatusCode::BAD_REQUEST, "bad_idempotency_key", reason)
    })?;
    Ok(Some(text.to_owned()))
}

/// The body, with the memory that it takes.
pub(super) async fn read(handlers: &Handlers, parts: &Parts, body: Body) -> Result<(Bytes, Taken), ApiError> {
    let app = &handlers.app;
    let mut taken = Taken::default();
    let bytes = input::read(body, bytes_max(parts.uri.path(), &app.config), &app.bodies, &mut taken).await?;
    Ok((bytes, taken))
}

/// The longest body that a path takes.
fn bytes_max(path: &str, config: &Config) -> usize {
    match below_resources(path).as_slice() {
        ["attachments", ..] => config.attachment_bytes_max,
        ["venues", _, "maps", ..] => config.map_bytes_max,
        _ => config.json_bytes_max,
    }
}

/// The segments of a path behind its version and `resources`.
fn below_resources(path: &str) -> Vec<&str> {
    let mut segments = path.trim_start_matches('/').split('/');
    match (segments.next(), segments.next()) {
        (Some(_), Some("resources")) => segments.collect(),
        _ => Vec::new(),
    }
}

/// Whether a path is that of a resource, or of a collection. A service has no tag that it could be expected to have.
pub(super) fn is_on_resource(path: &str) -> bool {
    !below_resources(path).is_empty()
}

/// The row that a path names, and whose tag a GET of it shows. A collection is none, and neither is a service.
pub(super) fn subject(path: &str) -> Option<Subject> {
    fn id<K>(text: &str) -> Option<Id<K>> {
        text.parse().ok()
    }
    match below_resources(path).as_slice() {
        ["users", it] => id(it).map(Subject::User),
        ["partners", it] => id(it).map(Subject::Partner),
        ["partners", _, "api_keys", it] => id(it).map(Subject::Key),
        ["attachments", it] => id(it).map(Subject::Attachment),
        ["orders", it] => id(it).map(Subject::Order),
        ["refund_requests", it] => id(it).map(Subject::Refund),
        ["events", _, "promocodes", it] => id(it).map(Subject::Promocode),
        ["events", _, "promotions", it] => id(it).map(Subject::Promotion),
        ["events", _, "sets", it] => id(it).map(Subject::Set),
        ["events", it] => id(it).map(Subject::Event),
        ["venues", _, "maps", it] => id(it).map(Subject::Map),
        ["venues", it] => id(it).map(Subject::Venue),
        ["deals", it] => id(it).map(Subject::Deal),
        _ => None,
    }
}

/// The ids of a body that say which event it is about.
#[derive(Deserialize)]
struct Named {
    event: Option<Value>,
    order: Option<Value>,
    tickets: Option<Value>,
    random: Option<Value>,
}

/// The tag of the event whose command a request is: that of an id in its path, else of one in its body.
/// `None` where it is about no event.
pub(super) fn event_of(path: &str, body: &[u8]) -> Option<Tag> {
    fn tag(text: &str) -> Option<Tag> {
        text.parse().ok().map(Id::<()>::tag)
    }
    let segments: Vec<&str> = path.trim_start_matches('/').split('/').skip(1).collect();
    match segments.as_slice() {
        ["resources", "orders", "export"] => None,
        ["resources", "events", it, ..] | ["resources", "orders" | "deals" | "refund_requests", it] => tag(it),
        ["resources", "orders" | "deals" | "refund_requests"] | ["services", "orders" | "promocodes", ..] => {
            let named: Named = serde_json::from_slice(body).ok()?;
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
            key(&headers)
        };
        assert_eq!(read(&[]).unwrap(), None);
        for text in ["k", "\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", &"x".repeat(KEY_MAX)] {
            assert_eq!(read(&[text]).unwrap().as_deref(), Some(text));
        }
        for values in [&[""][..], &["a b"], &["é"], &[&"x".repeat(KEY_MAX + 1)], &["a", "a"]] {
            assert!(read(values).is_err(), "{values:?}");
        }
    }

    #[test]
    fn a_request_is_about_the_event_that_its_path_or_its_body_names() {
        let of = |path: &str, body: &str| event_of(path, body.as_bytes()).map(Tag::to_i64);
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
    fn a_path_names_its_last_row() {
        let subject = |path: String| subject(&path);
        let set = subject(format!("/v1/resources/events/{EVENT}/sets/{OTHER}"));
        assert_eq!(set, Some(Subject::Set(OTHER.parse().unwrap())));
        assert_eq!(subject(format!("/v2/resources/orders/{EVENT}")), Some(Subject::Order(EVENT.parse().unwrap())));
        assert_eq!(subject(format!("/v1/resources/events/{EVENT}/sets")), None);
        assert_eq!(subject("/v2/services/orders/mosbilet/user_data".to_owned()), None);
        assert_eq!(subject("/v1/resources/orders/x".to_owned()), None);
    }

    #[test]
    fn a_body_may_be_as_long_as_its_route_takes() {
        let config = Config::default();
        let max = |path: &str| bytes_max(path, &config);
        assert_eq!(max("/v1/resources/attachments"), config.attachment_bytes_max);
        assert_eq!(max("/v1/resources/venues/x/maps"), config.map_bytes_max);
        assert_eq!(max("/v1/resources/venues/x/maps/y"), config.map_bytes_max);
        assert_eq!(max("/v1/resources/venues/x"), config.json_bytes_max);
        assert_eq!(max("/v2/services/orders/quote"), config.json_bytes_max);
    }
}
