//! Every route for every role: whoever manages a partner does what its role is for, and is refused the rest.

use kassa_domain::partner::{Capability, Role};

use super::Callers;
use super::table::{Row, filled, rows};
use crate::client::Client;
use crate::harness::Shop;

/// What a route takes; `None` where every role has it, or it is about the user itself.
fn needed(row: &Row) -> Option<Capability> {
    let (method, path) = row.route.split_once(' ').unwrap();
    let path = path.trim_start_matches("/v2/resources/").trim_start_matches("/v2/services/");
    let is = |start: &str| path.starts_with(start);
    let gives_access = path.contains("/api_keys") || is("webhooks") || is("stripe_account");
    let needs = match method {
        _ if gives_access => Capability::Administer,
        _ if is("widget_tokens") => Capability::Organize,
        "GET" => return None,
        _ if path.contains("/managers") => Capability::Administer,
        _ if is("orders/export") || is("payments/import") || path.ends_with("/returned") => Capability::HandleMoney,
        _ if is("refund_requests/") => Capability::HandleMoney,
        _ if is("refund_requests") => Capability::RequestRefunds,
        _ if is("promocodes/check") => return None,
        _ if is("orders") => Capability::Sell,
        _ => Capability::Organize,
    };
    Some(needs)
}

/// Whether a route is about a partner's business, which its owner may do.
fn is_of_partner(row: &Row) -> bool {
    let (_, path) = row.route.split_once(' ').unwrap();
    let is_of_user = ["users", "/v1/services", "partners", "services"].iter().any(|start| path.starts_with(start))
        && !path.starts_with("partners/{partner}");
    !row.open && !row.for_nobody && !is_of_user && row.own[1] < 400
}

async fn go_through_the_table(callers: &Callers, role: Role, client: &Client) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut things = callers.things().await;
    for (at, row) in rows().enumerate().filter(|(_, row)| is_of_partner(row)) {
        let fill = |text: &str| filled(text, &things).replace("{n}", &format!("{at}-{role}"));
        let (method, path) = row.route.split_once(' ').unwrap();
        let content_type = (!row.body.is_empty()).then_some("application/json");
        let answer = client.send(method, &fill(path), content_type, fill(row.body).into_bytes()).await;
        let may = needed(row).is_none_or(|needs| role.may(needs));
        let wanted = if may { row.own[1] } else { 403 };
        if answer.status != wanted {
            wrong.push(format!("{} by a {role}: {}, not {wanted}: {}", row.route, answer.status, answer.json()));
        }
        if method != "GET" && answer.status < 400 {
            things = callers.things().await;
        }
    }
    wrong
}

#[tokio::test]
async fn every_route_answers_every_role_as_it_is_for() {
    let shop = Shop::open().await;
    let callers = Callers::of(&shop).await;
    let mut wrong = Vec::new();
    for role in Role::ALL.into_iter().filter(|role| *role != Role::Owner) {
        let user = callers.manager(&shop, role).await;
        wrong.extend(go_through_the_table(&callers, role, &user).await);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
