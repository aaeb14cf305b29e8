//! A flood of log-ins beside sales.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use rustix::process::getpriority_process;
use serde_json::json;

use crate::buyers::request_order;
use crate::client::Client;
use crate::commands::kassa_serve;
use crate::sale::Sale;
use crate::server::Server;
use crate::waiting::{SetOnDrop, now, wait_for};

/// Log-ins at a time: more than are hashed at once, and no more than may wait.
const CONCURRENT_LOG_INS: usize = 64;
const BUYERS: usize = 4;
const ORDERS: usize = 100;
/// Each measures the calm and the flood one after the other, so that other work on the machine slows down both.
const ROUNDS: usize = 5;
/// The pace that must be left, relative to the calm one. On two idle cores more than 60 % are left, and 40 % have been
/// seen on a busy machine. Hashing all log-ins at once, at the same priority, leaves sales the share of one thread among
/// theirs, which is 2 %. The bound is a multiple away from both.
const RELATIVE_PACE_MIN: f64 = 0.16;
/// How much nicer than the rest of the server its hashing threads are, and the nicest that a thread can be.
const HASHING_NICENESS: i32 = 10;
const NICENESS_MAX: i32 = 19;
/// Memory of a process that hashes a few passwords at a time. Hashing all would take 1,200 MiB.
const MEMORY_MIB_MAX: u64 = 500;

/// Log-ins of many clients, each of whom tries again as soon as it is answered.
#[derive(Default)]
struct LogInFlood {
    is_over: AtomicBool,
    answered: AtomicUsize,
}

impl LogInFlood {
    /// Logs in with a wrong password until the flood is over.
    fn log_in(&self, server: &Server) {
        let client = Client::anonymous(&server.url);
        let wrong = json!({"email": "nobody@example.org", "password": "a guess"});
        while !self.is_over.load(Ordering::Relaxed) {
            assert_eq!(client.post("/v1/services/whoami", &wrong).status, 401);
            self.answered.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn answered(&self) -> usize {
        self.answered.load(Ordering::Relaxed)
    }
}

/// What one round has measured.
#[derive(Debug)]
struct Round {
    calm: Duration,
    flooded: Duration,
    /// Log-ins that were answered while the flooded orders were.
    log_ins: usize,
}

impl Round {
    fn measure(server: &Server, sale: &Sale) -> Self {
        let (calm, flood) = (measure_sale(server, sale), LogInFlood::default());
        thread::scope(|scope| {
            for _ in 0..CONCURRENT_LOG_INS {
                scope.spawn(|| flood.log_in(server));
            }
            let _over = SetOnDrop(&flood.is_over);
            wait_for("the flood has begun", || (flood.answered() >= CONCURRENT_LOG_INS / 4).then_some(()));
            assert_hashing_has_low_priority(server);
            let before = flood.answered();
            let flooded = measure_sale(server, sale);
            Self { calm, flooded, log_ins: flood.answered() - before }
        })
    }

    fn relative_pace(&self) -> f64 {
        self.calm.as_secs_f64() / self.flooded.as_secs_f64()
    }
}

/// How long some buyers take for their orders.
fn measure_sale(server: &Server, sale: &Sale) -> Duration {
    let (start, left) = (now(), AtomicUsize::new(ORDERS));
    thread::scope(|scope| {
        for _ in 0..BUYERS {
            scope.spawn(|| {
                let client = sale.client(server);
                while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
                    assert_eq!(request_order(&client, sale, 1, true).unwrap().status, 201);
                }
            });
        }
    });
    start.elapsed()
}

/// Waits until a thread that hashes a password has the priority that it shall have.
#[track_caller]
fn assert_hashing_has_low_priority(server: &Server) {
    // The server was started with the niceness of this test.
    let expected = (getpriority_process(None).unwrap() + HASHING_NICENESS).min(NICENESS_MAX);
    wait_for("passwords are hashed at a low priority", || hashing_niceness(server).contains(&expected).then_some(()));
}

/// The niceness of each thread that hashes a password now.
fn hashing_niceness(server: &Server) -> Vec<i32> {
    let threads = fs::read_dir(server.process_id().proc_folder().join("task")).unwrap();
    let niceness = threads.filter_map(|thread| {
        // "tid (name) state …": the niceness is the nineteenth field. The thread may have ended since.
        let stat = fs::read_to_string(thread.unwrap().path().join("stat")).ok()?;
        let (_, rest) = stat.split_once("(password) ")?;
        rest.split_whitespace().nth(16)?.parse().ok()
    });
    niceness.collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
fn a_flood_of_log_ins_leaves_sales_their_pace() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = kassa_serve(folder.path());
    let server = Server::run(command.env("KASSA_RATE_LIMIT", "off"));
    let sale = Sale::open(&server, 10_000);
    measure_sale(&server, &sale);
    let rounds: Vec<Round> = (0..ROUNDS).map(|_| Round::measure(&server, &sale)).collect();
    let pace = median(rounds.iter().map(Round::relative_pace).collect());
    let figures = format!("{:.0} % of the pace: {rounds:?}", pace * 100.0);
    println!("{figures}");
    assert!(pace > RELATIVE_PACE_MIN, "{figures}");
    assert!(rounds.iter().any(|round| round.log_ins > 0), "people can still log in: {figures}");
    let memory_mib = server.process_id().memory_bytes_max() / 1024 / 1024;
    assert!(memory_mib < MEMORY_MIB_MAX, "{memory_mib} MiB");
    server.stop();
}
