//! The shop in frames of other sites. `/widget/{seller}/{language}` stands before the path of a page: it is the same page,
//! whose ways lead on within the frame, or to a new window. It says the language, so that no cookie has to.

use std::fmt::Write as _;

use bytes::Bytes;
use flate2::Compression;
use kassa_http::http::header::{self, HeaderValue};
use kassa_http::http::{HeaderMap, Response};

use crate::assets::gzip;
use crate::slug;

/// What the paths of pages in frames begin with.
const FOLDER: &str = "/widget/";
/// The header that forbids frames.
const FRAME_ANCESTORS: &str = "frame-ancestors ";

/// The path of a page in a frame, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FramedPath {
    /// Who sells: the id of a partner, or a token of its shop.
    pub(crate) seller: String,
    /// The language, as the path has it.
    pub(crate) language: String,
    /// The path of the page.
    pub(crate) path: String,
}

impl FramedPath {
    /// Stands for the organizer of the event.
    pub(crate) const ORGANIZER: &str = "-";
    /// Stands for a seller that is none.
    pub(crate) const NO_SELLER: &str = "none";
    /// What may stand before a token.
    pub(crate) const TOKEN_PREFIX: &str = "r:";

    /// Of a path; `None` if it is that of no page in a frame.
    pub(crate) fn of(path: &str) -> Option<Self> {
        let rest = path.strip_prefix(FOLDER)?;
        let (seller, rest) = rest.split_once('/')?;
        let (language, path) = rest.split_once('/').unwrap_or((rest, ""));
        let seller = percent_encoding::percent_decode_str(seller).decode_utf8().ok()?;
        let seller = seller.strip_prefix(Self::TOKEN_PREFIX).unwrap_or(&seller).to_owned();
        Some(Self { seller, language: language.to_owned(), path: format!("/{path}") })
    }

    /// What stands before the paths of pages of the same shop.
    pub(crate) fn prefix(&self) -> String {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        let plain = |text: &str| if text.bytes().all(is_plain) { text.to_owned() } else { Self::NO_SELLER.to_owned() };
        format!("{FOLDER}{}/{}", plain(&self.seller), plain(&self.language))
    }
}

/// Whose shop is in a frame, and on which sites.
#[derive(Clone, Debug, Default)]
pub(crate) struct Framing {
    /// What stands before the paths of its pages.
    pub(crate) prefix: String,
    /// The id of the partner that sells.
    pub(crate) vendor: String,
    /// The credential of its visitors.
    pub(crate) credential: String,
    /// The one event that is sold; `None` for all.
    pub(crate) event: Option<String>,
    /// The sites that may frame it.
    pub(crate) origins: Vec<String>,
}

/// What a framed page needs beside its own.
pub(crate) struct FrameFiles<'a> {
    pub(crate) script: &'a str,
    pub(crate) style: &'a str,
    pub(crate) base_url: &'a str,
}

/// Where a way leads that stands in a page in a frame.
enum Way {
    /// As it stands.
    Same,
    /// To a page in the frame, at this path.
    Framed(String),
    /// To a page of its own.
    NewWindow,
}

impl Framing {
    /// Where nobody is known to sell: any site may frame the page that says so, on which nothing can be done.
    pub(crate) fn of_nobody() -> Self {
        Self { origins: vec!["*".to_owned()], ..Self::default() }
    }

    /// Whether it sells an event.
    pub(crate) fn sells(&self, event: &str) -> bool {
        self.event.as_deref().is_none_or(|sold| sold == event)
    }

