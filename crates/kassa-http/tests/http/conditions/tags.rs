//! `ETag`, `If-Match` and `If-None-Match`.

use kassa_domain::ReadSet;
use serde_json::json;

use crate::access::{Callers, reads_of_one};
use crate::client::{Answer, Client};
use crate::contract::Contract;
use crate::harness::{NOTHING, Shop};

fn tag(answer: &Answer) -> String {
    let tag = answer.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 18, "{answer:?}");
    tag
}

async fn tag_of(client: &Client, path: &str) -> String {
    tag(&client.get(path).await)
}

/// Reads of one resource have a tag, and are not sent to whoever has them.
pub(crate) async fn each_read_of_a_resource_has_a_tag(callers: &Callers) {
    let things = callers.things().await;
    for path in reads_of_one(&things) {
        let first = callers.owner.get(&path).await;
        let tag = tag(&first);
        let head = callers.owner.send("HEAD", &path, None, Vec::new()).await;
        assert_eq!((head.status, head.header("etag")), (200, tag.as_str()), "{path}");
        for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
            for method in ["GET", "HEAD"] {
                let answer =
                    callers.owner.with("if-none-match", known.as_str()).send(method, &path, None, Vec::new()).await;
                assert_eq!((answer.status, answer.bytes.len()), (304, 0), "{method} {path} {known}");
                assert_eq!(answer.header("etag"), tag, "{method} {path}");
            }
        }
        let other = callers.owner.with("if-none-match", "\"1-0000000000000000\"").get(&path).await;
        assert_eq!((other.status, &other.bytes), (200, &first.bytes), "{path}");
        is_tagged_by_its_coding(&callers.owner, &path, &tag).await;
    }
}

/// An answer that is packed has a tag of its own, and both say that there are two.
async fn is_tagged_by_its_coding(client: &Client, path: &str, plain: &str) {
    let packs = client.with("accept-encoding", "gzip");
    let packed = packs.get(path).await;
    let is_packed = packed.header("content-encoding") == "gzip";
    let tag = if is_packed { format!("{}-gzip\"", plain.trim_end_matches('"')) } else { plain.to_owned() };
    assert_eq!(packed.header("etag"), tag, "{path}");
    assert_eq!(packs.send("HEAD", path, None, Vec::new()).await.header("etag"), tag, "{path}");
    for (client, own, other) in [(client, plain, tag.as_str()), (&packs, &tag, plain)] {
        let whole = client.get(path).await;
        let same = client.with("if-none-match", own).get(path).await;
        assert_eq!((same.status, same.header("etag")), (304, own), "{path}");
        assert_eq!(same.header("vary"), whole.header("vary"), "{path}");
        let status = client.with("if-none-match", other).get(path).await.status;
        assert_eq!(status, if is_packed { 200 } else { 304 }, "{path}");
    }
}

#[tokio::test]
async fn every_read_of_a_resource_has_a_tag() {
    let shop = Shop::memory().await;
    let callers = Callers::of(&shop).await;
    each_read_of_a_resource_has_a_tag(&callers).await;
    // As the document says.
    for contract in Contract::all(&shop).await {
        let tagged = contract.operations().filter(|(_, _, operation)| operation["responses"].get("304").is_some());
        assert!(tagged.count() > 1);
    }
}

pub(crate) async fn a_resource_is_changed_only_as_it_was_seen(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let seen = tag_of(&org, &event.path).await;
    let rename = |title: &str| json!({"title": {"text": title}});
    let renamed = org.with("if-match", seen.as_str()).patch(&event.path, rename("First")).await;
    let next = tag(&renamed);
    renamed.ok();
    org.with("if-match", seen.as_str()).patch(&event.path, rename("Second")).await.refused(412, "precondition_failed");
    org.with("if-match", seen.as_str()).delete(&event.path).await.refused(412, "precondition_failed");
    assert_eq!(event.now().await["title"]["text"], "First");
    for tags in [next.clone(), format!("\"x\", {seen}, {next}"), "*".to_owned()] {
        let tag = tag_of(&org, &event.path).await;
        let tags = tags.replace(&next, &tag);
        org.with("if-match", tags).patch(&event.path, rename("Third")).await.ok();
    }
    // A weak tag never matches.
    let weak = format!("W/{}", tag_of(&org, &event.path).await);
    org.with("if-match", weak).patch(&event.path, rename("Fourth")).await.refused(412, "precondition_failed");
}

pub(crate) async fn whoever_saw_a_packed_answer_changes_what_it_saw(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event_with(json!({"title": {"text": "Concert", "desc": "long ".repeat(400)}})).await;
    let packed = org.with("accept-encoding", "gzip").get(&event.path).await;
    assert!(packed.header("etag").ends_with("-gzip\""), "{packed:?}");
    let seen = org.with("if-match", packed.header("etag"));
    seen.patch(&event.path, json!({"title": {"text": "New"}})).await.ok();
    seen.patch(&event.path, json!({"title": {"text": "Newer"}})).await.refused(412, "precondition_failed");
}

