//! A service manager such as systemd: what it is told, and sockets that it keeps.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::OwnedFd;
use std::os::linux::fs::MetadataExt as _;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use kassa_store::sqlite::scratch::migrate_to_next_step;

use crate::client::Client;
use crate::commands::{kassa_serve, older_program, run_by, wait_for_output};
use crate::server::Server;
use crate::waiting::{SetOnDrop, WAIT_TIMEOUT, now, wait_for};

/// The end of a manager.
struct Manager {
    socket: UnixDatagram,
    folder: tempfile::TempDir,
}

impl Manager {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = UnixDatagram::bind(folder.path().join("notify")).unwrap();
        socket.set_read_timeout(Some(WAIT_TIMEOUT)).unwrap();
        Self { socket, folder }
    }

    /// A command whose state it follows.
    fn follow<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("NOTIFY_SOCKET", self.folder.path().join("notify"))
    }

    /// The next that it is told, as variables.
    #[track_caller]
    fn next(&self) -> BTreeMap<String, String> {
        let mut bytes = [0; 4_096];
        let length = self.socket.recv(&mut bytes).unwrap();
        let text = String::from_utf8(bytes[..length].to_vec()).unwrap();
        text.lines()
            .map(|line| line.split_once('=').unwrap())
            .map(|(name, value)| (name.into(), value.into()))
            .collect()
    }

    /// Waits until it is told this.
    #[track_caller]
    fn expect(&self, name: &str) -> BTreeMap<String, String> {
        let start = now();
        loop {
            let told = self.next();
            if told.get(name).is_some_and(|value| value == "1") {
                return told;
            }
            assert!(start.elapsed() < WAIT_TIMEOUT, "{name} is not told");
        }
    }
}

