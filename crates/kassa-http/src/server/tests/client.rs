//! A listener, and clients of it.

use std::net::Ipv4Addr;
use std::path::PathBuf;

use axum::Router;
use axum::http::{HeaderMap, Uri};
use kassa_engine::metrics::LimitHits;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::*;
use crate::peer::PeerAddress;

/// A listener that speaks TLS.
pub(super) struct TestListener {
    pub(super) address: SocketAddr,
    pub(super) identity: TlsIdentity,
    pub(super) limit_hits: Arc<LimitHits>,
    folder: TempDir,
    stop: watch::Sender<bool>,
    pub(super) ended: JoinHandle<()>,
}

impl TestListener {
    pub(super) async fn start(service: Router) -> Self {
        Self::start_with(service, |settings| settings).await
    }

    pub(super) async fn start_with(
        service: Router,
        change: impl FnOnce(ConnectionSettings) -> ConnectionSettings,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
        write_identity(&certificate, &key);
        let identity = TlsIdentity::load(&certificate, &key).unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let settings = ConnectionSettings { tls: Some(identity.clone()), ..ConnectionSettings::new(100, true) };
        let policy = EvictionPolicy::default();
        let limit_hits = Arc::clone(&policy.limit_hits);
        let (stop, mut stopped) = watch::channel(false);
        let until_stop = async move {
            let _ = stopped.wait_for(|stopped| *stopped).await;
        };
        let ended = tokio::spawn(serve(listener, service, change(settings), policy, until_stop));
        Self { address, identity, limit_hits, folder, stop, ended }
    }

    /// The files of its certificate and of the key.
    pub(super) fn files(&self) -> (PathBuf, PathBuf) {
        (self.folder.path().join("cert.pem"), self.folder.path().join("key.pem"))
    }

    pub(super) fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Connects, offering these protocols, and trusting the certificate that is in its file now.
    pub(super) async fn connect(&self, protocols: &[&[u8]]) -> io::Result<TlsStream<TcpStream>> {
        let trusted = CertificateDer::from_pem_file(self.files().0).unwrap();
        let stream = TcpStream::connect(self.address).await?;
        stream.set_nodelay(true)?;
        self.secure(stream, trusted, protocols).await
    }

    pub(super) async fn secure(
        &self,
        stream: TcpStream,
        trusted: CertificateDer<'static>,
        protocols: &[&[u8]],
    ) -> io::Result<TlsStream<TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(trusted).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let mut config = config.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
        let name = ServerName::try_from("localhost").unwrap();
        TlsConnector::from(Arc::new(config)).connect(name, stream).await
    }
}

/// Writes a certificate for `localhost`, and its key.
pub(super) fn write_identity(certificate: &std::path::Path, key: &std::path::Path) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(certificate, made.cert.pem()).unwrap();
    std::fs::write(key, made.signing_key.serialize_pem()).unwrap();
}

/// Says what it sees of a request.
pub(super) fn mirror() -> Router {
    Router::new().fallback(|uri: Uri, headers: HeaderMap, request: Request| async move {
        let header = |name: &str| headers.get(name).map_or("none", |value| value.to_str().unwrap()).to_owned();
        let PeerAddress(peer) = request.extensions().get().unwrap();
        format!("{uri} of {} by {} from {peer}", header("host"), header("x-forwarded-proto"))
    })
}
