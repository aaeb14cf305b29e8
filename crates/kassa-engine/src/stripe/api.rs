//! Requests to Stripe. Whatever is no whole answer is a fault: nothing follows from it.

use std::sync::Arc;
use std::time::Duration;

use kassa_domain::Timestamp;
use kassa_store::system_authorities::has_authorities;
use kassa_texts::Currency;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use reqwest::{Client, Method, RequestBuilder, redirect, retry};
use serde::de::DeserializeOwned;
use tokio::time::Instant;
use url::{Url, form_urlencoded};

use crate::traces::{OutgoingSpan, trace_request};

use super::answers::{CheckoutSession, ErrorAnswer, Refund, StripeList};

/// The version of the interface that answers are read by.
const VERSION: &str = "2024-06-20";
/// How long a connection may take to be there.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a request may take in all.
const TOTAL_TIMEOUT: Duration = Duration::from_secs(15);
/// The most bytes of an answer: what is longer is none.
const ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// Refunds of one payment that are read at once: there are as many as it has tickets, at most.
const REFUNDS_MAX: usize = 100;

/// Stripe, for all who sell here. Clones share its connections.
#[derive(Clone, Debug)]
pub struct StripeApi(Arc<ApiParts>);

#[derive(Debug)]
struct ApiParts {
    base: Url,
    http: Client,
    currency: Currency,
}

/// Why no requests can be sent.
#[derive(Debug, thiserror::Error)]
#[error("requests to Stripe cannot be sent: {0}")]
pub struct StripeSetupError(#[from] reqwest::Error);

/// Why there is no answer to go by. It tells nothing of keys or customers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StripeFault {
    /// There is none, or it is broken, or Stripe has to be left alone for a while.
    #[error("Stripe gives no answer: {0}")]
    Silent(String),
    /// It says no.
    #[error("Stripe refuses with {status} {code}")]
    Refused {
        /// The status of HTTP.
        status: u16,
        /// Stripe's word for it.
        code: String,
    },
    /// The key cannot be sent.
    #[error("the key for Stripe is none")]
    Key,
}

/// A page to be made where somebody pays.
#[derive(Clone, Debug)]
pub struct NewCheckout {
    /// What we call it.
    pub reference: String,
    /// How much, in the smallest unit of the currency.
    pub amount: i64,
    /// What is bought, in words.
    pub title: String,
    /// Where the customer goes when it has paid.
    pub success_url: String,
    /// Where it goes when it does not want to.
    pub cancel_url: String,
    /// Until when it can pay.
    pub expires_at: Timestamp,
}

/// Money to be sent back.
#[derive(Clone, Copy, Debug)]
pub struct NewRefund<'a> {
    /// What was charged.
    pub payment_intent: &'a str,
    /// How much, in the smallest unit of the currency.
    pub amount: i64,
    /// What we call it.
    pub reference: &'a str,
}

