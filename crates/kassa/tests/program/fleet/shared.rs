//! What one server was told, the others know, and what it has begun, they finish.

use std::time::Duration;

use serde_json::json;
use ureq::http::Method;

use crate::client::{items, text};
use crate::fleet::servers::{Servers, numbers_of};
use crate::patience::{now, soon, within};
use crate::sale::Sale;

/// Until when a key that was removed on one server is good for another.
const KEY_MAX: Duration = Duration::from_secs(5);
/// Tickets of a set that no command can make at once.
const MANY: u64 = 80_000;

#[test]
fn files_of_one_server_are_served_by_all_and_its_keys_end_for_all() {
    let servers = Servers::three();
    let sale = Sale::open(&servers.all[0], 1);
    let clients = servers.clients(&sale);
    for (at, author) in clients.iter().enumerate() {
        let bytes = json!({"way": "follow the lights", "from": at});
        let url = text(&author.post("/v1/resources/attachments", &bytes).ok()["url"]);
        let path = url.strip_prefix(&servers.all[at].url).unwrap().to_owned();
        for client in &clients {
            assert_eq!(client.get(&path).ok(), bytes);
        }
    }

    let event = clients[0].get(&format!("/v1/resources/events/{}", sale.event)).ok();
    let keys = format!("/v1/resources/partners/{}/api_keys", text(&event["org"]));
    let listed = clients[0].get(&keys).ok();
    let [key] = items(&listed) else { panic!("{listed}") };
    // All have just seen that it is good.
    for client in &clients {
        client.get(&sale.set_path()).ok();
    }
    let removed = clients[0].send(&Method::DELETE, &format!("{keys}/{}", text(&key["id"])), None).unwrap();
    let start = now();
    removed.ok();
    assert_eq!(clients[0].get(&sale.set_path()).status, 401, "it is dead at once where it was removed");
    within(KEY_MAX, "it is dead everywhere", || {
        clients.iter().all(|client| client.get(&sale.set_path()).status == 401).then_some(())
    });
    eprintln!("the key was dead everywhere after {:?}", start.elapsed());
    servers.stop();
}

#[test]
fn a_job_moves_on_when_the_server_that_works_on_it_is_killed() {
    let mut servers = Servers::three();
    let sale = Sale::open(&servers.all[0], 1);
    let set = json!({"name": "Field", "amount": MANY, "price": "10.00"});
    let sets = format!("/v1/resources/events/{}/sets", sale.event);
    let set = sale.client(&servers.all[0]).post(&sets, &set).id();
    let lane = soon("a lane works on it", || servers.ask("lease_node::text", "jobs", "lease_node IS NOT NULL"));
    let lane = lane.parse().unwrap();
    let at = servers.all.iter().position(|server| numbers_of(server).contains(&lane)).unwrap();
    let dead = servers.all.remove(at);
    dead.process_id().kill();
    let killed = now();
    assert_eq!(servers.ask("count(*)::text", "jobs", "true").unwrap(), "1", "it was killed in the middle");
    dead.killed();

    soon("others have finished it", || (servers.ask("count(*)::text", "jobs", "true").unwrap() == "0").then_some(()));
    eprintln!("the job was done {:?} after its server was killed", killed.elapsed());
    for client in servers.clients(&sale) {
        let set = client.get(&format!("{sets}/{set}")).ok();
        assert_eq!((&set["amount"], &set["amount_vacant"]), (&json!(MANY), &json!(MANY)));
    }
    assert_eq!(servers.ask("count(*)::text", "tickets", "true").unwrap(), (MANY + 1).to_string());
    servers.stop();
}
