//! Lists in another order, and their further pages.

use kassa_domain::Actor;
use kassa_domain::user::SetOperator;

use super::{Browser, after, concerts, sale, user};
use crate::harness::Shop;

/// The places of some texts in a page, which has each of them.
fn places(html: &str, texts: &[&str]) -> Vec<usize> {
    texts.iter().map(|text| html.find(text).unwrap_or_else(|| panic!("{text} is not in\n{html}"))).collect()
}

/// Asserts that a list has these texts one after the other.
#[track_caller]
fn assert_in_order(html: &str, texts: &[&str]) {
    let list = html.split_once("<tbody>").unwrap().1;
    assert!(places(list, texts).is_sorted(), "{texts:?} are not in this order in\n{list}");
}

#[tokio::test]
async fn orders_are_sorted_by_date_and_those_that_are_found_by_sum_and_customer() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let count = format!("random.{set}");
    for (name, tickets) in [("Fox Bea", "1"), ("Fox Abe", "3"), ("Fox Cyd", "2")] {
        let email = format!("{}@example.org", name.split(' ').next_back().unwrap().to_lowercase());
        let form = [(count.as_str(), tickets), ("email", email.as_str()), ("name", name), ("_key", tickets)];
        ann.send(&format!("{home}/sale/{id}"), &form).await.leads_to();
        shop.pass_ms(1_000);
    }
    shop.count_sales().await;
    let list = format!("{home}/orders");
    let newest = ann.get(&list).await;
    assert_in_order(newest.html(), &["Fox Cyd", "Fox Abe", "Fox Bea"]);
    newest.assert_has(&["aria-sort=\"descending\"", &format!("href=\"{list}?sort=created_at\"")]);
    assert!(!newest.text().contains("sort=-value"), "no index has all orders by their sums");
    let oldest = ann.get(&format!("{list}?sort=created_at&status=done")).await;
    assert_in_order(oldest.html(), &["Fox Bea", "Fox Abe", "Fox Cyd"]);
    oldest.assert_has(&["aria-sort=\"ascending\"", &format!("href=\"{list}?sort=-created_at&#38;status=done\"")]);
    ann.get(&format!("{list}?sort=-value")).await.assert_has(&["aria-sort=\"descending\""]);
    let found = format!("{list}?q=fox");
    for (sort, names) in [
        ("-value", ["Fox Abe", "Fox Cyd", "Fox Bea"]),
        ("value", ["Fox Bea", "Fox Cyd", "Fox Abe"]),
        ("email", ["Fox Abe", "Fox Bea", "Fox Cyd"]),
        ("-email", ["Fox Cyd", "Fox Bea", "Fox Abe"]),
        ("nonsense", ["Fox Cyd", "Fox Abe", "Fox Bea"]),
    ] {
        assert_in_order(ann.get(&format!("{found}&sort={sort}")).await.html(), &names);
    }
}

#[tokio::test]
async fn keys_webhooks_and_a_team_are_sorted_by_their_names() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let (keys, webhooks, team) = (format!("{home}/keys"), format!("{home}/webhooks"), format!("{home}/team"));
    for name in ["till", "Crm", "app"] {
        ann.send(&keys, &[("name", name), ("_key", name)]).await.leads_to();
        let url = format!("https://{}.example.org/", name.to_lowercase());
        ann.send(&webhooks, &[("url", &url), ("types", "*"), ("_key", &format!("webhook-{name}"))]).await.leads_to();
        ann.send(&team, &[("email", &format!("{name}@example.org")), ("role", "reader")]).await.leads_to();
        shop.pass_ms(1_000);
    }
    let strong = ["<strong>app</strong>", "<strong>Crm</strong>", "<strong>till</strong>"];
    let urls = ["https://app.", "https://crm.", "https://till."];
    assert_in_order(ann.get(&keys).await.html(), &strong);
    assert_in_order(ann.get(&format!("{keys}?sort=created_at")).await.html(), &[strong[2], strong[1], strong[0]]);
    assert_in_order(ann.get(&format!("{keys}?sort=name")).await.html(), &strong);
    assert_in_order(ann.get(&format!("{keys}?sort=-name")).await.html(), &[strong[2], strong[1], strong[0]]);
    let webhooks = |sort: &str| format!("{webhooks}?sort={sort}");
    assert_in_order(&ann.get(&webhooks("url")).await.html().to_lowercase(), &urls);
    assert_in_order(&ann.get(&webhooks("-url")).await.html().to_lowercase(), &[urls[2], urls[1], urls[0]]);
    assert_in_order(&ann.get(&webhooks("created_at")).await.html().to_lowercase(), &[urls[2], urls[1], urls[0]]);
    let members = ["ann@example.org", "app@example.org", "crm@example.org", "till@example.org"];
    assert_in_order(ann.get(&format!("{team}?sort=name")).await.html(), &members);
    let reversed: Vec<&str> = members.into_iter().rev().collect();
    assert_in_order(ann.get(&format!("{team}?sort=-name")).await.html(), &reversed);
    assert_in_order(ann.get(&team).await.html(), &["ann@example.org", "till@example.org"]);
}

