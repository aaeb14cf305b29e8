//! A request for a page of the console: what it names, and the interface, asked under the session of whoever sent it.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use askama::Template;
use bytes::Bytes;
use kassa_http::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use kassa_http::http::request::Parts;
use kassa_http::http::{Method, Response, StatusCode};
use kassa_texts::Texts;
use serde_json::Value;

use super::fault::{Fault, Refusal};
use super::list_items::ListItems;
use crate::answer::private_page;
use crate::error::{PageError, RETRY_AFTER_S};
use crate::form::Form;
use crate::frame::render;
use crate::key_waits::KeyWaits;
use crate::request::PageRequest;
use crate::shop::Shop;

const X_PARTNER: HeaderName = HeaderName::from_static("x-partner");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const TOTAL: &str = "total";

/// A request for a page of the console.
pub(crate) struct Visit<'a> {
    pub(crate) shop: &'a Shop,
    pub(crate) request: &'a PageRequest,
    pub(crate) is_form: bool,
    /// Names and values of its path.
    segments: Vec<(String, String)>,
    cookies: Vec<HeaderValue>,
    content_type: Option<HeaderValue>,
    body: Bytes,
    /// The session as the interface has changed it on the way: begun, extended or ended.
    session: Mutex<Option<HeaderValue>>,
}

/// What the interface has answered, where it did not refuse.
#[derive(Clone, Debug)]
pub(crate) struct ApiAnswer {
    pub(crate) value: Value,
    /// The entity tag of a resource.
    pub(crate) tag: String,
    /// Of a list: how many there are in all.
    pub(crate) total: usize,
}

/// On which conditions something is written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Conditions<'c> {
    /// Under which key it is done once.
    pub(crate) key: Option<&'c str>,
    /// The entity tag that the resource must have.
    pub(crate) tag: Option<&'c str>,
}

/// An answer, or why there is none.
pub(crate) type Outcome = Result<ApiAnswer, Refusal>;

impl<'a> Visit<'a> {
    pub(crate) fn new(
        shop: &'a Shop,
        request: &'a PageRequest,
        (head, body): (&Parts, Bytes),
        segments: Vec<(String, String)>,
    ) -> Self {
        Self {
            shop,
            request,
            is_form: head.method == Method::POST,
            segments,
            cookies: head.headers.get_all(header::COOKIE).iter().cloned().collect(),
            content_type: head.headers.get(header::CONTENT_TYPE).cloned(),
            body,
            session: Mutex::new(None),
        }
    }

