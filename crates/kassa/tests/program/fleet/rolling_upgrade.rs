//! Servers are upgraded under load, one after the other: programs of two releases work on one database, and the newer one
//! brings the schema further while the older one sells.
//!
//! No release knows the one after it. Usually today's program is the older one, and tomorrow's is played by a step of the
//! schema that today's does not know: so today's goes on, and may start anew, beside a release that only adds to the
//! schema. Where `KASSA_OLDER_PROGRAM` names a program of an earlier commit (`.ci/older` builds one), that is the older
//! one, and today's the newer: so what was there before goes on beside today's, with the rows that today's writes.

use std::collections::HashSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::json;

use crate::client::{Client, text};
use crate::commands::{older_program, run_by};
use crate::feed_reader::FeedReader;
use crate::fleet::load::{FleetLoad, FleetOrder, orders_of};
use crate::fleet::servers::ServerFleet;
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;
use crate::verify::assert_no_mismatch;
use crate::waiting::{SetOnDrop, wait_for};

/// More than are sold while two programs run. The rest is sold at the end.
const TICKETS: u32 = 6_000;
/// Orders before and after each thing that happens.
const ORDERS: usize = 100;

/// What the next release may add: columns, of which one has a default, a table, and an index.
const NEXT_STEP: &str = "\
    ALTER TABLE orders ADD COLUMN IF NOT EXISTS next_note TEXT; \
    ALTER TABLE tickets ADD COLUMN IF NOT EXISTS next_count BIGINT NOT NULL DEFAULT 0; \
    CREATE TABLE IF NOT EXISTS next_things (id BIGINT PRIMARY KEY); \
    DROP INDEX CONCURRENTLY IF EXISTS orders_next_note; \
    CREATE INDEX CONCURRENTLY orders_next_note ON orders (next_note, id)";

#[test]
fn servers_are_upgraded_one_after_the_other_and_refuse_no_request() {
    let (servers, older) = (ServerFleet::start(0), older_program());
    let start_older = || match &older {
        Some(program) => Server::run(&mut run_by(program, &servers.serve())),
        None => servers.start_another(),
    };
    let old = start_older();
    let sale = Sale::open(&old, TICKETS);
    let (newer, is_over) = (OnceLock::new(), AtomicBool::new(false));
    let sold = thread::scope(|scope| {
        let is_over_at_last = SetOnDrop(&is_over);
        let mut at_newer = None;
        let mut sold = load(&old, &sale, |load| {
            load.wait_for_sales(ORDERS);
            let before = schema_number(&servers);
            if older.is_none() {
                servers.migrate_to_next_step(NEXT_STEP);
            }
            let newer = newer.get_or_init(|| servers.start_another());
            assert!(schema_number(&servers) > before, "the schema is that of the older program");
            at_newer = Some(scope.spawn(|| load_until(newer, &sale, &is_over)));
            load.wait_for_sales(5 * ORDERS);
        });
        // Nobody is sent to it any more, and it ends in order.
        old.stop();
        drop(is_over_at_last);
        sold.extend(at_newer.unwrap().join().unwrap());
        sold
    });
    let newer = newer.into_inner().unwrap();
    if older.is_none() {
        // One that is not upgraded yet may start anew.
        let again = start_older();
        Client::anonymous(&again.ops).get("/readyz").success_body();
        again.stop();
    }
    let sold: Vec<FleetOrder> =
        sold.into_iter().chain(FleetLoad::run(&[&newer], &sale, |load| load.wait_until_sold_out(1))).collect();
    eprintln!("{} orders were answered", sold.len());
    let snapshot = SalesSnapshot::read(&newer, &sale);
    snapshot.assert_consistent();
    snapshot.assert_contains_all(orders_of(&sold));
    assert_eq!(snapshot.count_tickets("vacant"), 0);
    assert_feed_tells(FeedReader::new(sale.client(&newer), "types=order.*", "start"), &sold);
    newer.stop();
    assert_no_mismatch(&mut servers.verify());
}

/// The newest step of the schema.
#[track_caller]
fn schema_number(servers: &ServerFleet) -> i64 {
    servers.query("max(number)::text", "kassa_migrations", "state = 'done'").unwrap().parse().unwrap()
}

/// People buy, look, and edit at a server while something happens, and none of them is refused.
fn load(server: &Server, sale: &Sale, meanwhile: impl FnOnce(&FleetLoad)) -> Vec<FleetOrder> {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let _over = SetOnDrop(&is_over);
        let others = scope.spawn(|| read_and_edit(&sale.client(server), sale, &is_over));
        let sold = FleetLoad::run(&[server], sale, |load| {
            meanwhile(load);
            load.assert_no_request_was_refused();
        });
        is_over.store(true, Ordering::Relaxed);
        assert!(others.join().unwrap() > 0, "nobody has looked");
        sold
    })
}

/// The same until somebody says so, and for some orders more.
fn load_until(server: &Server, sale: &Sale, is_over: &AtomicBool) -> Vec<FleetOrder> {
    load(server, sale, |load| {
        load.wait_for_sales(ORDERS);
        wait_for("the older server has ended", || is_over.load(Ordering::Relaxed).then_some(()));
        load.wait_for_sales(ORDERS);
    })
}

/// What is on sale is looked at, and its event is edited: how often.
fn read_and_edit(client: &Client, sale: &Sale, is_over: &AtomicBool) -> usize {
    let (event, mut count) = (format!("/v1/resources/events/{}", sale.event), 0);
    while !is_over.load(Ordering::Relaxed) {
        for path in [sale.set_path(), event.clone(), "/v1/resources/orders?page_size=20".to_owned()] {
            client.get(&path).success_body();
        }
        client.patch(&event, &json!({"title": {"desc": format!("edit {count}")}})).success_body();
        count += 1;
    }
    count
}

/// Whichever program has sold an order, the feed tells of it.
#[track_caller]
fn assert_feed_tells(mut reader: FeedReader, sold: &[FleetOrder]) {
    let mut missing: HashSet<&str> = sold.iter().map(|sold| sold.order.id.as_str()).collect();
    wait_for("the feed tells of all orders", || {
        let (changes, _) = reader.read(0);
        for change in &changes {
            missing.remove(text(&change["resource"]["id"]).as_str());
        }
        missing.is_empty().then_some(())
    });
}