pub(crate) async fn what_is_not_as_expected_makes_no_record_of_a_customer(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(5, "1.00").await;
    let order = org.order(&event, set.random(1)).await;
    let stale = org.with("if-match", "\"0-0000000000000000\"");
    let customer = json!({"email": "ann@example.org"});
    let wish = json!({"event": event.id, "random": set.random(1)["random"], "customer": customer});
    stale.patch(&order.path, json!({"customer": customer})).await.refused(412, "precondition_failed");
    stale.post("orders", wish).await.refused(412, "precondition_failed");
    let read_set = ReadSet { users_by_email: vec!["ann@example.org".parse().unwrap()], ..ReadSet::default() };
    assert_eq!(shop.engine.view(&read_set).await.unwrap().users.rows().count(), 0);
    org.patch(&order.path, json!({"customer": customer})).await.ok();
    assert_eq!(shop.engine.view(&read_set).await.unwrap().users.rows().count(), 1);
}

pub(crate) async fn what_is_not_as_expected_is_told_before_what_is_wrong_with_it(shop: Shop) {
    let ann = shop.user("ann@example.org").await;
    let path = ann.path();
    let change = json!({"password": "a new password", "current_password": "not that one"});
    let seen = tag_of(&ann, &path).await;
    ann.with("if-match", "\"0-0000000000000000\"")
        .patch(&path, change.clone())
        .await
        .refused(412, "precondition_failed");
    ann.with("if-match", seen).patch(&path, change).await.refused(400, "current_password_wrong");
    let org = shop.organizer("org@example.org").await;
    let unknown = json!({"order": NOTHING, "culprit": "org", "tickets": [NOTHING]});
    org.with("if-match", "\"0-0000000000000000\"")
        .post("refund_requests", unknown.clone())
        .await
        .refused(412, "precondition_failed");
    org.post("refund_requests", unknown).await.refused(400, "order_not_found");
}

pub(crate) async fn of_two_that_saw_the_same_order_one_changes_it(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(5, "1.00").await;
    let order = org.order(&event, set.random(1)).await;
    let path = format!("/v2/resources/orders/{}", order.id);
    // Both versions show one order: a tag of the one is good for the other.
    let seen = org.with("if-match", tag_of(&org, &path).await);
    seen.patch(&order.path, json!({"status": "in_progress"})).await.ok();
    assert_eq!(seen.patch(&path, json!({"status": "cancelled"})).await.told(412, "precondition_failed").len(), 1);
    assert_eq!(order.status().await, "in_progress");
}

pub(crate) async fn sales_change_what_is_told_and_not_what_is_expected(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(5, "1.00").await;
    for (path, body) in [(&event.path, json!({"title": {"text": "New"}})), (&set.path, json!({"name": "New"}))] {
        let seen = tag_of(&org, path).await;
        org.order(&event, set.random(1)).await;
        let told = org.with("if-none-match", seen.as_str()).get(path).await;
        assert_eq!(told.status, 200, "{path}");
        org.with("if-match", seen.as_str()).patch(path, body).await.ok();
    }
}

pub(crate) async fn an_event_is_not_edited_by_edits_of_its_sets(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(5, "1.00").await;
    let (seen, of_set) = (tag_of(&org, &event.path).await, tag_of(&org, &set.path).await);
    set.patch(json!({"name": "Balcony"})).await;
    event.set(5, "2.00").await;
    assert_eq!(org.with("if-none-match", seen.as_str()).get(&event.path).await.status, 200);
    org.with("if-match", of_set).patch(&set.path, json!({"name": "Stalls"})).await.refused(412, "precondition_failed");
    org.with("if-match", seen).patch(&event.path, json!({"title": {"text": "New"}})).await.ok();
}

pub(crate) async fn what_is_not_there_or_not_ones_own_is_told_before_what_is_expected(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let strange = "\"0-0000000000000000\"";
    let nothing = format!("events/{NOTHING}");
    org.with("if-match", strange).patch(&nothing, json!({})).await.refused(404, "not_found");
    let stranger = shop.organizer("other@example.org").await;
    stranger.with("if-match", strange).patch(&event.path, json!({})).await.refused(403, "forbidden");
    // And what is wrong with the order of things, behind it.
    let set = event.set(1, "1.00").await;
    org.order(&event, set.random(1)).await;
    org.with("if-match", strange).delete(&event.path).await.refused(412, "precondition_failed");
    org.delete(&event.path).await.refused(400, "has_orders");
    org.with("if-match", strange).patch(&event.path, json!({"title": 5})).await.refused(400, "invalid_fields");
}

pub(crate) async fn what_is_not_as_expected_leaves_its_key_free(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let client = super::under(&org, "key");
    let (stale, title) = ("\"0-0000000000000000\"", json!({"title": {"text": "New"}}));
    client.with("if-match", stale).patch(&event.path, title.clone()).await.refused(412, "precondition_failed");
    let seen = tag_of(&org, &event.path).await;
    let first = client.with("if-match", seen.as_str()).patch(&event.path, title.clone()).await;
    // The tag has changed by that; the answer has not.
    super::is_the_same(&client.with("if-match", seen.as_str()).patch(&event.path, title).await, &first);
}

pub(crate) async fn chosen_fields_have_a_tag_of_their_own(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let path = format!("{}?fields-schema=id,title{{text}}", event.path);
    let (whole, chosen) = (tag_of(&org, &event.path).await, tag_of(&org, &path).await);
    assert_ne!(whole, chosen);
    assert_eq!(org.with("if-none-match", chosen.as_str()).get(&path).await.status, 304);
    assert_eq!(org.with("if-none-match", chosen.as_str()).get(&event.path).await.status, 200);
    org.with("if-match", chosen).patch(&event.path, json!({"title": {"text": "New"}})).await.ok();
}
