//! Who calls: credentials of requests.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::Response;
use kassa_domain::actor::UserActor;
use kassa_domain::api_key::ApiKeyId;
use kassa_domain::change::Origin;
use kassa_domain::order::NetworkMark;
use kassa_domain::partner::PartnerId;
use kassa_domain::refusal::CredentialFault;
use kassa_domain::{Actor, Refusal};
use kassa_engine::{Caller, KeyHolder, Reader, RequestConditions};
use url::Url;

use crate::app::AppState;
use crate::error::ApiError;
use crate::peer::{self, ClientNetwork};
use crate::route::Access;
use crate::session_cookie;

/// Names the partner that a user acts for; in answers, the one that a key belongs to.
pub(crate) const X_PARTNER: HeaderName = HeaderName::from_static("x-partner");
const VARY_BY_CREDENTIAL: HeaderValue = HeaderValue::from_static("authorization, cookie");
const NO_STORE: HeaderValue = HeaderValue::from_static("private, max-age=0, no-cache, no-store");

/// The caller of a request, whether known or not.
#[derive(Clone, Debug)]
pub(crate) struct AnyCaller(pub(crate) Actor);

/// What is wrong with a request whose credential is good. It is said when a path has been found that
/// takes the method: not before.
#[derive(Clone, Debug)]
struct DeferredRefusal(Refusal);

/// Where a request comes from, as the log of changes says it.
#[derive(Clone, Copy, Debug)]
struct RequestOrigin(Origin);

/// A caller that gave a credential, and on which conditions it asks; without a credential the answer is 401.
#[derive(Clone, Debug)]
pub(crate) struct AuthenticatedCaller(pub(crate) Caller);

/// Whether the key of a request was made with the scope `customers`. A session has no scopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CustomersScope(pub(crate) bool);

impl<S: Sync> FromRequestParts<S> for CustomersScope {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Self>().copied().unwrap_or_default())
    }
}

impl<S: Sync> FromRequestParts<S> for AnyCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        if let Some(DeferredRefusal(refusal)) = parts.extensions.get() {
            return Err(refusal.clone().into());
        }
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or(Self(Actor::Anonymous)))
    }
}

impl<S: Sync> FromRequestParts<S> for AuthenticatedCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let AnyCaller(actor) = AnyCaller::from_request_parts(parts, state).await?;
        actor.require_credential()?;
        let caller = Caller::new(actor, parts.extensions.get::<Arc<RequestConditions>>().cloned());
        let origin =
            parts.extensions.get::<RequestOrigin>().map_or_else(Origin::default, |RequestOrigin(origin)| *origin);
        Ok(Self(caller.from_origin(origin)))
    }
}

/// Where a request comes from, as orders of visitors keep it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestNetwork(pub(crate) NetworkMark);

impl FromRequestParts<AppState> for RequestNetwork {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Infallible> {
        let network = peer::client_network(&parts.extensions, &parts.headers, app.config.trusted_proxies);
        Ok(Self(app.engine.network_mark(network.map(ClientNetwork::text).as_deref())))
    }
}

/// The address of a request, as limits count it; `None` where the program asks itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestAddress(pub(crate) Option<ClientNetwork>);

impl FromRequestParts<AppState> for RequestAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Infallible> {
        Ok(Self(peer::client_network(&parts.extensions, &parts.headers, app.config.trusted_proxies)))
    }
}

/// The caller of a request that was recognized; `None` where something is wrong with it.
pub(crate) fn actor(request: &Request) -> Option<&Actor> {
    let AnyCaller(actor) = request.extensions().get()?;
    request.extensions().get::<DeferredRefusal>().is_none().then_some(actor)
}

/// The caller of a request, if it gave a credential and nothing is wrong with that.
pub(crate) fn authenticated_actor(request: &Request) -> Option<&Actor> {
    actor(request).filter(|actor| actor.require_credential().is_ok())
}

/// The key that came with a request, and the partner it belongs to.
pub(crate) fn key_of(request: &Request) -> Option<(PartnerId, ApiKeyId)> {
    let RequestOrigin(origin) = request.extensions().get()?;
    match request.extensions().get()? {
        AnyCaller(Actor::Partner(partner)) => Some((*partner, origin.api_key?)),
        AnyCaller(_) => None,
    }
}

/// What a request said of its caller: whether that still holds is asked again while an answer goes on for long.
pub(crate) struct StandingCredential(HeaderMap);

