//! Flags of TLS, and of proxies that do not speak HTTP.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use kassa_engine::outgoing::Network;
use kassa_http::{TlsFilesError, TlsIdentity};
use tokio::time::{MissedTickBehavior, interval};
use url::Url;

use crate::error::Fatal;
use crate::secrets::credential_file;

/// How often files are looked at.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// Flags of TLS.
#[derive(Clone, Debug, Args)]
pub(crate) struct TlsArguments {
    /// A PEM file with the certificate of the server and those between it and an authority: clients then speak TLS, and
    /// HTTP/2 if they can. By default the credential `tls-cert` of the service manager. Read again when it changes.
    #[arg(long, env = "KASSA_TLS_CERT", value_name = "FILE")]
    tls_cert: Option<PathBuf>,
    /// A PEM file with the key of that certificate; by default the credential `tls-key`.
    #[arg(long, env = "KASSA_TLS_KEY", value_name = "FILE")]
    tls_key: Option<PathBuf>,
    /// An address at which clients are told to use TLS.
    #[arg(long, env = "KASSA_HTTP_REDIRECT", value_name = "ADDRESS")]
    pub(crate) http_redirect: Option<SocketAddr>,
    /// Seconds for which browsers remember that the host speaks TLS only (`Strict-Transport-Security`); 0 does not say so.
    #[arg(long, env = "KASSA_HSTS", value_name = "SECONDS", default_value_t = 0)]
    pub(crate) hsts: u64,
    /// Proxies whose connections begin with a header of the PROXY protocol, version 2: networks such as `10.1.0.0/16`. Others
    /// are not believed.
    #[arg(long, env = "KASSA_PROXY_PROTOCOL", value_name = "NETWORKS", value_delimiter = ',')]
    pub(crate) proxy_protocol: Vec<Network>,
}

impl TlsArguments {
    /// Whether clients who are told to use TLS come to where it is spoken.
    pub(crate) fn check_redirect(&self, public_url: Option<&Url>) -> Result<(), Fatal> {
        match (self.http_redirect, public_url) {
            (Some(address), Some(url)) if url.scheme() != "https" => {
                Err(format!("--http-redirect {address} needs a --public-url with https, not {url}").into())
            }
            _ => Ok(()),
        }
    }

    /// The certificate, if there shall be TLS.
    pub(crate) fn identity(&self) -> Result<Option<TlsIdentity>, Fatal> {
        let Some((certificate, key)) = self.files()? else {
            return match self.http_redirect {
                Some(address) => Err(format!("--http-redirect {address} needs --tls-cert and --tls-key").into()),
                None => Ok(None),
            };
        };
        Ok(Some(TlsIdentity::load(&certificate, &key)?))
    }

    /// Where the certificate is, and its key.
    pub(crate) fn files(&self) -> Result<Option<(PathBuf, PathBuf)>, Fatal> {
        let file = |said: &Option<PathBuf>, name: &str| said.clone().or_else(|| credential_file(name));
        match (file(&self.tls_cert, "tls-cert"), file(&self.tls_key, "tls-key")) {
            (Some(certificate), Some(key)) => Ok(Some((certificate, key))),
            (None, None) => Ok(None),
            (Some(_), None) => Err("--tls-cert needs --tls-key".into()),
            (None, Some(_)) => Err("--tls-key needs --tls-cert".into()),
        }
    }
}

/// Reads the files again when they have changed, for good.
pub(crate) async fn follow_files(identity: Option<TlsIdentity>) {
    let Some(identity) = identity else { return std::future::pending().await };
    let mut looks = interval(LOOK_INTERVAL);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        looks.tick().await;
        let identity = identity.clone();
        // Files may be slow.
        if let Err(error) = tokio::task::spawn_blocking(move || tell(identity.reload_if_changed())).await {
            tracing::error!(%error, "the certificate could not be looked at");
        }
    }
}

/// Reads the files again, since the operator says so.
pub(crate) fn reload(identity: &TlsIdentity) {
    tell(identity.reload().map(|()| true));
}

fn tell(reloaded: Result<bool, TlsFilesError>) {
    match reloaded {
        Ok(true) => tracing::info!("the certificate was read again: new connections get it"),
        Ok(false) => {}
        Err(error) => tracing::error!(%error, "the certificate cannot be renewed; the old one stays"),
    }
}
