//! A mail server that does what a test says, and notes what it hears.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// How the server meets one connection.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ServerBehavior {
    /// It takes the message.
    Accepts,
    /// It answers the first command that begins with this word by that line.
    RepliesWith(&'static str, &'static str),
    /// It takes the message and hangs up without a good-bye.
    HangsUp,
    /// It says nothing at all.
    Silent,
    /// It speaks TLS from the first byte.
    Tls,
}

/// A message as it was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReceivedMessage {
    pub(crate) from: String,
    pub(crate) to: Vec<String>,
    pub(crate) bytes: Vec<u8>,
}

#[derive(Default)]
struct ServerLog {
    behaviors: VecDeque<ServerBehavior>,
    /// What it says that it can do.
    features: Vec<&'static str>,
    commands: Vec<String>,
    received: Vec<ReceivedMessage>,
}

pub(crate) struct SmtpServer {
    pub(crate) address: SocketAddr,
    /// The certificate that it shows, as PEM.
    pub(crate) certificate: String,
    log: Arc<Mutex<ServerLog>>,
}

impl SmtpServer {
    /// Meets connections in these moods, in their order, and all others kindly.
    pub(crate) async fn start(moods: impl IntoIterator<Item = ServerBehavior>, features: &[&'static str]) -> Self {
        Self::named("127.0.0.1", moods, features).await
    }

    /// The same, with a certificate of this name.
    pub(crate) async fn named(
        name: &str,
        moods: impl IntoIterator<Item = ServerBehavior>,
        features: &[&'static str],
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (certificate, tls) = self_signed(name);
        let notes =
            ServerLog { behaviors: moods.into_iter().collect(), features: features.to_vec(), ..ServerLog::default() };
        let notes = Arc::new(Mutex::new(notes));
        let kept = Arc::clone(&notes);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let mood = kept.lock().unwrap().behaviors.pop_front().unwrap_or(ServerBehavior::Accepts);
                let (wire, tls, notes) = (BufReader::new(Box::new(stream) as Wire), tls.clone(), Arc::clone(&kept));
                // A client may be gone in the middle of it.
                tokio::spawn(async move { drop(Connection { wire, tls, behavior: mood, log: notes }.serve().await) });
            }
        });
        Self { address, certificate, log: notes }
    }

    /// The commands that it has heard, without the lines of messages.
    pub(crate) fn commands(&self) -> Vec<String> {
        self.log.lock().unwrap().commands.clone()
    }

    /// The first words of those commands.
    pub(crate) fn command_verbs(&self) -> Vec<String> {
        self.commands().iter().map(|command| verb_of(command)).collect()
    }

    /// The messages that it has taken.
    pub(crate) fn received(&self) -> Vec<ReceivedMessage> {
        self.log.lock().unwrap().received.clone()
    }
}

/// A new certificate of a name, as PEM, and how to show it.
fn self_signed(name: &str) -> (String, TlsAcceptor) {
    let made = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![made.cert.der().clone()], key).unwrap();
    (made.cert.pem(), TlsAcceptor::from(Arc::new(config)))
}

trait DuplexStream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> DuplexStream for T {}
type Wire = Box<dyn DuplexStream>;

struct Connection {
    wire: BufReader<Wire>,
    tls: TlsAcceptor,
    behavior: ServerBehavior,
    log: Arc<Mutex<ServerLog>>,
}

impl Connection {
    async fn serve(mut self) -> std::io::Result<()> {
        match self.behavior {
            ServerBehavior::Silent => return self.read_line().await.map(drop),
            ServerBehavior::Tls => self = self.into_tls().await?,
            ServerBehavior::Accepts | ServerBehavior::HangsUp | ServerBehavior::RepliesWith(..) => {}
        }
        self.send_line("220 mail.example.org").await?;
        let mut message = ReceivedMessage::default();
        while let Some(command) = self.read_line().await? {
            self.log.lock().unwrap().commands.push(command.clone());
            let word = verb_of(&command);
            if let ServerBehavior::RepliesWith(to, answer) = self.behavior
                && to == word
            {
                self.behavior = ServerBehavior::Accepts;
                self.send_line(answer).await?;
                continue;
            }
            match word.as_str() {
                "EHLO" => self.greet().await?,
                "STARTTLS" => {
                    self.send_line("220 go on").await?;
                    self = self.into_tls().await?;
                }
                "AUTH" => self.send_line("235 2.7.0 welcome").await?,
                "MAIL" => {
                    message = ReceivedMessage { from: address_of(&command), ..ReceivedMessage::default() };
                    self.send_line("250 ok").await?;
                }
                "RCPT" => {
                    message.to.push(address_of(&command));
                    self.send_line("250 ok").await?;
                }
                "DATA" => {
                    self.send_line("354 go on").await?;
                    message.bytes = self.read_message().await?;
                    self.log.lock().unwrap().received.push(message.clone());
                    self.send_line("250 taken").await?;
                    if matches!(self.behavior, ServerBehavior::HangsUp) {
                        return Ok(());
                    }
                }
                "QUIT" => return self.send_line("221 bye").await,
                _ => self.send_line("502 what?").await?,
            }
        }
        Ok(())
    }

    /// The same connection under TLS.
    async fn into_tls(self) -> std::io::Result<Self> {
        let wire = self.tls.accept(self.wire.into_inner()).await?;
        Ok(Self { wire: BufReader::new(Box::new(wire)), ..self })
    }

    async fn greet(&mut self) -> std::io::Result<()> {
        let features = self.log.lock().unwrap().features.clone();
        for feature in features {
            self.send_line(&format!("250-{feature}")).await?;
        }
        self.send_line("250 8BITMIME").await
    }

    async fn send_line(&mut self, line: &str) -> std::io::Result<()> {
        self.wire.write_all(format!("{line}\r\n").as_bytes()).await?;
        self.wire.flush().await
    }

    /// A line without its end; `None` when the client has gone.
    async fn read_line(&mut self) -> std::io::Result<Option<String>> {
        let mut line = String::new();
        let read = self.wire.read_line(&mut line).await?;
        Ok((read > 0).then(|| line.trim_end_matches("\r\n").to_owned()))
    }

    /// The lines up to a lone dot; a dot that was put before another is taken away.
    async fn read_message(&mut self) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        while let Some(line) = self.read_line().await?.filter(|line| line != ".") {
            let line = line.strip_prefix('.').unwrap_or(&line);
            bytes.extend([line.as_bytes(), b"\r\n"].concat());
        }
        Ok(bytes)
    }
}

/// The first word of a command.
fn verb_of(command: &str) -> String {
    command.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase()
}

/// The address between angle brackets.
fn address_of(command: &str) -> String {
    let (_, rest) = command.split_once('<').unwrap();
    rest.split_once('>').unwrap().0.to_owned()
}
