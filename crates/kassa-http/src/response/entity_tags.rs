//! Tags of resources (RFC 9110, section 8.8.3): `"<revision>-<digest>"`. The revision counts edits of the row, and
//! is what `If-Match` compares; the digest is that of the whole answer, so that `If-None-Match` also notices what
//! sales, or the time, have changed. An answer that is packed has other bytes, and so another tag: the same with
//! `-gzip` at its end, which `If-Match` takes as well.

use std::fmt;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use twox_hash::XxHash3_64;

/// Hexadecimal digits of a digest.
const DIGEST_DIGITS: usize = 16;
/// The end of the tag of a packed answer.
const GZIP_SUFFIX: &str = "-gzip";

/// The tag of an answer with this body.
pub(crate) fn entity_tag(revision: i64, body: &[u8]) -> Option<HeaderValue> {
    HeaderValue::try_from(format!("\"{revision}-{}\"", Digest::of(body))).ok()
}

/// What tells a body from others: 16 hexadecimal digits, the same at every server. It is quick, and no secret: whoever writes
/// two bodies with the same digits keeps a change from those who read what is theirs, and from nobody else.
pub(crate) struct Digest(u64);

impl Digest {
    /// That of a body.
    pub(crate) fn of(body: &[u8]) -> Self {
        Self(XxHash3_64::oneshot(body))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0DIGEST_DIGITS$x}", self.0)
    }
}

/// Gives an answer that is packed, or would be, the tag of that.
pub(crate) fn mark_compressed(headers: &mut HeaderMap) {
    let tag = headers.get(header::ETAG).and_then(|tag| tag.to_str().ok()?.strip_suffix('"'));
    if let Some(Ok(tag)) = tag.map(|tag| HeaderValue::from_str(&format!("{tag}{GZIP_SUFFIX}\""))) {
        headers.insert(header::ETAG, tag);
    }
}

/// The tag of an answer whose body is another now.
pub(crate) fn recompute(headers: &mut HeaderMap, body: &[u8]) {
    let revision = headers.get(header::ETAG).and_then(|tag| revision_of(tag.to_str().ok()?.trim_matches('"')));
    if let Some(tag) = revision.and_then(|revision| entity_tag(revision, body)) {
        headers.insert(header::ETAG, tag);
    }
}

/// The revision of a tag of ours.
fn revision_of(opaque: &str) -> Option<i64> {
    let (revision, digest) = opaque.strip_suffix(GZIP_SUFFIX).unwrap_or(opaque).split_once('-')?;
    let is_ours = digest.len() == DIGEST_DIGITS && digest.bytes().all(|digit| digit.is_ascii_hexdigit());
    revision.parse().ok().filter(|_| is_ours)
}

/// A tag as a client sends it.
#[derive(Debug, PartialEq, Eq)]
struct EntityTag<'a> {
    is_weak: bool,
    opaque: &'a str,
}

/// What a condition names.
#[derive(Debug, PartialEq, Eq)]
enum TagCondition<'a> {
    /// Whatever is there.
    Any,
    AnyOf(Vec<EntityTag<'a>>),
}

/// Reads a condition; `None` where it is malformed.
fn parse_condition<'a>(values: impl Iterator<Item = &'a HeaderValue>) -> Option<TagCondition<'a>> {
    let (mut tags, mut any) = (Vec::new(), 0);
    for value in values {
        let mut rest = value.to_str().ok()?.trim();
        if rest == "*" {
            any += 1;
            continue;
        }
        while !rest.is_empty() {
            let (is_weak, quoted) = match rest.strip_prefix("W/") {
                Some(quoted) => (true, quoted),
                None => (false, rest),
            };
            let (opaque, behind) = quoted.strip_prefix('"')?.split_once('"')?;
            if opaque.contains(' ') {
                return None;
            }
            tags.push(EntityTag { is_weak, opaque });
            rest = behind.trim_start();
            // Empty elements of a list mean nothing.
            let is_separated = rest.starts_with(',');
            rest = rest.trim_start_matches([',', ' ', '\t']);
            if !rest.is_empty() && !is_separated {
                return None;
            }
        }
    }
    match (any, tags.is_empty()) {
        (1, true) => Some(TagCondition::Any),
        (0, false) => Some(TagCondition::AnyOf(tags)),
        _ => None,
    }
}

/// The revisions of what is to be changed that `If-Match` takes; `None` where it takes whatever is there, or is not
/// given. A weak tag is no match, and neither is one of somebody else.
pub(crate) fn if_match_revisions(headers: &HeaderMap) -> Result<Option<Vec<i64>>, MalformedIfMatch> {
    if !headers.contains_key(header::IF_MATCH) {
        return Ok(None);
    }
    match parse_condition(headers.get_all(header::IF_MATCH).iter()) {
        Some(TagCondition::Any) => Ok(None),
        Some(TagCondition::AnyOf(tags)) => {
            let strong = tags.iter().filter(|tag| !tag.is_weak);
            Ok(Some(strong.filter_map(|tag| revision_of(tag.opaque)).collect()))
        }
        None => Err(MalformedIfMatch),
    }
}