#[test]
fn a_manager_is_told_of_start_reload_and_stop() {
    let manager = Manager::new();
    let file = manager.folder.path().join("kassa.toml");
    fs::write(&file, "limit-registrations = 1\nlog = 'info'\n").unwrap();
    let mut serve = kassa_serve(&manager.folder.path().join("data"));
    manager.follow(serve.env("KASSA_CONFIG", &file));
    let mut server = Server::run(&mut serve);
    assert_eq!(manager.next(), BTreeMap::from([("READY".to_owned(), "1".to_owned())]));
    Client::anonymous(&server.ops).get("/readyz").success_body();
    let client = Client::anonymous(&server.url);
    let register = |name: &str| {
        let body = serde_json::json!({"email": format!("{name}@example.org"), "password": "correct horse"});
        client.post("/v1/resources/users", &body).status
    };
    assert_eq!((register("anna"), register("bob")), (201, 429));

    let clock = |told: &BTreeMap<String, String>| told["MONOTONIC_USEC"].parse::<u64>().unwrap();
    fs::write(&file, "limit-registrations = 'off'\nlog = 'debug'\nshop-name = 'New'\n").unwrap();
    server.process_id().hang_up();
    let first = clock(&manager.expect("RELOADING"));
    manager.expect("READY");
    assert_eq!(register("carol"), 201);
    let logged = |part: &str| server.log().iter().any(|line| line.contains(part));
    wait_for("what was changed is logged", || logged("the settings were reloaded changed=3").then_some(()));
    assert!(logged(r#"a setting was changed setting="limit-registrations" from="1" to="off""#), "{:?}", server.log());
    assert!(logged(r#"a setting was changed, and needs a restart setting="shop-name" from="Kassa" to="New""#));
    wait_for("more is logged", || logged(" DEBUG ").then_some(()));

    // What cannot be understood changes nothing.
    fs::write(&file, "limit-registrations = 'many'\n").unwrap();
    server.process_id().hang_up();
    assert!(clock(&manager.expect("RELOADING")) >= first);
    manager.expect("READY");
    wait_for("the mistake is logged", || {
        let line = format!("{}:1: limit-registrations: must be a number", file.display());
        server.log().iter().any(|logged| logged.contains(&line)).then_some(())
    });
    assert_eq!(register("dora"), 201);

    server.process_id().terminate();
    manager.expect("STOPPING");
    assert_eq!(server.wait_for_exit().code(), Some(0), "{:?}", server.log());
}

#[test]
fn the_watchdog_hears_of_a_server_only_while_it_runs() {
    let manager = Manager::new();
    let mut serve = kassa_serve(&manager.folder.path().join("data"));
    manager.follow(serve.env("WATCHDOG_USEC", "400000"));
    let server = Server::run(&mut serve);
    manager.expect("READY");
    let start = now();
    for _ in 0..10 {
        manager.expect("WATCHDOG");
    }
    assert!(start.elapsed().as_millis() >= 400, "signs of life come in time, not all the time");
    server.process_id().freeze();
    wait_for("it says nothing more", || {
        manager.socket.set_read_timeout(Some(std::time::Duration::from_millis(800))).unwrap();
        let silent = manager.socket.recv(&mut [0; 64]);
        silent.is_err_and(|error| error.kind() == ErrorKind::WouldBlock).then_some(())
    });
    server.process_id().thaw();
    manager.expect("WATCHDOG");
    server.stop();
    let other = Manager::new();
    let mut serve = kassa_serve(&other.folder.path().join("data"));
    other.follow(serve.env("WATCHDOG_USEC", "1000").env("WATCHDOG_PID", "1"));
    let server = Server::run(&mut serve);
    server.process_id().terminate();
    assert_eq!([other.next(), other.next()].map(|told| told.into_keys().next().unwrap()), ["READY", "STOPPING"]);
}

#[test]
fn the_journal_knows_the_time_itself() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("journal");
    let file = fs::File::create(&log).unwrap();
    let meta = file.metadata().unwrap();
    let mut serve = kassa_serve(&folder.path().join("data"));
    serve.env("JOURNAL_STREAM", format!("{}:{}", meta.st_dev(), meta.st_ino())).stderr(file);
    let mut process = serve.spawn().unwrap();
    let ready = wait_for("it is ready", || {
        fs::read_to_string(&log).unwrap().lines().find(|line| line.contains("Kassa is ready")).map(str::to_owned)
    });
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(ready.trim_start().starts_with("INFO "), "{ready}");
}

/// A server that gets this socket, as systemd hands it over.
fn with_socket(command: &Command, listener: &TcpListener, names: &str) -> Command {
    // The shell moves it to where it is looked for, and tells its own number, which stays that of the server.
    let script = r#"exec 3<&0 0</dev/null; LISTEN_FDS=1 LISTEN_PID=$$ exec "$@""#;
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", script, "sh"]).arg(command.get_program()).args(command.get_args()).env_clear();
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?)))).env("LISTEN_FDNAMES", names);
    let socket: OwnedFd = listener.try_clone().unwrap().into();
    shell.stdin(Stdio::from(socket)).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell
}

fn start_with_socket(data: &Path, listener: &TcpListener) -> Server {
    Server::run(&mut with_socket(&kassa_serve(data), listener, "http"))
}

#[test]
fn a_socket_is_taken_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    for (names, is_http) in [("http", true), ("kassa.socket", true), ("", true), ("ops", false)] {
        let server = Server::run(&mut with_socket(&kassa_serve(folder.path()), &listener, names));
        let (passed, own) = if is_http { (&server.url, &server.ops) } else { (&server.ops, &server.url) };
        assert_eq!(*passed, format!("http://{address}"), "{names}");
        assert_ne!(*own, format!("http://{address}"), "{names}");
        server.stop();
    }
    // What is no listener is none.
    let datagrams = UdpSocket::bind("127.0.0.1:0").unwrap();
    let mut wrong = with_socket(&kassa_serve(folder.path()), &listener, "http");
    let process = wrong.stdin(Stdio::from(OwnedFd::from(datagrams))).spawn().unwrap();
    wait_for_output(process).assert_failed_naming(&["the service manager passes http"]);
}

#[test]
fn a_restart_under_load_refuses_no_request() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = start_with_socket(folder.path(), &listener);
    restart_under_load(server, folder.path(), &listener, || {});
}