    /// A segment of the path, by its name; empty, if the path has none.
    pub(crate) fn segment(&self, name: &str) -> &str {
        self.segments.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value)
    }

    /// The path of the console of the partner that this page is of.
    pub(crate) fn home(&self) -> String {
        format!("/console/{}", self.segment("partner"))
    }

    pub(crate) fn form(&self) -> &Form {
        &self.request.form
    }

    /// The form, if one was sent.
    pub(crate) fn sent_form(&self) -> Option<&Form> {
        Some(self.form()).filter(|_| self.is_form)
    }

    pub(crate) fn texts(&self) -> &'static Texts {
        self.request.texts()
    }

    /// The cookie that the answer has to set.
    pub(crate) fn changed_session(&self) -> Option<HeaderValue> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Reads something that the caller may see; anything else has a page of its own.
    pub(crate) async fn read(&self, path: &str) -> Result<ApiAnswer, Fault> {
        self.send("GET", path, None).await?.map_err(Fault::from)
    }

    /// Has something done.
    pub(crate) async fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Outcome, Fault> {
        self.send_if(method, path, body, Conditions::default()).await
    }

    /// Has something done, on conditions.
    pub(crate) async fn send_if(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        conditions: Conditions<'_>,
    ) -> Result<Outcome, Fault> {
        let mut headers = self.session_headers();
        let mut put = |name: HeaderName, text: Option<&str>| {
            if let Some(value) = text.and_then(|text| HeaderValue::from_str(text).ok()) {
                headers.insert(name, value);
            }
        };
        put(IDEMPOTENCY_KEY, conditions.key);
        put(header::IF_MATCH, conditions.tag);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let bytes = body.map(Value::to_string).unwrap_or_default().into_bytes();
        let mut waits = KeyWaits::default();
        loop {
            let outcome = self.exchange(method, path, headers.clone(), bytes.clone()).await?;
            let Err(refusal) = outcome else { return Ok(outcome) };
            if refusal.status == StatusCode::UNAUTHORIZED {
                return Err(Fault::SignedOut);
            }
            if !waits.wait_after(&refusal.code).await {
                return Ok(Err(refusal));
            }
        }
    }

    /// Has something done that needs no session, whatever the browser has.
    pub(crate) async fn send_openly(&self, method: &str, path: &str, body: &Value) -> Result<Outcome, Fault> {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        self.exchange(method, path, headers, body.to_string().into_bytes()).await
    }

    /// The file that came with the form; none, if there is none, or if it is empty.
    pub(crate) async fn uploaded_file(&self) -> Option<Bytes> {
        let boundary = multer::parse_boundary(self.content_type.as_ref()?.to_str().ok()?).ok()?;
        let body = self.body.clone();
        let body = futures_util::stream::once(async move { Ok::<_, std::convert::Infallible>(body) });
        let mut form = multer::Multipart::new(body, boundary);
        // A form that breaks off has no file.
        while let Ok(Some(part)) = form.next_field().await {
            if part.file_name().is_some() {
                return part.bytes().await.ok().filter(|file| !file.is_empty());
            }
        }
        None
    }

    /// Stores a file.
    pub(crate) async fn store_file(&self, content_type: &'static str, bytes: Vec<u8>) -> Result<Outcome, Fault> {
        let mut headers = self.session_headers();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        match self.exchange("POST", "/v1/resources/attachments", headers, bytes).await? {
            Err(refusal) if refusal.status == StatusCode::UNAUTHORIZED => Err(Fault::SignedOut),
            outcome => Ok(outcome),
        }
    }

    /// A file that the caller may see.
    pub(crate) async fn file(&self, path: &str) -> Result<(HeaderMap, Vec<u8>), Fault> {
        let mut request = self.request.origin.request("GET", path);
        if let Some(headers) = request.headers_mut() {
            headers.extend(self.session_headers());
        }
        let request = request.body(Vec::new()).map_err(|error| internal(path, &error))?;
        let answer = self.shop.api.client().call(request).await.map_err(|error| internal(path, &error))?;
        let (head, bytes) = answer.into_parts();
        if head.status == StatusCode::OK {
            return Ok((head.headers, bytes));
        }
        Err(refusal_of(path, (head.status, &head.headers), &bytes)?.into())
    }

    /// Reads a list item by item, as long as `take` wants more of it, and returns how many items there are in all: such
    /// lists may be longer than memory is.
    pub(crate) async fn read_items(
        &self,
        path: &str,
        mut take: impl FnMut(Value) -> ControlFlow<()>,
    ) -> Result<usize, Fault> {
        let mut request = self.request.origin.request("GET", path);
        if let Some(headers) = request.headers_mut() {
            headers.extend(self.session_headers());
        }
        let request = request.body(Vec::new()).map_err(|error| internal(path, &error))?;
        let mut items = ListItems::default();
        let mut broken = None;
        let answer = self.shop.api.client().call_in_pieces(request, |piece| match items.push(piece, &mut take) {
            Ok(goes_on) => goes_on,
            Err(error) => {
                broken = Some(error);
                ControlFlow::Break(())
            }
        });
        let answer = answer.await.map_err(|error| internal(path, &error))?;
        if let Some(error) = broken {
            return Err(internal(path, &error).into());
        }
        if answer.status().is_success() {
            let total = answer.headers().get(TOTAL).and_then(|value| value.to_str().ok()?.parse().ok());
            return Ok(total.unwrap_or_default());
        }
        Err(refusal_of(path, (answer.status(), answer.headers()), answer.body())?.into())
    }

    fn session_headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for cookie in &self.cookies {
            headers.append(header::COOKIE, cookie.clone());
        }
        let partner = Some(self.segment("partner")).filter(|partner| !partner.is_empty());
        headers.extend(partner.and_then(|id| HeaderValue::from_str(id).ok()).map(|value| (X_PARTNER, value)));
        headers
    }

    async fn exchange(&self, method: &str, path: &str, headers: HeaderMap, body: Vec<u8>) -> Result<Outcome, Fault> {
        let mut request = self.request.origin.request(method, path);
        if let Some(all) = request.headers_mut() {
            all.extend(headers);
        }
        let request = request.body(body).map_err(|error| internal(path, &error))?;
        let answer = self.shop.api.client().call(request).await.map_err(|error| internal(path, &error))?;
        let (head, bytes) = answer.into_parts();
        if let Some(session) = head.headers.get(header::SET_COOKIE) {
            *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session.clone());
        }
        let text = |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok());
        if head.status.is_success() {
            let total = text(TOTAL).and_then(|value| value.parse().ok()).unwrap_or_default();
            let tag = text("etag").unwrap_or_default().to_owned();
            // Some writes answer with nothing.
            let value = if bytes.is_empty() { Ok(Value::Null) } else { serde_json::from_slice(&bytes) };
            let value = value.map_err(|error| internal(path, &error))?;
            return Ok(Ok(ApiAnswer { value, tag, total }));
        }
        Ok(Err(refusal_of(path, (head.status, &head.headers), &bytes)?))
    }
}

