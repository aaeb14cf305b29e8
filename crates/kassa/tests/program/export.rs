//! `kassa export` beside a running server.

use std::path::Path;

use serde_json::{Value, json};

use crate::client::text;
use crate::commands::{CommandOutput, kassa, run_command};
use crate::sale::Sale;
use crate::server::Server;

fn export(data: &Path, arguments: &[&str]) -> CommandOutput {
    run_command(kassa().arg("export").arg("--data").arg(data).args(arguments), "")
}

#[test]
fn orders_are_written_as_a_table_and_as_objects() {
    let folder = tempfile::tempdir().unwrap();
    let (server, data) = (Server::start(folder.path()), folder.path());
    let sale = Sale::open(&server, 9);
    let client = sale.client(&server);
    let mut made = Vec::new();
    for count in 1..=3 {
        let customer = json!({"name": "=Ann, \"the\" Fox", "email": "ann@example.org"});
        let body = json!({"random": {&sale.set: count}, "settings": {"customer": customer}});
        made.push(text(&client.post("/v2/resources/orders", &body).success_body()["data"]["id"]));
    }
    client.patch(&format!("/v2/resources/orders/{}", made[1]), &json!({"status": "done"})).success_body();
    made.reverse();

    let rows = export(data, &["--format", "jsonl"]).json_lines();
    let ids: Vec<String> = rows.iter().map(|row| text(&row["id"])).collect();
    assert_eq!(ids, made, "newest first");
    let shown = ["status", "tickets", "full", "customer_name", "customer_phone"].map(|name| rows[1][name].clone());
    assert_eq!(shown, [json!("done"), json!(2), json!("200.00"), json!("=Ann, \"the\" Fox"), Value::Null]);

    let table = export(data, &[]);
    assert!(table.status.success(), "{table:?}");
    let lines: Vec<&str> = table.stdout.split_terminator("\r\n").collect();
    assert!(lines.len() == 4 && lines[0].starts_with("number,id,status,"), "{lines:?}");
    assert!(lines[2].contains(",\"'=Ann, \"\"the\"\" Fox\",ann@example.org,"), "{lines:?}");

    let done = export(data, &["--format", "jsonl", "--status", "done", "--event", &sale.event]).json_line();
    assert_eq!(done["id"], json!(made[1]));
    let partner = text(&done["org"]);
    for (arguments, count) in [
        (vec!["--partner", partner.as_str()], 3),
        (vec!["--partner", "0123456789abcdef01234567"], 0),
        (vec!["--since", "2020-01-01T00:00:00Z", "--only-with-customer"], 3),
        (vec!["--until", "2020-01-01T00:00:00Z"], 0),
        (vec!["--status", "executed", "--status", "cancelled"], 2),
    ] {
        let arguments: Vec<&str> = ["--format", "jsonl"].into_iter().chain(arguments).collect();
        assert_eq!(export(data, &arguments).json_lines().len(), count, "{arguments:?}");
    }
    assert_eq!(export(data, &["--format", "xml"]).status.code(), Some(2));
    server.stop();
    assert_eq!(export(data, &["--format", "jsonl"]).json_lines().len(), 3, "without a server, too");
}
