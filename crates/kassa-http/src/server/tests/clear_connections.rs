//! Connections in the clear.

use std::net::Ipv4Addr;
use std::task::Poll;

use axum::Router;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::Notify;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::*;

/// Tells when the work for a request ends.
struct Work(Sender<&'static str>);

impl Drop for Work {
    fn drop(&mut self) {
        self.0.try_send("ended").unwrap();
    }
}

/// A client that has closed its side, a request of whom is being worked on until `done` is notified.
async fn half_closed(half_close: bool, done: &Arc<Notify>) -> (TcpStream, Receiver<&'static str>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (news, mut told) = channel(2);
    let done = Arc::clone(done);
    let service = Router::new().fallback(move || {
        let (news, done) = (news.clone(), Arc::clone(&done));
        async move {
            let work = Work(news);
            work.0.try_send("begun").unwrap();
            done.notified().await;
            "done"
        }
    });
    let settings = ConnectionSettings::new(1, half_close);
    tokio::spawn(serve(listener, service, settings, EvictionPolicy::default(), std::future::pending()));
    client.write_all(b"GET / HTTP/1.1\r\nHost: kassa\r\nConnection: close\r\n\r\n").await.unwrap();
    assert_eq!(told.recv().await, Some("begun"));
    client.shutdown().await.unwrap();
    (client, told)
}

#[tokio::test]
async fn when_all_places_are_taken_an_idle_connection_gives_way() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (settings, policy) = (ConnectionSettings::new(2, true), EvictionPolicy::default());
    let service = Router::new().fallback(|| async { "done" });
    tokio::spawn(serve(listener, service, settings, policy, std::future::pending()));
    let mut clients = Vec::new();
    for count in 1..=5 {
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nHost: kassa\r\n\r\n").await.unwrap();
        let mut answer = [0; 12];
        client.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200", "client {count}");
        clients.push(client);
    }
    let mut rest = Vec::new();
    for mut closed in clients.drain(..3) {
        closed.read_to_end(&mut rest).await.unwrap();
    }
    for client in &mut clients {
        client.write_all(b"GET / HTTP/1.1\r\nHost: kassa\r\nConnection: close\r\n\r\n").await.unwrap();
        let mut answers = String::new();
        client.read_to_string(&mut answers).await.unwrap();
        assert!(answers.contains("HTTP/1.1 200"), "{answers}");
    }
}

#[tokio::test]
async fn half_closed_connection_is_dropped_or_answered_as_configured() {
    let (done, mut answer) = (Arc::new(Notify::new()), String::new());
    let (mut client, mut told) = half_closed(false, &done).await;
    assert_eq!(told.recv().await, Some("ended"), "though nothing was done");
    client.read_to_string(&mut answer).await.unwrap();
    assert_eq!(answer, "");
    let (mut client, mut told) = half_closed(true, &done).await;
    done.notify_one();
    client.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("done"), "{answer}");
    assert_eq!(told.recv().await, Some("ended"));
}

/// A server is stopped while a client comes: after so many looks at whether it has to.
#[tokio::test]
async fn a_client_that_comes_as_the_server_stops_is_answered_by_it_or_left_to_its_successor() {
    let mut answered = 0;
    for looks in (1..8).cycle().take(200) {
        let passed = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        passed.set_nonblocking(true).unwrap();
        let listener = TcpListener::from_std(passed.try_clone().unwrap()).unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nHost: kassa\r\nConnection: close\r\n\r\n").await.unwrap();
        let mut left = looks;
        let stop = std::future::poll_fn(move |context| {
            left -= 1;
            if left == 0 {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        });
        let settings = ConnectionSettings { has_successor: true, ..ConnectionSettings::new(1, true) };
        let service = Router::new().fallback(|| async { "done" });
        serve(listener, service, settings, EvictionPolicy::default(), stop).await;
        if passed.accept().is_ok() {
            continue;
        }
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "after {looks} looks: {answer:?}");
        answered += 1;
    }
    assert!((1..200).contains(&answered), "{answered} were answered");
}
