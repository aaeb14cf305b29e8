//! What a request says of its conditions: its key, and what it is about.

use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use kassa_domain::precondition::ResourceRef;
use kassa_domain::{Actor, Id, ShardTag};
use serde::Deserialize;
use serde_json::Value;

use super::IDEMPOTENCY_KEY;
use crate::app::AppState;
use crate::body_memory::BodyMemoryPermit;
use crate::error::ApiError;
use crate::input;
use crate::route::{EventSource, ResourceType, Route, RouteTable};

/// The longest key, in characters.
const KEY_CHARS_MAX: usize = 255;
/// The shortest of a visitor of a shop: nobody shall come upon the key of another one, and be answered with its order.
const VISITOR_KEY_CHARS_MIN: usize = 22;

/// The key of a request: 1 to 255 visible ASCII characters.
pub(super) fn idempotency_key(headers: &HeaderMap, actor: &Actor) -> Result<Option<String>, ApiError> {
    let chars_min = if matches!(actor, Actor::Visitor(_)) { VISITOR_KEY_CHARS_MIN } else { 1 };
    let mut values = headers.get_all(&IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let text =
        value.to_str().ok().filter(|text| (chars_min..=KEY_CHARS_MAX).contains(&text.len()) && values.next().is_none());
    let text = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_graphic())).ok_or_else(|| {
        let reason =
            format!("Idempotency-Key must be one value of {chars_min} to {KEY_CHARS_MAX} visible ASCII characters");
        ApiError::new(StatusCode::BAD_REQUEST, "bad_idempotency_key", reason)
    })?;
    Ok(Some(text.to_owned()))
}

/// The body, with the memory that it takes.
pub(super) async fn buffer_body(
    app: &AppState,
    route: &Route,
    body: Body,
) -> Result<(Bytes, BodyMemoryPermit), ApiError> {
    let mut taken = BodyMemoryPermit::default();
    let bytes = input::read_body(body, app.config.bytes_max(route.body_limit), &app.body_memory, &mut taken).await?;
    Ok((bytes, taken))
}

/// The row that the path of a request names last, whose tag a GET of it shows; `None` where that is no id.
pub(super) fn resource_ref(resource: ResourceType, parts: &Parts) -> Option<ResourceRef> {
    resource.resource_ref(parts.uri.path().rsplit('/').next()?)
}

/// The ids of a body that say which event it is about.
#[derive(Deserialize)]
struct EventHints {
    event: Option<Value>,
    order: Option<Value>,
    tickets: Option<Value>,
    random: Option<Value>,
}

/// The tag of the event whose command a request is: that of an id in its path, or of one in its body.
/// `None` where it is about no event.
pub(super) fn event_tag(routes: &RouteTable, route: &Route, path: &str, body: &[u8]) -> Option<ShardTag> {
    let tag = |text: &str| text.parse().ok().map(Id::<()>::tag);
    match route.event {
        EventSource::None => None,
        EventSource::Path => tag(routes.first_parameter(path)?),
        EventSource::Body => {
            let named: EventHints = serde_json::from_slice(body).ok()?;
            let said = [&named.event, &named.order].into_iter().flatten().find_map(Value::as_str);
            let ticket = || named.tickets.as_ref()?.get(0)?.as_str();
            let set = || Some(named.random.as_ref()?.as_object()?.keys().next()?.as_str());
            tag(said.or_else(ticket).or_else(set)?)
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;
    use crate::middleware;

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
            idempotency_key(&headers, &Actor::Partner(Id::root(1)))
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
        let routes = middleware::all_routes();
        let of = |request: &str, body: &str| {
            let (method, path) = request.split_once(' ').unwrap();
            let route = routes.find(&method.parse().unwrap(), path).route.unwrap();
            event_tag(&routes, route, path, body.as_bytes()).map(ShardTag::to_i64)
        };
        for request in [
            format!("PATCH /v1/resources/events/{EVENT}"),
            format!("DELETE /v1/resources/events/{EVENT}/sets/{OTHER}"),
            format!("POST /v1/resources/events/{EVENT}/promocodes"),
            format!("PATCH /v2/resources/orders/{EVENT}"),
            format!("DELETE /v1/resources/orders/{EVENT}"),
            format!("PATCH /v1/resources/deals/{EVENT}"),
            format!("POST /v1/resources/refund_requests/{EVENT}"),
            format!("PATCH /v2/resources/refund_requests/{EVENT}"),
        ] {
            assert_eq!(of(&request, "{}"), Some(7), "{request}");
        }
        for (request, body) in [
            ("POST /v1/resources/orders", format!(r#"{{"event": "{EVENT}", "tickets": ["{OTHER}"]}}"#)),
            ("POST /v1/resources/deals", format!(r#"{{"event": "{EVENT}"}}"#)),
            ("POST /v2/resources/orders", format!(r#"{{"tickets": ["{EVENT}"], "customer": null}}"#)),
            ("POST /v2/resources/orders", format!(r#"{{"random": {{"{EVENT}": 2}}}}"#)),
            ("POST /v2/services/orders/quote", format!(r#"{{"event": "{EVENT}"}}"#)),
            ("PUT /v2/services/orders/mosbilet/user_data", format!(r#"{{"order": "{EVENT}"}}"#)),
            ("POST /v1/resources/refund_requests", format!(r#"{{"order": "{EVENT}"}}"#)),
            ("POST /v2/resources/refund_requests", format!(r#"{{"order": "{EVENT}"}}"#)),
            ("POST /v2/services/promocodes/check", format!(r#"{{"event": "{EVENT}"}}"#)),
        ] {
            assert_eq!(of(request, &body), Some(7), "{request} {body}");
        }
        for (request, body) in [
            (format!("PATCH /v1/resources/users/{EVENT}"), "{}"),
            (format!("POST /v1/resources/venues/{EVENT}/maps"), r#"{"event": "6955b9000000000700000001"}"#),
            ("POST /v1/resources/events".to_owned(), "{}"),
            ("POST /v2/resources/orders/export".to_owned(), r#"{"event": "6955b9000000000700000001"}"#),
            ("POST /v1/resources/orders".to_owned(), "not JSON"),
            ("POST /v1/resources/orders".to_owned(), r#"{"event": 5}"#),
        ] {
            assert_eq!(of(&request, body), None, "{request} {body}");
        }
    }

    #[test]
    fn path_refers_to_its_last_resource() {
        let named = |resource: ResourceType, path: &str| {
            resource_ref(resource, &axum::extract::Request::patch(path).body(()).unwrap().into_parts().0)
        };
        let set = named(ResourceType::Set, &format!("/v1/resources/events/{EVENT}/sets/{OTHER}"));
        assert_eq!(set, Some(ResourceRef::Set(OTHER.parse().unwrap())));
        let order = named(ResourceType::Order, &format!("/v2/resources/orders/{EVENT}?x=1"));
        assert_eq!(order, Some(ResourceRef::Order(EVENT.parse().unwrap())));
        assert_eq!(named(ResourceType::Order, "/v1/resources/orders/x"), None);
    }
}
