//! Which path leads to which page.

use bytes::Bytes;
use kassa_http::http::Response;
use matchit::Router;

use crate::error::PageError;
use crate::pages::{assets, event, event_file, home, legal, listing};
use crate::request::PageRequest;
use crate::shop::Shop;

/// A page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// What is sold here.
    Home,
    /// What an organizer sells.
    Organizer,
    /// What an agent sells.
    Agent,
    /// An event; its calendar entry, if its segment ends with `.ics`.
    Event,
    /// Who runs this.
    Imprint,
    /// The terms of use.
    Terms,
    /// How accessible it is.
    Accessibility,
    /// A file that pages load.
    Asset,
}

const PATHS: [(&str, Page); 8] = [
    ("/", Page::Home),
    ("/o/{partner}", Page::Organizer),
    ("/a/{partner}", Page::Agent),
    ("/e/{event}", Page::Event),
    ("/imprint", Page::Imprint),
    ("/terms", Page::Terms),
    ("/accessibility", Page::Accessibility),
    ("/assets/{file}", Page::Asset),
];

/// All paths.
pub(crate) struct Routes(Router<Page>);

impl Routes {
    pub(crate) fn new() -> Self {
        let mut router = Router::new();
        for (path, page) in PATHS {
            // Paths that collide are a mistake of the program, which no request can bring about.
            router.insert(path, page).unwrap_or_else(|error| panic!("page {path}: {error}"));
        }
        Self(router)
    }

    /// The page at a path, and the segment that names what it shows; that is empty where there is none.
    pub(crate) fn find(&self, path: &str) -> Option<(Page, String)> {
        let found = self.0.at(path).ok()?;
        let segment = found.params.iter().next().map_or("", |(_, segment)| segment);
        let segment = percent_encoding::percent_decode_str(segment).decode_utf8().ok()?.into_owned();
        Some((*found.value, segment))
    }
}

impl Page {
    /// Answers a request for it.
    pub(crate) async fn respond(
        self,
        shop: &Shop,
        request: &PageRequest,
        segment: &str,
    ) -> Result<Response<Bytes>, PageError> {
        match self {
            Self::Home => home::respond(shop, request).await,
            Self::Organizer => listing::respond(shop, request, segment, listing::Role::Organizer).await,
            Self::Agent => listing::respond(shop, request, segment, listing::Role::Agent).await,
            Self::Event => match segment.strip_suffix(".ics") {
                Some(segment) => event_file::respond(shop, request, segment).await,
                None => event::respond(shop, request, segment).await,
            },
            Self::Imprint => legal::respond(shop, request, legal::Subject::Imprint),
            Self::Terms => legal::respond(shop, request, legal::Subject::Terms),
            Self::Accessibility => legal::respond(shop, request, legal::Subject::Accessibility),
            Self::Asset => assets::respond(shop, request, segment),
        }
    }
}
