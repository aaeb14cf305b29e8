//! Requests to servers that clients name. Nobody gets into the operator's network by them: only plain https URLs of the
//! internet are taken ([`TargetUrl`]), every address that a name resolves to is checked at each connect, and the one
//! that was checked is the one that is connected to. Nobody is followed elsewhere, and no proxy of the environment asks
//! in our place. How long it takes, and how much comes back, has limits.

mod addresses;
mod allowed;
mod answer;
mod resolver;
mod target;

pub use addresses::{MalformedNetwork, Network};
pub use allowed::{AllowedTarget, MalformedTarget};
pub use answer::{OutgoingAnswer, OutgoingError, RetryAfter};
pub use resolver::NameLookup;
pub use target::{TargetFault, TargetUrl};

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use kassa_store::system_authorities::has_authorities;
use reqwest::header::HeaderMap;
use reqwest::{Certificate, Client, redirect, retry};
use tokio::time::Instant;

use crate::traces::trace_request;
use allowed::AllowedTargets;
use resolver::{CheckingResolver, SystemLookup};
use target::Reach;

/// How long a connection may take to be there, its name's look-up and TLS included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a request may take in all.
const TOTAL_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a connection is kept for the next request to the same server.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// Connections to one server that are kept.
const IDLE_MAX: usize = 4;

/// Where requests may go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutgoingRules {
    allowed: AllowedTargets,
}

impl OutgoingRules {
    /// To the internet, and to these.
    pub fn new(allowed: impl IntoIterator<Item = AllowedTarget>) -> Self {
        Self { allowed: AllowedTargets(allowed.into_iter().collect()) }
    }
}

/// What sends the requests. Clones share its connections.
#[derive(Clone)]
pub struct OutgoingHttp {
    rules: Arc<OutgoingRules>,
    /// For targets whose addresses are checked.
    checked: Client,
    /// For those that the operator has named.
    unchecked: Client,
}

/// Why no requests can be sent.
#[derive(Debug, thiserror::Error)]
#[error("requests to receivers cannot be sent: {0}")]
pub struct OutgoingSetupError(#[from] reqwest::Error);

impl OutgoingHttp {
    /// Sends to where `rules` allow. A server is trusted that has a certificate of an authority that the system trusts,
    /// or of `root_certificate`, which is PEM.
    pub fn new(rules: OutgoingRules, root_certificate: Option<&[u8]>) -> Result<Self, OutgoingSetupError> {
        Self::with_lookup(rules, root_certificate, &(Arc::new(SystemLookup::default()) as Arc<dyn NameLookup>))
    }

    /// The same, with names that are looked up in another way.
    pub fn with_lookup(
        rules: OutgoingRules,
        root_certificate: Option<&[u8]>,
        lookup: &Arc<dyn NameLookup>,
    ) -> Result<Self, OutgoingSetupError> {
        // Another part of the program may have chosen already: the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let root = root_certificate.map(Certificate::from_pem_bundle).transpose()?.unwrap_or_default();
        let rules = Arc::new(rules);
        let client = |reach| {
            let resolver = CheckingResolver { lookup: Arc::clone(lookup), rules: Arc::clone(&rules), reach };
            let builder = Client::builder();
            // Where nobody is trusted, https fails when it is asked for, and not before.
            let builder = if has_authorities() {
                builder.tls_certs_merge(root.clone())
            } else {
                builder.tls_certs_only(root.clone())
            };
            builder
                .user_agent(concat!("Kassa/", env!("CARGO_PKG_VERSION")))
                .redirect(redirect::Policy::none())
                .retry(retry::never())
                .no_proxy()
                .referer(false)
                .http1_only()
                .http1_max_headers(64)
                .connect_timeout(CONNECT_TIMEOUT)
                .pool_idle_timeout(IDLE_TIMEOUT)
                .pool_max_idle_per_host(IDLE_MAX)
                .dns_resolver(Arc::new(resolver))
                .build()
        };
        Ok(Self { checked: client(Reach::Checked)?, unchecked: client(Reach::Any)?, rules })
    }

    /// Where requests may go.
    pub fn rules(&self) -> &OutgoingRules {
        &self.rules
    }

    /// Posts JSON to a URL. The URL is checked again: what the operator allows may be less than it was.
    pub async fn post_json(&self, url: &str, headers: HeaderMap, body: Bytes) -> Result<OutgoingAnswer, OutgoingError> {
        let target = TargetUrl::parse(url, &self.rules).map_err(OutgoingError::Target)?;
        let client = match target.reach() {
            Reach::Checked => &self.checked,
            Reach::Any => &self.unchecked,
        };
        let deadline = Instant::now() + TOTAL_TIMEOUT;
        let request = client.post(target.url().clone()).headers(headers).header("content-type", "application/json");
        let (request, mut span) = trace_request(request, "POST");
        match tokio::time::timeout_at(deadline, request.body(body).send()).await {
            Ok(Ok(response)) => {
                span.answer(response.status().as_u16());
                Ok(answer::read(response, deadline).await)
            }
            Ok(Err(error)) => Err(OutgoingError::of(&error)),
            Err(_) => Err(OutgoingError::Timeout),
        }
    }
}
