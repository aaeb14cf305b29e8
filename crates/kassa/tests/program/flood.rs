//! A flood of log-ins beside sales.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::buyers::request_order;
use crate::client::Client;
use crate::commands::kassa_serve;
use crate::sale::Sale;
use crate::server::Server;
use crate::waiting::{now, wait_for};

/// Log-ins at a time: more than are hashed at once, and no more than may wait.
const CONCURRENT_LOG_INS: usize = 64;
const BUYERS: usize = 4;
const ORDERS: usize = 400;
const ROUNDS: usize = 3;
/// What is left of the pace. Hashing 64 at once, on threads that do not give way, leaves a fiftieth.
const RELATIVE_PACE_MIN: f64 = 0.4;
/// Memory of a process that hashes a few passwords at a time. Hashing all would take 1,200 MiB.
const MEMORY_MIB_MAX: u64 = 500;

/// How long a crowd takes for its orders.
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

/// Logs in as nobody until it shall stop.
fn log_in_until_stopped(server: &Server, (stop, tried): (&AtomicBool, &AtomicUsize)) {
    let client = Client::anonymous(&server.url);
    let nobody = json!({"email": "nobody@example.org", "password": "a guess"});
    while !stop.load(Ordering::Relaxed) {
        assert_eq!(client.post("/v1/services/whoami", &nobody).status, 401);
        tried.fetch_add(1, Ordering::Relaxed);
    }
}

/// How long they take while others log in all the time, and how many of these were answered.
fn measure_sale_in_flood(server: &Server, sale: &Sale) -> (Duration, usize) {
    let (stop, tried) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..CONCURRENT_LOG_INS {
            scope.spawn(|| log_in_until_stopped(server, (&stop, &tried)));
        }
        wait_for("the flood has begun", || (tried.load(Ordering::Relaxed) >= CONCURRENT_LOG_INS / 4).then_some(()));
        let before = tried.load(Ordering::Relaxed);
        let time = measure_sale(server, sale);
        let meanwhile = tried.load(Ordering::Relaxed) - before;
        stop.store(true, Ordering::Relaxed);
        (time, meanwhile)
    })
}

#[test]
fn a_flood_of_log_ins_leaves_sales_their_pace() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = kassa_serve(folder.path());
    let server = Server::run(command.env("KASSA_RATE_LIMIT", "off"));
    let sale = Sale::open(&server, 10_000);
    measure_sale(&server, &sale);
    let (mut calm, mut flooded, mut tried) = (Vec::new(), Vec::new(), 0);
    for _ in 0..ROUNDS {
        calm.push(measure_sale(&server, &sale));
        let (time, meanwhile) = measure_sale_in_flood(&server, &sale);
        flooded.push(time);
        tried += meanwhile;
    }
    let best = |times: &[Duration]| times.iter().min().unwrap().as_secs_f64();
    let pace = best(&calm) / best(&flooded);
    let figures = format!("{calm:?}, in the flood {flooded:?}, {tried} log-ins: {:.0} % of the pace", pace * 100.0);
    println!("{figures}");
    assert!(pace > RELATIVE_PACE_MIN, "{figures}");
    assert!(tried > 0, "people can still log in: {figures}");
    let memory_mib = memory_mib_max(&server);
    assert!(memory_mib < MEMORY_MIB_MAX, "{memory_mib} MiB");
    server.stop();
}

/// The most memory that the server has had.
fn memory_mib_max(server: &Server) -> u64 {
    let status = fs::read_to_string(server.process_id().status_file()).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
}
