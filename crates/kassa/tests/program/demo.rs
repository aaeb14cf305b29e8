//! `kassa demo`: what it makes, and what it prints.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;

use serde_json::{Value, json};

use crate::client::{Client, HttpResponse, items, text};
use crate::commands::{kassa, kassa_demo, kassa_serve, run_command};
use crate::demo_output::{CommandRun, DemoOutput, PrintedPartner};
use crate::server::Server;

/// What somebody sees at a path, value by value of a field.
#[track_caller]
fn field_values(client: &Client, path: &str, field: &str) -> BTreeSet<String> {
    items(&client.get(path).success_body()).iter().map(|item| text(&item[field])).collect()
}

fn strings<const N: usize>(words: [&str; N]) -> BTreeSet<String> {
    words.map(str::to_owned).into()
}

#[test]
fn a_demo_that_starts_again_prints_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo");
    let server = Server::run(&mut kassa_demo(&data));
    let first = DemoOutput::read(&server);
    let seller = Client::with_key(&server.url, &first.partners()[0].key);
    let orders = seller.get("/v1/resources/orders").success_body();
    server.stop();

    let server = Server::run(&mut kassa_demo(&data));
    let second = DemoOutput::read(&server);
    assert_eq!(second.without_url(), first.without_url());
    let seller = Client::with_key(&server.url, &second.partners()[0].key);
    assert_eq!(seller.get("/v1/resources/orders").success_body(), orders, "the data is kept");
    server.stop();
}

#[test]
fn every_printed_partner_can_use_the_api() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::run(&mut kassa_demo(folder.path()));
    let printed = DemoOutput::read(&server);
    let partners = printed.partners();
    assert_eq!(partners.len(), 5);
    for PrintedPartner { name, role, key, .. } in &partners {
        let shown = Client::with_key(&server.url, key).get("/v1/resources/partners").success_body();
        let own = items(&shown).iter().find(|partner| partner["name"] == **name).unwrap();
        let roles = match role.as_str() {
            "organizer" => json!(["org"]),
            "agent" => json!(["agent"]),
            "both" => json!(["org", "agent"]),
            other => panic!("{other} is no role"),
        };
        assert_eq!(own["roles"], roles);
    }
    for partner in &partners {
        let user = printed.log_in(partner).get("/v1/services/whoami").success_body();
        assert_eq!((&user["email"], items(&user["partners"]).len()), (&json!(partner.email), 1));
    }
    server.stop();
}

#[test]
fn every_printed_command_works() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::run(&mut kassa_demo(folder.path()));
    let printed = DemoOutput::read(&server);
    let tried = printed.run_all_commands();
    for CommandRun { command, output, status } in &tried {
        assert_eq!(*status, 0, "{command}\n{output}");
    }
    let seats = tried.iter().find(|tried| tried.command.contains("seat{row,number}")).unwrap();
    let seats: Value = serde_json::from_str(&seats.output).unwrap();
    let seat = |number: u32| json!({"seat": {"row": 1, "number": number}});
    assert_eq!(seats["tickets"], json!([seat(6), seat(7)]), "five are sold");
    let order = tried.iter().find(|tried| tried.command.contains("fields-schema=number,status")).unwrap();
    let order: Value = serde_json::from_str(&order.output).unwrap();
    assert_eq!(order["status"], "done");
    assert_eq!(order["event"]["title"]["text"], "Night of the Lanterns");
    assert_eq!(order["values"]["extra"], "5.00", "the agent's tenth of two tickets at 25.00");
    assert!(items(&order["tickets"]).iter().all(|ticket| ticket["barcode"].is_string()), "{order}");
    assert_eq!(items(&order["tickets"]).len(), 2);
    let webhook: Value = serde_json::from_str(&tried.last().unwrap().output).unwrap();
    assert_eq!(webhook["data"]["status"], "enabled");
    server.stop();
}

