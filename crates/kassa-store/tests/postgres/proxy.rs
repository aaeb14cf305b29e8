//! A stand between the driver and the server, which does what networks and servers do when they fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use kassa_store::postgres::scratch::server_url;
use kassa_store::postgres::{DatabaseUrl, Postgres};
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;
use tokio_postgres::config::Host;
use tokio_rustls::TlsAcceptor;

/// What a client asks first when it wants TLS.
const TLS_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// What a server says of a commit.
const COMMITTED: &[u8] = b"C\0\0\0\x0bCOMMIT\0";

/// Where the message with the commit begins.
fn commit_message(chunk: &[u8]) -> Option<usize> {
    let end = chunk.windows(7).position(|part| part == b"COMMIT\0")?;
    chunk[..end].windows(5).rposition(|part| part.starts_with(b"Q\0\0\0"))
}

/// What is done to the connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProxyFault {
    /// Everything goes through.
    None,
    /// The next commit never arrives: the connection is cut before. What was written for it does.
    CutBeforeCommit,
    /// The answer to the next commit never arrives.
    CutAfterCommit,
    /// No answer goes through until so many statements have been sent.
    HoldRepliesUntil(usize),
    /// There is nobody: connections are cut, and new ones, too.
    Unreachable,
}

pub(crate) struct Proxy {
    port: u16,
    fault: Arc<watch::Sender<ProxyFault>>,
    /// Statements that were sent since the fate was set.
    sent: Arc<Mutex<usize>>,
    accepted: Arc<AtomicUsize>,
}

impl Proxy {
    pub(crate) async fn start() -> Self {
        Self::with_tls(None).await
    }

    /// One that speaks TLS with its clients.
    pub(crate) async fn with_tls(tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (fate, sent) = (Arc::new(watch::channel(ProxyFault::None).0), Arc::<Mutex<usize>>::default());
        let line = ProxyState { fault: Arc::clone(&fate), sent: Arc::clone(&sent) };
        let accepted = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&accepted);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::Relaxed);
                if *line.fault.borrow() != ProxyFault::Unreachable {
                    tokio::spawn(serve(client, tls.clone(), line.clone()));
                }
            }
        });
        Self { port, fault: fate, sent, accepted }
    }

    pub(crate) fn set_fault(&self, fate: ProxyFault) {
        *self.sent.lock() = 0;
        self.fault.send_replace(fate);
    }

    pub(crate) fn fault(&self) -> ProxyFault {
        self.fault.borrow().clone()
    }

    /// How many connections were ever opened.
    pub(crate) fn accepted(&self) -> usize {
        self.accepted.load(Ordering::Relaxed)
    }

    /// The same database, seen through this; `query` says more of how.
    pub(crate) fn url(&self, direct: &str, host: &str, query: &str) -> DatabaseUrl {
        let config: tokio_postgres::Config = direct.parse().unwrap();
        let (user, name) = (config.get_user().unwrap(), config.get_dbname().unwrap());
        let password = String::from_utf8(config.get_password().unwrap_or_default().to_vec()).unwrap();
        let options = config.get_options().unwrap_or_default().replace(' ', "%20").replace('=', "%3D");
        let text = format!("postgres://{user}:{password}@{host}:{}/{name}?options={options}{query}", self.port);
        text.parse().unwrap()
    }

    /// The database through this.
    pub(crate) async fn open(&self, direct: &str) -> Postgres {
        Postgres::open(&self.url(direct, "127.0.0.1", "&sslmode=disable")).await.unwrap()
    }
}

#[derive(Clone)]
struct ProxyState {
    fault: Arc<watch::Sender<ProxyFault>>,
    sent: Arc<Mutex<usize>>,
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

async fn connect_to_server() -> Box<dyn Stream> {
    let config: tokio_postgres::Config = server_url().parse().unwrap();
    let port = config.get_ports().first().copied().unwrap_or(5432);
    match &config.get_hosts()[0] {
        Host::Unix(folder) => Box::new(UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await.unwrap()),
        Host::Tcp(name) => Box::new(TcpStream::connect((name.as_str(), port)).await.unwrap()),
    }
}

/// One connection, to its end. What ends it is no concern of anybody here.
async fn serve(mut client: TcpStream, tls: Option<TlsAcceptor>, line: ProxyState) {
    let mut first = [0; 8];
    if client.read_exact(&mut first).await.is_err() {
        return;
    }
    let asks = first == TLS_REQUEST;
    let client: Box<dyn Stream> = match (asks, tls) {
        (true, Some(tls)) => {
            client.write_all(b"S").await.unwrap();
            match tls.accept(client).await {
                Ok(client) => Box::new(client),
                Err(_) => return,
            }
        }
        (true, None) => {
            client.write_all(b"N").await.unwrap();
            Box::new(client)
        }
        (false, _) => Box::new(client),
    };
    let mut server = connect_to_server().await;
    if !asks {
        server.write_all(&first).await.unwrap();
    }
    let mut fate = line.fault.subscribe();
    let away = async { fate.wait_for(|fate| *fate == ProxyFault::Unreachable).await.map(drop) };
    tokio::select! {
        () = forward(client, server, &line) => {}
        _ = away => {}
    }
}

async fn forward(client: Box<dyn Stream>, server: Box<dyn Stream>, line: &ProxyState) {
    let (mut from_client, mut to_client) = tokio::io::split(client);
    let (mut from_server, mut to_server) = tokio::io::split(server);
    let cut = Mutex::new(false);
    let there = async {
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(length @ 1..) = from_client.read(&mut buffer).await {
            let chunk = &buffer[..length];
            let commit = commit_message(chunk);
            let fate = line.fault.borrow().clone();
            if let Some(commit) = commit.filter(|_| fate == ProxyFault::CutBeforeCommit) {
                to_server.write_all(&chunk[..commit]).await.unwrap();
                line.fault.send_replace(ProxyFault::None);
                return;
            }
            *cut.lock() |= commit.is_some() && fate == ProxyFault::CutAfterCommit;
            // Each statement ends with a message of this form, but for the commit.
            let statements = chunk.windows(5).filter(|part| part == b"S\0\0\0\x04").count();
            *line.sent.lock() += statements + usize::from(commit.is_some());
            line.fault.send_modify(|_| {});
            if to_server.write_all(chunk).await.is_err() {
                return;
            }
        }
    };
    let back = async {
        let mut buffer = vec![0; 64 * 1024];
        let mut fate = line.fault.subscribe();
        while let Ok(length @ 1..) = from_server.read(&mut buffer).await {
            let commits = buffer[..length].windows(COMMITTED.len()).any(|part| part == COMMITTED);
            if commits && *cut.lock() {
                line.fault.send_replace(ProxyFault::None);
                return;
            }
            let may_pass = |fate: &ProxyFault| !matches!(fate, ProxyFault::HoldRepliesUntil(wanted) if *line.sent.lock() < *wanted);
            fate.wait_for(may_pass).await.map(drop).unwrap();
            if to_client.write_all(&buffer[..length]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = there => {}
        () = back => {}
    }
}
