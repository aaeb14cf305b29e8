//! Certificates that are renewed while a listener serves.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use super::client::{TestListener, mirror, write_identity};
use super::*;

/// The certificate that a new connection gets, if it is one of these.
async fn served(listener: &TestListener, known: &[CertificateDer<'static>]) -> Option<usize> {
    for (at, trusted) in known.iter().enumerate() {
        let stream = TcpStream::connect(listener.address).await.unwrap();
        if listener.secure(stream, trusted.clone(), &[]).await.is_ok() {
            return Some(at);
        }
    }
    None
}

#[tokio::test]
async fn a_certificate_is_renewed_under_load() {
    let listener = TestListener::start(mirror()).await;
    let (certificate, key) = listener.files();
    let old = CertificateDer::from_pem_file(&certificate).unwrap();
    let before = listener.connect(&[]).await.unwrap();
    let new_files = tempfile::tempdir().unwrap();
    let (new_certificate, new_key) = (new_files.path().join("cert.pem"), new_files.path().join("key.pem"));
    write_identity(&new_certificate, &new_key);
    let known = [old, CertificateDer::from_pem_file(&new_certificate).unwrap()];

    let (stop, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
    let load = async {
        while !stop.load(Ordering::Relaxed) {
            assert!(served(&listener, &known).await.is_some(), "a connection got neither");
            answered.fetch_add(1, Ordering::Relaxed);
        }
    };
    let renew = async {
        let more = async || {
            let before = answered.load(Ordering::Relaxed);
            while answered.load(Ordering::Relaxed) < before + 5 {
                tokio::task::yield_now().await;
            }
        };
        more().await;
        // Half of it is there for a moment.
        fs::copy(&new_certificate, &certificate).unwrap();
        let error = listener.identity.reload_if_changed().unwrap_err().to_string();
        assert!(error.contains("cert.pem") && error.contains("key.pem"), "{error}");
        assert!(!listener.identity.reload_if_changed().unwrap(), "it is told once");
        assert_eq!(served(&listener, &known).await, Some(0), "the old one stays");
        more().await;
        fs::copy(&new_key, &key).unwrap();
        assert!(listener.identity.reload_if_changed().unwrap());
        assert!(!listener.identity.reload_if_changed().unwrap());
        assert_eq!(served(&listener, &known).await, Some(1));
        more().await;
        stop.store(true, Ordering::Relaxed);
    };
    tokio::join!(load, renew);
    drop(before);
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let [certificate, key, other, other_key] =
        ["cert.pem", "key.pem", "other.pem", "other.key"].map(|name| folder.path().join(name));
    write_identity(&certificate, &key);
    write_identity(&other, &other_key);
    let load = |certificate: &std::path::Path, key: &std::path::Path| {
        TlsIdentity::load(certificate, key).unwrap_err().to_string()
    };
    assert!(TlsIdentity::load(&certificate, &key).is_ok());
    assert!(load(&certificate, &other_key).contains("other.key"), "another key");
    assert!(load(&key, &key).contains("key.pem: there is no certificate in it"));
    assert!(load(&certificate, &other).contains("other.pem: "), "no key");
    assert!(load(&folder.path().join("none.pem"), &key).contains("none.pem: No such file"));
}