#[test]
fn every_printed_page_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::run(&mut kassa_demo(folder.path()));
    let pages = DemoOutput::read(&server).page_paths();
    assert_eq!(pages, ["/", "/console/sign-in", "/docs", "/openapi.json"]);
    for page in pages {
        let status = Client::anonymous(&server.url).get(&page).status;
        assert_eq!(status, 200, "{page}");
    }
    server.stop();
}

/// The Content Security Policy of a page.
#[track_caller]
fn policy_of(page: &HttpResponse) -> &str {
    page.headers.get("content-security-policy").unwrap().to_str().unwrap()
}

#[test]
fn a_site_of_somebody_else_sells_what_an_agent_does() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::run(&mut kassa_demo(folder.path()));
    let printed = DemoOutput::read(&server);
    let site = Client::anonymous(&printed.site_url());
    let shop = &server.url;
    for (path, script, other) in [
        ("/", "/widget/v1.js", "<kassa-shop seller="),
        ("/old", "/static/scripts/widget/tcwidget.js", "data-tc-token=\"eyJ"),
    ] {
        let page = site.get(path);
        assert_eq!(page.status, 200, "{path}");
        let text = text(&page.body);
        assert!(text.contains(&format!("src=\"{shop}{script}\"")) && text.contains(other), "{text}");
        assert!(!text.contains("{shop}") && !text.contains("{event}"), "{text}");
        let policy = policy_of(&page);
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    }
    assert_eq!(site.get("/nothing").status, 404);
    // The agent's shop is framed by it, and by nobody else.
    let agent = printed.partners().into_iter().find(|partner| partner.name == "City Tickets").unwrap();
    let partners = Client::with_key(shop, &agent.key).get("/v1/resources/partners").success_body();
    let agent = items(&partners).iter().find(|partner| partner["name"] == "City Tickets").unwrap();
    assert_eq!(agent["shop"]["origins"], json!([printed.site_url()]));
    let framed = Client::anonymous(shop).get(&format!("/widget/{}/en/", text(&agent["id"])));
    let policy = policy_of(&framed);
    assert!(policy.ends_with(&format!("frame-ancestors {}", printed.site_url())), "{policy}");
    server.stop();
}

#[test]
fn the_demo_has_an_object_in_every_state() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::run(&mut kassa_demo(folder.path()));
    let partners = DemoOutput::read(&server).partners();
    let client = |name: &str| {
        let partner = partners.iter().find(|partner| partner.name == name).unwrap();
        Client::with_key(&server.url, &partner.key)
    };
    let (harbour, clockwork, agent) = (client("Harbour Hall"), client("Clockwork Theatre"), client("City Tickets"));

    let states = strings(["executed", "in_progress", "done", "canceled", "expired", "refunded"]);
    assert_eq!(field_values(&harbour, "/v1/resources/orders", "status"), states);
    assert_eq!(field_values(&harbour, "/v1/resources/refund_requests", "status"), strings(["new", "approved"]));
    assert_eq!(field_values(&agent, "/v1/resources/refund_requests", "culprit"), strings(["user"]));
    let done = harbour.get("/v1/resources/orders?status=done").success_body();
    let with = |wanted: &dyn Fn(&Value) -> bool| items(&done).iter().any(wanted);
    assert!(with(&|order| order["payment"]["system"] == "system/INVITATION" && order["value"] == "0.00"));
    assert!(with(&|order| order["vendor"] != order["org"] && order["values"]["extra"] != "0.00"), "an agent's");

    assert!(with(&|order| items(&order["promocodes"]).len() == 1 && order["values"]["discount"] == "15.00"));

    let groups = client("North Light").get("/v1/resources/orders?status=done").success_body();
    let promoted = items(&groups).iter().find(|order| items(&order["promotions"]).len() == 1).unwrap();
    assert_eq!(promoted["values"]["discount"], "17.80", "four passes at 89.00, each 5 % cheaper");

    let events = agent.get("/v1/services/simple/events").success_body();
    let seated = items(&events).iter().find(|event| event["map"].is_object()).unwrap();
    let stalls = items(&seated["sets"]).iter().find(|set| set["name"] == "Stalls").unwrap();
    assert_eq!((&stalls["sector"], &stalls["seats"]["5"]), (&json!("stalls"), &json!([[1, 15]])));
    let path = format!("/v1/resources/events/{}/sets/{}/tickets", text(&seated["id"]), text(&stalls["id"]));
    assert_eq!(field_values(&harbour, &path, "status"), strings(["sold", "vacant", "blocked"]));

    let of_harbour = field_values(&harbour, "/v1/resources/events", "status");
    let of_clockwork = field_values(&clockwork, "/v1/resources/events", "status");
    let states = strings(["public", "stand_by", "finished", "canceled"]);
    assert_eq!(&of_harbour | &of_clockwork, states);
    let deals = field_values(&agent, "/v1/resources/deals", "status");
    let states = strings(["new", "accepted", "declined", "finished"]);
    assert_eq!(&deals | &field_values(&client("Weekend Guide"), "/v1/resources/deals", "status"), states);
    server.stop();
}

