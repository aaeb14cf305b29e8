//! An answer of server-sent events, as they come.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::connection::{connect, parse_chunk, parse_head};
use crate::error::BenchError;

/// What the line of an event with its data begins with.
const DATA_PREFIX: &[u8] = b"data: ";
/// Bytes that are read at a time.
const READ_BYTES: usize = 16 * 1024;

/// A stream of events that has begun.
pub(crate) struct EventStream {
    stream: TcpStream,
    /// What has come, in chunks of HTTP.
    received: Vec<u8>,
    /// What was in them, and up to where it was taken.
    text: Vec<u8>,
    taken: usize,
}

impl EventStream {
    /// Asks for it; whatever is not a stream that begins is an error.
    pub(crate) async fn open(address: SocketAddr, request: &[u8]) -> Result<Self, BenchError> {
        let mut stream = connect(address).await?;
        stream.write_all(request).await?;
        let mut this = Self { stream, received: Vec::with_capacity(READ_BYTES), text: Vec::new(), taken: 0 };
        let head = loop {
            this.read_more().await?;
            if let Some(head) = parse_head(&this.received)? {
                break head;
            }
        };
        let body = this.received.split_off(head.head_bytes);
        if head.status != 200 || !head.is_chunked() {
            return Err(format!("{}: {}", head.status, String::from_utf8_lossy(&body)).into());
        }
        this.received = body;
        Ok(this)
    }

    /// The data of the next event, when all of it has come.
    pub(crate) async fn next_data(&mut self) -> Result<&[u8], BenchError> {
        loop {
            while let Some(length) = self.text[self.taken..].iter().position(|byte| *byte == b'\n') {
                let line = self.taken..self.taken + length;
                self.taken = line.end + 1;
                if self.text[line.clone()].starts_with(DATA_PREFIX) {
                    return Ok(&self.text[line.start + DATA_PREFIX.len()..line.end]);
                }
            }
            self.text.drain(..self.taken);
            self.taken = 0;
            self.read_chunk().await?;
        }
    }

    async fn read_chunk(&mut self) -> Result<(), BenchError> {
        loop {
            match parse_chunk(&self.received)? {
                Some(chunk) if chunk.is_empty() => return Err("the server has ended a stream".into()),
                // A line end follows.
                Some(chunk) if self.received.len() >= chunk.end + 2 => {
                    self.text.extend_from_slice(&self.received[chunk.clone()]);
                    self.received.drain(..chunk.end + 2);
                    return Ok(());
                }
                Some(_) | None => self.read_more().await?,
            }
        }
    }

    async fn read_more(&mut self) -> Result<(), BenchError> {
        self.received.reserve(READ_BYTES);
        match self.stream.read_buf(&mut self.received).await? {
            0 => Err("the server has closed a stream".into()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread;

    use super::EventStream;

    #[test]
    fn events_are_put_together_from_chunks_that_end_anywhere() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1_000]).unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").unwrap();
            for part in
                ["retry: 2000\nid: 1-0\nevent: curs", "or\ndata: {\"cursor\":1}\n\n:\nid: 2-0\ndata: {", "}\n\n", ""]
            {
                stream.write_all(format!("{:x}\r\n{part}\r\n", part.len()).as_bytes()).unwrap();
            }
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut events = EventStream::open(address, b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
            assert_eq!(events.next_data().await.unwrap(), b"{\"cursor\":1}");
            assert_eq!(events.next_data().await.unwrap(), b"{}");
            assert!(events.next_data().await.unwrap_err().to_string().contains("ended"));
        });
        server.join().unwrap();
    }
}
