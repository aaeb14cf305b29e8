//! What is read of a connection: a piece at a time, no faster than its address may send, and no more of a head than there
//! is memory for.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use kassa_engine::metrics::{Limit, LimitHits};
use kassa_store::memory_budget::{MemoryBudget, MemoryGrant};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

use super::connections::ConnectionPlace;
use super::pace::COUNTED_BYTES_MIN;
use crate::peer::{self, ClientNetwork};

/// Heads that are longer than others may take so much together, in bytes; of an address, a quarter of it.
const HEAD_MEMORY_BYTES: usize = 32 * 1024 * 1024;
/// As long a head may be without being counted: hardly any is longer.
const FREE_HEAD_BYTES: usize = 8 * 1024;
/// So much is read at a time, in bytes. What is read at once is a piece of a body; and the buffer of a connection, which
/// starts with so much, grows as long as it is filled.
const READ_BYTES: usize = 8 * 1024;
/// A buffer that is full is doubled.
const BUFFER_PER_HEAD: usize = 2;
/// Shorter pauses are not made: timers are no finer.
const PAUSE_MIN: Duration = Duration::from_millis(1);
/// The budget is asked for so much at a time.
const STEP_BYTES: usize = 16 * 1024;

/// The memory for long heads on a listener.
pub(super) struct HeadMemory {
    budget: MemoryBudget,
    is_behind_proxies: bool,
}

impl HeadMemory {
    /// Where all connections come from proxies, addresses have no shares.
    pub(super) fn new(limit_hits: Arc<LimitHits>, is_behind_proxies: bool) -> Self {
        let budget = MemoryBudget::new(HEAD_MEMORY_BYTES, move || limit_hits.record(Limit::HeadMemory));
        Self { budget, is_behind_proxies }
    }

    /// The meter of a connection from this address.
    pub(super) fn meter(&self, peer: IpAddr, place: Arc<ConnectionPlace>) -> ReadMeter {
        ReadMeter { place, taken: self.grant(peer), pause: None }
    }

    /// Room for a head from this address that shares its connection with others; `None` if there is none.
    pub(super) fn cover(&self, peer: IpAddr, bytes: usize) -> Option<MemoryGrant> {
        let mut taken = self.grant(peer);
        taken.grow(bytes).ok().map(|()| taken)
    }

    fn grant(&self, peer: IpAddr) -> MemoryGrant {
        let caller = (!self.is_behind_proxies).then(|| peer::memory_caller(ClientNetwork::of(peer).reader()));
        self.budget.grant(caller)
    }
}

/// What is known of the reads of a connection.
pub(super) struct ReadMeter {
    place: Arc<ConnectionPlace>,
    /// It is given back with the connection: its buffer stays as long as it became.
    taken: MemoryGrant,
    /// Until the next piece may be read.
    pause: Option<Pin<Box<Sleep>>>,
}

impl ReadMeter {
    /// Reads a piece from a stream. An error, and thereby the end of the connection, if it belongs to a head for which
    /// there is no memory.
    pub(super) fn poll_read(
        &mut self,
        stream: &mut TcpStream,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(cx));
            self.pause = None;
        }
        let bytes = ready!(poll_read_piece(Pin::new(stream), cx, buffer))?;
        if bytes >= COUNTED_BYTES_MIN {
            let until = self.place.pace().record_bytes(bytes).filter(|until| *until > Instant::now() + PAUSE_MIN);
            self.pause = until.map(|until| Box::pin(tokio::time::sleep_until(until)));
        }
        Poll::Ready(match self.place.head_length_after(bytes) {
            Some(length) if length > FREE_HEAD_BYTES => self.cover(length * BUFFER_PER_HEAD),
            // The head is short, or was understood.
            Some(_) | None => Ok(()),
        })
    }

    fn cover(&mut self, bytes: usize) -> io::Result<()> {
        if bytes <= self.taken.bytes() {
            return Ok(());
        }
        let more = bytes.next_multiple_of(STEP_BYTES) - self.taken.bytes();
        self.taken.grow(more).map_err(|_| io::Error::other("there are too many long heads of requests"))
    }
}