    /// An answer, as it is in a frame: its ways stay there, and only the sites that the vendor names frame it.
    pub(crate) fn frame(&self, response: Response<Bytes>, files: &FrameFiles<'_>, takes_gzip: bool) -> Response<Bytes> {
        let (mut head, mut body) = response.into_parts();
        set_ancestors(&mut head.headers, &self.origins.join(" "));
        if let Some(location) = text_of(&head.headers, &header::LOCATION)
            && let Way::Framed(path) = self.way(location, files.base_url)
            && let Ok(value) = HeaderValue::try_from(path)
        {
            head.headers.insert(header::LOCATION, value);
        }
        let is_page = text_of(&head.headers, &header::CONTENT_TYPE).is_some_and(|kind| kind.starts_with("text/html"));
        if is_page && let Ok(html) = std::str::from_utf8(&body) {
            body = self.page(html, files).into();
            if takes_gzip {
                body = gzip(&body, Compression::fast());
                head.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
        }
        Response::from_parts(head, body)
    }

    /// A page whose ways stay in the frame. Texts of others have no quotation marks that are not escaped: what looks like an
    /// attribute is one.
    fn page(&self, html: &str, files: &FrameFiles<'_>) -> String {
        let mut framed = String::with_capacity(html.len() + 1_024);
        let mut rest = html;
        while let Some((before, name, after)) = next_way(rest) {
            framed.push_str(before);
            let (url, behind) = after.split_once('"').unwrap_or((after, ""));
            // A text takes all that is written to it.
            let _ = match self.way(&url.replace("&amp;", "&").replace("&#38;", "&"), files.base_url) {
                Way::Framed(path) => write!(framed, "{name}{}\"", path.replace('&', "&#38;")),
                Way::NewWindow if name == HREF => write!(framed, " target=\"_blank\"{name}{url}\""),
                Way::NewWindow | Way::Same => write!(framed, "{name}{url}\""),
            };
            rest = behind;
        }
        framed.push_str(rest);
        let marked = format!("<html class=\"framed\" data-origins=\"{}\"", self.origins.join(" "));
        let added = format!(
            "<link rel=\"stylesheet\" href=\"{}\">\n<script type=\"module\" src=\"{}\"></script>\n</head>",
            files.style, files.script
        );
        framed.replacen("<html", &marked, 1).replacen("</head>", &added, 1)
    }

    fn way(&self, url: &str, base_url: &str) -> Way {
        let Some(path) = url.strip_prefix(base_url).filter(|path| path.starts_with('/')).or(Some(url)) else {
            return Way::Same;
        };
        if path.starts_with(FOLDER) || path.starts_with("/assets/") || path.starts_with('#') {
            return Way::Same;
        }
        let own_list = |folder: &str| {
            let segment = path.strip_prefix(folder).and_then(|rest| rest.split(['?', '#']).next());
            segment.and_then(slug::id_of).is_some_and(|id| id == self.vendor)
        };
        let plain = path.split(['?', '#']).next().unwrap_or_default();
        let is_file = plain.rsplit_once('.').is_some_and(|(_, extension)| matches!(extension, "ics" | "pdf"));
        let stays = ["/e/", "/order/", "/pay/test/"].iter().any(|folder| path.starts_with(folder));
        if (stays && !is_file) || own_list("/a/") || own_list("/o/") {
            return Way::Framed(format!("{}{path}", self.prefix));
        }
        // A path as a form or a file has it that loads with the page.
        if path.is_empty() { Way::Same } else { Way::NewWindow }
    }
}

const HREF: &str = " href=\"";
const ACTION: &str = " action=\"";
const FORM_ACTION: &str = " formaction=\"";

/// The text before the next way in a page, the name of its attribute, and what follows.
fn next_way(html: &str) -> Option<(&str, &'static str, &str)> {
    let first =
        [HREF, ACTION, FORM_ACTION].into_iter().filter_map(|name| html.find(name).map(|at| (at, name))).min()?;
    let (at, name) = first;
    Some((&html[..at], name, &html[at + name.len()..]))
}

/// A way that any site may follow in a frame: where it leads is not said to be framed by that.
pub(crate) fn open_to_all(mut response: Response<Bytes>) -> Response<Bytes> {
    set_ancestors(response.headers_mut(), "*");
    response
}

/// Names who may frame an answer; without names, nobody.
fn set_ancestors(headers: &mut HeaderMap, names: &str) {
    let names = if names.is_empty() { "'none'" } else { names };
    let policy = text_of(headers, &header::CONTENT_SECURITY_POLICY).unwrap_or("default-src 'none'");
    let kept = policy.split(';').map(str::trim).filter(|part| !part.starts_with(FRAME_ANCESTORS.trim_end()));
    let policy = kept.chain([format!("{FRAME_ANCESTORS}{names}").as_str()]).collect::<Vec<_>>().join("; ");
    if let Ok(value) = HeaderValue::try_from(policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, value);
    }
}

