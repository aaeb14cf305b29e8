//! All pages, as a service.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use kassa_http::http::header::HeaderValue;
use kassa_http::http::request::Parts;
use kassa_http::http::{HeaderMap, Method, Request, Response, StatusCode, header};
use kassa_http::in_process::InProcessClient;
use kassa_http::{ApiService, AppState, Pages};

use crate::answer::{Rendered, insert_text};
use crate::console::{self, ConsoleRoutes, is_console};
use crate::embedding::embed;
use crate::error::PageError;
use crate::framing::{FrameFiles, FramedPath, Framing};
use crate::pages::error_page;
use crate::request::{LANGUAGE_COOKIE, PageRequest};
use crate::routes::Routes;
use crate::shop::{Shop, ShopSettings};
use crate::slug;

/// How long a chosen language is kept, in seconds: a year.
const LANGUAGE_KEPT_S: u32 = 365 * 24 * 60 * 60;

/// All pages.
pub struct Site {
    shop: Shop,
    routes: Routes,
    console: ConsoleRoutes,
}

impl Site {
    /// The interface with all pages beside it.
    pub fn attach(app: AppState, settings: ShopSettings) -> ApiService {
        let service = ApiService::from(app.clone());
        let shop = Shop::new(InProcessClient::of(&service), app, settings);
        let site = Self { shop, routes: Routes::new(), console: ConsoleRoutes::new() };
        service.with_pages(Arc::new(site))
    }

    async fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (head, body) = request.into_parts();
        let mut asked = PageRequest::read(&self.shop.app, &head, &body);
        if is_console(&asked.path) {
            let answer = console::respond(&self.shop, &self.console, &asked, (&head, body)).await;
            return self.finish(&asked, answer).await;
        }
        match self.routes.find(&asked.path).is_none().then(|| FramedPath::of(&asked.path)).flatten() {
            Some(path) => self.answer_in_frame(&mut asked, &head.method, &path).await,
            None => self.answer_page(&asked, &head.method).await,
        }
    }

    /// A page in a frame of another site.
    async fn answer_in_frame(&self, asked: &mut PageRequest, method: &Method, path: &FramedPath) -> Response<Bytes> {
        let takes_gzip = std::mem::take(&mut asked.takes_gzip);
        let found = embed(&self.shop, asked, path).await;
        let is_there = self.routes.find(&asked.path).is_some_and(|(page, _)| page.is_framed());
        let response = match found {
            Ok(()) if is_there => self.answer_page(asked, method).await,
            Ok(()) => self.error_answer(asked, PageError::NotFound),
            Err(error) => self.error_answer(asked, error),
        };
        let framing = asked.framing.clone().unwrap_or_else(Framing::of_nobody);
        let assets = &self.shop.assets;
        let files = FrameFiles {
            script: assets.path("framed.js"),
            style: assets.path("framed.css"),
            base_url: asked.origin.base_url(),
        };
        framing.frame(response, &files, takes_gzip)
    }

    async fn answer_page(&self, asked: &PageRequest, method: &Method) -> Response<Bytes> {
        let answer = match self.routes.find(&asked.path) {
            None => Err(PageError::NotFound),
            Some((page, _)) if !page.takes(method) => Err(PageError::WrongMethod),
            Some(_) if !method.is_safe() && !asked.is_same_origin => Err(PageError::CrossSite),
            Some((page, segments)) => page.respond(&self.shop, asked, method, &segments).await,
        };
        self.finish(asked, answer).await
    }

    async fn finish(&self, asked: &PageRequest, answer: Result<Response<Bytes>, PageError>) -> Response<Bytes> {
        let mut response = match answer {
            Ok(response) => response,
            Err(PageError::Canceled) => {
                let segment = self.routes.find(&asked.path).map(|(_, [segment, _])| segment);
                let title = self.canceled_title(segment.as_deref()).await;
                self.titled_error_answer(asked, PageError::Canceled, title.as_deref())
            }
            Err(error) => self.error_answer(asked, error),
        };
        if asked.chose_language {
            remember_language(asked, response.headers_mut());
        }
        response
    }

    /// The title of the event that a page is about and that was called off. That it cannot be read is in the log, and
    /// the page does without.
    async fn canceled_title(&self, segment: Option<&str>) -> Option<String> {
        let id = slug::id_of(segment?)?;
        self.shop.api.canceled_title(&id).await.unwrap_or_default()
    }

    /// The page of an error.
    fn error_answer(&self, asked: &PageRequest, error: PageError) -> Response<Bytes> {
        self.titled_error_answer(asked, error, None)
    }

    /// The same, with the title of what it is about.
    fn titled_error_answer(&self, asked: &PageRequest, error: PageError, title: Option<&str>) -> Response<Bytes> {
        let html = error_page::render_error(&self.shop, asked, error, title).unwrap_or_default();
        let mut response = Rendered::html(error.status(), html).answer(asked);
        let headers = response.headers_mut();
        match error {
            PageError::Busy { retry_after } => {
                headers.insert(header::RETRY_AFTER, retry_after.into());
            }
            PageError::WrongMethod => insert_text(headers, header::ALLOW, "GET, HEAD"),
            PageError::NotFound
            | PageError::Canceled
            | PageError::TooLarge
            | PageError::CrossSite
            | PageError::BadToken
            | PageError::ShopClosed
            | PageError::Internal => {}
        }
        response
    }
}

impl Pages for Site {
    fn respond(&self, request: Request<Bytes>) -> BoxFuture<'_, Response<Bytes>> {
        self.answer(request).boxed()
    }

    fn form_bytes_max(&self, path: &str) -> Option<usize> {
        console::form_bytes_max(path)
    }

    fn error_page(&self, head: &Parts, status: StatusCode) -> Response<Bytes> {
        let mut asked = PageRequest::read(&self.shop.app, head, &[]);
        if let Some(framed) = FramedPath::of(&asked.path) {
            asked.path = framed.path;
        }
        // Where there is no page, nothing can be wrong with what was sent to it.
        let error = match self.routes.find(&asked.path) {
            None if is_console(&asked.path) => PageError::of_status(status),
            None => PageError::NotFound,
            Some((page, _)) if !page.takes(&head.method) => PageError::WrongMethod,
            Some(_) => PageError::of_status(status),
        };
        self.error_answer(&asked, error)
    }
}

/// Keeps the language that an address has named for the next pages.
fn remember_language(asked: &PageRequest, headers: &mut HeaderMap) {
    let secure = if asked.origin.base_url().starts_with("https:") { "; Secure" } else { "" };
    let code = asked.language.code();
    let cookie = format!("{LANGUAGE_COOKIE}={code}; Path=/; Max-Age={LANGUAGE_KEPT_S}; SameSite=Lax{secure}");
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        headers.append(header::SET_COOKIE, cookie);
    }
    // A cache that is shared gives nobody somebody else's choice.
    let kept = headers.get(header::CACHE_CONTROL).is_none_or(|value| value != "private, no-store");
    if kept {
        insert_text(headers, header::CACHE_CONTROL, "private, no-cache");
    }
}