/// Reads at most a piece; how many bytes that was.
fn poll_read_piece(
    stream: Pin<&mut TcpStream>,
    cx: &mut Context<'_>,
    buffer: &mut ReadBuf<'_>,
) -> Poll<io::Result<usize>> {
    let before = buffer.filled().len();
    if buffer.remaining() <= READ_BYTES {
        ready!(stream.poll_read(cx, buffer))?;
        return Poll::Ready(Ok(buffer.filled().len() - before));
    }
    // The last byte is left out: who fills what was asked for is given twice as much.
    let mut piece = ReadBuf::new(buffer.initialize_unfilled_to(READ_BYTES - 1));
    ready!(stream.poll_read(cx, &mut piece))?;
    let bytes = piece.filled().len();
    buffer.advance(bytes);
    Poll::Ready(Ok(bytes))
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use axum::Router;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::super::{ConnectionSettings, EvictionPolicy, serve};
    use super::*;

    /// A request whose head is so long, without its end.
    async fn begin_head(server: std::net::SocketAddr, bytes: usize) -> TcpStream {
        let mut client = TcpStream::connect(server).await.unwrap();
        let head = format!("GET / HTTP/1.1\r\nHost: kassa\r\nX-Long: {}", "x".repeat(bytes));
        client.write_all(head.as_bytes()).await.unwrap();
        client
    }

    /// What comes back once the head ends; nothing if the connection was closed.
    async fn end_head(mut client: TcpStream) -> String {
        let mut answer = String::new();
        if client.write_all(b"\r\nConnection: close\r\n\r\n").await.is_ok() {
            // One that was closed while bytes were on their way is reset.
            let _ = client.read_to_string(&mut answer).await;
        }
        answer
    }

    #[tokio::test]
    async fn an_address_has_its_share_of_long_heads_and_others_have_theirs() {
        const LONG: usize = 60 * 1024;
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = (Ipv4Addr::LOCALHOST, port).into();
        let policy = EvictionPolicy::default();
        let limit_hits = Arc::clone(&policy.limit_hits);
        let settings = ConnectionSettings::new(1_000, true);
        let service = Router::new().fallback(|| async { "done" });
        tokio::spawn(serve(listener, service, settings, policy, std::future::pending()));
        let mut long = Vec::new();
        while limit_hits.get(Limit::HeadMemory) == 0 {
            long.push(begin_head(server, LONG).await);
            assert!(long.len() * LONG < HEAD_MEMORY_BYTES, "a share is less than all");
            tokio::task::yield_now().await;
        }
        assert!(end_head(begin_head(server, 4 * 1024).await).await.starts_with("HTTP/1.1 200"), "it is short");
        let mut answers = Vec::new();
        for client in long {
            answers.push(end_head(client).await);
        }
        assert!(answers.iter().any(String::is_empty), "one found no room");
        let found_room = answers.iter().filter(|answer| answer.starts_with("HTTP/1.1 200")).count();
        assert!(found_room > 30, "{found_room} of {} found room", answers.len());
    }

    #[tokio::test]
    async fn a_long_body_needs_no_more_memory_than_a_piece_of_it() {
        const LONG: usize = 1024 * 1024;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let server = listener.local_addr().unwrap();
        let policy = EvictionPolicy::default();
        let limit_hits = Arc::clone(&policy.limit_hits);
        let service = Router::new().fallback(|body: axum::body::Bytes| async move { body.len().to_string() });
        let service = service.layer(axum::extract::DefaultBodyLimit::disable());
        let settings = ConnectionSettings::new(10, true);
        tokio::spawn(serve(listener, service, settings, policy, std::future::pending()));
        let mut client = TcpStream::connect(server).await.unwrap();
        let head = format!("POST / HTTP/1.1\r\nHost: kassa\r\nContent-Length: {LONG}\r\nConnection: close\r\n\r\n");
        client.write_all(head.as_bytes()).await.unwrap();
        client.write_all(&vec![b'x'; LONG]).await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        assert!(answer.ends_with(&format!("\r\n\r\n{LONG}")), "{answer}");
        assert_eq!(limit_hits.get(Limit::HeadMemory), 0);
    }
}
