//! What every handler has at hand.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use kassa_domain::Timestamp;
use kassa_engine::Engine;
use kassa_engine::metrics::Limit;
use kassa_engine::outgoing::OutgoingRules;
use kassa_engine::webhooks::WebhookSettings;
use kassa_store::memory_budget::MemoryBudget;
use parking_lot::RwLock;
use url::Url;

use crate::answer_cache::AnswerCache;
use crate::availability_streams::AvailabilityStreams;
use crate::body_memory::BodyMemory;
use crate::body_parsers::BodyParsers;
use crate::document_turns::DocumentTurns;
use crate::downloads::Downloads;
use crate::drawing_cache::Drawings;
use crate::feed_readers::FeedReaders;
use crate::long_answers::{LongAnswerThreads, LongAnswers};
use crate::rate_limits::{RateLimiters, RateLimits};
use crate::request_log::{RequestLog, RequestLogLimits};
use crate::request_metrics::RequestMetrics;
use crate::route::BodyLimit;
use crate::short_reads::ShortReads;

/// A setting of the program as it is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingInForce {
    /// Its name on the command line, without dashes.
    pub name: String,
    /// What it is set to; `None` if it is a secret that is set.
    pub value: Option<String>,
    /// Where that is from.
    pub source: SettingSource,
}

/// Where a setting is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingSource {
    /// The command line.
    CommandLine,
    /// The environment.
    Environment,
    /// The configuration file.
    File,
    /// The program.
    Default,
}

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
    /// The memory that answers may take together, with the rows they are made of, in bytes: others are told that the
    /// service is busy. One caller may take a quarter of it.
    pub answer_memory_bytes: usize,
    /// The memory that one answer may take, with the rows it is made of, in bytes. A list that is streamed takes as much
    /// at a time.
    pub answer_bytes_max: usize,
    /// The memory that answers take which are kept, in bytes; 0 keeps none.
    pub answer_cache_bytes: usize,
    /// The vendors, by their names in paths, that say who comes with the tickets of orders.
    pub user_data_vendors: Vec<String>,
    /// How often things may be done.
    pub rate_limits: RateLimits,
    /// What the program was told when it started, for operators of the platform.
    pub settings: Vec<SettingInForce>,
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
            answer_memory_bytes: 192 * 1024 * 1024,
            answer_bytes_max: 48 * 1024 * 1024,
            answer_cache_bytes: 64 * 1024 * 1024,
            user_data_vendors: vec!["mosbilet".to_owned()],
            rate_limits: RateLimits::default(),
            settings: Vec::new(),
            trusted_proxies: 0,
        }
    }
}

/// What every handler has at hand. Each request has a clone, so clones share all of it.
#[derive(Clone)]
pub struct AppState(Arc<App>);

impl Deref for AppState {
    type Target = App;

    fn deref(&self) -> &App {
        &self.0
    }
}

/// The engine, and the settings of the interface.
#[derive(Clone)]
pub struct App {
    /// Takes the commands.
    pub engine: Engine,
    /// How the interface is set.
    pub config: Arc<HttpConfig>,
    /// What the program was told, as it is in force now.
    settings_in_force: Arc<RwLock<Vec<SettingInForce>>>,
    /// Since when it runs.
    pub(crate) started_at: Timestamp,
    /// What bodies take in memory.
    pub(crate) body_memory: BodyMemory,
    /// Turns of bodies that are parsed.
    pub(crate) body_parsers: BodyParsers,
    /// Turns of documents that are made.
    pub(crate) document_turns: DocumentTurns,
    /// Turns of downloads.
    pub(crate) downloads: Downloads,
    /// Drawings of hall maps.
    pub(crate) drawings: Drawings,
    /// What answers take in memory.
    pub(crate) answer_memory: MemoryBudget,
    /// Answers that are kept.
    pub(crate) answers: AnswerCache,
    /// Where long answers are made.
    pub(crate) long_answers: LongAnswers,
    /// Shares of those who ask short questions.
    pub(crate) short_reads: ShortReads,
    /// Those who wait for changes.
    pub(crate) feed_readers: FeedReaders,
    /// Those who follow what is left of events.
    pub(crate) availability_streams: AvailabilityStreams,
    /// What was done so often lately that it is limited.
    pub(crate) rate_limiters: Arc<RateLimiters>,
    /// How messages of webhooks leave; `None` where none do.
    pub(crate) webhooks: Option<WebhookSettings>,
    /// What was asked, and how long it took; nothing before the routes are known.
    pub(crate) request_metrics: Arc<OnceLock<RequestMetrics>>,
    /// What programs of partners have asked lately.
    pub(crate) request_log: Arc<RequestLog>,
}

