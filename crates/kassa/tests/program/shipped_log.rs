//! What is committed is kept elsewhere, too, and an installation is made of it as of any second.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::backup::{kassa_restore, run_successfully};
use crate::buyers::{request_order, sell_out};
use crate::client::{Client, text};
use crate::commands::{CommandOutput, kassa_admin, kassa_serve, run_command};
use crate::metrics::read_sample;
use crate::sale::{Organizer, Sale};
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;
use crate::verify::{assert_no_mismatch, kassa_verify};
use crate::waiting::{now, time_of_day, wait_for};

/// What may be lost with a disk.
const LOST_MAX: Duration = Duration::from_secs(1);
/// Orders that are on their way when a moment is noted: each buyer has one.
const UNDER_WAY_MAX: usize = 64;

/// A folder with an installation, and the place that its log is shipped to.
struct Shipped {
    folder: tempfile::TempDir,
    data: PathBuf,
    place: PathBuf,
}

impl Shipped {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [data, place] = ["data", "place"].map(|name| folder.path().join(name));
        fs::create_dir(&place).unwrap();
        Self { folder, data, place }
    }

    fn serve(&self) -> Command {
        let mut serve = kassa_serve(&self.data);
        serve.arg("--ship-log-to").arg(&self.place);
        serve
    }

    /// A server that ships its log, with a base.
    #[track_caller]
    fn start(&self) -> Server {
        let server = Server::run(&mut self.serve());
        wait_for("there is a base", || (sample(&server, "kassa_log_base_timestamp_seconds") > 0.0).then_some(()));
        server
    }

    fn restore(&self, to: &str, data: &Path) -> Command {
        let mut restore = kassa_restore(&self.place, data);
        restore.args(["--to", to]);
        restore
    }

    /// Restores it, and sees that all adds up.
    #[track_caller]
    fn restored(&self, to: &str, name: &str) -> (PathBuf, CommandOutput) {
        let new = self.folder.path().join(name);
        fs::create_dir(&new).unwrap();
        fs::copy(self.folder.path().join("secret"), new.join("secret")).unwrap();
        let ended = run_successfully(&mut self.restore(to, &new));
        assert_no_mismatch(&mut kassa_verify(&new));
        (new, ended)
    }

    fn keep_secret(&self) {
        fs::copy(self.data.join("secret"), self.folder.path().join("secret")).unwrap();
    }

    fn files(&self, ending: &str) -> Vec<PathBuf> {
        let paths = fs::read_dir(&self.place).unwrap().map(|entry| entry.unwrap().path());
        let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
        paths.sort();
        paths
    }
}

#[track_caller]
fn sample(server: &Server, name: &str) -> f64 {
    read_sample(&Client::anonymous(&server.ops), name).unwrap()
}

/// Waits until all that was answered before is shipped.
#[track_caller]
fn wait_until_shipped(server: &Server) {
    let before = time_of_day().as_duration().as_secs_f64();
    let name = "kassa_log_restorable_timestamp_seconds";
    wait_for("it is shipped", || (sample(server, name) > before).then_some(()));
}

/// How many orders were answered at some times.
#[derive(Default)]
struct Course(Vec<(jiff::Timestamp, usize)>);

impl Course {
    /// Notes it until so many were answered.
    fn note(&mut self, answered: &AtomicUsize, count: usize) {
        wait_for("orders are answered", || {
            let so_far = answered.load(Ordering::Acquire);
            self.0.push((time_of_day(), so_far));
            (so_far >= count).then_some(())
        });
    }

    fn at(&self, time: jiff::Timestamp) -> usize {
        self.0.iter().take_while(|(at, _)| *at <= time).last().map_or(0, |(_, count)| *count)
    }
}

#[test]
fn after_the_loss_of_a_disk_all_but_the_last_second_is_there_and_so_is_any_moment_before() {
    let shipped = Shipped::new();
    let server = shipped.start();
    shipped.keep_secret();
    let sale = Sale::open(&server, 60_000);
    let process = server.process_id();
    let (mut course, mut moment) = (Course::default(), time_of_day());
    let mut lost_at = moment;
    let bought = sell_out(&server, &sale, |answered| {
        let start = now();
        course.note(answered, 300);
        while start.elapsed() < 2 * LOST_MAX {
            course.note(answered, 0);
        }
        moment = time_of_day();
        let so_far = answered.load(Ordering::Acquire);
        while start.elapsed() < 4 * LOST_MAX {
            course.note(answered, 0);
        }
        course.note(answered, so_far + 300);
        lost_at = time_of_day();
        process.kill();
    });
    server.assert_killed();
    fs::remove_dir_all(&shipped.data).unwrap();

    let (latest, ended) = shipped.restored("latest", "latest");
    assert!(ended.stdout.contains("is as of 20"), "{ended:?}");
    let (earlier, _) = shipped.restored(&moment.to_string(), "earlier");
    let orders_in = |data: &Path| {
        let server = Server::start(data);
        let snapshot = SalesSnapshot::read(&server, &sale);
        snapshot.assert_consistent();
        request_order(&sale.client(&server), &sale, 1, false).unwrap().success_body();
        server.stop();
        snapshot.orders.len()
    };
    let (of_latest, of_earlier) = (orders_in(&latest), orders_in(&earlier));
    let second = jiff::SignedDuration::try_from(LOST_MAX).unwrap();
    let kept = course.at(lost_at - second);
    assert!(kept > 0 && of_latest >= kept && of_latest <= bought.len() + UNDER_WAY_MAX, "{kept} {of_latest}");
    let (before, until) = (course.at(moment - second), course.at(moment) + UNDER_WAY_MAX);
    assert!(before > 0 && (before..=until).contains(&of_earlier), "{before} {of_earlier} {until}");
    assert!(of_earlier < of_latest, "{of_earlier} {of_latest}");
}

