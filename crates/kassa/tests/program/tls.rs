//! A server that speaks TLS itself.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::commands::{kassa, kassa_serve, run_command};
use crate::server::Server;
use crate::waiting::{SetOnDrop, WAIT_TIMEOUT, wait_for};

/// A certificate with its key, in files.
struct Identity {
    certificate: PathBuf,
    key: PathBuf,
}

impl Identity {
    /// Makes one for `localhost` that ends in this year.
    fn write(folder: &Path, name: &str, ends_in: i32) -> Self {
        let [certificate, key] = ["cert", "key"].map(|kind| folder.join(format!("{name}.{kind}.pem")));
        let mut params = rcgen::CertificateParams::new(["localhost".to_owned()]).unwrap();
        params.not_after = rcgen::date_time_ymd(ends_in, 1, 1);
        let pair = rcgen::KeyPair::generate().unwrap();
        fs::write(&certificate, params.self_signed(&pair).unwrap().pem()).unwrap();
        fs::write(&key, pair.serialize_pem()).unwrap();
        Self { certificate, key }
    }

    fn replace(&self, other: &Self) {
        fs::copy(&self.certificate, &other.certificate).unwrap();
        fs::copy(&self.key, &other.key).unwrap();
    }

    fn trusted(&self) -> CertificateDer<'static> {
        CertificateDer::from_pem_file(&self.certificate).unwrap()
    }

    fn flags<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.arg("--tls-cert").arg(&self.certificate).arg("--tls-key").arg(&self.key)
    }
}

/// The answer to a request by HTTP/1 from a server whose certificate is trusted.
fn ask(server: &Server, trusted: &CertificateDer<'static>) -> io::Result<String> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let client = ClientConnection::new(Arc::new(config), ServerName::try_from("localhost").unwrap()).unwrap();
    let stream = TcpStream::connect(server.address())?;
    stream.set_read_timeout(Some(WAIT_TIMEOUT))?;
    let mut stream = StreamOwned::new(client, stream);
    stream.write_all(b"GET /v1/resources/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

#[test]
fn a_certificate_is_exchanged_while_clients_ask() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["old", "new"].map(|name| Identity::write(folder.path(), name, 2060));
    let (old_trusted, new_trusted) = (old.trusted(), new.trusted());
    let mut serve = kassa_serve(&folder.path().join("data"));
    let server = Server::run(old.flags(&mut serve).args(["--hsts", "300"]));
    assert!(server.url.starts_with("https://127.0.0.1:"), "{}", server.url);
    let answer = ask(&server, &old_trusted).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("max-age=300\r\n"), "{answer}");
    let (stop, changed) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        let stop_clients = SetOnDrop(&stop);
        for _ in 0..2 {
            scope.spawn(|| {
                let mut trusted = &old_trusted;
                while !stop.load(Ordering::Relaxed) {
                    let answer = ask(&server, trusted).or_else(|_| {
                        trusted = &new_trusted;
                        changed.fetch_add(1, Ordering::Relaxed);
                        ask(&server, trusted)
                    });
                    assert!(answer.unwrap().starts_with("HTTP/1.1 200 OK\r\n"));
                }
            });
        }
        // By itself, as it looks at the files.
        new.replace(&old);
        wait_for("both get the new certificate", || (changed.load(Ordering::Relaxed) == 2).then_some(()));
        drop(stop_clients);
    });
    // A bad one changes nothing, and is told.
    fs::write(&old.certificate, "nothing").unwrap();
    server.process_id().hang_up();
    wait_for("it is told", || {
        server
            .log()
            .iter()
            .any(|line| line.contains("cannot be renewed") && line.contains("old.cert.pem"))
            .then_some(())
    });
    assert!(ask(&server, &new_trusted).unwrap().starts_with("HTTP/1.1 200 OK\r\n"));
    server.process_id().terminate();
}

#[test]
fn clients_in_the_clear_are_sent_to_tls() {
    let folder = tempfile::tempdir().unwrap();
    let identity = Identity::write(folder.path(), "own", 2060);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    drop(taken);
    let mut serve = kassa_serve(&folder.path().join("data"));
    let server = Server::run(identity.flags(&mut serve).args(["--http-redirect", &address.to_string()]));
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET /e/1?a=b HTTP/1.1\r\nHost: localhost:80\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let port = server.address().rsplit(':').next().unwrap();
    let location = format!("\r\nlocation: https://localhost:{port}/e/1?a=b\r\n");
    assert!(answer.starts_with("HTTP/1.1 308 ") && answer.contains(&location), "{answer}");
    server.stop();
}

#[test]
fn what_is_missing_for_tls_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["one", "other"].map(|name| Identity::write(folder.path(), name, 2060));
    let data = folder.path().join("data");
    let serve = |flags: &[&Path]| {
        let mut command = kassa_serve(&data);
        command.args(flags);
        run_command(&mut command, "")
    };
    let [cert, key] = ["--tls-cert", "--tls-key"].map(Path::new);
    serve(&[cert, &one.certificate]).assert_failed_naming(&["--tls-cert needs --tls-key"]);
    serve(&[key, &one.key]).assert_failed_naming(&["--tls-key needs --tls-cert"]);
    serve(&[cert, &one.certificate, key, &other.key]).assert_failed_naming(&["one.cert.pem", "other.key.pem"]);
    serve(&[Path::new("--http-redirect"), Path::new("127.0.0.1:0")])
        .assert_failed_naming(&["--http-redirect", "--tls-cert"]);
    assert!(!data.exists());
}

#[test]
fn the_doctor_says_when_a_certificate_ends() {
    let folder = tempfile::tempdir().unwrap();
    for (year, word) in [(2060, "ok      certificate: "), (2020, "PROBLEM certificate: ")] {
        let identity = Identity::write(folder.path(), &year.to_string(), year);
        let mut doctor = kassa();
        let doctor = doctor.arg("doctor").arg("--data").arg(folder.path().join("data"));
        let ended = run_command(identity.flags(doctor), "");
        assert!(ended.stdout.lines().any(|line| line.starts_with(word)), "{ended:?}");
    }
}
