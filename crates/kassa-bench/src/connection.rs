//! One connection to a server, kept alive. It does as little as can be, because its work is done on
//! the machine that is measured.

use std::net::SocketAddr;
use std::ops::Range;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::error::BenchError;

/// Headers of an answer at most.
const HEADERS_MAX: usize = 64;

/// A connection.
pub(crate) struct Connection {
    address: SocketAddr,
    stream: TcpStream,
    /// Whether the server closes it after its last answer.
    must_reconnect: bool,
    /// How slow its network is; as fast as can be if nothing is said.
    pace: Option<TransferPace>,
    /// What has come of the answer that is being read.
    buffer: Vec<u8>,
    /// A body that came in chunks, put together.
    dechunked_body: Vec<u8>,
}

/// How a client on a slow network sends and reads: piece by piece, with a wait before each further piece that it sends
/// and before each that it reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TransferPace {
    pub(crate) sent_bytes: usize,
    pub(crate) read_bytes: usize,
    pub(crate) interval: Duration,
}

/// What a server has answered.
pub(crate) struct HttpResponse<'a> {
    pub(crate) status: u16,
    /// The header `TOTAL_COUNT`: how many things a list has.
    pub(crate) total: Option<u64>,
    /// A session that was begun, as `name=value`.
    pub(crate) cookie: Option<String>,
    pub(crate) body: &'a [u8],
}

/// The head of an answer.
pub(crate) struct ResponseHead {
    pub(crate) status: u16,
    pub(crate) head_bytes: usize,
    body_length: BodyLength,
    total: Option<u64>,
    cookie: Option<String>,
    closes: bool,
}

/// How long a body is.
#[derive(Clone, Copy)]
enum BodyLength {
    Known(usize),
    Chunked,
    /// All that comes until the connection is closed.
    UntilClose,
}

impl ResponseHead {
    pub(crate) fn is_chunked(&self) -> bool {
        matches!(self.body_length, BodyLength::Chunked)
    }
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Result<Self, BenchError> {
        let stream = connect(address).await?;
        Ok(Self {
            address,
            stream,
            must_reconnect: false,
            pace: None,
            buffer: Vec::with_capacity(16 * 1024),
            dechunked_body: Vec::new(),
        })
    }

    /// Sends and reads no faster than this from now on.
    pub(crate) fn slow_down(&mut self, pace: TransferPace) {
        self.pace = Some(pace);
    }

    /// Sends a request, and waits for its whole answer.
    pub(crate) async fn send(&mut self, request: &[u8]) -> Result<HttpResponse<'_>, BenchError> {
        if self.must_reconnect {
            self.stream = connect(self.address).await?;
        }
        self.write(request).await?;
        self.buffer.clear();
        let head = loop {
            self.read_more().await?;
            if let Some(head) = parse_head(&self.buffer)? {
                break head;
            }
        };
        let ResponseHead { status, head_bytes: bytes, body_length: length, total, cookie, closes } = head;
        self.must_reconnect = closes;
        let body = match length {
            BodyLength::Known(length) => {
                while self.buffer.len() < bytes + length {
                    self.read_more().await?;
                }
                &self.buffer[bytes..bytes + length]
            }
            BodyLength::Chunked => {
                self.read_chunks(bytes).await?;
                &self.dechunked_body
            }
            BodyLength::UntilClose => {
                while self.read_some().await? > 0 {}
                &self.buffer[bytes..]
            }
        };
        Ok(HttpResponse { status, total, cookie, body })
    }

    async fn write(&mut self, request: &[u8]) -> Result<(), BenchError> {
        let Some(pace) = self.pace else { return Ok(self.stream.write_all(request).await?) };
        for (at, piece) in request.chunks(pace.sent_bytes).enumerate() {
            if at > 0 {
                tokio::time::sleep(pace.interval).await;
            }
            self.stream.write_all(piece).await?;
        }
        Ok(())
    }

    async fn read_more(&mut self) -> Result<(), BenchError> {
        match self.read_some().await? {
            0 => Err("the server has closed a connection".into()),
            _ => Ok(()),
        }
    }

    /// Reads what has come, or a piece of it; how many bytes that were.
    async fn read_some(&mut self) -> Result<usize, BenchError> {
        let Some(pace) = self.pace else { return Ok(self.stream.read_buf(&mut self.buffer).await?) };
        tokio::time::sleep(pace.interval).await;
        let mut piece = (&mut self.stream).take(pace.read_bytes as u64);
        Ok(piece.read_buf(&mut self.buffer).await?)
    }

    /// Reads chunk after chunk, from `at` on, until the last, which is empty.
    async fn read_chunks(&mut self, mut at: usize) -> Result<(), BenchError> {
        self.dechunked_body.clear();
        loop {
            let Some(chunk) = parse_chunk(&self.buffer[at..])? else {
                self.read_more().await?;
                continue;
            };
            let last = chunk.is_empty();
            let (from, to) = (at + chunk.start, at + chunk.end);
            while self.buffer.len() < to + 2 {
                self.read_more().await?;
            }
            self.dechunked_body.extend_from_slice(&self.buffer[from..to]);
            at = to + 2;
            if last {
                return Ok(());
            }
        }
    }
}

