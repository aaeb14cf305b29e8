//! What clients ask, counted by route.

use axum::http::{Method, StatusCode};
use kassa_engine::metrics::{Counter, Histogram, MetricsText};
use tokio::time::Instant;

use crate::route::{METHODS, MatchedRoute, RouteTable, method_index};

/// Statuses that are answered; others are counted together.
const STATUSES: [u16; 22] =
    [200, 201, 202, 204, 206, 302, 304, 400, 401, 403, 404, 405, 409, 411, 412, 413, 415, 416, 422, 429, 500, 503];
/// The route of what leads nowhere: there are as many of these as clients can think of.
const NO_ROUTE: &str = "none";

/// The route of all pages.
pub(crate) const PAGES: &str = "pages";

/// Counters for all routes, which are known from the start.
pub(crate) struct RequestMetrics {
    /// Templates of their paths; the last two are pages, and what leads nowhere.
    templates: Vec<String>,
    /// By route and method.
    by_route_and_method: Vec<RouteMetrics>,
}

/// Requests of one method for one route.
struct RouteMetrics {
    by_status: [Counter; STATUSES.len() + 1],
    duration: Histogram,
}

/// A request that is being answered.
pub(crate) struct RequestTimer {
    index: usize,
    start: Instant,
}

impl RequestMetrics {
    /// Of all routes.
    pub(crate) fn of(routes: &RouteTable) -> Self {
        let templates: Vec<String> = routes.templates().chain([PAGES, NO_ROUTE]).map(str::to_owned).collect();
        let asked = std::iter::repeat_with(RouteMetrics::default).take(templates.len() * METHODS.len()).collect();
        Self { templates, by_route_and_method: asked }
    }

    /// Begins to answer a request.
    pub(crate) fn begin(&self, found: MatchedRoute) -> RequestTimer {
        let path = found.path.unwrap_or(self.templates.len() - 1);
        RequestTimer { index: path * METHODS.len() + found.method, start: Instant::now() }
    }

    /// Begins to answer a request for a page.
    pub(crate) fn begin_page(&self, method: &Method) -> RequestTimer {
        let index = (self.templates.len() - 2) * METHODS.len() + method_index(method);
        RequestTimer { index, start: Instant::now() }
    }

    /// The answer is ready; the rest of a long one may still be on its way.
    pub(crate) fn end(&self, RequestTimer { index: at, start }: &RequestTimer, status: StatusCode) {
        let asked = &self.by_route_and_method[*at];
        asked.duration.observe_duration(start.elapsed());
        asked.by_status[STATUSES.binary_search(&status.as_u16()).unwrap_or(STATUSES.len())].add(1);
    }

    pub(crate) fn write(&self, text: &mut MetricsText) {
        let all = || {
            let routes =
                self.templates.iter().flat_map(|name| METHODS.iter().map(move |method| (name.as_str(), *method)));
            routes.zip(&self.by_route_and_method)
        };
        text.counter("kassa_http_requests_total", "Requests that were answered.");
        for ((route, method), asked) in all() {
            for (at, counter) in asked.by_status.iter().enumerate().filter(|(_, counter)| counter.get() > 0) {
                let status = STATUSES.get(at).map_or_else(|| "other".to_owned(), u16::to_string);
                let labels = [("route", route), ("method", method), ("status", &status)];
                text.sample("kassa_http_requests_total", &labels, counter.get());
            }
        }
        text.histogram("kassa_http_request_seconds", "Time from the head of a request to that of its answer.");
        for ((route, method), asked) in all().filter(|(_, asked)| asked.by_status.iter().any(|c| c.get() > 0)) {
            text.distribution("kassa_http_request_seconds", &[("route", route), ("method", method)], &asked.duration);
        }
    }
}

impl Default for RouteMetrics {
    fn default() -> Self {
        Self { by_status: Default::default(), duration: Histogram::of_durations() }
    }
}
