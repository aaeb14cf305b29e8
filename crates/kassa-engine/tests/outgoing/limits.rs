//! What is sent, what comes back, and how long it may take.

use bytes::Bytes;
use kassa_engine::outgoing::{OutgoingError, OutgoingHttp};
use reqwest::header::HeaderMap;
use tokio::time::Instant;

use crate::receiver::{Receiver, Reply};
use crate::{Names, client, post};

/// A receiver with this answer, and a client that may ask it.
async fn asked(address: &str, reply: Reply) -> (Receiver, OutgoingHttp, String) {
    let receiver = Receiver::start(&format!("{address}:0"), &[address], reply).await;
    let outgoing = client(&["127.0.0.0/8"], Some(&receiver.certificate), Names::new(vec![]));
    let url = format!("https://{}/hooks?a=b", receiver.address);
    (receiver, outgoing, url)
}

#[tokio::test]
async fn the_receiver_gets_what_is_sent() {
    let (receiver, outgoing, url) = asked("127.65.0.1", Reply::status(202, "Retry-After: 7\r\n", "thank you")).await;
    let mut headers = HeaderMap::new();
    headers.insert("webhook-id", "7".parse().unwrap());
    let answer = outgoing.post_json(&url, headers, Bytes::from_static(b"{\"a\":1}")).await.unwrap();
    assert_eq!((answer.status, answer.excerpt.as_str()), (202, "thank you"));
    assert_eq!(format!("{:?}", answer.retry_after), "Some(Seconds(7))");
    let [request] = receiver.requests().try_into().unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /hooks?a=b HTTP/1.1\r\n"), "{head}");
    for line in ["webhook-id: 7", "content-type: application/json", "content-length: 7", "user-agent: Kassa/"] {
        assert!(head.to_ascii_lowercase().contains(&line.to_ascii_lowercase()), "{line} in {head}");
    }
    assert_eq!(body, "{\"a\":1}");
}

#[tokio::test]
async fn an_answer_without_an_end_is_cut_off() {
    let (_receiver, outgoing, url) = asked("127.65.0.2", Reply::Endless).await;
    let answer = post(&outgoing, &url).await.unwrap();
    assert_eq!((answer.status, answer.excerpt), (200, "x".repeat(1024)));
}

#[tokio::test]
async fn the_status_counts_though_the_body_does_not_come() {
    let (_receiver, outgoing, url) = asked("127.65.0.3", Reply::Half).await;
    tokio::time::pause();
    let began = Instant::now();
    let answer = post(&outgoing, &url).await.unwrap();
    assert_eq!((answer.status, answer.excerpt.as_str()), (200, "half"));
    assert!(began.elapsed().as_secs() <= 16, "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_ever() {
    let (_receiver, outgoing, url) = asked("127.65.0.4", Reply::Silence).await;
    let began = Instant::now();
    assert_eq!(post(&outgoing, &url).await, Err(OutgoingError::Timeout));
    assert!(began.elapsed().as_secs() <= 16, "{:?}", began.elapsed());
}

#[tokio::test]
async fn what_fails_is_told_apart() {
    let unknown = client(&[], None, Names::new(vec![]));
    assert_eq!(post(&unknown, "https://hooks.test/").await, Err(OutgoingError::Name));
    let (receiver, _, url) = asked("127.65.0.5", Reply::status(200, "", "")).await;
    let without_trust = client(&["127.0.0.0/8"], None, Names::new(vec![]));
    assert_eq!(post(&without_trust, &url).await, Err(OutgoingError::Tls));
    let other_name = client(&["wrong.test:8443"], Some(&receiver.certificate), Names::new(vec![vec![receiver.ip()]]));
    assert_eq!(post(&other_name, "https://wrong.test:8443/").await, Err(OutgoingError::Connect), "nobody listens");
    let (_receiver, outgoing, url) = asked("127.65.0.6", Reply::Bytes("SSH-2.0-x\r\n".to_owned())).await;
    assert_eq!(post(&outgoing, &url).await, Err(OutgoingError::Protocol));
    let (receiver, outgoing, _) = asked("127.65.0.7", Reply::status(200, "", "")).await;
    let plain = format!("http://{}/", receiver.address);
    assert_eq!(post(&outgoing, &plain).await, Err(OutgoingError::Protocol));
    assert!(receiver.requests().is_empty());
}
