//! The list of orders, its filters and its pages.

use serde_json::{Value, json};

use super::{ORDERS, at, given, numbers};
use crate::client::ids;
use crate::harness::{MINUTE_MS, Org, Shop, text};

async fn found(org: &Org, query: &str) -> Vec<i64> {
    let list = org.get(&format!("{ORDERS}?{query}")).await.ok();
    assert_eq!(list["total_count"], json!(list["data"].as_array().unwrap().len()));
    let mut numbers = numbers(&list);
    numbers.sort_unstable();
    numbers
}

pub(crate) async fn orders_are_filtered(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let other = org.event("Other").await;
    let mut made = Vec::new();
    let customer = json!({"settings": {"customer": {"email": "ann@example.org"}}});
    for (at_event, body) in [(&event, set.random(1)), (&event, customer), (&other, json!({})), (&event, json!({}))] {
        made.push(org.order_v2(at_event, body).await);
        shop.pass_ms(MINUTE_MS);
    }
    org.patch(&at(&made[0]), json!({"status": "done"})).await.ok();
    org.patch(&at(&made[3]), json!({"status": "cancelled"})).await.ok();
    let number = |at: usize| made[at]["data"]["number"].as_i64().unwrap();
    let cases = [
        (String::new(), vec![0, 1, 2, 3]),
        ("status=done".to_owned(), vec![0]),
        ("status=executed,cancelled".to_owned(), vec![1, 2, 3]),
        ("status=canceled".to_owned(), vec![3]),
        ("status=expired,in_progress".to_owned(), vec![]),
        (format!("events={}", other.id), vec![2]),
        (format!("events={},{}", other.id, event.id), vec![0, 1, 2, 3]),
        (format!("event={}", other.id), vec![2]),
        ("only_with_customer=true".to_owned(), vec![1]),
        (format!("number={}", number(2)), vec![2]),
        ("number=1".to_owned(), vec![]),
        (format!("ids={}", text(&made[1]["data"]["id"])), vec![1]),
        ("created_at=2026-01-01T00:01:00.000Z,2026-01-01%2000:02:00".to_owned(), vec![1, 2]),
        ("created_at=2026-01-01T00:02:00Z,2026-02-01T00:00:00Z".to_owned(), vec![2, 3]),
        (format!("status=executed&events={}&only_with_customer=true&with_refunded_tickets=true", event.id), vec![1]),
    ];
    for (query, expected) in cases {
        let expected: Vec<i64> = expected.into_iter().map(number).collect();
        assert_eq!(found(&org, &query).await, expected, "{query}");
    }
    assert_eq!(shop.expire_after_ms(15 * MINUTE_MS).await, 2);
    assert_eq!(found(&org, "status=expired").await, [number(1), number(2)]);
    for bad in [
        "status=paid",
        "events=x",
        "number=x",
        "created_at=2026-01-01T00:00:00Z",
        "created_at=x,y",
        "only_with_customer=7",
    ] {
        org.get(&format!("{ORDERS}?{bad}")).await.refused(400, "invalid_fields");
    }
}

pub(crate) async fn pages_count_from_one_to_the_last(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    for _ in 0..5 {
        org.order_v2(&event, set.random(1)).await;
    }
    let page = async |query: &str| org.get(&format!("{ORDERS}?{query}")).await.ok();
    let shown = |list: &Value| {
        (list["data"].as_array().unwrap().len(), list["pagination"].clone(), list["total_count"].clone())
    };
    let pagination = |page: u64, size: u64, total: u64| json!({"page": page, "page_size": size, "total": total});
    assert_eq!(shown(&page("").await), (5, pagination(1, 50, 1), json!(5)));
    assert_eq!(shown(&page("page=2&page_size=2").await), (2, pagination(2, 2, 3), json!(5)));
    assert_eq!(shown(&page("page=3&page_size=2").await), (1, pagination(3, 2, 3), json!(5)));
    assert_eq!(shown(&page("page_size=200").await), (5, pagination(1, 200, 1), json!(5)));
    let past = page("page=4&page_size=2").await;
    assert_eq!(shown(&past), (0, pagination(4, 2, 3), json!(5)));
    assert_eq!(past["refs"]["events"], json!({}));
    assert_eq!(org.get(&format!("{ORDERS}?page_size=2")).await.total(), 5);
    let all = ids(&page("").await["data"]);
    let mut in_pages = Vec::new();
    for at in 1..=3 {
        in_pages.extend(ids(&page(&format!("page={at}&page_size=2")).await["data"]));
    }
    assert_eq!(in_pages, all);
    let mut newest_first = all.clone();
    newest_first.sort_by(|one, other| other.cmp(one));
    assert_eq!(all, newest_first);
    for bad in ["page=0", "page_size=0", "page_size=201", "page=x", "page_size=-1", "page=1.5"] {
        org.get(&format!("{ORDERS}?{bad}")).await.refused(400, "invalid_fields");
    }
    // HEAD is GET without a body; slashes mean nothing.
    let head = org.send("HEAD", "//v2/resources//orders/", None, Vec::new()).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    assert_eq!(org.send("OPTIONS", ORDERS, None, Vec::new()).await.header("access-control-allow-origin"), "*");
}
