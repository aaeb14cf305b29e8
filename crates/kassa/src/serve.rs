//! `kassa serve`: the server.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use kassa_domain::{DecisionSettings, Percent, RegistrationPolicy};
use kassa_engine::documents::Fonts;
use kassa_engine::housekeeping::Housekeeping;
use kassa_engine::mail::MailSettings;
use kassa_engine::outgoing::OutgoingHttp;
use kassa_engine::webhooks::WebhookSettings;
use kassa_http::{AppState, ChangeMessages, ConnectionSettings, HttpConfig, LongAnswerThreads, SettingInForce};
use kassa_web::{ShopSettings, Site};
use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use url::Url;

use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::http_url::parse_http_url;
use crate::installation::{self, Installation};
use crate::limits::{LimitArguments, ReadArguments};
use crate::mail::MailArguments;
use crate::open_files;
use crate::quotas::QuotaArguments;
use crate::shop::ShopArguments;
use crate::stripe::StripeArguments;
use crate::telemetry::{self, LogFormat};
use crate::webhooks::WebhookArguments;

/// Connections that may wait to be accepted: whoever finds no place among them tries again only after a second. The system
/// may allow fewer.
const ACCEPT_QUEUE: u32 = 4_096;

/// Flags of `kassa serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    installation: InstallationArguments,
    #[command(flatten)]
    server: ServerArguments,
    #[command(flatten)]
    mail: Box<MailArguments>,
    /// The platform's commission on each sale, in percent.
    #[arg(long, env = "KASSA_COMMISSION", value_name = "PERCENT", default_value = "3", value_parser = parse_percent)]
    commission: Percent,
    #[command(flatten)]
    quotas: QuotaArguments,
    /// Who can register an account: everybody, those whose e-mail a partner or the operator has invited, or nobody.
    #[arg(long, env = "KASSA_REGISTRATION", value_enum, value_name = "WHO", default_value = "open")]
    registration: RegistrationMode,
    /// Shops may offer payments that are tests: whoever buys says how they end, and gets tickets for nothing.
    #[arg(long, env = "KASSA_ALLOW_TEST_PAYMENTS")]
    allow_test_payments: bool,
    #[command(flatten)]
    stripe: StripeArguments,
    /// Parallel writers; each event belongs to one of them. 4 by default on PostgreSQL; SQLite supports one.
    #[arg(long, env = "KASSA_LANES", value_name = "NUMBER")]
    lanes: Option<usize>,
    #[command(flatten)]
    reads: ReadArguments,
    /// A folder with fonts for characters of documents that Noto Sans lacks, which has Latin, Greek and Cyrillic.
    #[arg(long, env = "KASSA_FONTS", value_name = "DIR")]
    fonts: Option<PathBuf>,
    /// How many days the feed keeps what has changed.
    #[arg(long, env = "KASSA_CHANGES_KEPT_DAYS", value_name = "DAYS", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=3_660))]
    changes_kept_days: u16,
}

/// Flags of a server, whatever it serves.
#[derive(Debug, Args)]
pub(crate) struct ServerArguments {
    /// What the program was told in all.
    #[arg(skip)]
    settings: Vec<SettingInForce>,
    /// The address that clients connect to.
    #[arg(long, env = "KASSA_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// The address of health checks and metrics; port 0 picks a free port, which the log shows.
    #[arg(long, env = "KASSA_OPS_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    ops_listen: SocketAddr,
    /// The URL that clients use, if it differs from `--listen`.
    #[arg(long, env = "KASSA_PUBLIC_URL", value_name = "URL", value_parser = parse_http_url)]
    public_url: Option<Url>,
    /// Maximum size of a JSON body, in bytes.
    #[arg(long, env = "KASSA_JSON_BYTES_MAX", value_name = "BYTES", default_value_t = 1024 * 1024)]
    json_bytes_max: usize,
    /// Maximum size of a hall map, in bytes.
    #[arg(long, env = "KASSA_MAP_BYTES_MAX", value_name = "BYTES", default_value_t = 16 * 1024 * 1024)]
    map_bytes_max: usize,
    /// Maximum size of an attachment, in bytes.
    #[arg(long, env = "KASSA_ATTACHMENT_BYTES_MAX", value_name = "BYTES", default_value_t = 20 * 1024 * 1024)]
    attachment_bytes_max: usize,
    /// Memory that all answers under way may take together, with the rows that they are made of, in bytes. One caller may take
    /// a quarter of it.
    #[arg(long, env = "KASSA_ANSWER_MEMORY_BYTES", value_name = "BYTES", default_value_t = 192 * 1024 * 1024)]
    answer_memory_bytes: usize,
    /// Memory that one answer may take, with the rows that it is made of, in bytes.
    #[arg(long, env = "KASSA_ANSWER_BYTES_MAX", value_name = "BYTES", default_value_t = 48 * 1024 * 1024)]
    answer_bytes_max: usize,
    /// Vendors that may submit the attendees of an order, by their names in
    /// `/v2/services/orders/{vendor}/user_data`.
    #[arg(
        long,
        env = "KASSA_USER_DATA_VENDORS",
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "mosbilet"
    )]
    user_data_vendors: Vec<String>,
    #[command(flatten)]
    pub(crate) shop: ShopArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) webhooks: WebhookArguments,
    /// Log filter, such as `info` or `kassa_engine=debug,warn`.
    #[arg(long, env = "KASSA_LOG", value_name = "FILTER", default_value = "info")]
    log: String,
    /// Log format.
    #[arg(long, env = "KASSA_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,
}

