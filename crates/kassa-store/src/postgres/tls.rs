//! TLS to the database, by rustls.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;

use super::url::{DatabaseUrl, TlsMode, TrustedRoots};
use crate::error::StoreError;
use crate::system_authorities::NO_AUTHORITIES;

/// Makes connections as secret as the URL says.
#[derive(Clone)]
pub(super) struct Tls {
    connector: TlsConnector,
}

impl Tls {
    /// Reads the certificates that are trusted, where any are needed.
    pub(super) fn new(url: &DatabaseUrl) -> Result<Self, StoreError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier: Arc<dyn ServerCertVerifier> = match url.security {
            TlsMode::Disable | TlsMode::Prefer | TlsMode::Require => {
                Arc::new(LenientVerifier { provider: Arc::clone(&provider), trusted: None })
            }
            TlsMode::VerifyCa => {
                let trusted = Some(verifier(&url.roots, &provider)?);
                Arc::new(LenientVerifier { provider: Arc::clone(&provider), trusted })
            }
            TlsMode::VerifyFull => verifier(&url.roots, &provider)?,
        };
        let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let mut config = versions
            .map_err(|error| tls_error(&error))?
            .dangerous()
            .with_custom_certificate_verifier(verifier)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"postgresql".to_vec()];
        Ok(Self { connector: TlsConnector::from(Arc::new(config)) })
    }
}

fn tls_error(error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Unavailable(format!("TLS: {error}"))
}

/// Who trusts these roots, and no others.
fn verifier(roots: &TrustedRoots, provider: &Arc<CryptoProvider>) -> Result<Arc<WebPkiServerVerifier>, StoreError> {
    let mut store = RootCertStore::empty();
    match roots {
        TrustedRoots::System => {
            // What is broken in the system's store is not what this server needs; it is reported if none is left.
            store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            if store.is_empty() {
                return Err(tls_error(&NO_AUTHORITIES));
            }
        }
        TrustedRoots::File(path) => {
            let named = |error: &dyn std::fmt::Display| {
                StoreError::Unavailable(format!("sslrootcert {}: {error}", path.display()))
            };
            for certificate in CertificateDer::pem_file_iter(path).map_err(|error| named(&error))? {
                let certificate = certificate.map_err(|error| named(&error))?;
                store.add(certificate).map_err(|error| named(&error))?;
            }
            if store.is_empty() {
                return Err(named(&"there is no certificate in it"));
            }
        }
    }
    let built = WebPkiServerVerifier::builder_with_provider(Arc::new(store), Arc::clone(provider)).build();
    built.map_err(|error| tls_error(&error))
}

/// Takes more certificates than `verify-full` does.
#[derive(Debug)]
struct LenientVerifier {
    provider: Arc<CryptoProvider>,
    /// Whose certificates it takes, for whichever name. Without it, it takes any: the connection is
    /// encrypted, and nothing more.
    trusted: Option<Arc<WebPkiServerVerifier>>,
}

impl LenientVerifier {
    /// Whoever takes any certificate need not know that it belongs to the server, and cannot look where it is one of a kind
    /// that rustls does not read: Citus makes some of version 1.
    fn verify_signature(
        &self,
        verify: impl FnOnce(&WebPkiSupportedAlgorithms) -> Result<HandshakeSignatureValid, rustls::Error>,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        match self.trusted {
            Some(_) => verify(&self.provider.signature_verification_algorithms),
            None => Ok(HandshakeSignatureValid::assertion()),
        }
    }
}

impl ServerCertVerifier for LenientVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(trusted) = &self.trusted else { return Ok(ServerCertVerified::assertion()) };
        // The name is looked at last, when all else is well.
        match trusted.verify_server_cert(certificate, between, name, ocsp, now) {
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            result => result,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verify_signature(|algorithms| verify_tls12_signature(message, certificate, signed, algorithms))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verify_signature(|algorithms| verify_tls13_signature(message, certificate, signed, algorithms))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = TlsSocket;
    type TlsConnect = PendingHandshake;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> io::Result<PendingHandshake> {
        Ok(PendingHandshake { connector: self.connector.clone(), host: host.to_owned() })
    }
}

/// A handshake that is about to begin.
pub(super) struct PendingHandshake {
    connector: TlsConnector,
    host: String,
}

impl TlsConnect<Socket> for PendingHandshake {
    type Stream = TlsSocket;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<TlsSocket>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let name = ServerName::try_from(self.host).map_err(io::Error::other)?;
            Ok(TlsSocket(self.connector.connect(name, socket).await?))
        })
    }
}

/// An encrypted connection.
pub(super) struct TlsSocket(tokio_rustls::client::TlsStream<Socket>);

impl TlsStream for TlsSocket {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for TlsSocket {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

impl AsyncWrite for TlsSocket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}
