//! A server that does what a test says, and counts who connects.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// What a receiver answers.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// These bytes, and it hangs up.
    Bytes(String),
    /// A good answer, of which there is no end.
    Endless,
    /// The beginning of a good answer, and nothing more.
    Half,
    /// Nothing at all.
    Silence,
}

impl Reply {
    pub(crate) fn status(status: u16, headers: &str, body: &str) -> Self {
        let length = body.len();
        Self::Bytes(format!(
            "HTTP/1.1 {status} X\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        ))
    }
}

/// A receiver with TLS, at an address of this machine.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    /// The certificate that it shows, as PEM.
    pub(crate) certificate: String,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Receiver {
    /// At this address, with a certificate of these names.
    pub(crate) async fn start(address: &str, names: &[&str], reply: Reply) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (certificate, tls) = self_signed(names);
        let (connections, requests) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
        let (counted, heard) = (Arc::clone(&connections), Arc::clone(&requests));
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                counted.fetch_add(1, Ordering::SeqCst);
                let (tls, reply, heard) = (tls.clone(), reply.clone(), Arc::clone(&heard));
                // A client may be gone in the middle of it.
                tokio::spawn(async move { drop(answer(stream, tls, reply, &heard).await) });
            }
        });
        Self { address, certificate, connections, requests }
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    pub(crate) fn ip(&self) -> IpAddr {
        self.address.ip()
    }
}

fn self_signed(names: &[&str]) -> (String, TlsAcceptor) {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let made = rcgen::generate_simple_self_signed(names).unwrap();
    let key = PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![made.cert.der().clone()], key).unwrap();
    (made.cert.pem(), TlsAcceptor::from(Arc::new(config)))
}

async fn answer(stream: TcpStream, tls: TlsAcceptor, reply: Reply, heard: &Mutex<Vec<String>>) -> io::Result<()> {
    let mut stream = BufReader::new(tls.accept(stream).await?);
    let request = read_request(&mut stream).await?;
    heard.lock().unwrap().push(request);
    match reply {
        Reply::Bytes(bytes) => stream.write_all(bytes.as_bytes()).await?,
        Reply::Endless => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
            while stream.write_all(&[b'x'; 1024]).await.is_ok() && stream.flush().await.is_ok() {}
        }
        Reply::Half => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").await?;
            stream.flush().await?;
            std::future::pending::<()>().await;
        }
        Reply::Silence => std::future::pending::<()>().await,
    }
    stream.shutdown().await
}

/// A request with its body.
async fn read_request<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut BufReader<S>) -> io::Result<String> {
    let (mut request, mut length) = (String::new(), 0);
    loop {
        let start = request.len();
        stream.read_line(&mut request).await?;
        let line = request[start..].trim_end().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length: ") {
            length = value.parse().unwrap();
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    request.push_str(std::str::from_utf8(&body).unwrap());
    Ok(request)
}