impl ServeArguments {
    /// Notes what the program was told, for operators of the platform.
    pub(crate) fn tell_settings(&mut self, settings: Vec<SettingInForce>) {
        self.server.tell_settings(settings);
    }
}

impl ServerArguments {
    /// Notes what the program was told, for operators of the platform.
    pub(crate) fn tell_settings(&mut self, settings: Vec<SettingInForce>) {
        self.settings = settings;
    }
}

fn parse_percent(text: &str) -> Result<Percent, String> {
    let percent: Percent =
        text.trim_end_matches('%').parse().map_err(|error: kassa_domain::money::MalformedPercent| error.to_string())?;
    if percent > Percent::HUNDRED { Err("it must be at most 100".to_owned()) } else { Ok(percent) }
}

/// Values of `--registration`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum RegistrationMode {
    /// Everybody.
    Open,
    /// Those whose e-mail a partner or the operator has invited.
    Invite,
    /// Nobody: the operator creates users.
    Closed,
}

impl From<RegistrationMode> for RegistrationPolicy {
    fn from(mode: RegistrationMode) -> Self {
        match mode {
            RegistrationMode::Open => Self::Open,
            RegistrationMode::Invite => Self::Invite,
            RegistrationMode::Closed => Self::Closed,
        }
    }
}

/// Runs until SIGTERM or SIGINT: then takes no more, finishes what is queued, and returns.
pub(crate) async fn run(arguments: ServeArguments) -> Result<(), Fatal> {
    let mails = arguments.mail.delivery(
        &arguments.installation.data,
        arguments.server.public_url.clone(),
        arguments.server.limits.mail_rates(),
    )?;
    let outgoing = arguments.server.webhooks.outgoing([])?;
    let stripe = arguments.stripe.api(arguments.server.shop.currency)?;
    let holds = arguments.server.limits.holds();
    let server = BoundServer::bind(arguments.server, outgoing)?;
    let reads = arguments.reads.limits();
    let fonts = match &arguments.fonts {
        Some(folder) => Fonts::with_folder(folder).map_err(|error| format!("--fonts {error}"))?,
        None => Fonts::embedded(),
    };
    let settings = DecisionSettings {
        commission: arguments.commission,
        quotas: arguments.quotas.quotas(),
        registration: arguments.registration.into(),
        allow_test_payments: arguments.allow_test_payments,
        allow_stripe: stripe.is_some(),
        holds,
    };
    let installation = installation::open_for_server(&arguments.installation, settings, arguments.lanes, reads).await?;
    installation.engine.use_fonts(fonts);
    if let Some(stripe) = stripe {
        installation.engine.use_stripe(stripe);
    }
    let changes_kept = Duration::from_hours(24 * u64::from(arguments.changes_kept_days));
    server.run(&installation, &arguments.installation.data, mails, changes_kept).await
}

/// A server that has its ports, and nothing to serve yet: a port that is taken is told before
/// anything is written.
pub(crate) struct BoundServer {
    listener: TcpListener,
    ops_listener: TcpListener,
    config: HttpConfig,
    shop: ShopSettings,
    outgoing: OutgoingHttp,
}

