//! The table of all routes.

use axum::http::Method;
use matchit::Router;

use super::{Access, Route};

/// Methods that routes can have, with `HEAD`, which is `GET` without the body, and `OPTIONS`. Others count as one.
pub(crate) const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"];

/// How errors below a path look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ErrorFormat {
    /// Without texts.
    #[default]
    Plain,
    /// With texts, as resources of version 2 have them.
    WithTexts,
}

/// All routes by path and method.
#[derive(Default)]
pub(crate) struct RouteTable {
    paths: Router<usize>,
    entries: Vec<PathEntry>,
}

/// One path with its methods.
struct PathEntry {
    template: String,
    /// By the places of [`METHODS`].
    routes: [Option<&'static Route>; METHODS.len()],
    errors: ErrorFormat,
    is_public: bool,
}

/// What a request leads to.
#[derive(Clone, Copy)]
pub(crate) struct MatchedRoute {
    /// The place of its path in [`RouteTable::templates`]; `None` where it leads nowhere.
    pub(crate) path: Option<usize>,
    /// The place of its method in [`METHODS`].
    pub(crate) method: usize,
    /// `None` where the path leads nowhere, or does not take the method.
    pub(crate) route: Option<&'static Route>,
    /// How its errors look.
    pub(crate) errors: ErrorFormat,
    /// Whether credentials are looked at.
    pub(crate) access: Access,
}

impl RouteTable {
    /// Adds a route. Its errors are those of the path, which the first of its routes says.
    pub(crate) fn add(&mut self, method: &Method, template: &str, route: &'static Route, errors: ErrorFormat) {
        let known = self.entries.iter().position(|entry| entry.template == template);
        let at = known.unwrap_or_else(|| self.add_path(template, errors, route.access == Access::Public));
        let routes = &mut self.entries[at].routes;
        routes[method_index(method)] = Some(route);
        if *method == Method::GET {
            routes[method_index(&Method::HEAD)] = Some(route);
        }
    }

    /// Says what is known of paths below this one that lead nowhere.
    pub(crate) fn add_unknown_below(&mut self, prefix: &str, errors: ErrorFormat) {
        self.add_path(&format!("{prefix}{{*rest}}"), errors, false);
    }

    fn add_path(&mut self, template: &str, errors: ErrorFormat, is_public: bool) -> usize {
        let at = self.entries.len();
        // Routes that collide are a mistake of the program, which no request can bring about.
        self.paths.insert(template, at).unwrap_or_else(|error| panic!("route {template}: {error}"));
        self.entries.push(PathEntry {
            template: template.to_owned(),
            routes: [None; METHODS.len()],
            errors,
            is_public,
        });
        at
    }

    /// What a request with this method and path leads to.
    pub(crate) fn find(&self, method: &Method, path: &str) -> MatchedRoute {
        let method = method_index(method);
        let Ok(found) = self.paths.at(path) else {
            let (errors, access) = (ErrorFormat::Plain, Access::Credential);
            return MatchedRoute { path: None, method, route: None, errors, access };
        };
        let entry = &self.entries[*found.value];
        let route = entry.routes[method];
        let unknown = if entry.is_public { Access::Public } else { Access::Credential };
        let access = route.map_or(unknown, |route| route.access);
        let is_path = entry.routes.iter().any(Option::is_some);
        // Nobody sees the body of an answer to HEAD.
        let errors = if METHODS[method] == "HEAD" { ErrorFormat::Plain } else { entry.errors };
        MatchedRoute { path: is_path.then_some(*found.value), method, route, errors, access }
    }

    /// The first parameter of a path.
    pub(crate) fn first_parameter<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.paths.at(path).ok()?.params.iter().next().map(|(_, value)| value)
    }

    /// What is known of the route with this template.
    pub(crate) fn route(&self, method: &str, template: &str) -> Option<&'static Route> {
        let entry = self.entries.iter().find(|entry| entry.template == template)?;
        let method = METHODS.iter().position(|known| known.eq_ignore_ascii_case(method))?;
        entry.routes[method]
    }

    /// What is known of all routes.
    #[cfg(test)]
    pub(crate) fn routes(&self) -> impl Iterator<Item = &'static Route> {
        self.entries.iter().flat_map(|entry| entry.routes).flatten()
    }

    /// Templates of all paths, such as `/v1/resources/orders/{order}`.
    pub(crate) fn templates(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.template.as_str())
    }
}

pub(crate) fn method_index(method: &Method) -> usize {
    METHODS.iter().position(|name| *name == method.as_str()).unwrap_or(METHODS.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    static OPEN: Route = Route::new().access(Access::Public);
    static CLOSED: Route = Route::new();

    fn table() -> RouteTable {
        let mut table = RouteTable::default();
        table.add(&Method::GET, "/v1/things/{thing}", &CLOSED, ErrorFormat::Plain);
        table.add(&Method::PATCH, "/v1/things/{thing}", &CLOSED, ErrorFormat::Plain);
        table.add(&Method::GET, "/v2/things/{thing}/parts/{part}", &CLOSED, ErrorFormat::WithTexts);
        table.add(&Method::GET, "/files/{file}", &OPEN, ErrorFormat::Plain);
        table.add_unknown_below("/v2/", ErrorFormat::WithTexts);
        table
    }

    #[test]
    fn a_route_is_found_by_method_and_path() {
        let table = table();
        for (method, path, is_route, is_path) in [
            (Method::GET, "/v1/things/7", true, true),
            (Method::HEAD, "/v1/things/7", true, true),
            (Method::PATCH, "/v1/things/7", true, true),
            (Method::DELETE, "/v1/things/7", false, true),
            (Method::TRACE, "/v1/things/7", false, true),
            (Method::GET, "/v1/things", false, false),
            (Method::GET, "/v2/things/7", false, false),
        ] {
            let found = table.find(&method, path);
            assert_eq!((found.route.is_some(), found.path.is_some()), (is_route, is_path), "{method} {path}");
        }
        assert_eq!(table.first_parameter("/v2/things/7/parts/8"), Some("7"));
        assert_eq!(table.first_parameter("/v1/things"), None);
    }

    #[test]
    fn a_path_says_how_its_errors_look_and_whether_credentials_are_looked_at() {
        let table = table();
        for (method, path, errors, access) in [
            (Method::GET, "/v1/things/7", ErrorFormat::Plain, Access::Credential),
            (Method::POST, "/v2/things/7/parts/8", ErrorFormat::WithTexts, Access::Credential),
            (Method::GET, "/v2/nothing", ErrorFormat::WithTexts, Access::Credential),
            (Method::GET, "/nothing", ErrorFormat::Plain, Access::Credential),
            (Method::GET, "/files/7", ErrorFormat::Plain, Access::Public),
            (Method::POST, "/files/7", ErrorFormat::Plain, Access::Public),
        ] {
            let found = table.find(&method, path);
            assert_eq!((found.errors, found.access), (errors, access), "{method} {path}");
        }
    }
}
