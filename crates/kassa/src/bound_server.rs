//! A server with its sockets, from its start to its end.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use kassa_engine::housekeeping::Housekeeping;
use kassa_engine::mail::MailSettings;
use kassa_engine::outgoing::OutgoingHttp;
use kassa_engine::webhooks::WebhookSettings;
use kassa_http::{AppState, ChangeMessages, ConnectionSettings, HttpConfig, LongAnswerThreads, RedirectTarget};
use kassa_store::system_authorities::{NO_AUTHORITIES, has_authorities};
use kassa_web::{ShopSettings, Site};
use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::backups::{BackupSchedule, run_schedule};
use crate::error::Fatal;
use crate::installation::Installation;
use crate::log_shipping::{LogShipping, Progress, ship_log};
use crate::open_files;
use crate::reload::Reloader;
use crate::server_arguments::ServerArguments;
use crate::service_manager::{Notifier, PassedSockets, Watchdog};
use crate::telemetry::{self, LogFilter};
use crate::tls;

/// Connections that may wait to be accepted: whoever finds no place among them tries again only after a second. The system
/// may allow fewer.
const ACCEPT_QUEUE: u32 = 4_096;
/// A server that has its ports, and nothing to serve yet: a port that is taken is told before
/// anything is written.
pub(crate) struct BoundServer {
    listener: BoundListener,
    ops_listener: BoundListener,
    redirect_listener: Option<BoundListener>,
    /// How clients are served, but for how many.
    of_clients: ConnectionSettings,
    config: HttpConfig,
    shop: ShopSettings,
    outgoing: OutgoingHttp,
    log_filter: LogFilter,
    notifier: Notifier,
}

/// What is kept elsewhere, too.
pub(crate) struct CopiesElsewhere {
    pub(crate) backups: Option<BackupSchedule>,
    /// The log of the database, and how far it was shipped before.
    pub(crate) log: Option<(LogShipping, Option<Progress>)>,
}

/// The work of keeping it there.
struct Copying {
    backups: Option<JoinHandle<()>>,
    /// What ends it, and itself.
    log: Option<(watch::Sender<bool>, JoinHandle<()>)>,
}

impl CopiesElsewhere {
    /// None.
    pub(crate) const NONE: Self = Self { backups: None, log: None };

    fn start(self, installation: &Installation, stopped: &watch::Receiver<bool>) -> Copying {
        let engine = &installation.engine;
        let backups = self.backups.map(|backups| tokio::spawn(run_schedule(backups, engine.clone(), stopped.clone())));
        let log = self.log.zip(installation.log_tap.clone()).map(|((shipping, progress), tap)| {
            let (stop, stopped) = watch::channel(false);
            (stop, tokio::spawn(ship_log(shipping, tap, progress, engine.clone(), stopped)))
        });
        Copying { backups, log }
    }
}

/// A socket, and whether the service manager holds it, too.
struct BoundListener {
    listener: TcpListener,
    is_passed: bool,
}

impl BoundServer {
    /// Starts logging, and takes the ports. From here on clients wait for their answers. Webhooks leave by `outgoing`.
    pub(crate) fn bind(arguments: ServerArguments, outgoing: OutgoingHttp) -> Result<Self, Fatal> {
        let log_filter = telemetry::start(&arguments.log, arguments.log_format)?;
        if !has_authorities() {
            tracing::warn!(
                "{NO_AUTHORITIES}. Until then, nothing can be sent to https receivers of webhooks, or to Stripe"
            );
        }
        let (notifier, mut passed) = (Notifier::from_environment()?, PassedSockets::from_environment()?);
        arguments.tls.check_redirect(arguments.public_url.as_ref())?;
        let of_clients = ConnectionSettings {
            tls: arguments.tls.identity()?,
            hsts_seconds: arguments.tls.hsts,
            proxies: arguments.tls.proxy_protocol,
            ..ConnectionSettings::new(0, true)
        };
        let listener = BoundListener::bind(&mut passed, PassedSockets::HTTP, arguments.listen, "--listen")?;
        let ops_listener = BoundListener::bind(&mut passed, PassedSockets::OPS, arguments.ops_listen, "--ops-listen")?;
        let redirect_listener = match (passed.take(PassedSockets::REDIRECT)?, arguments.tls.http_redirect) {
            (Some(_), _) if of_clients.tls.is_none() => {
                return Err("the service manager passes http-redirect, which needs --tls-cert and --tls-key".into());
            }
            (Some(listener), _) => Some(BoundListener { listener, is_passed: true }),
            (None, address) => address.map(|address| BoundListener::open(address, "--http-redirect")).transpose()?,
        };
        let config = HttpConfig {
            public_url: arguments.public_url,
            json_bytes_max: arguments.json_bytes_max,
            map_bytes_max: arguments.map_bytes_max,
            attachment_bytes_max: arguments.attachment_bytes_max,
            answer_memory_bytes: arguments.answer_memory_bytes,
            answer_bytes_max: arguments.answer_bytes_max,
            answer_cache_bytes: arguments.answer_cache_bytes,
            user_data_vendors: arguments.user_data_vendors,
            settings: arguments.settings,
            rate_limits: arguments.limits.rates(),
            trusted_proxies: arguments.limits.trusted_proxies,
        };
        let shop = arguments.shop.settings()?;
        Ok(Self { listener, ops_listener, redirect_listener, of_clients, config, shop, outgoing, log_filter, notifier })
    }

