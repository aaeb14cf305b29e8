//! The PROXY protocol, version 2: a proxy in front says whose connection it passes on, before anything else.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// How long a proxy may take to say it.
const HEADER_TIMEOUT: Duration = Duration::from_secs(5);
/// The beginning of each header.
const SIGNATURE: [u8; 12] = *b"\r\n\r\n\0\r\nQUIT\n";
/// Its fixed part.
const PREFIX_BYTES: usize = 16;
/// What may follow that: addresses, and whatever else proxies say, which is left out.
const REST_BYTES_MAX: usize = 4_096;

/// The client of a connection from a proxy. The proxy itself where it says that it asks on its own account.
pub(super) async fn read_client(stream: &mut (impl AsyncRead + Unpin), proxy: SocketAddr) -> io::Result<SocketAddr> {
    let read = tokio::time::timeout(HEADER_TIMEOUT, read_header(stream));
    Ok(read.await.map_err(|_| io::ErrorKind::TimedOut)??.unwrap_or(proxy))
}

async fn read_header(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<SocketAddr>> {
    let mut prefix = [0; PREFIX_BYTES];
    stream.read_exact(&mut prefix).await?;
    let [signature @ .., version_and_command, family, high, low] = prefix;
    let length = usize::from(u16::from_be_bytes([high, low]));
    if signature != SIGNATURE || version_and_command >> 4 != 2 || length > REST_BYTES_MAX {
        return Err(invalid("it does not begin with a header of the PROXY protocol, version 2"));
    }
    let mut rest = vec![0; length];
    stream.read_exact(&mut rest).await?;
    match version_and_command & 0xf {
        0 => Ok(None),
        // It does not know whose the connection is, or cannot say it.
        1 if family >> 4 == 0 => Ok(None),
        1 => client_of(family, &rest).map(Some),
        _ => Err(invalid("the header of the PROXY protocol has an unknown command")),
    }
}

/// The first of the addresses, and of the ports behind both.
fn client_of(family: u8, rest: &[u8]) -> io::Result<SocketAddr> {
    let address: Option<(IpAddr, &[u8])> = match family {
        0x11 => rest.first_chunk::<4>().map(|bytes| (Ipv4Addr::from(*bytes).into(), rest.get(8..).unwrap_or_default())),
        0x21 => {
            rest.first_chunk::<16>().map(|bytes| (Ipv6Addr::from(*bytes).into(), rest.get(32..).unwrap_or_default()))
        }
        _ => return Err(invalid("the header of the PROXY protocol is of no connection by TCP")),
    };
    let (address, ports) = address.ok_or_else(|| invalid("the header of the PROXY protocol is too short"))?;
    let port = ports.first_chunk::<2>().ok_or_else(|| invalid("the header of the PROXY protocol is too short"))?;
    Ok(SocketAddr::new(address, u16::from_be_bytes(*port)))
}

fn invalid(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROXY: ([u8; 4], u16) = ([10, 0, 0, 9], 443);

    /// A header with this version and command, family and rest.
    fn header(version_and_command: u8, family: u8, rest: &[u8]) -> Vec<u8> {
        let mut header = SIGNATURE.to_vec();
        header.extend([version_and_command, family]);
        header.extend(u16::try_from(rest.len()).unwrap().to_be_bytes());
        header.extend(rest);
        header
    }

    /// Whom a proxy names, and what comes behind.
    async fn read(bytes: &[u8]) -> Result<(String, String), String> {
        let mut stream = bytes;
        let client = read_client(&mut stream, PROXY.into()).await.map_err(|error| error.to_string())?;
        Ok((client.to_string(), String::from_utf8_lossy(stream).into_owned()))
    }

    #[tokio::test]
    async fn clients_are_named_by_their_proxies() {
        let v4 = [203, 0, 113, 7, 10, 0, 0, 1, 0x12, 0x34, 0x01, 0xbb];
        let bytes = [header(0x21, 0x11, &v4), b"GET".to_vec()].concat();
        assert_eq!(read(&bytes).await, Ok(("203.0.113.7:4660".to_owned(), "GET".to_owned())));
        let mut v6 = [0; 36];
        v6[0..2].copy_from_slice(&[0x20, 0x01]);
        v6[32..34].copy_from_slice(&[0, 80]);
        // More of what proxies say is left out.
        let bytes = [header(0x21, 0x21, &[&v6[..], &[4, 0, 1, 9]].concat()), b"!".to_vec()].concat();
        assert_eq!(read(&bytes).await, Ok(("[2001::]:80".to_owned(), "!".to_owned())));
        for by_itself in [header(0x20, 0x00, &[]), header(0x21, 0x00, &[7; 9])] {
            let bytes = [by_itself, b"GET".to_vec()].concat();
            assert_eq!(read(&bytes).await, Ok(("10.0.0.9:443".to_owned(), "GET".to_owned())));
        }
    }

    #[tokio::test]
    async fn anything_else_is_no_connection() {
        for bytes in [
            b"GET / HTTP/1.1\r\nHost: kassa\r\n\r\n".to_vec(),
            b"PROXY TCP4 203.0.113.7 10.0.0.1 4660 443\r\n".to_vec(),
            header(0x11, 0x11, &[0; 12]),
            header(0x22, 0x11, &[0; 12]),
            header(0x21, 0x12, &[0; 12]),
            header(0x21, 0x31, &[0; 216]),
            header(0x21, 0x11, &[0; 9]),
            header(0x21, 0x21, &[0; 12]),
            header(0x21, 0x11, &[0; 5_000]),
            header(0x21, 0x11, &[0; 12])[..20].to_vec(),
            Vec::new(),
        ] {
            assert!(read(&bytes).await.is_err(), "{bytes:?}");
        }
    }
}