impl StandingCredential {
    /// Of a request with these headers.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let names = [header::AUTHORIZATION, header::COOKIE, X_PARTNER];
        let said = names.iter().flat_map(|name| headers.get_all(name).iter().map(move |value| (name.clone(), value)));
        let mut kept = HeaderMap::new();
        for (name, value) in said {
            kept.append(name, value.clone());
        }
        Self(kept)
    }

    /// The caller, as it is now.
    pub(crate) async fn check(&self, app: &AppState) -> Result<Actor, ApiError> {
        let (mut actor, ..) = actor_of(app, &self.0).await?;
        if let Actor::User(user) = &mut actor {
            choose_partner(user, &Method::GET, &self.0, app)?;
        }
        actor.require_credential()?;
        Ok(actor)
    }
}

/// What an answer tells of its caller.
#[derive(Default)]
pub(crate) struct CallerHeaders {
    /// A session that lasts longer now.
    renewed_cookie: Option<(HeaderName, HeaderValue)>,
    audience: Audience,
    /// The partner that the key belongs to.
    key_owner: Option<HeaderValue>,
}

/// Whom an answer is for.
#[derive(Default)]
enum Audience {
    /// Whoever asks.
    #[default]
    Anyone,
    /// Whoever has no credential: others may get another one.
    Anonymous,
    /// This caller alone.
    CallerOnly,
}

/// Recognizes the caller before anything else is looked at but what the request leads to: a credential that is present
/// but wrong is 401, also where none is needed.
pub(crate) async fn authenticate(
    app: &AppState,
    access: Access,
    request: &mut Request,
) -> Result<CallerHeaders, ApiError> {
    match access {
        Access::Public => return Ok(CallerHeaders::default()),
        // Log-in and registration are for those who have no credential, or a stale one; log-out ends what session
        // there is.
        Access::Session => return Ok(CallerHeaders { audience: Audience::CallerOnly, ..CallerHeaders::default() }),
        Access::Checked | Access::Credential => {}
    }
    let (mut actor, extended, key) = actor_of(app, request.headers()).await?;
    let renewed_cookie = extended.map(|token| session_cookie::set_cookie_header(app, request.headers(), &token));
    if access == Access::Checked {
        return Ok(CallerHeaders { renewed_cookie, audience: Audience::CallerOnly, ..CallerHeaders::default() });
    }
    if let Actor::User(user) = &mut actor
        && let Err(refusal) = choose_partner(user, request.method(), request.headers(), app)
    {
        request.extensions_mut().insert(DeferredRefusal(refusal));
    }
    let marks = CallerHeaders {
        renewed_cookie,
        audience: if actor == Actor::Anonymous { Audience::Anonymous } else { Audience::CallerOnly },
        key_owner: match &actor {
            Actor::Partner(partner) => HeaderValue::from_str(&partner.to_string()).ok(),
            Actor::Anonymous
            | Actor::User(_)
            | Actor::Visitor(_)
            | Actor::Buyer(_)
            | Actor::Operator
            | Actor::System => None,
        },
    };
    let network = peer::client_network(request.extensions(), request.headers(), app.config.trusted_proxies);
    let origin = Origin { api_key: key.map(|key| key.key), address: network.map(peer::ClientNetwork::class) };
    request.extensions_mut().insert(RequestOrigin(origin));
    request.extensions_mut().insert(CustomersScope(key.is_some_and(|key| key.has_customers)));
    request.extensions_mut().insert(AnyCaller(actor));
    Ok(marks)
}

impl CallerHeaders {
    pub(crate) fn apply(self, response: &mut Response) {
        match self.audience {
            Audience::Anyone => {}
            Audience::Anonymous => {
                response.headers_mut().append(header::VARY, VARY_BY_CREDENTIAL);
            }
            Audience::CallerOnly => {
                response.headers_mut().entry(header::CACHE_CONTROL).or_insert(NO_STORE);
            }
        }
        if let Some((name, value)) = self.renewed_cookie {
            response.headers_mut().append(name, value);
        }
        if let Some(partner) = self.key_owner {
            response.headers_mut().insert(X_PARTNER, partner);
        }
    }
}

/// The caller, the token of a session that was made to last longer, and the key that was shown.
async fn actor_of(app: &AppState, headers: &HeaderMap) -> Result<(Actor, Option<String>, Option<KeyHolder>), ApiError> {
    // A key beats a cookie.
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let malformed = || Refusal::CredentialInvalid(CredentialFault::MalformedHeader);
        return match Authorization::parse(value).ok_or_else(malformed)? {
            Authorization::Key(token) => {
                let holder = app.engine.holder_of_key(&token).await?;
                Ok((Actor::Partner(holder.partner), None, Some(holder)))
            }
            // Looked up each time, and long: boxed, it does not enlarge what is moved for every request.
            Authorization::Shop(token) => Ok((Box::pin(app.engine.visitor_with(token)).await?, None, None)),
            Authorization::OrderLink(link) => Ok((app.engine.buyer_with(link)?, None, None)),
        };
    }
    let Some(token) = session_cookie::session_token(headers) else {
        return Ok((Actor::Anonymous, None, None));
    };
    if token.is_empty() {
        return Err(Refusal::CredentialInvalid(CredentialFault::SessionEnded).into());
    }
    let (user, extended) = app.engine.actor_of_session(&token).await?;
    Ok((Actor::User(user), extended.then_some(token), None))
}