    /// How clients reach it, without a slash at the end.
    pub(crate) fn url(&self) -> io::Result<String> {
        match &self.config.public_url {
            Some(url) => Ok(url.as_str().trim_end_matches('/').to_owned()),
            None => self.own_url(),
        }
    }

    fn own_url(&self) -> io::Result<String> {
        let scheme = if self.of_clients.tls.is_some() { "https" } else { "http" };
        Ok(format!("{scheme}://{}", self.listener.listener.local_addr()?))
    }

    /// Serves an installation, sends its mails and webhooks, keeps its changes for so long, and makes copies, until SIGTERM
    /// or SIGINT. At SIGHUP it reads its settings again.
    pub(crate) async fn run(
        self,
        installation: &Installation,
        data: &Path,
        mails: MailSettings,
        changes_kept: Duration,
        copies: CopiesElsewhere,
    ) -> Result<(), Fatal> {
        // It takes a moment, and no request should wait for it.
        tokio::task::spawn_blocking(kassa_domain::geo::preload).await?;
        let engine = &installation.engine;
        let long_answers = LongAnswerThreads::start()?;
        let writer = Arc::new(ChangeMessages::new(engine.clone()));
        let webhooks = WebhookSettings { outgoing: self.outgoing.clone(), writer };
        let app = AppState::new(engine.clone(), self.config.clone()).with_long_answer_threads(&long_answers);
        let app = app.with_webhooks(webhooks.clone());
        let mut signals = Signals::listen()?;
        mails.mailer.prepare()?;
        let (mail, mail_limits) = (mails.mailer.to_string(), Arc::clone(&mails.limits));
        let mails = MailSettings { currency: self.shop.currency, ..mails };
        let housekeeping = Housekeeping::start(engine, mails, Some(webhooks), changes_kept);
        tracing::info!(
            version = env!("CARGO_PKG_VERSION"),
            url = %self.own_url()?,
            ops = %format_args!("http://{}", self.ops_listener.listener.local_addr()?),
            data = %data.display(),
            database = %installation.database,
            mail = %mail,
            "Kassa is ready"
        );
        let mut reloader = Reloader {
            settings: self.config.settings.clone(),
            app: app.clone(),
            mail_limits,
            log_filter: self.log_filter,
            tls: self.of_clients.tls.clone(),
        };
        let (stop, stopped) = watch::channel(false);
        let copying = copies.start(installation, &stopped);
        let port = self.listener.listener.local_addr()?.port();
        let public_url = self.config.public_url.as_ref().map(|url| url.as_str().trim_end_matches('/').to_owned());
        let redirect = self.redirect_listener.map(|bound| {
            let proxies = self.of_clients.proxies.clone();
            let settings = ConnectionSettings::new(open_files::REDIRECT_CONNECTIONS_MAX, true);
            let settings = bound.settings(ConnectionSettings { proxies, ..settings });
            let target = RedirectTarget { public_url, port };
            tokio::spawn(kassa_http::serve_redirects(bound.listener, &app, target, settings, until_stop(&stopped)))
        });
        let of_clients = ConnectionSettings { max: open_files::connections_max()?, ..self.of_clients };
        let of_clients = self.listener.settings(of_clients);
        let service = Site::attach(app.clone(), self.shop);
        let public = kassa_http::serve(self.listener.listener, service, of_clients, until_stop(&stopped));
        // Who hangs up while all is counted wants no more of it.
        let of_operators = ConnectionSettings::new(open_files::OPS_CONNECTIONS_MAX, false);
        let of_operators = self.ops_listener.settings(of_operators);
        let ops = kassa_http::ops::serve(self.ops_listener.listener, app, of_operators, until_stop(&stopped));
        let servers = [Some(tokio::spawn(public)), redirect, Some(tokio::spawn(ops))];
        self.notifier.ready();
        let by_itself = signals.obey(&self.notifier, installation, &mut reloader).await;
        self.notifier.stopping();
        tracing::info!("shutting down: draining requests");
        stop.send_replace(true);
        stop_in_order(installation, servers, copying, housekeeping).await?;
        tracing::info!("stopped");
        if by_itself { Err("the engine stopped unexpectedly".into()) } else { Ok(()) }
    }
}

