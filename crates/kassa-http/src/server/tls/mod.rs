//! TLS by files that an operator renews: connections that begin later get the new certificate.

mod expiry;

pub use expiry::certificate_end;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use sha2::{Digest as _, Sha256};
use tokio_rustls::TlsAcceptor;

/// What both sides may speak within TLS, the better one first.
pub(super) const HTTP_2: &[u8] = b"h2";
const HTTP_1: &[u8] = b"http/1.1";

/// A certificate with its key. Clones are the same, also when it is renewed.
#[derive(Clone)]
pub struct TlsIdentity(Arc<SharedIdentity>);

struct SharedIdentity {
    certificate: PathBuf,
    key: PathBuf,
    current: RwLock<Arc<ServerConfig>>,
    /// Of what was read last, or of why it could not be: a bad file is told of once.
    seen: Mutex<[u8; 32]>,
}

/// Why files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsFilesError {
    /// A file cannot be read.
    #[error("{}: {error}", file.display())]
    Unreadable {
        /// Which.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is no PEM, or has nothing of what is looked for.
    #[error("{}: {error}", file.display())]
    Malformed {
        /// Which.
        file: PathBuf,
        /// Why.
        error: pem::Error,
    },
    /// There is no certificate in the file.
    #[error("{}: there is no certificate in it", .0.display())]
    NoCertificate(PathBuf),
    /// The two do not belong together, or are of a kind that is not known.
    #[error("{} and {}: {error}", certificate.display(), key.display())]
    Unusable {
        /// The certificate.
        certificate: PathBuf,
        /// Its key.
        key: PathBuf,
        /// Why.
        error: rustls::Error,
    },
}

impl fmt::Debug for TlsIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsIdentity").field("certificate", &self.0.certificate).finish_non_exhaustive()
    }
}

impl TlsIdentity {
    /// Reads a certificate, with those between it and an authority, and its key; both are PEM.
    pub fn load(certificate: &Path, key: &Path) -> Result<Self, TlsFilesError> {
        let files = TlsFiles::read(certificate, key)?;
        let current = RwLock::new(Arc::new(files.config(certificate, key)?));
        let seen = Mutex::new(files.digest());
        Ok(Self(Arc::new(SharedIdentity { certificate: certificate.into(), key: key.into(), current, seen })))
    }

    /// Reads the files again. What cannot be used is an error, and changes nothing.
    pub fn reload(&self) -> Result<(), TlsFilesError> {
        self.follow(|_| true).map(drop)
    }

    /// The same if they have changed, and whether they have. What cannot be used is an error the first time that it is so.
    pub fn reload_if_changed(&self) -> Result<bool, TlsFilesError> {
        self.follow(|is_other| is_other)
    }

    fn follow(&self, is_wanted: impl FnOnce(bool) -> bool) -> Result<bool, TlsFilesError> {
        let SharedIdentity { certificate, key, current, seen } = &*self.0;
        let read = TlsFiles::read(certificate, key);
        let digest = read.as_ref().map_or_else(|error| Sha256::digest(error.to_string()).into(), TlsFiles::digest);
        let is_wanted = is_wanted(std::mem::replace(&mut *seen.lock(), digest) != digest);
        if is_wanted {
            *current.write() = Arc::new(read?.config(certificate, key)?);
        }
        Ok(is_wanted)
    }

    pub(super) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.0.current.read()))
    }
}

/// What is in both files.
struct TlsFiles {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl TlsFiles {
    fn read(certificate: &Path, key: &Path) -> Result<Self, TlsFilesError> {
        let read =
            |file: &Path| fs::read(file).map_err(|error| TlsFilesError::Unreadable { file: file.to_owned(), error });
        Ok(Self { certificate: read(certificate)?, key: read(key)? })
    }

    fn digest(&self) -> [u8; 32] {
        let lengths = (self.certificate.len() as u64).to_be_bytes();
        Sha256::new().chain_update(lengths).chain_update(&self.certificate).chain_update(&self.key).finalize().into()
    }

    fn config(&self, certificate: &Path, key: &Path) -> Result<ServerConfig, TlsFilesError> {
        let malformed = |file: &Path| {
            let file = file.to_owned();
            |error| TlsFilesError::Malformed { file, error }
        };
        let chain = CertificateDer::pem_slice_iter(&self.certificate).collect::<Result<Vec<_>, _>>();
        let chain = chain.map_err(malformed(certificate))?;
        if chain.is_empty() {
            return Err(TlsFilesError::NoCertificate(certificate.to_owned()));
        }
        let secret = PrivateKeyDer::from_pem_slice(&self.key).map_err(malformed(key))?;
        let unusable = |error| TlsFilesError::Unusable { certificate: certificate.into(), key: key.into(), error };
        let versions = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(unusable)?;
        let mut config = versions.with_no_client_auth().with_single_cert(chain, secret).map_err(unusable)?;
        config.alpn_protocols = vec![HTTP_2.to_vec(), HTTP_1.to_vec()];
        Ok(config)
    }
}
