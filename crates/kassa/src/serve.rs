//! `kassa serve`: the server.

use std::net::SocketAddr;

use clap::Args;
use kassa_domain::{Percent, Settings};
use kassa_engine::housekeeping::Housekeeping;
use kassa_http::{App, Config};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use url::Url;

use crate::config::Place;
use crate::installation::{self, Fatal};
use crate::telemetry::{self, LogFormat};

/// Flags of `kassa serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    place: Place,
    /// Where clients connect.
    #[arg(long, env = "KASSA_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Where operators look after the server; port 0 takes a free one, which the log names.
    #[arg(long, env = "KASSA_OPS_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    ops_listen: SocketAddr,
    /// How clients reach the server, when that is not where it listens.
    #[arg(long, env = "KASSA_PUBLIC_URL", value_name = "URL", value_parser = web_address)]
    public_url: Option<Url>,
    /// The platform's commission on each sale, in percent.
    #[arg(long, env = "KASSA_COMMISSION", value_name = "PERCENT", default_value = "3", value_parser = percent)]
    commission: Percent,
    /// The longest JSON body, in bytes.
    #[arg(long, env = "KASSA_JSON_BYTES_MAX", value_name = "BYTES", default_value_t = 1024 * 1024)]
    json_bytes_max: usize,
    /// The longest attachment, in bytes.
    #[arg(long, env = "KASSA_ATTACHMENT_BYTES_MAX", value_name = "BYTES", default_value_t = 20 * 1024 * 1024)]
    attachment_bytes_max: usize,
    /// What is logged, as `info` or `kassa_engine=debug,warn`.
    #[arg(long, env = "KASSA_LOG", value_name = "FILTER", default_value = "info")]
    log: String,
    /// How it is logged.
    #[arg(long, env = "KASSA_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,
}

fn web_address(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    if matches!(url.scheme(), "http" | "https") { Ok(url) } else { Err("it must be http or https".to_owned()) }
}

fn percent(text: &str) -> Result<Percent, String> {
    let percent: Percent =
        text.trim_end_matches('%').parse().map_err(|error: kassa_domain::money::BadPercent| error.to_string())?;
    if percent > Percent::HUNDRED { Err("it must be at most 100".to_owned()) } else { Ok(percent) }
}

/// Runs until SIGTERM or SIGINT: then takes no more, finishes what is queued, and returns.
pub(crate) async fn run(arguments: ServeArguments) -> Result<(), Fatal> {
    telemetry::start(&arguments.log, arguments.log_format)?;
    let listener = bind(arguments.listen, "--listen").await?;
    let ops_listener = bind(arguments.ops_listen, "--ops-listen").await?;
    let settings = Settings { commission: arguments.commission };
    // It takes a moment; no request shall wait for it.
    tokio::task::spawn_blocking(kassa_domain::geo::prepare).await?;
    let installation = installation::open_for_server(&arguments.place, settings).await?;
    let engine = &installation.engine;
    let config = Config {
        public_url: arguments.public_url,
        json_bytes_max: arguments.json_bytes_max,
        attachment_bytes_max: arguments.attachment_bytes_max,
    };
    let app = App::new(engine.clone(), config);
    let (stop, stopped) = watch::channel(false);
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let housekeeping = Housekeeping::start(engine);
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        url = %format_args!("http://{}", listener.local_addr()?),
        ops = %format_args!("http://{}", ops_listener.local_addr()?),
        data = %arguments.place.data.display(),
        "Kassa is ready"
    );
    let public = tokio::spawn(kassa_http::serve(listener, kassa_http::service(app.clone()), until(stopped.clone())));
    let ops = tokio::spawn(kassa_http::serve(ops_listener, kassa_http::ops::service(app), until(stopped)));
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        () = engine.ended() => tracing::error!("the engine has ended by itself"),
    }
    let by_itself = engine.has_ended();
    tracing::info!("stopping: no more requests are taken");
    stop.send_replace(true);
    public.await?;
    housekeeping.stop().await;
    engine.close().await;
    ops.await?;
    tracing::info!("stopped");
    if by_itself { Err("the engine has ended by itself".into()) } else { Ok(()) }
}

async fn until(mut stopped: watch::Receiver<bool>) {
    // When the sender is gone, the program is ending, too.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

async fn bind(address: SocketAddr, flag: &str) -> Result<TcpListener, Fatal> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|error| format!("{flag} {address}: {error}").into())
}
