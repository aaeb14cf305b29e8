//! Pages for people, beside the interface: who makes them is asked for whatever is at no path of the interface.

use axum::body::Bytes;
use axum::http::request::Parts;
use axum::http::{Request, Response, StatusCode};
use futures_util::future::BoxFuture;

/// Makes pages. Limits of connections and of bodies hold for them, too, and answers get the headers that all have.
pub trait Pages: Send + Sync {
    /// Answers a request, whose body is there. The body of an answer to `HEAD` is left out by whoever sends it.
    fn respond(&self, request: Request<Bytes>) -> BoxFuture<'_, Response<Bytes>>;

    /// How long a form may be that is sent to a path, in bytes, where that is longer than others: one with a picture.
    fn form_bytes_max(&self, path: &str) -> Option<usize>;

    /// The page that says why a request was not answered: it was too long, the server has no room for it, or making the
    /// page failed.
    fn error_page(&self, head: &Parts, status: StatusCode) -> Response<Bytes>;
}