impl BoundServer {
    /// Starts logging, and takes the ports. From here on clients wait for their answers. Webhooks leave by `outgoing`.
    pub(crate) fn bind(arguments: ServerArguments, outgoing: OutgoingHttp) -> Result<Self, Fatal> {
        telemetry::start(&arguments.log, arguments.log_format)?;
        let listener = bind_listener(arguments.listen, "--listen")?;
        let ops_listener = bind_listener(arguments.ops_listen, "--ops-listen")?;
        let config = HttpConfig {
            public_url: arguments.public_url,
            json_bytes_max: arguments.json_bytes_max,
            map_bytes_max: arguments.map_bytes_max,
            attachment_bytes_max: arguments.attachment_bytes_max,
            answer_memory_bytes: arguments.answer_memory_bytes,
            answer_bytes_max: arguments.answer_bytes_max,
            user_data_vendors: arguments.user_data_vendors,
            settings: arguments.settings,
            rate_limits: arguments.limits.rates(),
            trusted_proxies: arguments.limits.trusted_proxies,
        };
        Ok(Self { listener, ops_listener, config, shop: arguments.shop.settings()?, outgoing })
    }

    /// How clients reach it, without a slash at the end.
    pub(crate) fn url(&self) -> io::Result<String> {
        match &self.config.public_url {
            Some(url) => Ok(url.as_str().trim_end_matches('/').to_owned()),
            None => Ok(format!("http://{}", self.listener.local_addr()?)),
        }
    }

    /// Serves an installation, sends its mails and webhooks, and keeps its changes for so long, until SIGTERM or SIGINT.
    pub(crate) async fn run(
        self,
        installation: &Installation,
        data: &Path,
        mails: MailSettings,
        changes_kept: Duration,
    ) -> Result<(), Fatal> {
        // It takes a moment, and no request should wait for it.
        tokio::task::spawn_blocking(kassa_domain::geo::preload).await?;
        let engine = &installation.engine;
        let long_answers = LongAnswerThreads::start()?;
        let writer = Arc::new(ChangeMessages::new(engine.clone()));
        let webhooks = WebhookSettings { outgoing: self.outgoing, writer };
        let app = AppState::new(engine.clone(), self.config).with_long_answer_threads(&long_answers);
        let app = app.with_webhooks(webhooks.clone());
        let (stop, stopped) = watch::channel(false);
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        mails.mailer.prepare()?;
        let mail = mails.mailer.to_string();
        let housekeeping = Housekeeping::start(engine, mails, Some(webhooks), changes_kept);
        tracing::info!(
            version = env!("CARGO_PKG_VERSION"),
            url = %format_args!("http://{}", self.listener.local_addr()?),
            ops = %format_args!("http://{}", self.ops_listener.local_addr()?),
            data = %data.display(),
            database = %installation.database,
            mail = %mail,
            "Kassa is ready"
        );
        let until_stopped = Box::pin(wait_for_stop(stopped.clone()));
        let of_clients = ConnectionSettings { max: open_files::connections_max()?, half_close: true };
        let service = Site::attach(app.clone(), self.shop);
        let public = kassa_http::serve(self.listener, service, of_clients, until_stopped);
        // Who hangs up while all is counted wants no more of it.
        let of_operators = ConnectionSettings { max: open_files::OPS_CONNECTIONS_MAX, half_close: false };
        let until_stopped = Box::pin(wait_for_stop(stopped));
        let ops = kassa_http::ops::serve(self.ops_listener, app, of_operators, until_stopped);
        let (public, ops) = (tokio::spawn(public), tokio::spawn(ops));
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            () = engine.wait_for_lane_failure() => tracing::error!("the engine stopped unexpectedly"),
        }
        let by_itself = engine.has_ended_lane();
        tracing::info!("shutting down: draining requests");
        stop.send_replace(true);
        public.await?;
        housekeeping.stop().await;
        engine.close().await;
        ops.await?;
        tracing::info!("stopped");
        if by_itself { Err("the engine stopped unexpectedly".into()) } else { Ok(()) }
    }
}

async fn wait_for_stop(mut stopped: watch::Receiver<bool>) {
    // When the sender is gone, the program is ending, too.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

/// Takes a port that a flag names.
pub(crate) fn bind_listener(address: SocketAddr, flag: &str) -> Result<TcpListener, Fatal> {
    let bind = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        // What is left of the connections of a server that has just ended is in nobody's way.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(ACCEPT_QUEUE)
    };
    bind().map_err(|error: io::Error| format!("{flag} {address}: {error}").into())
}