/// Lets the user of a session act for the partner that the request names, if it may.
fn choose_partner(user: &mut UserActor, method: &Method, headers: &HeaderMap, app: &AppState) -> Result<(), Refusal> {
    if !method.is_safe() && !is_same_origin(headers, app.config.public_url.as_ref()) {
        return Err(Refusal::CrossSite);
    }
    if let Some(value) = headers.get(X_PARTNER) {
        let chosen: Option<PartnerId> = value.to_str().ok().and_then(|text| text.trim().parse().ok());
        let chosen = chosen.ok_or(Refusal::PartnerRequired)?;
        if let Some((_, inactivity)) =
            user.inactive_partners.iter().find(|(membership, _)| membership.partner == chosen)
        {
            return Err(Refusal::PartnerInactive(*inactivity));
        }
        if user.locked_partners.contains(&chosen) {
            return Err(Refusal::PartnerRequiresSecondFactor);
        }
        if user.role_in(chosen).is_none() {
            return Err(Refusal::PartnerNotManaged);
        }
        user.acting_for = Some(chosen);
    }
    Ok(())
}

/// What stands in the header `Authorization`.
enum Authorization<'a> {
    /// The API key of a partner.
    Key(String),
    /// The token of a shop.
    Shop(&'a str),
    /// The link of an order.
    OrderLink(&'a str),
}

impl<'a> Authorization<'a> {
    fn parse(value: &'a HeaderValue) -> Option<Self> {
        if let Some(token) = key_token(value) {
            return Some(Self::Key(token));
        }
        let mut words = value.to_str().ok()?.split_ascii_whitespace();
        let (scheme, token) = (words.next()?, words.next()?);
        match scheme {
            _ if words.next().is_some() => None,
            _ if scheme.eq_ignore_ascii_case("widget") => Some(Self::Shop(token)),
            _ if scheme.eq_ignore_ascii_case("order") => Some(Self::OrderLink(token)),
            _ => None,
        }
    }
}

/// The key that came with a request.
pub(crate) fn api_key(headers: &HeaderMap) -> Option<String> {
    headers.get(header::AUTHORIZATION).and_then(key_token)
}

/// The token of `Authorization: key <32 hex>`: the scheme in any case, any blanks.
fn key_token(value: &HeaderValue) -> Option<String> {
    let mut words = value.to_str().ok()?.split_ascii_whitespace();
    let (scheme, token) = (words.next()?, words.next()?);
    let hex = token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    (scheme.eq_ignore_ascii_case("key") && hex && words.next().is_none()).then(|| token.to_ascii_lowercase())
}

/// Whether a browser, if it is one, says that the request comes from this origin, or from its user alone (`none`, which
/// no page can send). Another origin of the same site may belong to somebody else: a page of user content, a blog.
pub(crate) fn is_same_origin(headers: &HeaderMap, public_url: Option<&Url>) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text(HeaderName::from_static("sec-fetch-site")) {
        return matches!(site, "same-origin" | "none");
    }
    let Some(origin) = text(header::ORIGIN) else { return true };
    let Ok(origin) = Url::parse(origin) else { return false };
    let authority = |url: &Url| url.host_str().map(|host| (host.to_ascii_lowercase(), url.port_or_known_default()));
    let ours = text(header::HOST).and_then(|host| Url::parse(&format!("{}://{host}", origin.scheme())).ok());
    [ours.as_ref(), public_url].into_iter().flatten().any(|url| authority(url) == authority(&origin))
}

/// Who shares with others what a request takes. `None` where the program asks itself.
pub(crate) fn payer(app: &AppState, request: &Request) -> Option<Reader> {
    let actor = request.extensions().get::<AnyCaller>().map_or(&Actor::Anonymous, |AnyCaller(actor)| actor);
    match (actor, actor.acting_partner()) {
        (_, Ok(partner)) => Some(Reader::Partner(partner)),
        (Actor::User(user), Err(_)) => Some(Reader::User(user.user)),
        (Actor::Anonymous | Actor::Partner(_) | Actor::Visitor(_) | Actor::Buyer(_), Err(_)) => {
            peer::client_network(request.extensions(), request.headers(), app.config.trusted_proxies)
                .map(ClientNetwork::reader)
        }
        (Actor::Operator | Actor::System, Err(_)) => None,
    }
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
