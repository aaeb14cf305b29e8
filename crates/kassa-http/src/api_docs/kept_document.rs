//! Documents for everybody, which change with the program only. Each is packed and unpacked once: nobody's requests for
//! it cost more than to send it.

use std::io::{self, Read as _, Write as _};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::response::entity_tags::entity_tag;
use crate::response::packing::{COMPRESSION_BYTES_MIN, VARY_BY_ENCODING, accepts_gzip};

/// What clients may keep for so long: it changes with the program only.
const CACHE_FOR_AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");
const GZIP: HeaderValue = HeaderValue::from_static("gzip");

/// A document, as it is and packed.
pub(super) struct KeptDocument {
    content_type: HeaderValue,
    /// Of the document as it is. To that of the packed one, the middleware adds its ending.
    tag: Option<HeaderValue>,
    plain: Bytes,
    /// `None` for one that is too short to be packed.
    gzip: Option<Bytes>,
}

impl KeptDocument {
    /// One that is given as it is.
    pub(super) fn from_plain(content_type: HeaderValue, plain: impl Into<Bytes>) -> io::Result<Self> {
        let plain = plain.into();
        let mut gzip = None;
        if plain.len() as u64 >= COMPRESSION_BYTES_MIN {
            let mut packing = GzEncoder::new(Vec::new(), Compression::best());
            packing.write_all(&plain)?;
            gzip = Some(packing.finish()?.into());
        }
        Ok(Self { content_type, tag: entity_tag(0, &plain), plain, gzip })
    }

    /// One that is given packed.
    pub(super) fn from_gzip(content_type: HeaderValue, gzip: &'static [u8]) -> io::Result<Self> {
        let mut plain = Vec::new();
        GzDecoder::new(gzip).read_to_end(&mut plain)?;
        let tag = entity_tag(0, &plain);
        Ok(Self { content_type, tag, plain: plain.into(), gzip: Some(Bytes::from_static(gzip)) })
    }

    /// The document in the form that the client takes.
    pub(super) fn response(&self, asked: &HeaderMap) -> Response {
        let gzip = self.gzip.as_ref().filter(|_| accepts_gzip(asked));
        let body = Bytes::clone(gzip.unwrap_or(&self.plain));
        let headers = [(header::CONTENT_TYPE, self.content_type.clone()), (header::CACHE_CONTROL, CACHE_FOR_AN_HOUR)];
        let mut response = (headers, body).into_response();
        let tag = self.tag.clone().map(|tag| (header::ETAG, tag));
        let coding = gzip.map(|_| (header::CONTENT_ENCODING, GZIP));
        let varies = self.gzip.as_ref().map(|_| (header::VARY, VARY_BY_ENCODING));
        response.headers_mut().extend([tag, coding, varies].into_iter().flatten());
        response
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    const TYPE: HeaderValue = HeaderValue::from_static("text/plain");

    async fn ask(document: &KeptDocument, coding: &'static str) -> (HeaderMap, Bytes) {
        let asked = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(coding))]);
        let (head, body) = document.response(&asked).into_parts();
        (head.headers, body.collect().await.unwrap().to_bytes())
    }

    fn unpack(gzip: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        GzDecoder::new(gzip).read_to_end(&mut plain).unwrap();
        plain
    }

    #[tokio::test]
    async fn both_forms_of_a_document_are_made_once_and_say_the_same() {
        let text = "A long text. ".repeat(500);
        let packed = KeptDocument::from_plain(TYPE, text.clone()).unwrap().gzip.unwrap();
        let packed: &'static [u8] = Vec::leak(packed.to_vec());
        for document in [KeptDocument::from_plain(TYPE, text.clone()), KeptDocument::from_gzip(TYPE, packed)] {
            let document = document.unwrap();
            let ((plain_head, plain), (gzip_head, gzip)) = (ask(&document, "br").await, ask(&document, "*").await);
            assert_eq!((&*plain, unpack(&gzip)), (text.as_bytes(), text.clone().into_bytes()));
            assert_eq!((plain_head.get(header::CONTENT_ENCODING), &gzip_head[header::CONTENT_ENCODING]), (None, &GZIP));
            for head in [&plain_head, &gzip_head] {
                assert_eq!((&head[header::VARY], &head[header::ETAG]), (&VARY_BY_ENCODING, &plain_head[header::ETAG]));
                assert_eq!((&head[header::CONTENT_TYPE], &head[header::CACHE_CONTROL]), (&TYPE, &CACHE_FOR_AN_HOUR));
            }
            // It is the same memory each time.
            assert_eq!(ask(&document, "").await.1.as_ptr(), plain.as_ptr());
            assert_eq!(ask(&document, "gzip").await.1.as_ptr(), gzip.as_ptr());
        }
    }

    #[tokio::test]
    async fn a_short_document_has_one_form() {
        let document = KeptDocument::from_plain(TYPE, "short").unwrap();
        let (head, body) = ask(&document, "gzip").await;
        assert_eq!((&*body, head.get(header::VARY), head.get(header::CONTENT_ENCODING)), (&b"short"[..], None, None));
    }
}
