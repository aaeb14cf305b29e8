//! What a page is asked for.

use kassa_http::AppState;
use kassa_http::http::header::{self, HeaderMap, HeaderName};
use kassa_http::http::request::Parts;
use kassa_http::in_process::Origin;
use kassa_texts::{Language, Texts};

use crate::form::{Form, parse_pairs};
use crate::framing::Framing;

/// The cookie that keeps the language which somebody chose.
pub(crate) const LANGUAGE_COOKIE: &str = "lang";
/// The cookie that names the orders which a browser has begun: `<event>:<token>~<event>:<token>`.
pub(crate) const ORDERS_COOKIE: &str = "orders";

/// An order that a browser has begun: the id of its event, and the token of its link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OrderName {
    pub(crate) event: String,
    pub(crate) token: String,
}

/// A request for a page.
#[derive(Clone, Debug)]
pub(crate) struct PageRequest {
    /// The path, without repeated slashes.
    pub(crate) path: String,
    /// Names and values of the query, in their order.
    query: Vec<(String, String)>,
    /// The language of the answer.
    pub(crate) language: Language,
    /// Whether the address itself names the language.
    pub(crate) chose_language: bool,
    /// Where it comes from.
    pub(crate) origin: Origin,
    /// Whether its sender takes packed answers.
    pub(crate) takes_gzip: bool,
    /// The entity tags that its sender has.
    pub(crate) known_tags: Option<String>,
    /// What was sent with it.
    pub(crate) form: Form,
    /// Whether a browser, if it is one, says that a page of this server sent it.
    pub(crate) is_same_origin: bool,
    /// The orders that its sender has begun here.
    pub(crate) orders: Vec<OrderName>,
    /// Whose shop it is, where the page is in a frame of another site.
    pub(crate) framing: Option<Framing>,
}

impl PageRequest {
    /// Reads the head of a request.
    pub(crate) fn read(app: &AppState, head: &Parts, body: &[u8]) -> Self {
        let query = parse_pairs(head.uri.query().unwrap_or_default());
        let chosen = query.iter().find(|(name, _)| name == "lang").and_then(|(_, value)| Language::of_tag(value));
        let remembered = || cookie(&head.headers, LANGUAGE_COOKIE).and_then(Language::of_tag);
        let accepted = || header_text(&head.headers, &header::ACCEPT_LANGUAGE).and_then(Language::accepted);
        Self {
            path: head.uri.path().to_owned(),
            language: chosen.or_else(remembered).or_else(accepted).unwrap_or_default(),
            chose_language: chosen.is_some(),
            query,
            origin: Origin::of(app, head),
            takes_gzip: header_text(&head.headers, &header::ACCEPT_ENCODING).is_some_and(takes_gzip),
            form: if has_files(&head.headers) { Form::default() } else { Form::parse(body) },
            orders: cookie(&head.headers, ORDERS_COOKIE).map(orders_of).unwrap_or_default(),
            framing: None,
            is_same_origin: kassa_http::is_same_origin(app, &head.headers),
            known_tags: header_text(&head.headers, &header::IF_NONE_MATCH).map(str::to_owned),
        }
    }

    /// The texts of its language.
    pub(crate) fn texts(&self) -> &'static Texts {
        Texts::of(self.language)
    }

    /// For whom a page is the same: those who read this language, reach the server in this way, and are in this shop's frame.
    pub(crate) fn readers(&self) -> String {
        let prefix = self.framing.as_ref().map_or("", |framing| framing.prefix.as_str());
        format!("{} {}{prefix}", self.language.code(), self.origin.base_url())
    }

    /// The names and values of the query.
    pub(crate) fn query(&self) -> &[(String, String)] {
        &self.query
    }

    /// A value of the query; the first, if there are several.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(other, value)| other == name && !value.is_empty()).map(|(_, value)| value.as_str())
    }
}

/// The orders that a cookie names.
fn orders_of(cookie: &str) -> Vec<OrderName> {
    let is_plain = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
    };
    let pairs = cookie.split('~').filter_map(|pair| pair.split_once(':'));
    let pairs = pairs.filter(|(event, token)| is_plain(event) && is_plain(token));
    pairs.map(|(event, token)| OrderName { event: event.to_owned(), token: token.to_owned() }).collect()
}

/// Whether files came with a form.
fn has_files(headers: &HeaderMap) -> bool {
    header_text(headers, &header::CONTENT_TYPE).is_some_and(|kind| kind.starts_with("multipart/"))
}

fn header_text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies.flat_map(|value| value.split(';')).find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// Whether an `Accept-Encoding` header allows gzip.
fn takes_gzip(header: &str) -> bool {
    header.split(',').any(|part| {
        let mut fields = part.split(';').map(str::trim);
        let is_gzip = fields.next().is_some_and(|coding| coding.eq_ignore_ascii_case("gzip"));
        is_gzip && !fields.any(|field| matches!(field, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_names_and_values() {
        let pairs = parse_pairs("lang=de&view=calendar&&x&title=a%20b+c");
        let expected = [("lang", "de"), ("view", "calendar"), ("x", ""), ("title", "a b c")];
        assert_eq!(pairs, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn gzip_is_taken_unless_it_is_refused() {
        assert!(["gzip", "br, GZIP;q=0.5", "deflate, gzip"].into_iter().all(takes_gzip));
        assert!(!["", "br", "gzip;q=0", "br, gzip; q=0.0"].into_iter().any(takes_gzip));
    }
}