impl StripeApi {
    /// At this URL; charges are in this currency.
    pub fn new(base: Url, currency: Currency) -> Result<Self, StripeSetupError> {
        // Another part of the program may have chosen already: the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = Client::builder();
        // Where nobody is trusted, https fails when it is asked for, and not before.
        let builder = if has_authorities() { builder } else { builder.tls_certs_only([]) };
        let http = builder
            .user_agent(concat!("Kassa/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .no_proxy()
            .referer(false)
            .http1_only()
            .connect_timeout(CONNECT_TIMEOUT)
            .build()?;
        Ok(Self(Arc::new(ApiParts { base, http, currency })))
    }

    /// What charges are in.
    pub fn currency(&self) -> Currency {
        self.0.currency
    }

    /// For the account with this key.
    pub fn client(&self, secret_key: &str) -> Result<StripeClient, StripeFault> {
        let mut authorization = HeaderValue::try_from(format!("Bearer {secret_key}")).map_err(|_| StripeFault::Key)?;
        authorization.set_sensitive(true);
        Ok(StripeClient { api: self.clone(), authorization })
    }
}

/// Stripe, for one account.
#[derive(Clone, Debug)]
pub struct StripeClient {
    api: StripeApi,
    authorization: HeaderValue,
}

impl StripeClient {
    /// What charges are in.
    pub fn currency(&self) -> Currency {
        self.api.0.currency
    }

    /// Makes a page. The same key means the same page.
    pub async fn create_checkout(&self, new: &NewCheckout, key: &str) -> Result<CheckoutSession, StripeFault> {
        let (amount, expires_at) = (new.amount.to_string(), new.expires_at.ms().div_euclid(1_000).to_string());
        let currency = self.currency().code().to_ascii_lowercase();
        let fields = [
            ("mode", "payment"),
            ("client_reference_id", &new.reference),
            ("line_items[0][quantity]", "1"),
            ("line_items[0][price_data][currency]", &currency),
            ("line_items[0][price_data][unit_amount]", &amount),
            ("line_items[0][price_data][product_data][name]", &new.title),
            ("metadata[payment]", &new.reference),
            ("payment_intent_data[metadata][payment]", &new.reference),
            ("success_url", &new.success_url),
            ("cancel_url", &new.cancel_url),
            ("expires_at", &expires_at),
        ];
        self.post(&["v1", "checkout", "sessions"], &fields, key).await
    }

    /// A page as it is now.
    pub async fn checkout(&self, id: &str) -> Result<CheckoutSession, StripeFault> {
        self.get(&["v1", "checkout", "sessions", id], &[("expand[]", "payment_intent")]).await
    }

    /// Closes a page: nobody pays there any more.
    pub async fn expire_checkout(&self, id: &str) -> Result<CheckoutSession, StripeFault> {
        self.post(&["v1", "checkout", "sessions", id, "expire"], &[], &format!("expire-{id}")).await
    }

    /// All money that goes back of what was charged.
    pub async fn refunds(&self, payment_intent: &str) -> Result<Vec<Refund>, StripeFault> {
        let limit = REFUNDS_MAX.to_string();
        let query = [("payment_intent", payment_intent), ("limit", limit.as_str())];
        let list: StripeList<Refund> = self.get(&["v1", "refunds"], &query).await?;
        if list.has_more { Err(StripeFault::Silent("a list that is too long".to_owned())) } else { Ok(list.data) }
    }

    /// Sends money back. The same key means the same money.
    pub async fn create_refund(&self, new: NewRefund<'_>, key: &str) -> Result<Refund, StripeFault> {
        let amount = new.amount.to_string();
        let fields = [("payment_intent", new.payment_intent), ("amount", &amount), ("metadata[return]", new.reference)];
        self.post(&["v1", "refunds"], &fields, key).await
    }

    async fn get<T: DeserializeOwned>(&self, path: &[&str], query: &[(&str, &str)]) -> Result<T, StripeFault> {
        let mut url = self.url(path);
        url.query_pairs_mut().extend_pairs(query);
        self.send(trace_request(self.api.0.http.request(Method::GET, url), "GET")).await
    }

    async fn post<T: DeserializeOwned>(
        &self,
        path: &[&str],
        fields: &[(&str, &str)],
        key: &str,
    ) -> Result<T, StripeFault> {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self.api.0.http.request(Method::POST, self.url(path)).body(body);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let request = request.header(HeaderName::from_static("idempotency-key"), key);
        self.send(trace_request(request, "POST")).await
    }

    /// Names are encoded: an id of Stripe leads nowhere else.
    fn url(&self, path: &[&str]) -> Url {
        let mut url = self.api.0.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        url
    }

    async fn send<T: DeserializeOwned>(
        &self,
        (request, mut span): (RequestBuilder, OutgoingSpan),
    ) -> Result<T, StripeFault> {
        let deadline = Instant::now() + TOTAL_TIMEOUT;
        let request = request.header(AUTHORIZATION, self.authorization.clone()).header("stripe-version", VERSION);
        let silent = |why: &str| StripeFault::Silent(why.to_owned());
        let mut response = match tokio::time::timeout_at(deadline, request.send()).await {
            Ok(Ok(response)) => response,
            // What reqwest says of it may have the URL.
            Ok(Err(error)) if error.is_connect() => return Err(silent("no connection")),
            Ok(Err(_)) => return Err(silent("the connection ended")),
            Err(_) => return Err(silent("it took too long")),
        };
        let (status, mut body) = (response.status().as_u16(), Vec::new());
        span.answer(status);
        loop {
            match tokio::time::timeout_at(deadline, response.chunk()).await {
                Ok(Ok(Some(chunk))) if body.len() + chunk.len() <= ANSWER_BYTES_MAX => body.extend_from_slice(&chunk),
                Ok(Ok(None)) => break,
                Ok(Ok(Some(_))) => return Err(silent("the answer is too long")),
                Ok(Err(_)) => return Err(silent("the connection ended")),
                Err(_) => return Err(silent("it took too long")),
            }
        }
        match status {
            200 => serde_json::from_slice(&body).map_err(|_| silent("the answer cannot be read")),
            409 | 429 | 500.. => Err(StripeFault::Silent(format!("status {status}"))),
            status => {
                let answer: Option<ErrorAnswer> = serde_json::from_slice(&body).ok();
                let code = answer.and_then(|answer| answer.error.code).unwrap_or_default();
                // It is written into logs.
                let code = code.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(64).collect();
                Err(StripeFault::Refused { status, code })
            }
        }
    }
}