#[tokio::test]
async fn keys_of_a_long_list_are_on_further_pages() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let keys = format!("{home}/keys");
    for number in 0..101 {
        let (name, key) = (format!("Key {number:03}"), format!("key-{number}"));
        ann.send(&keys, &[("name", &name), ("_key", &key)]).await.leads_to();
        shop.pass_ms(1_000);
    }
    let first = ann.get(&keys).await;
    first.assert_has(&["Key 100", "Key 001", &format!("rel=\"next\" href=\"{keys}?page=2\"")]);
    assert!(!first.text().contains("Key 000") && !first.text().contains("data-sort"), "a part is not sorted");
    let last = ann.get(&format!("{keys}?page=2")).await;
    last.assert_has(&["Key 000", "rel=\"prev\""]);
    assert!(!last.text().contains("Key 001") && !last.text().contains("rel=\"next\""));
}

#[tokio::test]
async fn deals_refund_requests_and_partners_are_sorted() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let mut agencies = Vec::new();
    for (email, name) in [("bea@example.org", "Best Seats"), ("cyd@example.org", "All Tickets")] {
        shop.pass_ms(1_000);
        let (agent, agency) = Browser::with_partner(&shop, email, name).await;
        let form = [("event", id), ("org", "90"), ("extra", "0"), ("_key", "d1")];
        agent.send(&format!("{agency}/deals/new"), &form).await.leads_to();
        agencies.push((agent, agency));
    }
    let deals = format!("{home}/deals");
    assert_in_order(ann.get(&deals).await.html(), &["All Tickets", "Best Seats"]);
    let oldest = ann.get(&format!("{deals}?sort=created_at&status=new")).await;
    assert_in_order(oldest.html(), &["Best Seats", "All Tickets"]);
    oldest.assert_has(&["aria-sort=\"ascending\""]);

    let count = format!("random.{set}");
    let mut orders = Vec::new();
    for (tickets, key) in [("2", "a"), ("1", "b")] {
        shop.pass_ms(1_000);
        let form = [(count.as_str(), tickets), ("_key", key)];
        let sold = ann.send(&format!("{home}/sale/{id}"), &form).await.leads_to().to_owned();
        let order = sold.split('?').next().unwrap().to_owned();
        let page = ann.get(&order).await;
        let chosen: Vec<String> =
            page.html().split("name=\"ticket.").skip(1).map(|rest| format!("ticket.{}", &rest[..24])).collect();
        let mut form: Vec<(&str, &str)> = chosen.iter().map(|name| (name.as_str(), "true")).collect();
        form.push(("culprit", "org"));
        ann.send(&format!("{order}/refund"), &form).await.leads_to();
        orders.push(order);
    }
    let refunds = format!("{home}/refunds");
    let [more, less] = [orders[0].as_str(), orders[1].as_str()];
    for (sort, expected) in
        [("", [less, more]), ("created_at", [more, less]), ("value", [less, more]), ("-value", [more, less])]
    {
        assert_in_order(ann.get(&format!("{refunds}?sort={sort}")).await.html(), &expected);
    }

    let command = SetOperator { user: user(&shop, "ann@example.org").await.id, is_operator: true };
    shop.engine.change_access(&Actor::Operator, command).await.unwrap();
    let partners = |sort: &str| format!("/console/platform/partners?q=&sort={sort}");
    for (sort, expected) in [
        ("", ["All Tickets", "Best Seats", "Harbour Hall"]),
        ("created_at", ["Harbour Hall", "Best Seats", "All Tickets"]),
        ("name", ["All Tickets", "Best Seats", "Harbour Hall"]),
        ("-name", ["Harbour Hall", "Best Seats", "All Tickets"]),
        ("-tickets", ["Harbour Hall", "All Tickets", "Best Seats"]),
        ("events", ["All Tickets", "Best Seats", "Harbour Hall"]),
    ] {
        assert_in_order(ann.get(&partners(sort)).await.html(), &expected);
    }
    let page = ann.get(&partners("-name")).await;
    assert_eq!(after(page.html(), "aria-sort=\""), "descending");
}

#[tokio::test]
async fn events_of_a_long_list_are_on_further_pages() {
    let shop = Shop::open().await;
    let (ann, event, _) = sale(&shop).await;
    let home = event.split("/events/").next().unwrap();
    concerts(&ann, home, 20).await;
    let list = format!("{home}/events");
    let first = ann.get(&format!("{list}?status=public")).await;
    first.assert_has(&["21 events", "Concert 019", &format!("rel=\"next\" href=\"{list}?page=2&#38;status=public\"")]);
    assert!(!first.text().contains("Night Concert") && !first.text().contains("rel=\"prev\""));
    let second = ann.get(&format!("{list}?page=2&status=public")).await;
    second.assert_has(&["Night Concert", &format!("rel=\"prev\" href=\"{list}?page=1&#38;status=public\"")]);
    assert!(!second.text().contains("Concert 019") && !second.text().contains("rel=\"next\""));
}
