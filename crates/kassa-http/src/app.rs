//! What every handler has at hand.

use std::sync::{Arc, OnceLock};

use kassa_engine::Engine;
use url::Url;

use crate::body_memory::BodyMemory;
use crate::rate_limits::{RateLimiters, RateLimits};
use crate::request_metrics::RequestMetrics;
use crate::route::BodyLimit;

/// Settings of the interface.
#[derive(Clone, Debug)]
pub struct HttpConfig {
    /// Where clients reach the server, when it is not where it listens.
    pub public_url: Option<Url>,
    /// The longest JSON body, in bytes.
    pub json_bytes_max: usize,
    /// The longest hall map, in bytes.
    pub map_bytes_max: usize,
    /// The longest attachment, in bytes.
    pub attachment_bytes_max: usize,
    /// The vendors, by their names in paths, that say who comes with the tickets of orders.
    pub user_data_vendors: Vec<String>,
    /// How often things may be done.
    pub rate_limits: RateLimits,
    /// Through how many proxies of the operator clients come: who they are is read from `X-Forwarded-For`.
    pub trusted_proxies: usize,
}

impl HttpConfig {
    /// The longest body of a kind, in bytes.
    pub(crate) fn bytes_max(&self, limit: BodyLimit) -> usize {
        match limit {
            BodyLimit::Json => self.json_bytes_max,
            BodyLimit::HallMap => self.map_bytes_max,
            BodyLimit::Attachment => self.attachment_bytes_max,
        }
    }
}

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            public_url: None,
            json_bytes_max: 1024 * 1024,
            map_bytes_max: 16 * 1024 * 1024,
            attachment_bytes_max: 20 * 1024 * 1024,
            user_data_vendors: vec!["mosbilet".to_owned()],
            rate_limits: RateLimits::default(),
            trusted_proxies: 0,
        }
    }
}

/// The engine, and the settings of the interface. Clones share them.
#[derive(Clone)]
pub struct AppState {
    /// Takes the commands.
    pub engine: Engine,
    /// How the interface is set.
    pub config: Arc<HttpConfig>,
    /// What bodies take in memory.
    pub(crate) body_memory: BodyMemory,
    /// What was done so often lately that it is limited.
    pub(crate) rate_limiters: Arc<RateLimiters>,
    /// What was asked, and how long it took; nothing before the routes are known.
    pub(crate) request_metrics: Arc<OnceLock<RequestMetrics>>,
}

impl AppState {
    /// The interface over an engine.
    pub fn new(engine: Engine, config: HttpConfig) -> Self {
        let limits = Arc::new(RateLimiters::new(&config.rate_limits));
        Self {
            engine,
            rate_limiters: limits,
            config: Arc::new(config),
            body_memory: BodyMemory::default(),
            request_metrics: Arc::default(),
        }
    }
}
