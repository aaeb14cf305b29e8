//! TLS below HTTP/1, and what comes before it.

use axum::Router;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::client::{TestListener, mirror};
use super::*;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

const REQUEST: &[u8] =
    b"GET /e/1?a=b HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: http\r\nConnection: close\r\n\r\n";

/// The answer to a request by HTTP/1.
async fn ask(mut stream: impl tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin) -> io::Result<String> {
    stream.write_all(REQUEST).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

#[tokio::test]
async fn clients_that_know_no_newer_version_speak_http_1() {
    let with_hsts = |settings| ConnectionSettings { hsts_seconds: 3_600, ..settings };
    let listener = TestListener::start_with(mirror(), with_hsts).await;
    for protocols in [&[][..], &[&b"http/1.1"[..]]] {
        let answer = ask(listener.connect(protocols).await.unwrap()).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.contains("\r\nstrict-transport-security: max-age=3600\r\n"), "{answer}");
        assert!(answer.ends_with("/e/1?a=b of localhost by https from 127.0.0.1"), "{answer}");
    }
    assert!(listener.connect(&[b"spdy/3"]).await.is_err(), "there is nothing in common");
}

#[tokio::test]
async fn who_speaks_no_tls_gets_no_answer() {
    let listener = TestListener::start(mirror()).await;
    let plain = ask(TcpStream::connect(listener.address).await.unwrap()).await;
    assert!(plain.is_err() || plain.is_ok_and(|answer| !answer.contains("HTTP/1.1")));
    assert!(ask(listener.connect(&[]).await.unwrap()).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_handshake_that_does_not_end_is_cut_off() {
    let listener = TestListener::start(mirror()).await;
    for begun in [&b""[..], b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"] {
        let start = Instant::now();
        let mut client = TcpStream::connect(listener.address).await.unwrap();
        client.write_all(begun).await.unwrap();
        assert_eq!(client.read(&mut [0; 16]).await.unwrap_or(0), 0);
        assert!((9..=11).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
    }
}

#[tokio::test]
async fn handshakes_take_places_of_connections() {
    let listener = TestListener::start_with(mirror(), |settings| ConnectionSettings { max: 2, ..settings }).await;
    let silent =
        [TcpStream::connect(listener.address).await.unwrap(), TcpStream::connect(listener.address).await.unwrap()];
    let answer = ask(listener.connect(&[]).await.unwrap()).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    let [mut first, _] = silent;
    assert_eq!(first.read(&mut [0; 1]).await.unwrap_or(0), 0, "it gave way");
}

/// A header of the PROXY protocol, version 2, for 203.0.113.7.
fn proxy_header() -> Vec<u8> {
    let mut header = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c".to_vec();
    header.extend([203, 0, 113, 7, 127, 0, 0, 1, 0x12, 0x34, 0x01, 0xbb]);
    header
}

#[tokio::test]
async fn trusted_proxies_say_whose_connection_it_is() {
    let proxied = |settings| ConnectionSettings { proxies: vec!["127.0.0.0/8".parse().unwrap()], ..settings };
    let listener = TestListener::start_with(mirror(), proxied).await;
    let mut stream = TcpStream::connect(listener.address).await.unwrap();
    stream.write_all(&proxy_header()).await.unwrap();
    let trusted = CertificateDer::from_pem_file(listener.files().0).unwrap();
    let answer = ask(listener.secure(stream, trusted, &[]).await.unwrap()).await.unwrap();
    assert!(answer.ends_with("from 203.0.113.7"), "{answer}");
    assert!(listener.connect(&[]).await.is_err(), "who says nothing is not served");
}

#[tokio::test]
async fn nobody_else_names_another_client() {
    let proxied = |settings| ConnectionSettings { proxies: vec!["10.0.0.0/8".parse().unwrap()], ..settings };
    let clear = |settings| ConnectionSettings { tls: None, ..proxied(settings) };
    let listener = TestListener::start_with(mirror(), clear).await;
    let mut stream = TcpStream::connect(listener.address).await.unwrap();
    stream.write_all(&proxy_header()).await.unwrap();
    let answer = ask(stream).await.unwrap_or_default();
    assert!(!answer.contains("203.0.113.7") && !answer.contains("200 OK"), "{answer}");
    let answer = ask(TcpStream::connect(listener.address).await.unwrap()).await.unwrap();
    assert!(answer.ends_with("/e/1?a=b of localhost by http from 127.0.0.1"), "{answer}");
}

#[tokio::test]
async fn hsts_is_not_said_in_the_clear() {
    let clear = |settings| ConnectionSettings { tls: None, hsts_seconds: 60, ..settings };
    let service: Router = mirror();
    let listener = TestListener::start_with(service, clear).await;
    let answer = ask(TcpStream::connect(listener.address).await.unwrap()).await.unwrap();
    assert!(!answer.contains("strict-transport-security"), "{answer}");
}
