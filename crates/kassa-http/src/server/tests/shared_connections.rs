//! HTTP/2: many requests on one connection.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{StatusCode, Version};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use kassa_engine::metrics::Limit;
use tokio::sync::Semaphore;

use super::client::{TestListener, mirror};
use super::*;

type Sender = SendRequest<Full<Bytes>>;

/// A connection, and what ends with it.
async fn connect(listener: &TestListener) -> (Sender, JoinConnection) {
    let stream = listener.connect(&[b"h2", b"http/1.1"]).await.unwrap();
    let mut builder = Builder::new(TokioExecutor::new());
    builder.timer(TokioTimer::new()).max_concurrent_reset_streams(1_000);
    let (sender, connection) = builder.handshake(TokioIo::new(stream)).await.unwrap();
    (sender, tokio::spawn(connection))
}

type JoinConnection = tokio::task::JoinHandle<hyper::Result<()>>;

fn request(path: &str) -> hyper::Request<Full<Bytes>> {
    hyper::Request::get(format!("https://localhost{path}")).body(Full::default()).unwrap()
}

#[tokio::test]
async fn a_request_is_answered_as_in_http_1() {
    let with_hsts = |settings| ConnectionSettings { hsts_seconds: 60, ..settings };
    let listener = TestListener::start_with(mirror(), with_hsts).await;
    let (mut sender, _connection) = connect(&listener).await;
    for _ in 0..3 {
        let answer = sender.send_request(request("/e/1?a=b")).await.unwrap();
        assert_eq!((answer.status(), answer.version()), (StatusCode::OK, Version::HTTP_2));
        assert_eq!(answer.headers()["strict-transport-security"], "max-age=60");
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(body, "/e/1?a=b of localhost by https from 127.0.0.1");
    }
}

#[tokio::test]
async fn a_connection_has_so_many_requests_at_a_time() {
    let (open, most, gate) =
        (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)), Arc::new(Semaphore::new(0)));
    let (own_most, own_gate) = (Arc::clone(&most), Arc::clone(&gate));
    let service = Router::new().fallback(move || {
        let (open, most, gate) = (Arc::clone(&open), Arc::clone(&own_most), Arc::clone(&own_gate));
        async move {
            most.fetch_max(open.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            gate.acquire().await.unwrap().forget();
            open.fetch_sub(1, Ordering::SeqCst);
        }
    });
    let listener = TestListener::start(service).await;
    let (mut sender, _connection) = connect(&listener).await;
    // Who has been told of the limit keeps to it; others are refused what is beyond, and may ask again.
    gate.add_permits(1);
    assert_eq!(sender.send_request(request("/")).await.unwrap().status(), StatusCode::OK);
    let asked: Vec<_> = (0..50)
        .map(|_| {
            let mut sender = sender.clone();
            tokio::spawn(async move { sender.send_request(request("/")).await.unwrap().status() })
        })
        .collect();
    while most.load(Ordering::SeqCst) < 32 {
        tokio::task::yield_now().await;
    }
    gate.add_permits(50);
    for answer in asked {
        assert_eq!(answer.await.unwrap(), StatusCode::OK);
    }
    assert_eq!(most.load(Ordering::SeqCst), 32);
}

#[tokio::test]
async fn a_head_has_a_length() {
    let listener = TestListener::start(mirror()).await;
    let (mut sender, _connection) = connect(&listener).await;
    let long = |bytes: usize| {
        let mut request = request("/");
        request.headers_mut().insert("x-long", "x".repeat(bytes).parse().unwrap());
        request
    };
    assert_eq!(sender.send_request(long(15_000)).await.unwrap().status(), StatusCode::OK);
    // Our own client does not send what the server says it will not take.
    let refused = sender.send_request(long(17_000)).await;
    assert!(refused.is_err() || refused.is_ok_and(|answer| answer.status() == 431));
    assert_eq!(sender.send_request(request("/")).await.unwrap().status(), StatusCode::OK);
}

