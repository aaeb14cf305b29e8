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
pub(crate) enum Mood {
    /// It takes the message.
    Kind,
    /// It answers the first command that begins with this word by that line.
    Answers(&'static str, &'static str),
    /// It takes the message and hangs up without a good-bye.
    HangsUp,
    /// It says nothing at all.
    Silent,
    /// It speaks TLS from the first byte.
    Secret,
}

/// A message as it was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) from: String,
    pub(crate) to: Vec<String>,
    pub(crate) bytes: Vec<u8>,
}

#[derive(Default)]
struct Notes {
    moods: VecDeque<Mood>,
    /// What it says that it can do.
    features: Vec<&'static str>,
    commands: Vec<String>,
    taken: Vec<Taken>,
}

pub(crate) struct SmtpServer {
    pub(crate) address: SocketAddr,
    /// The certificate that it shows, as PEM.
    pub(crate) certificate: String,
    notes: Arc<Mutex<Notes>>,
}

impl SmtpServer {
    /// Meets connections in these moods, in their order, and all others kindly.
    pub(crate) async fn start(moods: impl IntoIterator<Item = Mood>, features: &[&'static str]) -> Self {
        Self::named("127.0.0.1", moods, features).await
    }

    /// The same, with a certificate of this name.
    pub(crate) async fn named(name: &str, moods: impl IntoIterator<Item = Mood>, features: &[&'static str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (certificate, tls) = certified(name);
        let notes = Notes { moods: moods.into_iter().collect(), features: features.to_vec(), ..Notes::default() };
        let notes = Arc::new(Mutex::new(notes));
        let kept = Arc::clone(&notes);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let mood = kept.lock().unwrap().moods.pop_front().unwrap_or(Mood::Kind);
                let (wire, tls, notes) = (BufReader::new(Box::new(stream) as Wire), tls.clone(), Arc::clone(&kept));
                // A client may be gone in the middle of it.
                tokio::spawn(async move { drop(Connection { wire, tls, mood, notes }.serve().await) });
            }
        });
        Self { address, certificate, notes }
    }

    /// The commands that it has heard, without the lines of messages.
    pub(crate) fn commands(&self) -> Vec<String> {
        self.notes.lock().unwrap().commands.clone()
    }

    /// The first words of those commands.
    pub(crate) fn words(&self) -> Vec<String> {
        self.commands().iter().map(|command| word(command)).collect()
    }

    /// The messages that it has taken.
    pub(crate) fn taken(&self) -> Vec<Taken> {
        self.notes.lock().unwrap().taken.clone()
    }
}

/// A new certificate of a name, as PEM, and how to show it.
fn certified(name: &str) -> (String, TlsAcceptor) {
    let made = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![made.cert.der().clone()], key).unwrap();
    (made.cert.pem(), TlsAcceptor::from(Arc::new(config)))
}

trait Bytes: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Bytes for T {}
type Wire = Box<dyn Bytes>;

struct Connection {
    wire: BufReader<Wire>,
    tls: TlsAcceptor,
    mood: Mood,
    notes: Arc<Mutex<Notes>>,
}

impl Connection {
    async fn serve(mut self) -> std::io::Result<()> {
        match self.mood {
            Mood::Silent => return self.line().await.map(drop),
            Mood::Secret => self = self.secret().await?,
            Mood::Kind | Mood::HangsUp | Mood::Answers(..) => {}
        }
        self.say("220 mail.example.org").await?;
        let mut message = Taken::default();
        while let Some(command) = self.line().await? {
            self.notes.lock().unwrap().commands.push(command.clone());
            let word = word(&command);
            if let Mood::Answers(to, answer) = self.mood
                && to == word
            {
                self.mood = Mood::Kind;
                self.say(answer).await?;
                continue;
            }
            match word.as_str() {
                "EHLO" => self.greet().await?,
                "STARTTLS" => {
                    self.say("220 go on").await?;
                    self = self.secret().await?;
                }
                "AUTH" => self.say("235 2.7.0 welcome").await?,
                "MAIL" => {
                    message = Taken { from: address(&command), ..Taken::default() };
                    self.say("250 ok").await?;
                }
                "RCPT" => {
                    message.to.push(address(&command));
                    self.say("250 ok").await?;
                }
                "DATA" => {
                    self.say("354 go on").await?;
                    message.bytes = self.message().await?;
                    self.notes.lock().unwrap().taken.push(message.clone());
                    self.say("250 taken").await?;
                    if matches!(self.mood, Mood::HangsUp) {
                        return Ok(());
                    }
                }
                "QUIT" => return self.say("221 bye").await,
                _ => self.say("502 what?").await?,
            }
        }
        Ok(())
    }

    /// The same connection under TLS.
    async fn secret(self) -> std::io::Result<Self> {
        let wire = self.tls.accept(self.wire.into_inner()).await?;
        Ok(Self { wire: BufReader::new(Box::new(wire)), ..self })
    }

    async fn greet(&mut self) -> std::io::Result<()> {
        let features = self.notes.lock().unwrap().features.clone();
        for feature in features {
            self.say(&format!("250-{feature}")).await?;
        }
        self.say("250 8BITMIME").await
    }

    async fn say(&mut self, line: &str) -> std::io::Result<()> {
        self.wire.write_all(format!("{line}\r\n").as_bytes()).await?;
        self.wire.flush().await
    }

    /// A line without its end; `None` when the client has gone.
    async fn line(&mut self) -> std::io::Result<Option<String>> {
        let mut line = String::new();
        let read = self.wire.read_line(&mut line).await?;
        Ok((read > 0).then(|| line.trim_end_matches("\r\n").to_owned()))
    }

    /// The lines up to a lone dot; a dot that was put before another is taken away.
    async fn message(&mut self) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        while let Some(line) = self.line().await?.filter(|line| line != ".") {
            let line = line.strip_prefix('.').unwrap_or(&line);
            bytes.extend([line.as_bytes(), b"\r\n"].concat());
        }
        Ok(bytes)
    }
}

/// The first word of a command.
fn word(command: &str) -> String {
    command.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase()
}

/// The address between angle brackets.
fn address(command: &str) -> String {
    let (_, rest) = command.split_once('<').unwrap();
    rest.split_once('>').unwrap().0.to_owned()
}