/// Where `KASSA_OLDER_PROGRAM` names one, a server of an older release is followed by servers of this one. Otherwise the
/// schema is brought further than this release knows while its server runs, and further servers of it start on that.
#[test]
fn a_change_of_the_release_under_load_refuses_no_request() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (older, serve) = (older_program(), kassa_serve(folder.path()));
    let first = older.as_ref().map(|program| run_by(program, &serve)).unwrap_or(serve);
    let first = Server::run(&mut with_socket(&first, &listener, "http"));
    restart_under_load(first, folder.path(), &listener, || {
        if older.is_none() {
            let next =
                "ALTER TABLE events ADD COLUMN next_note TEXT; CREATE TABLE next_things (id INTEGER PRIMARY KEY)";
            migrate_to_next_step(&folder.path().join("kassa.db"), next).unwrap();
        }
    });
}

/// Starts servers anew on a socket that stays, while clients ask; something happens before each start.
fn restart_under_load(mut server: Server, data: &Path, listener: &TcpListener, before_each: impl Fn()) {
    let address = listener.local_addr().unwrap();
    let (stop, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        let kinds: [fn(SocketAddr, &AtomicBool, &AtomicUsize); 4] = [ask_anew, keep_asking, ask_anew, keep_asking];
        let clients = kinds.map(|ask| {
            let (stop, answered) = (&stop, &answered);
            scope.spawn(move || ask(address, stop, answered))
        });
        let stop_clients = SetOnDrop(&stop);
        for _ in 0..3 {
            let before = answered.load(Ordering::Relaxed);
            wait_for("requests are answered", || (answered.load(Ordering::Relaxed) > before + 200).then_some(()));
            before_each();
            server.process_id().terminate();
            assert_eq!(server.wait_for_exit().code(), Some(0), "{:?}", server.log());
            server.assert_no_errors_logged();
            server = start_with_socket(data, listener);
        }
        let before = answered.load(Ordering::Relaxed);
        wait_for("requests are answered", || (answered.load(Ordering::Relaxed) > before + 200).then_some(()));
        drop(stop_clients);
        for client in clients {
            client.join().unwrap();
        }
    });
    server.stop();
}

const REQUEST: &str = "GET /v1/resources/events HTTP/1.1\r\nHost: kassa\r\n";

/// Asks on a new connection each time.
fn ask_anew(address: SocketAddr, stop: &AtomicBool, answered: &AtomicUsize) {
    while !stop.load(Ordering::Relaxed) {
        let mut stream = open(address);
        stream.write_all(format!("{REQUEST}Connection: close\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer:?}");
        answered.fetch_add(1, Ordering::Relaxed);
    }
}

/// Asks on the same connection until the server says that it closes it.
fn keep_asking(address: SocketAddr, stop: &AtomicBool, answered: &AtomicUsize) {
    let mut stream = open(address);
    while !stop.load(Ordering::Relaxed) {
        stream.write_all(format!("{REQUEST}\r\n").as_bytes()).unwrap();
        let head = read_answer(&mut stream);
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head:?}");
        answered.fetch_add(1, Ordering::Relaxed);
        if head.to_ascii_lowercase().contains("connection: close") {
            stream = open(address);
        }
    }
}

fn open(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(WAIT_TIMEOUT)).unwrap();
    stream
}

/// The head of an answer, when its body was read, too.
fn read_answer(stream: &mut TcpStream) -> String {
    let (mut answer, mut piece) = (Vec::new(), [0; 4_096]);
    loop {
        let length = stream.read(&mut piece).unwrap();
        assert!(length > 0, "the connection ends within an answer: {:?}", String::from_utf8_lossy(&answer));
        answer.extend_from_slice(&piece[..length]);
        let text = String::from_utf8_lossy(&answer).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let expected = head.to_ascii_lowercase();
        let expected = expected.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if expected == Some(body.len()) {
            return format!("{head}\r\n\r\n");
        }
    }
}
