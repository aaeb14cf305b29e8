//! The five values of `sslmode`, against servers with good and bad certificates, and one without TLS.

use std::path::Path;
use std::sync::Arc;

use kassa_store::StoreError;
use kassa_store::postgres::Postgres;
use kassa_store::postgres::scratch::TestDatabase;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio_rustls::TlsAcceptor;

use crate::proxy::Proxy;

struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// A server with a certificate for this name.
    fn server(&self, name: &str) -> TlsAcceptor {
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::new(vec![name.to_owned()]).unwrap().signed_by(&key, &self.0).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let private = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let config = config.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], private).unwrap();
        TlsAcceptor::from(Arc::new(config))
    }

    fn write(&self, file: &Path) {
        std::fs::write(file, self.0.pem()).unwrap();
    }
}

/// Expects each mode to connect, or to fail for a reason that the error names.
async fn expect(proxy: &Proxy, direct: &str, host: &str, trusted: &Path, modes: [(&str, Result<(), &str>); 5]) {
    for (mode, expected) in modes {
        // `require` with a root would be `verify-ca`.
        let verifies = mode.starts_with("verify");
        let root = if verifies { format!("&sslrootcert={}", trusted.display()) } else { String::new() };
        let url = proxy.url(direct, host, &format!("&sslmode={mode}{root}"));
        match (Postgres::connect(&url).await.map(drop), expected) {
            (Ok(()), Ok(())) => {}
            (Err(StoreError::Unavailable(text)), Err(reason)) if text.contains(reason) => {}
            (result, expected) => panic!("{mode} at {host}: {result:?} in place of {expected:?}"),
        }
    }
}

const UNKNOWN: &str = "UnknownIssuer";
const NAME: &str = "not valid for name";

#[tokio::test]
async fn each_sslmode_accepts_the_servers_it_should() {
    let ((_direct, scratch), folder) = (TestDatabase::new().await, tempfile::tempdir().unwrap());
    let (ours, theirs) = (Authority::new("ours"), Authority::new("theirs"));
    let file = folder.path().join("ca.pem");
    ours.write(&file);
    let trusted = |end: Result<(), &'static str>| {
        [("disable", Ok(())), ("prefer", Ok(())), ("require", Ok(())), ("verify-ca", Ok(())), ("verify-full", end)]
    };
    let good = Proxy::with_tls(Some(ours.server("localhost"))).await;
    expect(&good, &scratch.url, "localhost", &file, trusted(Ok(()))).await;
    expect(&good, &scratch.url, "127.0.0.1", &file, trusted(Err(NAME))).await;
    let by_address = Proxy::with_tls(Some(ours.server("127.0.0.1"))).await;
    expect(&by_address, &scratch.url, "127.0.0.1", &file, trusted(Ok(()))).await;
    let foreign = Proxy::with_tls(Some(theirs.server("localhost"))).await;
    let of_nobody = [
        ("disable", Ok(())),
        ("prefer", Ok(())),
        ("require", Ok(())),
        ("verify-ca", Err(UNKNOWN)),
        ("verify-full", Err(UNKNOWN)),
    ];
    expect(&foreign, &scratch.url, "localhost", &file, of_nobody).await;
    let plain = Proxy::start().await;
    let no_tls = Err("server does not support TLS");
    let in_the_clear =
        [("disable", Ok(())), ("prefer", Ok(())), ("require", no_tls), ("verify-ca", no_tls), ("verify-full", no_tls)];
    expect(&plain, &scratch.url, "localhost", &file, in_the_clear).await;
}

#[tokio::test]
async fn require_with_a_root_certificate_verifies_it() {
    let ((_direct, scratch), folder) = (TestDatabase::new().await, tempfile::tempdir().unwrap());
    let (ours, theirs) = (Authority::new("ours"), Authority::new("theirs"));
    let file = folder.path().join("ca.pem");
    theirs.write(&file);
    let proxy = Proxy::with_tls(Some(ours.server("localhost"))).await;
    let query = format!("&sslmode=require&sslrootcert={}", file.display());
    let error = Postgres::connect(&proxy.url(&scratch.url, "localhost", &query)).await.err().unwrap();
    assert!(error.to_string().contains(UNKNOWN), "{error}");
}

#[tokio::test]
async fn an_unreadable_root_certificate_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    let url = || format!("postgres://a@localhost/b?sslmode=verify-ca&sslrootcert={}", file.display()).parse().unwrap();
    for text in [None, Some("nothing here")] {
        if let Some(text) = text {
            std::fs::write(&file, text).unwrap();
        }
        let error = Postgres::connect(&url()).await.err().unwrap();
        assert!(error.to_string().contains("ca.pem"), "{error}");
    }
}
