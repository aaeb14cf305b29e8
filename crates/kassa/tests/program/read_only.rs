//! A data folder in which nothing can be written any more, and then again.

use std::process::Command;

use serde_json::json;

use crate::buyers::request_order;
use crate::client::items;
use crate::commands::{kassa_serve, run_command};
use crate::full_disk::small_disk;
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;
use crate::verify::{assert_no_mismatch, kassa_verify};
use crate::waiting::wait_for;

/// Lays a mount over the folder, and becomes the rest.
const REMOUNT_READ_ONLY: &str = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && exec \"$@\"";

#[test]
fn a_folder_that_is_read_only_is_named_at_the_start() {
    let (disk, on_it) = small_disk("8m");
    let data = disk.path().join("data");
    let serve = kassa_serve(&data);
    let mut read_only = Command::new("sh");
    // Once to make it, so that there is something to read.
    read_only.args(["-c", "mkdir \"$1\" && shift && exec \"$@\"", "sh"]).arg(&data).args([
        "sh",
        "-c",
        REMOUNT_READ_ONLY,
    ]);
    read_only.arg(&data).arg(serve.get_program()).args(serve.get_args());
    let ended = run_command(&mut on_it(&read_only), "");
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    let told = ended.stderr.lines().last().unwrap();
    assert!(told.contains("data folder") && told.to_lowercase().contains("read-only"), "{ended:?}");
}

#[test]
fn a_folder_remounted_read_only_refuses_files_and_loses_no_order() {
    let (disk, on_it) = small_disk("16m");
    let data = disk.path().join("data");
    let server = Server::run(&mut on_it(&kassa_serve(&data)));
    let sale = Sale::open(&server, 100);
    let client = sale.client(&server);
    let upload = || client.post("/v1/resources/attachments", &json!({"way": "follow the lights"}));
    upload().success_body();

    let inside = |script: &str| {
        let mut shell = Command::new("sh");
        let ended = run_command(&mut server.process_id().in_mount_namespace(shell.args(["-c", script]).arg(&data)), "");
        assert!(ended.status.success(), "{script}: {ended:?}");
    };
    inside(&REMOUNT_READ_ONLY.replace("exec \"$@\"", "true"));
    let mut sold = 0;
    for _ in 0..3 {
        let refused = upload();
        assert_eq!((refused.status, &refused.body["code"]), (503, &json!("unavailable")), "{refused:?}");
        assert!(refused.headers.contains_key("retry-after"), "{refused:?}");
        // What is open stays open: an order is written, or refused and not there.
        let order = request_order(&client, &sale, 1, true).unwrap();
        assert!([201, 503].contains(&order.status), "{order:?}");
        sold += usize::from(order.status == 201);
    }
    inside("umount \"$0\"");
    wait_for("files are taken again", || (upload().status != 503).then_some(()));
    request_order(&client, &sale, 1, true).unwrap().success_body();
    let snapshot = SalesSnapshot::read(&server, &sale);
    snapshot.assert_consistent();
    assert_eq!(snapshot.count_tickets("reserved"), sold + 1);
    let mine = client.get("/v1/resources/attachments").success_body();
    assert_eq!(items(&mine).len(), 2, "what was refused is not there");
    assert_no_mismatch(&mut server.process_id().in_mount_namespace(&kassa_verify(&data)));
    server.stop();
}
