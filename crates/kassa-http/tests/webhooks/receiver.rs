//! A receiver that answers as a test says, and keeps what it gets.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A message as it came.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

impl Received {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// What changed, and which of its changes it was: `order.paid 2`.
    pub(crate) fn change(&self) -> String {
        let body = self.json();
        format!("{} {}", body["type"].as_str().unwrap(), body["resource"]["version"])
    }
}

/// Says with which status a message is answered, and with which further headers.
type Answer = dyn Fn(&Received) -> (u16, String) + Send + Sync;

#[derive(Clone)]
pub(crate) struct Receiver {
    pub(crate) url: String,
    pub(crate) address: String,
    state: Arc<State>,
}

struct State {
    received: Mutex<Vec<Received>>,
    answer: Mutex<Arc<Answer>>,
    /// How many messages came.
    came: watch::Sender<usize>,
    /// Whether messages are answered, or wait.
    answers: watch::Sender<bool>,
}

impl Receiver {
    /// One that accepts everything.
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let state = Arc::new(State {
            received: Mutex::default(),
            answer: Mutex::new(Arc::new(|_| (200, String::new()))),
            came: watch::Sender::new(0),
            answers: watch::Sender::new(true),
        });
        let kept = Arc::clone(&state);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let state = Arc::clone(&kept);
                // A client may be gone in the middle of it.
                tokio::spawn(async move { drop(serve(stream, &state).await) });
            }
        });
        Self { url: format!("http://{address}/hooks"), address, state }
    }

    /// From now on it answers so.
    pub(crate) fn answer_by(&self, answer: impl Fn(&Received) -> (u16, String) + Send + Sync + 'static) {
        *self.state.answer.lock().unwrap() = Arc::new(answer);
    }

    /// From now on it answers everything with this status.
    pub(crate) fn answer(&self, status: u16) {
        self.answer_by(move |_| (status, String::new()));
    }

    /// From now on no message is answered, or those that wait and all others are.
    pub(crate) fn hold_answers(&self, holds: bool) {
        self.state.answers.send_replace(!holds);
    }

    /// Waits until so many messages have come since the receiver was started.
    pub(crate) async fn has_received(&self, count: usize) {
        self.state.came.subscribe().wait_for(|came| *came >= count).await.unwrap();
    }

    /// What came since the last call, in turn.
    pub(crate) fn take(&self) -> Vec<Received> {
        std::mem::take(&mut self.state.received.lock().unwrap())
    }

    /// The same, in short.
    pub(crate) fn take_changes(&self) -> Vec<String> {
        self.take().iter().map(Received::change).collect()
    }
}

async fn serve(stream: TcpStream, state: &State) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    while let Some(received) = read(&mut stream).await? {
        let answer = Arc::clone(&state.answer.lock().unwrap());
        let (status, headers) = answer(&received);
        state.received.lock().unwrap().push(received);
        state.came.send_modify(|came| *came += 1);
        let mut answers = state.answers.subscribe();
        answers.wait_for(|answers| *answers).await.map_err(io::Error::other)?;
        let head = format!("HTTP/1.1 {status} X\r\nContent-Length: 2\r\n{headers}\r\nok");
        stream.write_all(head.as_bytes()).await?;
        stream.flush().await?;
    }
    Ok(())
}

async fn read(stream: &mut BufReader<TcpStream>) -> io::Result<Option<Received>> {
    let (mut headers, mut line) = (BTreeMap::new(), String::new());
    if stream.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    loop {
        line.clear();
        stream.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let mut body = vec![0; headers["content-length"].parse().unwrap()];
    stream.read_exact(&mut body).await?;
    Ok(Some(Received { headers, body: String::from_utf8(body).unwrap() }))
}
