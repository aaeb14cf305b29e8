//! Who calls: credentials of requests (decisions §1, §4).

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::Response;
use kassa_domain::actor::UserActor;
use kassa_domain::partner::PartnerId;
use kassa_domain::{Actor, Refusal};
use kassa_engine::{Asker, Conditions};
use url::Url;

use crate::app::App;
use crate::cookie;
use crate::error::ApiError;
use crate::openapi;

/// Where users log in and out.
pub(crate) const WHOAMI: &str = "/v1/services/whoami";
/// Where they register.
pub(crate) const USERS: &str = "/v1/resources/users";
/// Names the partner that a user acts for; in answers, the one that a key belongs to.
pub(crate) const X_PARTNER: HeaderName = HeaderName::from_static("x-partner");
const BY_CREDENTIAL: HeaderValue = HeaderValue::from_static("authorization, cookie");
const NO_STORE: HeaderValue = HeaderValue::from_static("private, max-age=0, no-cache, no-store");

/// The caller of a request, whether known or not.
#[derive(Clone, Debug)]
pub(crate) struct Caller(pub(crate) Actor);

/// What is wrong with a request whose credential is good. It is said when a path has been found that
/// takes the method: not before.
#[derive(Clone, Debug)]
struct Objection(Refusal);

/// A caller that gave a credential, and on which conditions it asks; without a credential the answer is 401.
#[derive(Clone, Debug)]
pub(crate) struct Known(pub(crate) Asker);

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        if let Some(Objection(refusal)) = parts.extensions.get() {
            return Err(refusal.clone().into());
        }
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or(Self(Actor::Anonymous)))
    }
}

impl<S: Sync> FromRequestParts<S> for Known {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Caller(actor) = Caller::from_request_parts(parts, state).await?;
        actor.known()?;
        Ok(Self(Asker::new(actor, parts.extensions.get::<Arc<Conditions>>().cloned())))
    }
}

/// The caller of a request, if it gave a credential and nothing is wrong with that.
pub(crate) fn known(request: &Request) -> Option<&Actor> {
    let Caller(actor) = request.extensions().get()?;
    (actor.known().is_ok() && request.extensions().get::<Objection>().is_none()).then_some(actor)
}

/// What an answer tells of its caller.
#[derive(Default)]
pub(crate) struct Marks {
    /// A session that lasts longer now.
    renewed: Option<(HeaderName, HeaderValue)>,
    audience: Audience,
    /// The partner that the key belongs to.
    key_of: Option<HeaderValue>,
}

/// Whom an answer is for.
#[derive(Default)]
enum Audience {
    /// Whoever asks.
    #[default]
    Everybody,
    /// Whoever has no credential: others may get another one.
    Strangers,
    /// This caller alone.
    Caller,
}

/// Recognizes the caller before anything else is looked at: a credential that is present but wrong
/// is 401, also where none is needed. Files are open to whoever has the url, and the OpenAPI document to everybody.
pub(crate) async fn recognize(app: &App, request: &mut Request) -> Result<Marks, ApiError> {
    let path = request.uri().path();
    if path.starts_with(crate::files::PLACE) || openapi::is_at(path) {
        return Ok(Marks::default());
    }
    if begins_or_ends_session(request.method(), path) {
        return Ok(Marks { audience: Audience::Caller, ..Marks::default() });
    }
    let (mut actor, extended) = actor_of(app, request.headers()).await?;
    if let Actor::User(user) = &mut actor
        && let Err(refusal) = choose(user, request.method(), request.headers(), app)
    {
        request.extensions_mut().insert(Objection(refusal));
    }
    let marks = Marks {
        renewed: extended.map(|token| cookie::set(app, request.headers(), &token)),
        audience: if actor == Actor::Anonymous { Audience::Strangers } else { Audience::Caller },
        key_of: match &actor {
            Actor::Partner(partner) => HeaderValue::from_str(&partner.to_string()).ok(),
            Actor::Anonymous | Actor::User(_) | Actor::Operator | Actor::System => None,
        },
    };
    request.extensions_mut().insert(Caller(actor));
    Ok(marks)
}

impl Marks {
    pub(crate) fn put_on(self, response: &mut Response) {
        match self.audience {
            Audience::Everybody => {}
            Audience::Strangers => {
                response.headers_mut().append(header::VARY, BY_CREDENTIAL);
            }
            Audience::Caller => {
                response.headers_mut().entry(header::CACHE_CONTROL).or_insert(NO_STORE);
            }
        }
        if let Some((name, value)) = self.renewed {
            response.headers_mut().append(name, value);
        }
        if let Some(partner) = self.key_of {
            response.headers_mut().insert(X_PARTNER, partner);
        }
    }
}

