//! Which requests get an answer that is kept.

use axum::extract::Request;
use axum::http::Method;
use hyper::body::Body as _;
use kassa_domain::Actor;

use crate::answer_cache::{AnswerKey, Viewer};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller;
use crate::route::Route;

impl AnswerKey {
    /// Of a request whose answer can be kept. Users see what their partners and roles let them: theirs are made anew.
    pub(crate) fn of(app: &AppState, route: Option<&Route>, request: &Request) -> Option<Self> {
        let is_kept = route.is_some_and(|route| route.is_kept) && app.answers.is_on();
        let is_plain = *request.method() == Method::GET && request.uri().query().is_none();
        if !(is_kept && is_plain && request.body().is_end_stream()) {
            return None;
        }
        let viewer = match caller::actor(request)? {
            Actor::Anonymous => Viewer::Anyone,
            Actor::Partner(partner) => Viewer::Partner(*partner),
            Actor::Buyer(order) => Viewer::Buyer(*order),
            Actor::User(_) | Actor::Visitor(_) | Actor::Operator | Actor::System => return None,
        };
        let base = BaseUrl::of(app, request.uri(), request.headers());
        Some(Self { path: request.uri().path().into(), base: base.as_str().into(), viewer })
    }
}
