//! HTTP/1.1 by hand: from an address of one's choice, at little cost, and without reading answers if one likes.

use std::io::{self, BufRead as _, BufReader, Read as _, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::time::Duration;

use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, connect, socket_with, sockopt};
use serde_json::Value;

/// How long anybody waits to be let in, or for the next byte of an answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// What the system keeps at most of an answer that nobody reads, on the side of the client.
const UNREAD_BYTES: usize = 4 * 1024;

/// A request as it is sent.
#[derive(Clone)]
pub(super) struct Request {
    head: String,
    body: Vec<u8>,
}

impl Request {
    pub(super) fn new(method: &str, path: &str) -> Self {
        Self { head: format!("{method} {path} HTTP/1.1\r\nHost: kassa\r\n"), body: Vec::new() }
    }

    pub(super) fn get(path: &str) -> Self {
        Self::new("GET", path)
    }

    pub(super) fn header(mut self, name: &str, value: &str) -> Self {
        self.head.extend([name, ": ", value, "\r\n"]);
        self
    }

    /// With an API key.
    pub(super) fn key(self, key: &str) -> Self {
        self.header("Authorization", &format!("key {key}"))
    }

    pub(super) fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string().into_bytes())
    }

    pub(super) fn body(mut self, content_type: &str, body: Vec<u8>) -> Self {
        self = self.header("Content-Type", content_type).header("Content-Length", &body.len().to_string());
        self.body = body;
        self
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        [self.head.as_bytes(), b"\r\n", &self.body].concat()
    }
}

/// An answer of whatever status.
pub(super) struct Response {
    pub(super) status: u16,
    /// Whether the server closes the connection.
    pub(super) closes: bool,
}

/// A connection on which requests are sent one after the other.
pub(super) struct Connection {
    reader: BufReader<TcpStream>,
}

impl Connection {
    pub(super) fn open(server: SocketAddrV4, from: Ipv4Addr) -> io::Result<Self> {
        Self::open_with(server, from, None)
    }

    /// One on which next to nothing is received until somebody reads.
    pub(super) fn open_unread(server: SocketAddrV4, from: Ipv4Addr) -> io::Result<Self> {
        Self::open_with(server, from, Some(UNREAD_BYTES))
    }

    fn open_with(server: SocketAddrV4, from: Ipv4Addr, receive_buffer: Option<usize>) -> io::Result<Self> {
        let socket = socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        if let Some(bytes) = receive_buffer {
            sockopt::set_socket_recv_buffer_size(&socket, bytes)?;
        }
        bind(&socket, &SocketAddrV4::new(from, 0))?;
        // On Linux this limits how long connecting may take, too.
        sockopt::set_socket_timeout(&socket, sockopt::Timeout::Send, Some(TIMEOUT))?;
        connect(&socket, &server)?;
        let stream = TcpStream::from(socket);
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        Ok(Self { reader: BufReader::new(stream) })
    }

    pub(super) fn stream(&self) -> &TcpStream {
        self.reader.get_ref()
    }

    /// Whether the server has neither answered nor closed it.
    pub(super) fn is_open(&self) -> bool {
        let stream = self.stream();
        let peeked = stream.set_nonblocking(true).and_then(|()| stream.peek(&mut [0]));
        let is_open = peeked.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock);
        stream.set_nonblocking(false).is_ok() && is_open
    }

    pub(super) fn send(&self, bytes: &[u8]) -> io::Result<()> {
        (&mut self.stream()).write_all(bytes)
    }

    /// Reads an answer to its end; its body goes where it is told.
    pub(super) fn read_response(&mut self, body: &mut impl Write) -> io::Result<Response> {
        let status_line = self.read_line()?;
        let status = status_line.split(' ').nth(1).and_then(|word| word.parse().ok()).ok_or_else(malformed)?;
        let (mut length, mut is_chunked, mut closes) = (0, false, false);
        loop {
            let line = self.read_line()?.to_ascii_lowercase();
            match line.split_once(": ") {
                None => break,
                Some(("content-length", value)) => length = value.parse().map_err(|_| malformed())?,
                Some(("transfer-encoding", value)) => is_chunked = value == "chunked",
                Some(("connection", value)) => closes = value == "close",
                Some(_) => {}
            }
        }
        if is_chunked {
            while self.read_chunk(body)? > 0 {}
        } else {
            self.copy(length, body)?;
        }
        Ok(Response { status, closes })
    }

    fn read_chunk(&mut self, body: &mut impl Write) -> io::Result<u64> {
        let length = u64::from_str_radix(&self.read_line()?, 16).map_err(|_| malformed())?;
        self.copy(length, body)?;
        self.read_line()?;
        Ok(length)
    }

    fn copy(&mut self, length: u64, body: &mut impl Write) -> io::Result<()> {
        let copied = io::copy(&mut self.reader.by_ref().take(length), body)?;
        if copied == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    fn read_line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.reader.read_line(&mut line)?;
        match line.strip_suffix("\r\n") {
            Some(line) => Ok(line.to_owned()),
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

fn malformed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the answer is malformed")
}