/// Log-in and registration are for those who have no credential, or a stale one; log-out ends what session there is.
fn begins_or_ends_session(method: &Method, path: &str) -> bool {
    match path {
        WHOAMI => method == Method::POST || method == Method::DELETE,
        USERS => method == Method::POST,
        _ => false,
    }
}

/// The caller, and the token of a session that was made to last longer.
async fn actor_of(app: &App, headers: &HeaderMap) -> Result<(Actor, Option<String>), ApiError> {
    // A key beats a cookie.
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let token = key_token(value).ok_or(Refusal::CredentialInvalid)?;
        return Ok((app.engine.actor_of_key(&token).await?, None));
    }
    let Some(token) = cookie::token(headers) else { return Ok((Actor::Anonymous, None)) };
    if token.is_empty() {
        return Err(Refusal::CredentialInvalid.into());
    }
    let (user, extended) = app.engine.actor_of_session(&token).await?;
    Ok((Actor::User(user), extended.then_some(token)))
}

/// Lets the user of a session act for the partner that the request names, if it may.
fn choose(user: &mut UserActor, method: &Method, headers: &HeaderMap, app: &App) -> Result<(), Refusal> {
    if !method.is_safe() && !same_site(headers, app.config.public_url.as_ref()) {
        return Err(Refusal::CrossSite);
    }
    if let Some(value) = headers.get(X_PARTNER) {
        let chosen: Option<PartnerId> = value.to_str().ok().and_then(|text| text.trim().parse().ok());
        let chosen = chosen.ok_or(Refusal::PartnerRequired)?;
        if !user.partners.contains(&chosen) {
            return Err(Refusal::PartnerForeign);
        }
        user.chosen = Some(chosen);
    }
    Ok(())
}

/// The key that came with a request.
pub(crate) fn key(headers: &HeaderMap) -> Option<String> {
    headers.get(header::AUTHORIZATION).and_then(key_token)
}

/// The token of `Authorization: key <32 hex>`: the scheme in any case, any blanks.
fn key_token(value: &HeaderValue) -> Option<String> {
    let mut words = value.to_str().ok()?.split_ascii_whitespace();
    let (scheme, token) = (words.next()?, words.next()?);
    let hex = token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    (scheme.eq_ignore_ascii_case("key") && hex && words.next().is_none()).then(|| token.to_ascii_lowercase())
}

/// Whether a browser, if it is one, says that the request comes from this site.
fn same_site(headers: &HeaderMap, public_url: Option<&Url>) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text(HeaderName::from_static("sec-fetch-site")) {
        return matches!(site, "same-origin" | "same-site" | "none");
    }
    let Some(origin) = text(header::ORIGIN) else { return true };
    let Ok(origin) = Url::parse(origin) else { return false };
    let authority = |url: &Url| url.host_str().map(|host| (host.to_ascii_lowercase(), url.port_or_known_default()));
    let ours = text(header::HOST).and_then(|host| Url::parse(&format!("{}://{host}", origin.scheme())).ok());
    [ours.as_ref(), public_url].into_iter().flatten().any(|url| authority(url) == authority(&origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_in_any_case_and_with_any_blanks() {
        let key = "0123456789abcdef0123456789abcdef";
        for text in [
            format!("key {key}"),
            format!("Key   {key} "),
            format!("KEY\t{key}"),
            format!(" key {}", key.to_uppercase()),
        ] {
            let value = HeaderValue::from_str(&text).unwrap();
            assert_eq!(key_token(&value).as_deref(), Some(key), "{text:?}");
        }
        for text in ["key", "key None", "Basic abc", &format!("key {key} more"), &format!("key {key}0"), key] {
            assert_eq!(key_token(&HeaderValue::from_str(text).unwrap()), None, "{text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_header_does_harm(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..60), near in "(?i)key[ \t]{1,3}[0-9a-g]{31,33}[ \t]?") {
            for bytes in [bytes.as_slice(), near.as_bytes()] {
                let token = HeaderValue::from_bytes(bytes).ok().and_then(|value| key_token(&value));
                // What is looked up and logged has one form.
                let is_sound = |token: &String| {
                    token.len() == 32 && token.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
                };
                proptest::prop_assert!(token.iter().all(is_sound));
            }
        }
    }
}
