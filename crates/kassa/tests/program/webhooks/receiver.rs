//! A server that takes messages, and may die now and then: before it has taken one, and after, without an answer.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::Value;

use crate::buyers::SeededRandom;
use crate::client::text;

/// What becomes of a message that comes for the first time.
#[derive(Clone, Copy)]
enum Fate {
    Accepted,
    /// The receiver dies before it has taken it.
    Lost,
    /// It dies once it has taken it, before it could say so.
    Unanswered,
    /// It has no time.
    Refused,
}

impl Fate {
    /// One of sixteen each, if there is a dice.
    fn roll(dice: Option<&mut SeededRandom>) -> Self {
        match dice.map_or(usize::MAX, |dice| dice.below(16)) {
            0 => Self::Lost,
            1 => Self::Unanswered,
            2 => Self::Refused,
            _ => Self::Accepted,
        }
    }
}

/// What one endpoint was told.
#[derive(Clone, Default)]
pub(crate) struct Told {
    /// The ids of all messages that were taken.
    pub(crate) ids: HashSet<String>,
    /// Of each resource the versions, in the order in which they were taken for the first time.
    pub(crate) versions: BTreeMap<String, Vec<u64>>,
}

impl Told {
    fn take(&mut self, message: &Value) {
        if self.ids.insert(text(&message["id"])) {
            let resource = &message["resource"];
            let version = resource["version"].as_u64().unwrap();
            self.versions.entry(text(&resource["id"])).or_default().push(version);
        }
    }
}

/// A receiver, until the test ends.
pub(crate) struct Receiver {
    pub(crate) url: String,
    state: Arc<Mutex<State>>,
}

struct State {
    /// Without it, all is well.
    dice: Option<SeededRandom>,
    /// What was told on each path.
    told: BTreeMap<String, Told>,
    /// Messages that have come before, on whatever path: their fate was another then.
    seen: HashSet<String>,
}

impl Receiver {
    /// One that dies now and then, as a seed says.
    pub(crate) fn dying(seed: u32) -> Self {
        Self::start(Some(SeededRandom(seed)))
    }

    /// One that takes everything.
    pub(crate) fn reliable() -> Self {
        Self::start(None)
    }

    fn start(dice: Option<SeededRandom>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = State { dice, told: BTreeMap::new(), seen: HashSet::new() };
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        // It ends with the process of the test.
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let state = Arc::clone(&shared);
                // A sender that is killed breaks off wherever it is.
                thread::spawn(move || serve(stream, &state));
            }
        });
        Self { url, state }
    }

    /// Whether the endpoint with this path was told of a resource.
    pub(crate) fn has_told(&self, path: &str, resource: &str) -> bool {
        self.state.lock().unwrap().told.get(path).is_some_and(|told| told.versions.contains_key(resource))
    }

    /// What the endpoint with this path was told so far.
    pub(crate) fn told(&self, path: &str) -> Told {
        self.state.lock().unwrap().told.get(path).cloned().unwrap_or_default()
    }
}

fn serve(stream: TcpStream, state: &Mutex<State>) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    while let Some((path, body)) = read_request(&mut reader)? {
        let message: Value = serde_json::from_slice(&body)?;
        let mut state = state.lock().unwrap();
        let is_new = state.seen.insert(format!("{path} {}", message["id"]));
        let fate = if is_new { Fate::roll(state.dice.as_mut()) } else { Fate::Accepted };
        if matches!(fate, Fate::Accepted | Fate::Unanswered) {
            state.told.entry(path).or_default().take(&message);
        }
        drop(state);
        let status = match fate {
            Fate::Accepted => "204 No Content",
            Fate::Refused => "503 Service Unavailable",
            Fate::Lost | Fate::Unanswered => return Ok(()),
        };
        write!(reader.get_mut(), "HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n")?;
    }
    Ok(())
}

/// The path and the body of the next request; `None` at the end of the connection.
fn read_request(reader: &mut BufReader<TcpStream>) -> io::Result<Option<(String, Vec<u8>)>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut length = 0;
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().unwrap(),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some((path, body)))
}