fn text_of<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const VENDOR: &str = "6b0159d2e3a64ec908400000";
    const FILES: FrameFiles<'_> = FrameFiles { script: "/f.js", style: "/f.css", base_url: "https://t.example" };

    fn framing() -> Framing {
        let origins = vec!["https://a.example".to_owned(), "https://b.example".to_owned()];
        Framing { prefix: format!("/widget/{VENDOR}/de"), vendor: VENDOR.to_owned(), origins, ..Framing::default() }
    }

    #[test]
    fn a_path_says_who_sells_in_which_language() {
        let path = FramedPath::of("/widget/r:a.b.c/de/e/x").unwrap();
        assert_eq!((path.seller.as_str(), path.language.as_str(), path.path.as_str()), ("a.b.c", "de", "/e/x"));
        assert_eq!(path.prefix(), "/widget/a.b.c/de");
        assert_eq!(FramedPath::of("/widget/a/de").map(|path| path.path), Some("/".to_owned()));
        assert_eq!(FramedPath::of("/widget/%22x%22/de/").map(|path| path.prefix()), Some("/widget/none/de".to_owned()));
        for other in ["/widget/v1.js", "/widget", "/e/x", "/"] {
            assert_eq!(FramedPath::of(other), None, "{other}");
        }
    }

    #[test]
    fn ways_stay_in_the_frame_or_open_a_window() {
        let own = format!("/a/agent-{VENDOR}?page=2");
        for (way, framed) in [
            ("<a href=\"/e/x\">", format!("<a href=\"/widget/{VENDOR}/de/e/x\">")),
            ("<a class=\"b\" href=\"https://t.example/pay/test/o/p\">", {
                format!("<a class=\"b\" href=\"/widget/{VENDOR}/de/pay/test/o/p\">")
            }),
            ("<form action=\"/e/x/order\">", format!("<form action=\"/widget/{VENDOR}/de/e/x/order\">")),
            (&format!("<a href=\"{own}\">"), format!("<a href=\"/widget/{VENDOR}/de{own}\">")),
            (
                "<button formaction=\"/e/x/seats#rows\">",
                format!("<button formaction=\"/widget/{VENDOR}/de/e/x/seats#rows\">"),
            ),
            ("<a href=\"/e/x.ics\">", "<a target=\"_blank\" href=\"/e/x.ics\">".to_owned()),
            ("<a href=\"/imprint\">", "<a target=\"_blank\" href=\"/imprint\">".to_owned()),
            ("<a href=\"https://o.example/\">", "<a target=\"_blank\" href=\"https://o.example/\">".to_owned()),
            ("<a href=\"#tickets\">", "<a href=\"#tickets\">".to_owned()),
            ("<link href=\"/assets/a.css\">", "<link href=\"/assets/a.css\">".to_owned()),
            ("<a href=\"/e/x?a=1&#38;b=2\">", format!("<a href=\"/widget/{VENDOR}/de/e/x?a=1&#38;b=2\">")),
            ("<p>href=&#34;/e/x&#34;</p>", "<p>href=&#34;/e/x&#34;</p>".to_owned()),
        ] {
            assert_eq!(framing().page(way, &FILES), framed, "{way}");
        }
    }

    #[test]
    fn only_named_sites_frame_it() {
        let policy = |framing: &Framing| {
            let mut response = Response::new(Bytes::new());
            let before = HeaderValue::from_static("default-src 'self'; frame-ancestors 'none'");
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, before);
            let framed = framing.frame(response, &FILES, false);
            text_of(framed.headers(), &header::CONTENT_SECURITY_POLICY).unwrap().to_owned()
        };
        assert_eq!(policy(&framing()), "default-src 'self'; frame-ancestors https://a.example https://b.example");
        assert_eq!(policy(&Framing::default()), "default-src 'self'; frame-ancestors 'none'");
    }
}