impl App {
    /// What the program was told, as it is in force.
    pub(crate) fn settings_in_force(&self) -> Vec<SettingInForce> {
        self.settings_in_force.read().clone()
    }
}

impl AppState {
    /// The interface over an engine.
    pub fn new(engine: Engine, config: HttpConfig) -> Self {
        let limits = Arc::new(RateLimiters::new(&config.rate_limits));
        let settings_in_force = Arc::new(RwLock::new(config.settings.clone()));
        let limit_hits = Arc::clone(engine.limit_hits());
        let body_memory = BodyMemory::new(Arc::clone(&limit_hits), config.json_bytes_max.max(config.map_bytes_max));
        let body_parsers = BodyParsers::new(Arc::clone(&limit_hits));
        let short_reads = ShortReads::new(Arc::clone(&limit_hits));
        let document_turns = DocumentTurns::new(Arc::clone(&limit_hits));
        let downloads = Downloads::new(Arc::clone(&limit_hits));
        let feed_readers = FeedReaders::new(Arc::clone(&limit_hits));
        let availability_streams = AvailabilityStreams::new(engine.clone());
        let on_spent = move || limit_hits.record(Limit::AnswerMemory);
        let started_at = engine.now();
        Self(Arc::new(App {
            started_at,
            answers: AnswerCache::new(if engine.can_keep_reads() {
                config.answer_cache_bytes - pages_share(&config)
            } else {
                0
            }),
            engine,
            body_memory,
            body_parsers,
            answer_memory: MemoryBudget::new(config.answer_memory_bytes, on_spent),
            short_reads,
            feed_readers,
            availability_streams,
            rate_limiters: limits,
            settings_in_force,
            config: Arc::new(config),
            document_turns,
            downloads,
            drawings: Drawings::default(),
            long_answers: LongAnswers::new(None),
            webhooks: None,
            request_metrics: Arc::default(),
            request_log: Arc::new(RequestLog::new(RequestLogLimits::default())),
        }))
    }

    /// Limits clients otherwise from now on.
    pub fn set_rate_limits(&self, rates: &RateLimits) {
        self.rate_limiters.set_rates(rates);
    }

    /// Tells operators of other settings from now on.
    pub fn set_settings_in_force(&self, settings: Vec<SettingInForce>) {
        *self.settings_in_force.write() = settings;
    }

    /// The same where webhooks are sent, in this way.
    #[must_use]
    pub fn with_webhooks(mut self, webhooks: WebhookSettings) -> Self {
        Arc::make_mut(&mut self.0).webhooks = Some(webhooks);
        self
    }

    /// Memory for pages that are kept, in bytes: a quarter of what there is for answers.
    pub fn page_cache_bytes(&self) -> usize {
        pages_share(&self.config)
    }

    /// Where messages of webhooks may go.
    pub(crate) fn webhook_rules(&self) -> OutgoingRules {
        self.webhooks.as_ref().map_or_else(OutgoingRules::default, |webhooks| webhooks.outgoing.rules().clone())
    }

    /// The same with threads for long answers: without, they are made where all others are.
    #[must_use]
    pub fn with_long_answer_threads(mut self, threads: &LongAnswerThreads) -> Self {
        Arc::make_mut(&mut self.0).long_answers = LongAnswers::new(threads.handle());
        self
    }
}

/// What of the memory for answers that are kept is for pages.
fn pages_share(config: &HttpConfig) -> usize {
    config.answer_cache_bytes / 4
}
