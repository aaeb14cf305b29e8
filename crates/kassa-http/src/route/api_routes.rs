//! The endpoints of one version of the interface: handlers, their description, and what is known of their routes.

use axum::Router;
use axum::http::Method;
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::PathItem;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use super::Route;

/// Lists endpoints: modules with a `handle`, whose `#[utoipa::path]` says method and path, and a `ROUTE`. All are
/// below one path.
macro_rules! endpoints {
    ($routes:expr, $prefix:literal, [$($($module:ident)::+),+ $(,)?]) => {
        $routes$(.endpoint($prefix, utoipa_axum::routes!($($module::)+handle), &$($module::)+ROUTE))+
    };
}
pub(crate) use endpoints;

/// Each method and path, with what is known of it.
pub(crate) type RouteList = Vec<(Method, String, &'static Route)>;

/// The endpoints of one version.
pub(crate) struct ApiRoutes<S> {
    router: OpenApiRouter<S>,
    routes: RouteList,
}

impl<S: Clone + Send + Sync + 'static> ApiRoutes<S> {
    /// None yet, with what the document names besides.
    pub(crate) fn with_document(document: OpenApi) -> Self {
        Self { router: OpenApiRouter::with_openapi(document), routes: Vec::new() }
    }

    /// Adds an endpoint whose path goes on behind `prefix`. A router that is nested in another would copy itself for
    /// each request.
    pub(crate) fn endpoint(
        mut self,
        prefix: &str,
        mut operations: UtoipaMethodRouter<S>,
        route: &'static Route,
    ) -> Self {
        let paths = std::mem::take(&mut operations.1.paths);
        for (path, item) in paths {
            let path = format!("{prefix}{path}");
            self.routes.extend(methods_of(&item).map(|method| (method, path.clone(), route)));
            operations.1.paths.insert(path, item);
        }
        Self { router: self.router.routes(operations), ..self }
    }

    /// The handlers, their description, and each method and path with what is known of it.
    pub(crate) fn into_parts(self) -> (Router<S>, OpenApi, RouteList) {
        let (router, document) = self.router.split_for_parts();
        (router, document, self.routes)
    }
}

fn methods_of(item: &PathItem) -> impl Iterator<Item = Method> {
    let described = [
        (Method::GET, item.get.is_some()),
        (Method::POST, item.post.is_some()),
        (Method::PUT, item.put.is_some()),
        (Method::PATCH, item.patch.is_some()),
        (Method::DELETE, item.delete.is_some()),
    ];
    described.into_iter().filter(|(_, is_described)| *is_described).map(|(method, _)| method)
}
