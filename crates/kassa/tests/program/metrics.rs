//! What operators read of a server on their own listener.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::json;

use crate::buyers::{pay, request_order};
use crate::client::{Client, text};
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::TestDatabase;
use crate::waiting::wait_for;

/// The value of a sample; `None` where there is no such one.
#[track_caller]
pub(crate) fn read_sample(ops: &Client, name: &str) -> Option<f64> {
    let answer = ops.get("/metrics");
    assert_eq!(answer.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    let text = text(&answer.success_body());
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    Some(line.parse().unwrap())
}

#[test]
fn requests_and_sales_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let sale = Sale::open(&server, 10);
    let (client, ops) = (sale.client(&server), Client::anonymous(&server.ops));
    let orders: Vec<String> = (0..3).map(|_| request_order(&client, &sale, 1, true).unwrap().success_id()).collect();
    pay(&client, &orders[0]).unwrap().success_body();
    client.patch(&format!("/v1/resources/orders/{}", orders[1]), &json!({"status": "canceled"})).success_body();
    assert_eq!(pay(&client, &orders[1]).unwrap().status, 400);
    assert_eq!(client.get("/v1/nowhere").status, 404);

    let route = r#"route="/v1/resources/orders/{order}",method="PATCH""#;
    for (name, expected) in [
        (r#"kassa_http_requests_total{route="/v1/resources/orders",method="POST",status="201"}"#, 3.0),
        (&format!(r#"kassa_http_requests_total{{{route},status="200"}}"#), 2.0),
        (&format!(r#"kassa_http_requests_total{{{route},status="400"}}"#), 1.0),
        (r#"kassa_http_requests_total{route="none",method="GET",status="404"}"#, 1.0),
        (&format!("kassa_http_request_seconds_count{{{route}}}"), 3.0),
        (&format!(r#"kassa_http_request_seconds_bucket{{{route},le="+Inf"}}"#), 3.0),
        (r#"kassa_orders_total{step="made"}"#, 3.0),
        (r#"kassa_orders_total{step="paid"}"#, 1.0),
        (r#"kassa_orders_total{step="canceled"}"#, 1.0),
        (r#"kassa_orders_total{step="expired"}"#, 0.0),
        ("kassa_commands_refused_total", 1.0),
        (r#"kassa_queue_commands{lane="0"}"#, 0.0),
        ("kassa_database_available", 1.0),
        ("kassa_verify_findings", -1.0),
        ("kassa_availability_readers", 0.0),
        ("kassa_availability_events", 0.0),
        ("kassa_availability_reads_total", 0.0),
        ("kassa_feed_oldest_place", 1.0),
        ("kassa_feed_unplaced_seconds", 0.0),
        (r#"kassa_feed_readers{wait="poll"}"#, 0.0),
        (r#"kassa_feed_readers{wait="stream"}"#, 0.0),
    ] {
        assert_eq!(read_sample(&ops, name), Some(expected), "{name}");
    }
    let [commands, batches] =
        ["kassa_batch_commands_sum", "kassa_batch_commands_count"].map(|name| read_sample(&ops, name));
    assert!(commands >= batches && batches >= Some(6.0), "{commands:?} {batches:?}");
    assert!(read_sample(&ops, "kassa_feed_place") >= Some(6.0));
    assert!(read_sample(&ops, "process_resident_memory_bytes").unwrap() > 1e6);

    let verified = ops.get("/verify").success_body();
    assert_eq!(
        (&verified["agrees"], &verified["events"], &verified["findings"]),
        (&json!(true), &json!(1), &json!([]))
    );
    assert_eq!(read_sample(&ops, "kassa_verify_findings"), Some(0.0));
    assert!(read_sample(&ops, "kassa_verify_timestamp_seconds").unwrap() > 1.7e9);
    server.stop();
}

/// The names of metrics in a text of `docs`.
fn metrics_named_in(text: &str) -> BTreeSet<&str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with("kassa_") || word.starts_with("process_")).collect()
}

#[test]
fn dashboards_and_alerts_ask_for_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let sale = Sale::open(&server, 10);
    let client = sale.client(&server);
    let order = request_order(&client, &sale, 1, true).unwrap().success_id();
    pay(&client, &order).unwrap().success_body();
    let told = text(&Client::anonymous(&server.ops).get("/metrics").success_body());
    let told = metrics_named_in(&told);
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let dashboards = fs::read_dir(docs.join("grafana")).unwrap().map(|entry| entry.unwrap().path());
    for file in dashboards.chain([docs.join("alerts.yml")]) {
        let asked = fs::read_to_string(&file).unwrap();
        let asked = metrics_named_in(&asked);
        assert!(asked.len() > 4, "{}", file.display());
        let unknown: Vec<&&str> = asked.difference(&told).collect();
        assert_eq!(unknown, [&""; 0], "{}", file.display());
    }
    server.stop();
}

#[test]
fn mismatches_and_database_outages_are_counted() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let server = Server::run(&mut tenant.serve(folder.path()));
    let sale = Sale::open(&server, 10);
    let (client, ops) = (sale.client(&server), Client::anonymous(&server.ops));
    request_order(&client, &sale, 1, true).unwrap().success_body();
    tenant.execute_as_owner(&format!("UPDATE {}.orders SET value = value + 1", tenant.name()));
    let verified = ops.get("/verify");
    assert_eq!((verified.status, &verified.body["count"]), (500, &json!(1)), "{verified:?}");
    assert!(text(&verified.body["findings"][0]).contains(": value: expected 10000, found 10001"), "{verified:?}");
    assert_eq!(read_sample(&ops, "kassa_verify_findings"), Some(1.0));

    tenant.block_connections();
    assert_eq!(client.get(&sale.set_path()).status, 503);
    assert_eq!((read_sample(&ops, "kassa_database_available"), ops.get("/verify").status), (Some(0.0), 503));
    assert_eq!(read_sample(&ops, "kassa_database_outages_total"), Some(1.0));
    tenant.allow_connections();
    wait_for("it is told that it is back", || {
        (read_sample(&ops, "kassa_database_available") == Some(1.0)).then_some(())
    });
    server.stop();
}
