//! Those who attack: many connections at a time, each of which asks again as soon as it is answered.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddrV4, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use rustix::process::setpriority_process;

use super::connection::{Connection, Request};
use crate::waiting::{SetOnDrop, now, wait_for};

/// How many attack at the same time.
pub(super) const CONNECTIONS: usize = 32;
/// All of them at one address; a tenant that sells is at another.
pub(super) const ONE_ADDRESS: &[Ipv4Addr] = &[Ipv4Addr::LOCALHOST];
/// Several machines of one attacker.
pub(super) const EIGHT_ADDRESSES: &[Ipv4Addr] = &{
    let mut addresses = [Ipv4Addr::LOCALHOST; 8];
    let mut at = 0_u8;
    while at < 8 {
        addresses[at as usize] = Ipv4Addr::new(127, 0, 1, 1 + at);
        at += 1;
    }
    addresses
};
/// Attackers have machines of their own; here they take the processors that are left.
const NICENESS: i32 = 19;
/// How long somebody waits who was not let in.
const RECONNECT_DELAY: Duration = Duration::from_millis(10);
/// How long somebody waits for an answer who does not want it: so long that it is begun.
const PATIENCE: Duration = Duration::from_millis(5);
/// How often somebody who reads nothing looks whether it was cut off.
const UNREAD_POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How long an answer stays unread, unless the server has had enough before.
const UNREAD_TIME: Duration = Duration::from_secs(5);

/// What all of them share.
pub(super) struct Attackers {
    server: SocketAddrV4,
    is_over: AtomicBool,
    started: AtomicUsize,
    /// What each of them reads from now, to be interrupted at the end.
    streams: Vec<Mutex<Option<TcpStream>>>,
    outcomes: Mutex<BTreeMap<String, usize>>,
}

/// One of them.
pub(super) struct Attacker<'a> {
    all: &'a Attackers,
    /// Its place among all.
    pub(super) index: usize,
    /// How often it has attacked.
    pub(super) round: usize,
    address: Ipv4Addr,
    connection: Option<Connection>,
}

