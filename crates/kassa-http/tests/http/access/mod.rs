//! Every route for every kind of caller, from one table that is held against the
//! OpenAPI document, which comes from the router.

mod callers;
mod roles;
mod table;

pub(crate) use callers::Callers;
pub(crate) use table::{Row, Write, checked, filled, open, reads_of_one, row, writes};

use std::collections::BTreeSet;

use serde_json::json;

use crate::contract::Contract;
use crate::harness::{PASSWORD, Shop};
use table::rows;

#[tokio::test]
async fn every_route_answers_every_caller_as_the_table_says() {
    let shop = Shop::open().await;
    let callers = Callers::of(&shop).await;
    callers.go_through_the_table(|_| true).await;
}

fn without_names(path: &str) -> String {
    let segment = |segment: &str| match segment.split_once('}') {
        Some((_, ending)) => format!("{{}}{ending}"),
        None => segment.to_owned(),
    };
    path.split('/').map(segment).collect::<Vec<String>>().join("/")
}

/// Method and path, whatever the names of its parameters.
pub(crate) fn route_name(method: &str, path: &str) -> String {
    let prefix = if path.starts_with('/') { "" } else { "/v1/resources/" };
    format!("{method} {prefix}{}", without_names(path))
}

#[tokio::test]
async fn the_table_names_every_route() {
    let named: BTreeSet<String> = rows()
        .map(|row| {
            let (method, path) = row.route.split_once(' ').unwrap();
            route_name(method, path.split('?').next().unwrap())
        })
        .collect();
    let contracts = Contract::all(&Shop::open().await).await;
    let described: BTreeSet<String> = contracts
        .iter()
        .flat_map(|contract| contract.operations())
        .map(|(method, path, _)| route_name(&method.to_uppercase(), path))
        .collect();
    assert_eq!(named, described);
}

#[tokio::test]
async fn a_key_is_read_in_any_case_and_with_any_blanks() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let token = &org.token;
    for value in [
        format!("key {token}"),
        format!("Key   {token}"),
        format!("KEY {}", token.to_uppercase()),
        format!(" key {token} "),
    ] {
        shop.anonymous().with("authorization", value).get("orders").await.ok();
    }
    for value in
        ["key", "key ", "", token, &format!("key {token}0"), &format!("key {token} x"), &format!("bearer {token}")]
    {
        shop.anonymous().with("authorization", value).get("events").await.refused(401, "credential_invalid");
    }
}

#[tokio::test]
async fn a_user_of_several_partners_says_which_one_acts() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let title = json!({"title": "Concert"});
    ann.post("events", title.clone()).await.refused(400, "partner_required");
    let one = ann.partner("One").await;
    assert_eq!(ann.post("events", title.clone()).await.ok()["org"], one);
    let two = ann.partner("Two").await;
    ann.post("events", title.clone()).await.refused(400, "partner_required");
    assert_eq!(ann.for_partner(&two).post("events", title.clone()).await.ok()["org"], two);
    assert_eq!(ann.get("events").await.total(), 2);
    assert_eq!(ann.for_partner(&one).get("events").await.total(), 1);
    ann.for_partner("x").post("events", title.clone()).await.refused(400, "partner_required");
    let foreign = shop.organizer("org@example.org").await;
    ann.for_partner(&foreign.id).post("events", title).await.refused(403, "partner_foreign");
    assert_eq!(shop.log_in("ann@example.org", PASSWORD).await.get("partners").await.total(), 2);
}
