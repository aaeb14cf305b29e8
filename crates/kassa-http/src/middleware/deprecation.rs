//! Whatever a deprecated operation answers says that it is.

use axum::extract::Request;
use axum::response::Response;

use crate::api_docs::ApiVersion;
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::route::{Deprecation, MatchedRoute};

/// What the answer to a request says, with the page that says more.
pub(crate) struct DeprecationNotice {
    deprecation: &'static Deprecation,
    page: String,
}

impl DeprecationNotice {
    /// That of the operation that a request is for, if it is deprecated.
    pub(crate) fn of(app: &AppState, found: MatchedRoute, request: &Request) -> Option<Self> {
        let deprecation = found.route?.deprecation.as_ref()?;
        let base = BaseUrl::of(app, request.uri(), request.headers());
        let page = format!("{}{}", base.as_str(), ApiVersion::of_path(request.uri().path()).page_path());
        Some(Self { deprecation, page })
    }

    pub(crate) fn apply(&self, response: &mut Response) {
        self.deprecation.apply(&self.page, response.headers_mut());
    }
}

#[cfg(test)]
mod tests {
    use crate::middleware;

    #[test]
    fn what_is_deprecated_has_a_successor_and_time_left() {
        let routes = middleware::all_routes();
        let deprecated: Vec<_> = routes.routes().filter_map(|route| route.deprecation.as_ref()).collect();
        assert!(!deprecated.is_empty());
        for deprecation in deprecated {
            let (method, path) = deprecation.successor();
            let successor = routes.route(method, path);
            assert!(successor.is_some_and(|route| route.deprecation.is_none()), "{deprecation:?}");
            assert!(deprecation.keeps_its_promise(), "{deprecation:?}");
        }
    }
}