impl Attackers {
    /// Attacks until `meanwhile` is done; what it gave, and how the attackers were answered.
    pub(super) fn run<T>(
        server: SocketAddrV4,
        addresses: &[Ipv4Addr],
        attack: &(impl Fn(&mut Attacker<'_>) + Sync),
        meanwhile: impl FnOnce() -> T,
    ) -> (T, BTreeMap<String, usize>) {
        let all = Self {
            server,
            is_over: AtomicBool::new(false),
            started: AtomicUsize::new(0),
            streams: (0..CONNECTIONS).map(|_| Mutex::new(None)).collect(),
            outcomes: Mutex::default(),
        };
        let done = thread::scope(|scope| {
            for index in 0..CONNECTIONS {
                let address = addresses[index % addresses.len()];
                let attacker = Attacker { all: &all, index, round: 0, address, connection: None };
                scope.spawn(move || attacker.run(attack));
            }
            let _over = InterruptOnDrop(&all);
            wait_for("all attack", || (all.started.load(Ordering::Relaxed) == CONNECTIONS).then_some(()));
            meanwhile()
        });
        (done, all.outcomes.into_inner().unwrap())
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    fn count(&self, outcome: String) {
        *self.outcomes.lock().unwrap().entry(outcome).or_default() += 1;
    }
}

/// Ends the attack also if the test fails.
struct InterruptOnDrop<'a>(&'a Attackers);

impl Drop for InterruptOnDrop<'_> {
    fn drop(&mut self) {
        drop(SetOnDrop(&self.0.is_over));
        for stream in self.0.streams.iter().filter_map(|stream| stream.lock().ok()?.take()) {
            // It fails where the server has closed it already.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Attacker<'_> {
    fn run(mut self, attack: &impl Fn(&mut Self)) {
        // On Linux the niceness is that of the thread.
        setpriority_process(None, NICENESS).unwrap();
        self.all.started.fetch_add(1, Ordering::Relaxed);
        while !self.all.is_over() {
            attack(&mut self);
            self.round += 1;
        }
    }

    /// Sends a request, and reads the answer to its end.
    pub(super) fn request(&mut self, request: &Request) {
        let mut keep_open = false;
        let answered = self.connected().and_then(|connection| {
            connection.send(&request.bytes())?;
            connection.read_response(&mut io::sink())
        });
        match answered {
            Ok(response) => {
                keep_open = !response.closes;
                self.all.count(response.status.to_string());
            }
            Err(_) if self.all.is_over() => {}
            Err(error) => {
                self.all.count(error.kind().to_string());
                thread::sleep(RECONNECT_DELAY);
            }
        }
        if !keep_open {
            self.connection = None;
        }
    }

    /// Sends a request, and is gone before it is answered.
    pub(super) fn request_and_leave(&mut self, request: &Request) {
        let sent = Connection::open(self.all.server, self.address).and_then(|connection| {
            connection.send(&request.bytes())?;
            thread::sleep(PATIENCE);
            Ok(())
        });
        match sent {
            Ok(()) => self.all.count("left".to_owned()),
            Err(error) => {
                self.all.count(error.kind().to_string());
                thread::sleep(RECONNECT_DELAY);
            }
        }
    }

    /// Sends a request so many times, reads nothing of the answers, and waits for some seconds or until it is cut off.
    pub(super) fn request_and_read_nothing(&mut self, request: &Request, times: usize) {
        let sent = Connection::open_unread(self.all.server, self.address).and_then(|connection| {
            connection.send(&request.bytes().repeat(times))?;
            Ok(connection)
        });
        match sent {
            Ok(connection) => self.wait_unread(&connection),
            Err(error) => {
                self.all.count(error.kind().to_string());
                thread::sleep(RECONNECT_DELAY);
            }
        }
    }

    fn wait_unread(&self, connection: &Connection) {
        let start = now();
        while !self.all.is_over() {
            if start.elapsed() > UNREAD_TIME {
                return self.all.count("left unread".to_owned());
            }
            if !matches!(connection.stream().take_error(), Ok(None)) {
                return self.all.count("cut off".to_owned());
            }
            thread::sleep(UNREAD_POLL_INTERVAL);
        }
    }

    /// Sends heads, on so many connections, and then a byte of each body at a time, until the attack is over or the
    /// server has had enough of all.
    pub(super) fn drip(&mut self, head: &[u8], connections: usize, pause: Duration) {
        let started = (0..connections).map_while(|_| {
            let connection = self.open_idle()?;
            connection.send(head).ok()?;
            Some(connection)
        });
        let mut slow: Vec<Connection> = started.collect();
        while !slow.is_empty() && !self.is_over() {
            thread::sleep(pause);
            slow.retain(|connection| connection.is_open() && connection.send(b"x").is_ok());
        }
    }

    /// One more connection, on which nothing is said yet.
    pub(super) fn open_idle(&self) -> Option<Connection> {
        match Connection::open(self.all.server, self.address) {
            Ok(connection) => {
                self.all.count("opened".to_owned());
                Some(connection)
            }
            Err(error) => {
                self.all.count(error.kind().to_string());
                None
            }
        }
    }

    /// Whether the attack is over.
    pub(super) fn is_over(&self) -> bool {
        self.all.is_over()
    }

    fn connected(&mut self) -> io::Result<&mut Connection> {
        let connection = if let Some(connection) = self.connection.take() {
            connection
        } else {
            let connection = Connection::open(self.all.server, self.address)?;
            *self.all.streams[self.index].lock().unwrap() = Some(connection.stream().try_clone()?);
            // Whoever ends the attack has interrupted what it saw before.
            if self.all.is_over() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            connection
        };
        Ok(self.connection.insert(connection))
    }
}