/// What the interface refuses by an answer that is none of success; or why there is no page, where it is no refusal.
fn refusal_of(path: &str, (status, headers): (StatusCode, &HeaderMap), body: &[u8]) -> Result<Refusal, Fault> {
    match status {
        StatusCode::NOT_FOUND => Err(PageError::NotFound.into()),
        StatusCode::SERVICE_UNAVAILABLE => {
            let wait = headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
            Err(PageError::Busy { retry_after: wait.unwrap_or(RETRY_AFTER_S) }.into())
        }
        status if status.is_client_error() => {
            let mut refusal: Refusal = serde_json::from_slice(body).map_err(|error| internal(path, &error))?;
            refusal.status = status;
            Ok(refusal)
        }
        status => Err(internal(path, &status).into()),
    }
}

/// A time of the interface, which is of UTC; empty if there is none.
pub(crate) fn moment(value: &Value) -> String {
    value.as_str().map(|at| format!("{at} UTC")).unwrap_or_default()
}

/// An id of a form or an address, which is no way to elsewhere.
pub(crate) fn checked_id(id: &str) -> Result<&str, PageError> {
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_id { Ok(id) } else { Err(PageError::NotFound) }
}

/// The answer with a page.
pub(crate) fn page_answer(status: StatusCode, page: &impl Template) -> Result<Response<Bytes>, Fault> {
    Ok(private_page(status, render(page)?))
}

fn internal(path: &str, error: &dyn std::fmt::Display) -> PageError {
    tracing::error!(path, %error, "a page of the console could not be made");
    PageError::Internal
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of an answer, where somebody reads.
    fn fault(status: u16, headers: &HeaderMap) -> Fault {
        let body = br#"{"code": "some_code", "reason": "Because."}"#;
        let status = StatusCode::from_u16(status).unwrap();
        refusal_of("/v1/x", (status, headers), body).map_or_else(|fault| fault, Fault::from)
    }

    #[test]
    fn answers_that_are_none_lead_to_pages_that_say_what_to_do() {
        let headers = HeaderMap::new();
        assert!(matches!(fault(401, &headers), Fault::SignedOut));
        for status in [400, 404] {
            assert!(matches!(fault(status, &headers), Fault::Page(PageError::NotFound)), "{status}");
        }
        for status in [429, 503] {
            assert!(matches!(fault(status, &headers), Fault::Page(PageError::Busy { .. })), "{status}");
        }
        for status in [403, 409, 422] {
            assert!(matches!(fault(status, &headers), Fault::Denied(refusal) if refusal.status == status), "{status}");
        }
        assert!(matches!(fault(500, &headers), Fault::Page(PageError::Internal)));
        let headers = HeaderMap::from_iter([(header::RETRY_AFTER, HeaderValue::from_static("30"))]);
        assert!(matches!(fault(503, &headers), Fault::Page(PageError::Busy { retry_after: 30 })));
    }
}