#[test]
fn a_server_that_starts_anew_goes_on_and_what_was_done_without_one_begins_another_line() {
    let shipped = Shipped::new();
    let server = shipped.start();
    shipped.keep_secret();
    let sale = Sale::open(&server, 1_000);
    let order = |server: &Server| request_order(&sale.client(server), &sale, 1, true).unwrap().success_id();
    let mut orders = vec![order(&server)];
    server.stop();
    // After a stop, and after a death.
    for _ in 0..2 {
        let server = shipped.start();
        assert!(sample(&server, "kassa_log_lines_total") < 1.0, "it goes on: {:?}", server.log());
        orders.push(order(&server));
        wait_until_shipped(&server);
        orders.push(order(&server));
        server.process_id().kill();
        server.assert_killed();
    }
    assert_eq!(shipped.files("base").len(), 1);
    run_command(&mut kassa_admin(&shipped.data, ["create-user", "new@example.org"]), "secret-word\n").json_line();
    let server = shipped.start();
    assert!(sample(&server, "kassa_log_lines_total") > 0.0, "{:?}", server.log());
    orders.push(order(&server));
    server.stop();
    assert_eq!(shipped.files("base").len(), 2);

    let (data, _) = shipped.restored("latest", "new");
    let server = Server::start(&data);
    let found = SalesSnapshot::read(&server, &sale);
    let mut found: Vec<_> = found.orders.into_keys().collect();
    found.sort();
    orders.sort();
    assert_eq!(found, orders, "also those that were answered right before the end");
    server.stop();
}

#[test]
fn a_place_that_is_away_holds_up_no_sale_and_gets_all_when_it_is_back() {
    let shipped = Shipped::new();
    let server = shipped.start();
    shipped.keep_secret();
    let sale = Sale::open(&server, 2_000);
    let away = shipped.folder.path().join("away");
    let failures = || sample(&server, "kassa_log_shipping_failures_total");
    let bought = sell_out(&server, &sale, |answered| {
        wait_for("orders are answered", || (answered.load(Ordering::Acquire) >= 50).then_some(()));
        fs::rename(&shipped.place, &away).unwrap();
        let before = failures();
        wait_for("it was tried again", || (failures() >= before + 2.0).then_some(()));
    });
    assert!(!shipped.place.exists(), "a disk that is not mounted is not replaced by a folder");
    fs::rename(&away, &shipped.place).unwrap();
    wait_until_shipped(&server);
    let told = |text: &str| server.log().iter().filter(|line| line.contains(text)).count();
    wait_for("it is told that it is there again", || (told("the log can be shipped again") == 1).then_some(()));
    assert_eq!(told("the log is not shipped"), 1, "{:?}", server.log());
    assert!(sample(&server, "kassa_log_lines_total") < 2.0, "nothing was missed");
    server.stop();
    let (data, _) = shipped.restored("latest", "new");
    let server = Server::start(&data);
    let snapshot = SalesSnapshot::read(&server, &sale);
    snapshot.assert_consistent();
    assert_eq!(snapshot.orders.len(), bought.len());
    server.stop();
}

#[test]
fn what_cannot_be_restored_says_what_can_and_leaves_nothing() {
    let shipped = Shipped::new();
    let server = shipped.start();
    let organizer = Organizer::register(&server, "late@example.org");
    wait_until_shipped(&server);
    text(&organizer.new_key().into());
    server.stop();
    let new = shipped.folder.path().join("new");
    let fails = |to: &str, names: &[&str]| {
        run_command(&mut shipped.restore(to, &new), "").assert_failed_naming(names);
        assert!(!new.exists(), "what was made for it has gone with it");
    };
    fails("2020-01-01T00:00:00Z", &["the oldest moment that can be restored is 20"]);
    run_command(&mut shipped.restore("latest", &shipped.data), "").assert_failed_naming(&["a database already"]);
    let segments = shipped.files("pages");
    let last = segments.last().unwrap();
    let whole = fs::read(last).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(last, damaged).unwrap();
    fails("latest", &[last.file_name().unwrap().to_str().unwrap(), "damaged"]);
    fs::write(last, whole).unwrap();
    let before = &segments[segments.len() - 2];
    fs::rename(before, before.with_extension("lost")).unwrap();
    fails("latest", &["is missing: what can be restored ends at 20"]);
    fs::rename(before.with_extension("lost"), before).unwrap();
    run_successfully(&mut shipped.restore("latest", &new));
    let url = "postgres://kassa:hush@127.0.0.1:1/kassa";
    run_command(shipped.serve().env("KASSA_DATABASE", url), "").assert_failed_naming(&["--ship-log-to", "archive"]);
    let mut nowhere = kassa_restore(&shipped.data, &shipped.folder.path().join("other"));
    run_command(nowhere.args(["--to", "latest"]), "").assert_failed_naming(&["no log was shipped there"]);
}
