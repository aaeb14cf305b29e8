//! No way in: neither by an address, nor by a name, nor by a name that changes its mind, nor by somebody else's word.

use std::net::IpAddr;

use kassa_engine::outgoing::{OutgoingError, TargetFault};

use crate::receiver::{Receiver, Reply};
use crate::{Names, client, post};

/// At least one of each kind; and 127.64.0.1, where the receiver listens, in all its forms.
const FORBIDDEN: &str = include_str!("forbidden_addresses.txt");

#[tokio::test]
async fn a_name_that_resolves_inside_is_never_connected_to() {
    let receiver = Receiver::start("127.64.0.1:8443", &["hooks.test"], Reply::status(200, "", "")).await;
    assert!(FORBIDDEN.lines().count() >= 40);
    for address in FORBIDDEN.lines() {
        let names = Names::new(vec![vec![address.parse().unwrap()]]);
        let outgoing = client(&[], Some(&receiver.certificate), names);
        let answer = post(&outgoing, "https://hooks.test:8443/").await;
        assert_eq!(answer, Err(OutgoingError::Address), "{address}");
    }
    assert_eq!(receiver.connections(), 0);
    // The control: it is there, and would have answered.
    let outgoing = client(&["127.64.0.0/16"], Some(&receiver.certificate), Names::new(vec![vec![receiver.ip()]]));
    assert_eq!(post(&outgoing, "https://hooks.test:8443/").await.map(|answer| answer.status), Ok(200));
    assert_eq!(receiver.connections(), 1);
}

#[tokio::test]
async fn an_address_inside_is_never_connected_to_however_it_is_spelled() {
    let receiver = Receiver::start("127.64.0.2:8443", &["127.64.0.2"], Reply::status(200, "", "")).await;
    let spelled = [
        "127.64.0.2",
        "127.64.2",
        "127.4194306",
        "2134900738",
        "0x7f400002",
        "0x7F.0x40.0x0.0x2",
        "0177.0100.0.02",
        "017720000002",
        "0177.0x40.2",
        "127.64.0.2.",
        "%31%32%37.64.0.2",
        "\u{ff11}27.64.0.2",
        "\u{2460}27.64.0.2",
        "127\u{3002}64\u{3002}0\u{3002}2",
        "[::ffff:127.64.0.2]",
        "[::ffff:7f40:2]",
        "[0:0:0:0:0:ffff:7f40:0002]",
        "[::7f40:2]",
        "[64:ff9b::7f40:2]",
        "[2002:7f40:2::]",
    ];
    let outgoing = client(&[], Some(&receiver.certificate), Names::new(vec![vec![receiver.ip()]]));
    for host in spelled {
        let answer = post(&outgoing, &format!("https://{host}:8443/")).await;
        assert_eq!(answer, Err(OutgoingError::Target(TargetFault::Address)), "{host}");
    }
    assert_eq!(receiver.connections(), 0);
    let outgoing = client(&["127.64.0.2"], Some(&receiver.certificate), Names::new(vec![]));
    assert_eq!(post(&outgoing, "https://0x7f400002:8443/").await.map(|answer| answer.status), Ok(200));
}

#[tokio::test]
async fn a_name_that_changes_its_mind_is_not_followed() {
    // The first address stands for one of the internet.
    let outside = Receiver::start("127.64.1.1:8443", &["hooks.test"], Reply::status(200, "", "")).await;
    let inside = Receiver::start("127.64.1.2:8443", &["hooks.test"], Reply::status(200, "", "")).await;
    let names = Names::new(vec![vec![outside.ip()], vec![inside.ip()]]);
    let outgoing = client(&["127.64.1.1"], Some(&outside.certificate), names);
    assert_eq!(post(&outgoing, "https://hooks.test:8443/").await.map(|answer| answer.status), Ok(200));
    for _ in 0..3 {
        assert_eq!(post(&outgoing, "https://hooks.test:8443/").await, Err(OutgoingError::Address));
    }
    assert_eq!((outside.connections(), inside.connections()), (1, 0));
}

#[tokio::test]
async fn one_address_inside_makes_all_of_a_name_suspect() {
    let outside = Receiver::start("127.64.2.1:8443", &["hooks.test"], Reply::status(200, "", "")).await;
    let inside = Receiver::start("127.64.2.2:8443", &["hooks.test"], Reply::status(200, "", "")).await;
    let orders: [[IpAddr; 2]; 2] = [[outside.ip(), inside.ip()], [inside.ip(), outside.ip()]];
    for order in orders {
        let outgoing = client(&["127.64.2.1"], Some(&outside.certificate), Names::new(vec![order.to_vec()]));
        assert_eq!(post(&outgoing, "https://hooks.test:8443/").await, Err(OutgoingError::Address));
    }
    assert_eq!((outside.connections(), inside.connections()), (0, 0));
}

#[tokio::test]
async fn nobody_is_followed_elsewhere() {
    let inside = Receiver::start("127.64.3.2:8443", &["127.64.3.2"], Reply::status(200, "", "")).await;
    for status in [301, 302, 303, 307, 308] {
        let reply = Reply::status(status, "Location: https://127.64.3.2:8443/\r\n", "");
        let outside = Receiver::start("127.64.3.1:0", &["127.64.3.1"], reply).await;
        // Even where the other one is allowed, too.
        let outgoing = client(&["127.64.3.0/24"], Some(&outside.certificate), Names::new(vec![]));
        let answer = post(&outgoing, &format!("https://{}/", outside.address)).await;
        assert_eq!((answer.map(|answer| answer.status), outside.connections()), (Ok(status), 1));
    }
    assert_eq!(inside.connections(), 0);
}

#[tokio::test]
async fn a_host_that_the_operator_names_is_reached_by_whatever_address() {
    let receiver = Receiver::start("127.64.4.1:0", &["hooks.internal"], Reply::status(204, "", "")).await;
    let port = receiver.address.port();
    let names = || Names::new(vec![vec![receiver.ip()]]);
    let url = format!("https://hooks.internal:{port}/");
    let outgoing = client(&[&format!("hooks.internal:{port}")], Some(&receiver.certificate), names());
    assert_eq!(post(&outgoing, &url).await.map(|answer| answer.status), Ok(204));
    let other = client(&[&format!("hooks.internal:{}", port - 1)], Some(&receiver.certificate), names());
    assert_eq!(post(&other, &url).await, Err(OutgoingError::Target(TargetFault::Port)));
    assert_eq!(receiver.connections(), 1);
}
