//! Flags of a server, whatever it serves.

use std::net::SocketAddr;

use clap::Args;
use kassa_http::SettingInForce;
use url::Url;

use crate::http_url::parse_http_url;
use crate::limits::LimitArguments;
use crate::shop::ShopArguments;
use crate::telemetry::LogFormat;
use crate::tls::TlsArguments;
use crate::webhooks::WebhookArguments;

/// Flags of a server, whatever it serves.
#[derive(Debug, Args)]
pub(crate) struct ServerArguments {
    /// What the program was told in all.
    #[arg(skip)]
    pub(crate) settings: Vec<SettingInForce>,
    /// The address that clients connect to.
    #[arg(long, env = "KASSA_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// The address of health checks and metrics; port 0 picks a free port, which the log shows.
    #[arg(long, env = "KASSA_OPS_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub(crate) ops_listen: SocketAddr,
    /// The URL that clients use, if it differs from `--listen`.
    #[arg(long, env = "KASSA_PUBLIC_URL", value_name = "URL", value_parser = parse_http_url)]
    pub(crate) public_url: Option<Url>,
    /// Maximum size of a JSON body, in bytes.
    #[arg(long, env = "KASSA_JSON_BYTES_MAX", value_name = "BYTES", default_value_t = 1024 * 1024)]
    pub(crate) json_bytes_max: usize,
    /// Maximum size of a hall map, in bytes.
    #[arg(long, env = "KASSA_MAP_BYTES_MAX", value_name = "BYTES", default_value_t = 16 * 1024 * 1024)]
    pub(crate) map_bytes_max: usize,
    /// Maximum size of an attachment, in bytes.
    #[arg(long, env = "KASSA_ATTACHMENT_BYTES_MAX", value_name = "BYTES", default_value_t = 20 * 1024 * 1024)]
    pub(crate) attachment_bytes_max: usize,
    /// Memory that all answers under way may take together, with the rows that they are made of, in bytes. One caller may take
    /// a quarter of it.
    #[arg(long, env = "KASSA_ANSWER_MEMORY_BYTES", value_name = "BYTES", default_value_t = 192 * 1024 * 1024)]
    pub(crate) answer_memory_bytes: usize,
    /// Memory that one answer may take, with the rows that it is made of, in bytes.
    #[arg(long, env = "KASSA_ANSWER_BYTES_MAX", value_name = "BYTES", default_value_t = 48 * 1024 * 1024)]
    pub(crate) answer_bytes_max: usize,
    /// Memory for answers that are kept until something that they show changes, in bytes, a quarter of it for pages of the shop;
    /// 0 keeps none.
    #[arg(long, env = "KASSA_ANSWER_CACHE_BYTES", value_name = "BYTES", default_value_t = 64 * 1024 * 1024)]
    pub(crate) answer_cache_bytes: usize,
    /// Vendors that may submit the attendees of an order, by their names in
    /// `/v2/services/orders/{vendor}/user_data`.
    #[arg(
        long,
        env = "KASSA_USER_DATA_VENDORS",
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "mosbilet"
    )]
    pub(crate) user_data_vendors: Vec<String>,
    #[command(flatten)]
    pub(crate) shop: ShopArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) tls: TlsArguments,
    #[command(flatten)]
    pub(crate) webhooks: WebhookArguments,
    /// Log filter, such as `info` or `kassa_engine=debug,warn`.
    #[arg(long, env = "KASSA_LOG", value_name = "FILTER", default_value = "info")]
    pub(crate) log: String,
    /// Log format.
    #[arg(long, env = "KASSA_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub(crate) log_format: LogFormat,
}

impl ServerArguments {
    /// Notes what the program was told, for operators of the platform.
    pub(crate) fn tell_settings(&mut self, settings: Vec<SettingInForce>) {
        self.settings = settings;
    }
}
