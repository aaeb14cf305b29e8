//! What clients ask, counted by route.

use axum::extract::Request;
use axum::http::{Method, StatusCode};
use kassa_engine::metrics::{Counter, Histogram, MetricsText};
use matchit::Router;
use tokio::time::Instant;

const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"];
/// Statuses that are answered; others are counted together.
const STATUSES: [u16; 22] =
    [200, 201, 202, 204, 206, 302, 304, 400, 401, 403, 404, 405, 409, 411, 412, 413, 415, 416, 422, 429, 500, 503];
/// The route of what leads nowhere: there are as many of these as clients can think of.
const NO_ROUTE: &str = "none";

/// Counters for all routes, which are known from the start.
pub(crate) struct RequestMetrics {
    routes: Router<usize>,
    /// Their templates; what leads nowhere is the last.
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
    /// Of these routes, as `/v1/resources/orders/{order}`. One that collides with another is counted as that.
    pub(crate) fn of(templates: impl IntoIterator<Item = String>) -> Self {
        let (mut routes, mut names) = (Router::new(), Vec::new());
        for template in templates {
            if routes.insert(&template, names.len()).is_ok() {
                names.push(template);
            }
        }
        names.push(NO_ROUTE.to_owned());
        let asked = std::iter::repeat_with(RouteMetrics::default).take(names.len() * METHODS.len()).collect();
        Self { routes, templates: names, by_route_and_method: asked }
    }

    /// Begins to answer a request.
    pub(crate) fn begin(&self, request: &Request) -> RequestTimer {
        let route = self.routes.at(request.uri().path()).map_or(self.templates.len() - 1, |found| *found.value);
        RequestTimer { index: route * METHODS.len() + method_index(request.method()), start: Instant::now() }
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

fn method_index(method: &Method) -> usize {
    METHODS.iter().position(|name| *name == method.as_str()).unwrap_or(METHODS.len() - 1)
}
