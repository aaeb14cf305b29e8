//! One connection to a server, kept alive. It does as little as can be, because its work is done on
//! the machine that is measured.

use std::net::SocketAddr;
use std::ops::Range;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::installation::Fatal;

/// Headers of an answer at most.
const HEADERS_MAX: usize = 32;

/// A connection.
pub(super) struct Connection {
    stream: TcpStream,
    /// What has come of the answer that is being read.
    read: Vec<u8>,
    /// A body that came in chunks, put together.
    whole: Vec<u8>,
}

/// What a server has answered.
pub(super) struct Answer<'a> {
    pub(super) status: u16,
    /// The header `TOTAL`: how many things a list has.
    pub(super) total: Option<u64>,
    /// A session that was begun, as `name=value`.
    pub(super) cookie: Option<String>,
    pub(super) body: &'a [u8],
}

/// The head of an answer.
struct Head {
    status: u16,
    bytes: usize,
    length: Length,
    total: Option<u64>,
    cookie: Option<String>,
}

/// How long a body is.
#[derive(Clone, Copy)]
enum Length {
    Known(usize),
    Chunked,
}

impl Connection {
    pub(super) async fn open(address: SocketAddr) -> Result<Self, Fatal> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, read: Vec::with_capacity(16 * 1024), whole: Vec::new() })
    }

    /// Sends a request, and waits for its whole answer.
    pub(super) async fn ask(&mut self, request: &[u8]) -> Result<Answer<'_>, Fatal> {
        self.stream.write_all(request).await?;
        self.read.clear();
        let head = loop {
            self.more().await?;
            if let Some(head) = parse(&self.read)? {
                break head;
            }
        };
        let Head { status, bytes, length, total, cookie } = head;
        let body = match length {
            Length::Known(length) => {
                while self.read.len() < bytes + length {
                    self.more().await?;
                }
                &self.read[bytes..bytes + length]
            }
            Length::Chunked => {
                self.put_together(bytes).await?;
                &self.whole
            }
        };
        Ok(Answer { status, total, cookie, body })
    }

    async fn more(&mut self) -> Result<(), Fatal> {
        match self.stream.read_buf(&mut self.read).await? {
            0 => Err("the server has closed a connection".into()),
            _ => Ok(()),
        }
    }

    /// Reads chunk after chunk, from `at` on, until the last, which is empty.
    async fn put_together(&mut self, mut at: usize) -> Result<(), Fatal> {
        self.whole.clear();
        loop {
            let Some(chunk) = chunk(&self.read[at..])? else {
                self.more().await?;
                continue;
            };
            let last = chunk.is_empty();
            let (from, to) = (at + chunk.start, at + chunk.end);
            while self.read.len() < to + 2 {
                self.more().await?;
            }
            self.whole.extend_from_slice(&self.read[from..to]);
            at = to + 2;
            if last {
                return Ok(());
            }
        }
    }
}

/// Where the data of the first chunk lies; `None` if its length has not come yet.
fn chunk(bytes: &[u8]) -> Result<Option<Range<usize>>, Fatal> {
    match httparse::parse_chunk_size(bytes) {
        Ok(httparse::Status::Complete((start, length))) => Ok(Some(start..start + usize::try_from(length)?)),
        Ok(httparse::Status::Partial) => Ok(None),
        Err(_) => Err("an answer has a chunk without a length".into()),
    }
}

/// The head of an answer; `None` if not all of it has come yet.
fn parse(bytes: &[u8]) -> Result<Option<Head>, Fatal> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut answer = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(length) = answer.parse(bytes)? else { return Ok(None) };
    let status = answer.code.ok_or("an answer has no status")?;
    let mut head = Head { status, bytes: length, length: Length::Known(0), total: None, cookie: None };
    for header in answer.headers.iter() {
        let value = || std::str::from_utf8(header.value);
        if header.name.eq_ignore_ascii_case("content-length") {
            head.length = Length::Known(value()?.parse()?);
        } else if header.name.eq_ignore_ascii_case("transfer-encoding") {
            head.length = Length::Chunked;
        } else if header.name.eq_ignore_ascii_case("total") {
            head.total = Some(value()?.parse()?);
        } else if header.name.eq_ignore_ascii_case("set-cookie") {
            head.cookie = value()?.split(';').next().map(str::to_owned);
        }
    }
    Ok(Some(head))
}