#[test]
fn pictures_and_places_are_real() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::run(&mut kassa_demo(folder.path()));
    let anonymous = Client::anonymous(&server.url);
    let path = "/v1/resources/events?fields-schema=media,venue{city{name,timezone}}";
    let events = anonymous.get(&path.replace('{', "%7B").replace('}', "%7D")).success_body();
    let zones: BTreeSet<String> =
        items(&events).iter().map(|event| text(&event["venue"]["city"]["timezone"])).collect();
    assert_eq!(zones, strings(["Europe/Berlin", "Europe/Prague", "Europe/Helsinki"]));
    for event in items(&events) {
        let cover = &event["media"]["cover"];
        let url = text(&cover["url"]);
        let picture = anonymous.get(url.strip_prefix(&server.url).unwrap());
        assert_eq!((picture.status, &cover["content_type"]), (200, &json!("image/png")));
    }
    server.stop();
}

#[test]
fn a_taken_port_is_named_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut command = kassa();
    command.args(["demo", "--listen", &address, "--data"]).arg(&data);
    run_command(&mut command, "").assert_failed_naming(&["--listen", &address, "in use"]);
    assert!(!data.exists());
}

#[test]
fn a_folder_of_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (shop, papers) = (folder.path().join("shop"), folder.path().join("papers"));
    Server::run(&mut kassa_serve(&shop)).stop();
    let database = fs::read(shop.join("kassa.db")).unwrap();
    run_command(&mut kassa_demo(&shop), "").assert_failed_naming(&[&shop.display().to_string(), "no demo", "--data"]);
    assert_eq!(fs::read(shop.join("kassa.db")).unwrap(), database);

    fs::create_dir(&papers).unwrap();
    fs::write(papers.join("thesis.txt"), "all my work").unwrap();
    run_command(&mut kassa_demo(&papers), "").assert_failed_naming(&["thesis.txt", "empty folder"]);
    assert_eq!(fs::read_dir(&papers).unwrap().count(), 1);
}

#[test]
fn a_demo_that_was_never_finished_is_named() {
    let folder = tempfile::tempdir().unwrap();
    Server::run(&mut kassa_demo(folder.path())).stop();
    // As it is while the folder is being filled.
    fs::write(folder.path().join("demo.json"), "").unwrap();
    run_command(&mut kassa_demo(folder.path()), "").assert_failed_naming(&["never finished", "delete"]);
}

#[test]
fn a_server_serves_the_data_of_a_demo() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::run(&mut kassa_demo(folder.path()));
    let key = DemoOutput::read(&server).partners()[0].key.clone();
    let orders = Client::with_key(&server.url, &key).get("/v1/resources/orders").success_body();
    server.stop();
    let server = Server::start(folder.path());
    assert_eq!(Client::with_key(&server.url, &key).get("/v1/resources/orders").success_body(), orders);
    server.stop();
}