/// Requests are answered before what answers them ends.
async fn stop_in_order(
    installation: &Installation,
    [public, redirect, ops]: [Option<JoinHandle<()>>; 3],
    copying: Copying,
    housekeeping: Housekeeping,
) -> Result<(), Fatal> {
    for server in [public, redirect].into_iter().flatten() {
        server.await?;
    }
    if let Some(backups) = copying.backups {
        backups.await?;
    }
    housekeeping.stop().await;
    installation.engine.close().await;
    // Now nothing more is written, and the rest of the log can be shipped.
    if let Some((stop, shipping)) = copying.log {
        stop.send_replace(true);
        shipping.await?;
    }
    if let Some(ops) = ops {
        ops.await?;
    }
    Ok(())
}

/// What the operator, or the service manager, tells the server.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hang_up: Signal,
}

impl Signals {
    fn listen() -> io::Result<Self> {
        let [terminate, interrupt, hang_up] =
            [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()].map(signal);
        Ok(Self { terminate: terminate?, interrupt: interrupt?, hang_up: hang_up? })
    }

    /// Until the server shall stop. Whether it does so because its engine has stopped by itself.
    async fn obey(&mut self, notifier: &Notifier, installation: &Installation, reloader: &mut Reloader) -> bool {
        let engine = &installation.engine;
        let mut watchdog = pin!(Watchdog::from_environment().run(notifier, engine));
        let mut files = pin!(tls::follow_files(reloader.tls.clone()));
        loop {
            tokio::select! {
                _ = self.terminate.recv() => break,
                _ = self.interrupt.recv() => break,
                _ = self.hang_up.recv() => {
                    notifier.reloading();
                    reloader.reload().await;
                    notifier.ready();
                }
                () = engine.wait_for_lane_failure() => {
                    tracing::error!("the engine stopped unexpectedly");
                    break;
                }
                () = &mut watchdog => {}
                () = &mut files => {}
            }
        }
        engine.has_ended_lane()
    }
}

/// Ready when the server shall stop.
fn until_stop(stopped: &watch::Receiver<bool>) -> BoxFuture<'static, ()> {
    let mut stopped = stopped.clone();
    Box::pin(async move {
        // When the sender is gone, the program is ending, too.
        let _ = stopped.wait_for(|stopped| *stopped).await;
    })
}

impl BoundListener {
    /// The socket of this name that the service manager passes, or one of our own.
    fn bind(passed: &mut PassedSockets, name: &str, address: SocketAddr, flag: &str) -> Result<Self, Fatal> {
        if let Some(listener) = passed.take(name)? {
            return Ok(Self { listener, is_passed: true });
        }
        Self::open(address, flag)
    }

    fn open(address: SocketAddr, flag: &str) -> Result<Self, Fatal> {
        Ok(Self { listener: bind_listener(address, flag)?, is_passed: false })
    }

    fn settings(&self, settings: ConnectionSettings) -> ConnectionSettings {
        ConnectionSettings { has_successor: self.is_passed, ..settings }
    }
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
