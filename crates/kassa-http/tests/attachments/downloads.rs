//! Many downloads at a time, of clients that read nothing.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use kassa_engine::metrics::Limit;
use kassa_http::ConnectionSettings;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::shop::{Shop, path_of};

/// More than a connection takes for a client that reads nothing.
const FILE_BYTES: usize = 8 * 1024 * 1024;
const UNREAD: usize = 320;
/// Of them so many are under way, and so many wait for their turn.
const UNDER_WAY: usize = 32;
const WAITING: usize = 64;
const GREEDY: Ipv4Addr = Ipv4Addr::LOCALHOST;
const OTHER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
/// A test that takes so long has failed.
const PATIENCE: Duration = Duration::from_mins(1);

#[tokio::test]
async fn unread_downloads_of_one_address_leave_room_for_another() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let made = shop.upload(&key, "image/png", vec![7; FILE_BYTES]).await.is(200);
    let path = path_of(&made["url"]);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let server = listener.local_addr().unwrap();
    let settings = ConnectionSettings::new(1_000, false);
    tokio::spawn(kassa_http::serve(listener, shop.app.clone(), settings, Box::pin(std::future::pending())));

    let mut asked: FuturesUnordered<_> = (0..UNREAD).map(|_| ask(server, GREEDY, &path)).collect();
    let answered: Vec<_> = asked.by_ref().take(UNREAD - WAITING).collect().await;
    let count = |wanted: u16| answered.iter().filter(|(_, status)| *status == wanted).count();
    assert_eq!((count(200), count(503)), (UNDER_WAY, UNREAD - WAITING - UNDER_WAY));
    assert!(shop.engine.limit_hits().get(Limit::Downloads) >= count(503) as u64);
    assert_eq!(download(server, OTHER, &path).await, Some(FILE_BYTES));

    drop((asked, answered));
    // The server learns of one after the other that it has gone.
    let again = async { while download(server, GREEDY, &path).await.is_none() {} };
    timeout(PATIENCE, again).await.expect("a client that goes makes room for others");
}

/// Asks for a file, and reads no more than the status.
async fn ask(server: SocketAddr, from: Ipv4Addr, path: &str) -> (TcpStream, u16) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((from, 0).into()).unwrap();
    let mut stream = socket.connect(server).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: kassa.test\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut start = [0; "HTTP/1.1 200".len()];
    stream.read_exact(&mut start).await.unwrap();
    let status = std::str::from_utf8(&start).unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    (stream, status)
}

/// The length of a file that is read to its end; `None` if the server is busy.
async fn download(server: SocketAddr, from: Ipv4Addr, path: &str) -> Option<usize> {
    let (mut stream, status) = ask(server, from, path).await;
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).await.unwrap();
    let head = rest.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    (status == 200).then(|| rest.len() - head)
}
