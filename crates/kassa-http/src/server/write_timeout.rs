//! Connections whose clients take what they asked for, and say no more than there is memory for.

use std::future::Future as _;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

use super::reads::ReadMeter;

/// A client that takes an answer slower than this, in bytes per second, has no more time than to stall once.
pub(super) const BYTES_PER_SECOND_MIN: u32 = 32 * 1024;

/// A connection that breaks when its client takes nothing of an answer for some time, or takes it all too slowly. What an
/// answer holds in memory, it holds no longer.
pub(crate) struct WriteTimeoutStream {
    stream: TcpStream,
    reads: ReadMeter,
    stall_max: Duration,
    /// How long it may be before something can be written again: whatever is written gains time.
    patience: Duration,
    /// Runs while nothing can be written.
    stall: Option<Stall>,
}

/// A time in which nothing can be written.
struct Stall {
    since: Instant,
    timer: Pin<Box<Sleep>>,
}

impl WriteTimeoutStream {
    pub(crate) fn new(stream: TcpStream, reads: ReadMeter, stall_max: Duration) -> Self {
        Self { stream, reads, stall_max, patience: stall_max, stall: None }
    }

    /// What came of writing; an error when that could not go on for too long.
    fn check_stall(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(result) = &written {
            if let Some(stall) = self.stall.take() {
                self.patience = self.patience.saturating_sub(stall.since.elapsed());
            }
            if self.patience < self.stall_max {
                let bytes = result.as_ref().map_or(0, |bytes| u32::try_from(*bytes).unwrap_or(u32::MAX));
                let gained = Duration::from_secs(1) * bytes / BYTES_PER_SECOND_MIN;
                self.patience = (self.patience + gained).min(self.stall_max);
            }
            return written;
        }
        let patience = self.patience;
        let begin = || Stall { since: Instant::now(), timer: Box::pin(tokio::time::sleep(patience)) };
        let stall = self.stall.get_or_insert_with(begin);
        ready!(stall.timer.as_mut().poll(cx));
        // Or the system would keep what was written already, and go on waiting.
        self.stream.set_zero_linger()?;
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for WriteTimeoutStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, read: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let Self { stream, reads, .. } = &mut *self;
        reads.poll_read(stream, cx, read)
    }
}

impl AsyncWrite for WriteTimeoutStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.check_stall(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.check_stall(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::super::connections::{Admission, Connections, EvictionPolicy};
    use super::super::reads::HeadMemory;
    use super::*;

    /// More than the system takes for a client that takes nothing.
    const MUCH: usize = 64 * 1024 * 1024;

    async fn pair(stall_max: Duration) -> (WriteTimeoutStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, peer) = listener.accept().await.unwrap();
        let Admission::Entered(place) = Connections::new(1, EvictionPolicy::default()).enter(peer.ip()) else {
            unreachable!("there is a place")
        };
        let reads = HeadMemory::new(Arc::default(), false).meter(peer.ip(), place);
        (WriteTimeoutStream::new(stream, reads, stall_max), client)
    }

    #[tokio::test]
    async fn client_that_reads_nothing_is_disconnected() {
        let (mut server, mut client) = pair(Duration::from_millis(50)).await;
        let error = server.write_all(&vec![0; MUCH]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(server);
        let mut taken = Vec::new();
        let error = client.read_to_end(&mut taken).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    }

    #[tokio::test]
    async fn client_that_reads_a_little_at_a_time_is_disconnected() {
        let (mut server, mut client) = pair(Duration::from_millis(300)).await;
        let writing = tokio::spawn(async move { server.write_all(&vec![0; MUCH]).await });
        let (mut taken, mut piece) = (0, vec![0; 4 * 1024]);
        // It never stalls for long, and would take an hour.
        let mut pace = tokio::time::interval(Duration::from_millis(20));
        while let Ok(bytes @ 1..) = client.read(&mut piece).await {
            taken += bytes;
            assert!(taken < MUCH, "it was sent whole");
            pace.tick().await;
        }
        assert_eq!(writing.await.unwrap().unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn slow_client_gets_the_whole_response() {
        let (mut server, mut client) = pair(Duration::from_mins(1)).await;
        let writing = tokio::spawn(async move { server.write_all(&vec![0; MUCH]).await });
        let mut taken = 0;
        let mut piece = vec![0; 256 * 1024];
        while taken < MUCH {
            tokio::task::yield_now().await;
            taken += client.read(&mut piece).await.unwrap();
        }
        assert!(writing.await.unwrap().is_ok());
    }
}
