//! A longer way to a database, as to another machine: what is sent either way arrives later, and nothing is lost or held together.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use percent_encoding::percent_decode_str;
use url::Url;

use crate::error::BenchError;
use crate::stopwatch;

/// Where PostgreSQL listens, unless a URL says another.
const DEFAULT_PORT: u16 = 5432;
/// How much is passed on at a time, and how many such parts may be on their way.
const CHUNK_BYTES: usize = 64 * 1024;
const CHUNKS_MAX: usize = 1024;

/// Where a database server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
enum DatabaseAddress {
    Tcp(String, u16),
    Socket(PathBuf),
}

/// The URL of a database, which says host and port before the name, by a way on which each message takes so much longer. The way
/// is there until the program ends. It has threads of its own: the load and its clock are not delayed by it.
pub(crate) fn delayed_url(database: &str, delay: Duration) -> Result<String, BenchError> {
    let mut url = Url::parse(database)?;
    let target = DatabaseAddress::of(&url)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let SocketAddr::V4(address) = listener.local_addr()? else { return Err("the way has no address".into()) };
    thread::Builder::new().name("delay".to_owned()).spawn(move || accept_all(&listener, &target, delay))?;
    let has_host = url.set_ip_host((*address.ip()).into()).is_ok() && url.set_port(Some(address.port())).is_ok();
    if has_host { Ok(url.into()) } else { Err("the URL of the database names no host".into()) }
}

impl DatabaseAddress {
    fn of(url: &Url) -> Result<Self, BenchError> {
        let host = url.host_str().ok_or("the URL of the database names no host")?;
        let host = percent_decode_str(host).decode_utf8()?.into_owned();
        let port = url.port().unwrap_or(DEFAULT_PORT);
        if host.starts_with('/') {
            return Ok(Self::Socket(Path::new(&host).join(format!(".s.PGSQL.{port}"))));
        }
        Ok(Self::Tcp(host, port))
    }

    fn connect(&self) -> io::Result<Stream> {
        match self {
            Self::Tcp(host, port) => TcpStream::connect((host.as_str(), *port)).and_then(Stream::of_tcp),
            Self::Socket(path) => UnixStream::connect(path).map(Stream::Unix),
        }
    }
}

/// Connects whoever comes. A connection that fails ends, as it would on any way: who measures sees it.
fn accept_all(listener: &TcpListener, target: &DatabaseAddress, delay: Duration) {
    for client in listener.incoming() {
        let connected = client.and_then(Stream::of_tcp).and_then(|client| {
            let server = target.connect()?;
            forward(client.try_clone()?, server.try_clone()?, delay);
            forward(server, client, delay);
            Ok(())
        });
        if let Err(error) = connected {
            eprintln!("kassa bench: on the way to the database: {error}");
        }
    }
}

/// Passes on what comes until one side ends. What was sent just before arrives before the end does.
fn forward(mut from: Stream, mut to: Stream, delay: Duration) {
    let (sender, receiver) = mpsc::sync_channel::<(Instant, Vec<u8>)>(CHUNKS_MAX);
    thread::spawn(move || {
        let mut buffer = vec![0; CHUNK_BYTES];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            if sender.send((stopwatch::now() + delay, buffer[..length].to_vec())).is_err() {
                break;
            }
        }
    });
    thread::spawn(move || {
        for (due, chunk) in receiver {
            thread::sleep(due.saturating_duration_since(stopwatch::now()));
            if to.write_all(&chunk).is_err() {
                break;
            }
        }
        // Whoever has gone already needs not be told.
        let _ = to.shutdown();
    });
}

/// A connection of either kind.
enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    fn of_tcp(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self::Tcp(stream))
    }

    fn try_clone(&self) -> io::Result<Self> {
        match self {
            Self::Tcp(stream) => stream.try_clone().map(Self::Tcp),
            Self::Unix(stream) => stream.try_clone().map(Self::Unix),
        }
    }

    fn shutdown(&self) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.shutdown(Shutdown::Both),
            Self::Unix(stream) => stream.shutdown(Shutdown::Both),
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(buffer),
            Self::Unix(stream) => stream.read(buffer),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Unix(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_takes_longer_either_way_and_comes_as_it_was_sent() {
        let database = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = database.local_addr().unwrap().port();
        let delay = Duration::from_millis(30);
        let url = delayed_url(&format!("postgres://kassa@127.0.0.1:{port}/name?sslmode=disable"), delay).unwrap();
        let url = Url::parse(&url).unwrap();
        assert_eq!((url.username(), url.path(), url.query()), ("kassa", "/name", Some("sslmode=disable")));
        let mut client = TcpStream::connect(("127.0.0.1", url.port().unwrap())).unwrap();
        let mut server = database.accept().unwrap().0;
        let start = stopwatch::now();
        let mut received = [0; 3];
        for byte in 1..=3 {
            client.write_all(&[byte]).unwrap();
        }
        server.read_exact(&mut received).unwrap();
        assert_eq!(received, [1, 2, 3]);
        server.write_all(&received).unwrap();
        client.read_exact(&mut received).unwrap();
        assert!(start.elapsed() >= 2 * delay, "{:?}", start.elapsed());
        drop(client);
        assert_eq!(server.read(&mut received).unwrap(), 0, "the end is passed on");
    }

    #[test]
    fn a_database_may_listen_in_a_folder() {
        let address = |url: &str| DatabaseAddress::of(&Url::parse(url).unwrap()).unwrap();
        let socket = Path::new("/tmp/kassa bench/.s.PGSQL.5432").to_owned();
        assert_eq!(address("postgres://kassa@%2Ftmp%2Fkassa%20bench/postgres"), DatabaseAddress::Socket(socket));
        assert_eq!(address("postgres://db:5433/kassa"), DatabaseAddress::Tcp("db".to_owned(), 5433));
    }
}