/// `If-Match` is neither `*` nor a list of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MalformedIfMatch;

/// What a read knows already.
pub(crate) struct IfNoneMatch(HeaderMap);

impl IfNoneMatch {
    /// What a request says that it knows; `None` where it is no read, or says nothing.
    pub(crate) fn from_request(request: &Request) -> Option<Self> {
        const NAME: HeaderName = header::IF_NONE_MATCH;
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        if !is_read || !request.headers().contains_key(NAME) {
            return None;
        }
        let values = request.headers().get_all(NAME).iter();
        Some(Self(values.map(|value| (NAME, value.clone())).collect()))
    }

    /// Leaves out what the client has. The rest is told as with the whole answer.
    pub(crate) fn strip_known(&self, response: Response) -> Response {
        let is_known = response.status() == StatusCode::OK
            && response
                .headers()
                .get(header::ETAG)
                .and_then(|tag| tag.to_str().ok())
                .is_some_and(|tag| matches_if_none_match(&self.0, tag));
        if !is_known {
            return response;
        }
        let (mut parts, _) = response.into_parts();
        parts.status = StatusCode::NOT_MODIFIED;
        for name in [header::CONTENT_LENGTH, header::CONTENT_TYPE, header::CONTENT_ENCODING] {
            parts.headers.remove(name);
        }
        Response::from_parts(parts, axum::body::Body::empty())
    }
}

/// Whether `If-None-Match` names this tag. It is compared as RFC 9110, section 13.1.2 says: also weakly.
pub(crate) fn matches_if_none_match(asked: &HeaderMap, tag: &str) -> bool {
    let own = tag.trim_matches('"');
    match parse_condition(asked.get_all(header::IF_NONE_MATCH).iter()) {
        Some(TagCondition::Any) => true,
        Some(TagCondition::AnyOf(tags)) => tags.iter().any(|tag| tag.opaque == own),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (header::IF_MATCH, HeaderValue::from_str(value).unwrap())).fold(
            HeaderMap::new(),
            |mut headers, (name, value)| {
                headers.append(name, value);
                headers
            },
        )
    }

    #[test]
    fn a_tag_is_of_a_revision_and_a_body() {
        let one = entity_tag(3, b"{}").unwrap();
        assert_eq!(one, "\"3-1349cde127705c16\"");
        assert_ne!(entity_tag(3, b"[]").unwrap(), one);
        let mut headers = HeaderMap::from_iter([(header::ETAG, one)]);
        recompute(&mut headers, b"[]");
        assert_eq!(headers[header::ETAG], entity_tag(3, b"[]").unwrap());
        let mut headers = HeaderMap::from_iter([(header::ETAG, entity_tag(3, b"{}").unwrap())]);
        mark_compressed(&mut headers);
        assert_eq!(headers[header::ETAG], "\"3-1349cde127705c16-gzip\"");
        let mut headers = HeaderMap::new();
        mark_compressed(&mut headers);
        assert!(headers.is_empty());
    }

    #[test]
    fn if_match_takes_the_revisions_of_strong_tags() {
        let own = "3-1349cde127705c16";
        for (values, revisions) in [
            (&["*"][..], None),
            (&["\"3-1349cde127705c16\""], Some(vec![3])),
            (&["\"x,y\" , \"4-1349cde127705c16\",, \"3-1349cde127705c16\" ,"], Some(vec![4, 3])),
            (&["\"1-1349cde127705c16\"", "\"2-1349cde127705c16\""], Some(vec![1, 2])),
            (&["\"3-1349cde127705c16-gzip\""], Some(vec![3])),
            (&["W/\"3-1349cde127705c16\""], Some(vec![])),
            (&["\"\", \"3\", \"3-4\", \"-1349cde127705c16\", \"x-1349cde127705c16\""], Some(vec![])),
            (&["\"3-gzip\", \"3-1349cde127705c16-br\", \"3-1349cde127705c16-gzip-gzip\""], Some(vec![])),
        ] {
            assert_eq!(if_match_revisions(&headers(values)).unwrap(), revisions, "{values:?}");
        }
        for values in [&[""][..], &[own], &["\"a"], &["*, \"a\""], &["*", "\"a\""], &["\"a\" \"b\""], &["w/\"a\""]] {
            assert!(if_match_revisions(&headers(values)).is_err(), "{values:?}");
        }
    }
}