pub(crate) async fn connect(address: SocketAddr) -> Result<TcpStream, BenchError> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Where the data of the first chunk lies; `None` if its length has not come yet.
pub(crate) fn parse_chunk(bytes: &[u8]) -> Result<Option<Range<usize>>, BenchError> {
    match httparse::parse_chunk_size(bytes) {
        Ok(httparse::Status::Complete((start, length))) => Ok(Some(start..start + usize::try_from(length)?)),
        Ok(httparse::Status::Partial) => Ok(None),
        Err(_) => Err("an answer has a chunk without a length".into()),
    }
}

/// The head of an answer; `None` if not all of it has come yet.
pub(crate) fn parse_head(bytes: &[u8]) -> Result<Option<ResponseHead>, BenchError> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut answer = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(length) = answer.parse(bytes)? else { return Ok(None) };
    let status = answer.code.ok_or("an answer has no status")?;
    // HTTP/1.0 closes.
    let closes = answer.version == Some(0);
    let mut head = ResponseHead {
        status,
        head_bytes: length,
        body_length: BodyLength::Known(0),
        total: None,
        cookie: None,
        closes,
    };
    let mut tells_length = matches!(status, 204 | 304);
    for header in answer.headers.iter() {
        let value = || std::str::from_utf8(header.value);
        if header.name.eq_ignore_ascii_case("content-length") {
            head.body_length = BodyLength::Known(value()?.parse()?);
            tells_length = true;
        } else if header.name.eq_ignore_ascii_case("transfer-encoding") {
            head.body_length = BodyLength::Chunked;
            tells_length = true;
        } else if header.name.eq_ignore_ascii_case("connection") {
            head.closes = value()?.eq_ignore_ascii_case("close");
        } else if header.name.eq_ignore_ascii_case("total") {
            head.total = Some(value()?.parse()?);
        } else if header.name.eq_ignore_ascii_case("set-cookie") {
            head.cookie = value()?.split(';').next().map(str::to_owned);
        }
    }
    if head.closes && !tells_length {
        head.body_length = BodyLength::UntilClose;
    }
    Ok(Some(head))
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread;
    use std::time::Duration;

    use super::{Connection, TransferPace};

    /// What a server that sends these bytes on each connection, and closes it, is heard to answer.
    fn responses_from(answer: &'static str, times: usize) -> Vec<(u16, String)> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = thread::spawn(move || {
            for _ in 0..times {
                let (mut stream, _) = listener.accept().unwrap();
                let _ = stream.read(&mut [0; 1_000]).unwrap();
                stream.write_all(answer.as_bytes()).unwrap();
            }
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let heard = runtime.block_on(async {
            let mut connection = Connection::open(address).await.unwrap();
            let mut heard = Vec::new();
            for _ in 0..times {
                let answer = connection.send(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
                heard.push((answer.status, String::from_utf8(answer.body.to_vec()).unwrap()));
            }
            heard
        });
        server.join().unwrap();
        heard
    }

    #[test]
    fn a_server_that_closes_each_connection_is_asked_over_new_ones() {
        let whole = responses_from("HTTP/1.1 201 Created\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", 2);
        assert_eq!(whole, vec![(201, "ok".to_owned()); 2]);
        let to_the_end = responses_from("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nall of it", 2);
        assert_eq!(to_the_end, vec![(200, "all of it".to_owned()); 2]);
        let nothing = responses_from("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", 1);
        assert_eq!(nothing, [(204, String::new())]);
    }

    #[test]
    fn a_slow_client_sends_all_of_its_request_and_reads_all_of_the_answer_in_pieces() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let (mut request, mut pieces) = (Vec::new(), 0);
            while !request.ends_with(b"\r\n\r\n") {
                let mut buffer = [0; 1_000];
                let bytes = stream.read(&mut buffer).unwrap();
                request.extend_from_slice(&buffer[..bytes]);
                pieces += 1;
            }
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nall of this").unwrap();
            (request, pieces)
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let body = runtime.block_on(async {
            let mut connection = Connection::open(address).await.unwrap();
            connection.slow_down(TransferPace { sent_bytes: 6, read_bytes: 7, interval: Duration::from_millis(5) });
            connection.send(b"GET / HTTP/1.1\r\n\r\n").await.unwrap().body.to_vec()
        });
        assert_eq!(body, b"all of this");
        let (request, pieces) = server.join().unwrap();
        assert_eq!(request, b"GET / HTTP/1.1\r\n\r\n");
        assert!(pieces > 1, "it came in pieces");
    }

    #[test]
    fn chunks_are_put_together() {
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nin p\r\n5\r\narts!\r\n0\r\n\r\n";
        assert_eq!(responses_from(chunked, 1), [(200, "in parts!".to_owned())]);
    }
}