#[tokio::test]
async fn who_takes_back_what_it_asked_again_and_again_is_disconnected() {
    let begun = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&begun);
    let service = Router::new().fallback(move || {
        own.fetch_add(1, Ordering::SeqCst);
        std::future::pending::<()>()
    });
    let listener = TestListener::start(service).await;
    let (mut sender, connection) = connect(&listener).await;
    for count in 0..1_000 {
        if sender.ready().await.is_err() {
            break;
        }
        let asked = tokio::spawn(sender.send_request(request("/")));
        while begun.load(Ordering::SeqCst) <= count && !connection.is_finished() {
            tokio::task::yield_now().await;
        }
        asked.abort();
    }
    assert!(connection.await.unwrap().is_err(), "the server has ended it");
    let begun = begun.load(Ordering::SeqCst);
    assert!((100..=200).contains(&begun), "{begun} were begun");
    assert_eq!(listener.limit_hits.get(Limit::Connections), 1);
}

#[tokio::test]
async fn who_takes_back_now_and_then_is_not() {
    let service = Router::new().route("/never", axum::routing::get(std::future::pending::<()>)).fallback(|| async {});
    let listener = TestListener::start(service).await;
    let (mut sender, _connection) = connect(&listener).await;
    for _ in 0..200 {
        sender.ready().await.unwrap();
        let never = tokio::spawn(sender.send_request(request("/never")));
        assert_eq!(sender.send_request(request("/")).await.unwrap().status(), StatusCode::OK);
        never.abort();
        assert!(never.await.is_err());
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_not_taken_ends_the_connection() {
    let service = Router::new().fallback(|| async { Body::from(vec![0; 4 * 1024 * 1024]) });
    let listener = TestListener::start(service).await;
    let (mut sender, connection) = connect(&listener).await;
    let start = Instant::now();
    let answer = sender.send_request(request("/")).await.unwrap();
    let _ = connection.await.unwrap();
    assert!((29..=35).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
    assert!(answer.into_body().collect().await.is_err(), "it is not whole");
}

#[tokio::test(start_paused = true)]
async fn whoever_gives_no_room_for_the_end_of_an_answer_is_disconnected() {
    let listener = TestListener::start(Router::new().fallback(|| async { "ten letters" })).await;
    let stream = listener.connect(&[b"h2"]).await.unwrap();
    let mut builder = Builder::new(TokioExecutor::new());
    // One byte of each answer is asked for, and no more.
    builder.timer(TokioTimer::new()).initial_stream_window_size(1);
    let (mut sender, connection) = builder.handshake(TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    let start = Instant::now();
    let mut answers = Vec::new();
    while !connection.is_finished() && start.elapsed() < Duration::from_mins(5) {
        answers.extend(sender.send_request(request("/")).await.ok());
        tokio::time::sleep(Duration::from_secs(10)).await;
    }
    assert!((29..=45).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_connection_without_requests_is_closed_in_time() {
    let listener = TestListener::start(mirror()).await;
    let (mut sender, connection) = connect(&listener).await;
    assert_eq!(sender.send_request(request("/")).await.unwrap().status(), StatusCode::OK);
    let start = Instant::now();
    let _ = connection.await.unwrap();
    assert!((74..=77).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_long_answer_is_whole() {
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|at| at.to_le_bytes()[0]).collect();
    let sent = bytes.clone();
    let service = Router::new().fallback(move || async move { sent });
    let listener = TestListener::start(service).await;
    let (mut sender, _connection) = connect(&listener).await;
    let answer = sender.send_request(request("/")).await.unwrap();
    assert_eq!(answer.headers()["content-length"], "3000000");
    assert!(answer.into_body().collect().await.unwrap().to_bytes() == bytes);
}

#[tokio::test]
async fn a_stop_lets_requests_be_answered() {
    let (gate, begun) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let (own_gate, own_begun) = (Arc::clone(&gate), Arc::clone(&begun));
    let service = Router::new().fallback(move || {
        let (gate, begun) = (Arc::clone(&own_gate), Arc::clone(&own_begun));
        async move {
            begun.add_permits(1);
            gate.acquire().await.unwrap().forget();
            "done"
        }
    });
    let listener = TestListener::start(service).await;
    let (mut sender, connection) = connect(&listener).await;
    let asked = tokio::spawn(sender.send_request(request("/")));
    begun.acquire().await.unwrap().forget();
    listener.stop();
    gate.add_permits(1);
    let body = asked.await.unwrap().unwrap().into_body().collect().await.unwrap().to_bytes();
    assert_eq!(body, "done");
    listener.ended.await.unwrap();
    connection.await.unwrap().unwrap();
}
