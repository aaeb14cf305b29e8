//! What holds for every query: pages of lists, ids, and how texts are escaped.

use serde_json::json;

use crate::access::{Callers, filled};
use crate::client::ids;
use crate::contract::Contract;
use crate::harness::{NOTHING, Shop};

#[tokio::test]
async fn lists_are_cut_by_limit_and_offset_or_by_page() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let mut all = Vec::new();
    for title in ["1", "2", "3", "4", "5"] {
        all.insert(0, org.event(title).await.id);
    }
    let cases = [
        ("", 0..5),
        ("limit=2", 0..2),
        ("limit=2&offset=1", 1..3),
        ("offset=4", 4..5),
        ("offset=5", 5..5),
        ("offset=18446744073709551615", 5..5),
        ("limit=0", 0..0),
        ("limit=100000", 0..5),
        ("page=1&page_size=2", 0..2),
        ("page=3&page_size=2", 4..5),
        ("page=2&page-size=3", 3..5),
        ("page=2&limit=2", 2..4),
        ("page=9&page_size=2", 5..5),
        ("page=18446744073709551615&page_size=2", 5..5),
        ("page_size=3", 0..3),
        ("limit=1&limit=3", 0..3),
        ("unknown=1&filter=x", 0..5),
        ("limit=2.0&offset=1.0", 1..3),
    ];
    for (query, range) in cases {
        let list = shop.anonymous().get(&format!("events?{query}")).await;
        assert_eq!(list.total(), 5, "{query}");
        assert_eq!(ids(&list.ok()), all[range], "{query}");
    }
    for bad in ["limit=-1", "limit=x", "offset=1.5", "page=0", "page=-1", "page_size=ten"] {
        let details = shop.anonymous().get(&format!("events?{bad}")).await.refused(400, "invalid_fields");
        assert_eq!(details[0]["field"], bad.split('=').next().unwrap(), "{bad}");
    }
}

#[tokio::test]
async fn every_list_is_filtered_by_ids_and_counts_itself() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(1, "1.00").await;
    let order = org.order(&event, json!({"tickets": []})).await;
    let lists = [
        ("partners".to_owned(), &org.id),
        (format!("{}/api_keys", org.path()), &org.key),
        ("events".to_owned(), &event.id),
        (format!("{}/sets", event.path), &set.id),
        ("orders".to_owned(), &order.id),
    ];
    for (path, id) in lists {
        for query in [
            format!("ids={id},{NOTHING}"),
            format!("ids={NOTHING}%2C{id}"),
            format!("ids={id}&ids={NOTHING}"),
            format!("ids={id},{id}"),
        ] {
            let list = org.get(&format!("{path}?{query}")).await;
            assert_eq!(list.total(), 1, "{path}?{query}");
            assert_eq!(ids(&list.ok()), [id.as_str()], "{path}?{query}");
        }
        assert_eq!(org.get(&format!("{path}?ids={NOTHING}")).await.total(), 0, "{path}");
        org.get(&format!("{path}?ids={id},x")).await.refused(400, "invalid_fields");
        let many = vec![NOTHING; 1_001].join(",");
        org.get(&format!("{path}?ids={many}")).await.refused(400, "invalid_fields");
    }
}

#[tokio::test]
async fn queries_are_read_as_forms_write_them() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let hall = event.set_with(json!({"name": "X", "amount": 1, "price": 1, "sector": "Hall A & B"})).await;
    event.set(1, "1.00").await;
    for query in ["sector=Hall+A+%26+B", "sector=Hall%20A%20%26%20B", "&&sector=Hall%20A+%26%20b&sector=Hall+A+%26+B"] {
        let list = org.get(&format!("{}/tickets?{query}", event.path)).await.ok();
        assert_eq!((list.as_array().unwrap().len(), &list[0]["set"]), (1, &json!(hall.id)), "{query}");
    }
    for bad in ["status=%", "status=%2", "status=%zz", "status=%ff", "%c3%28=1", "status=%ed%a0%80"] {
        for path in
            ["events", "orders", "partners", &format!("{}/sets", event.path), &format!("{}/tickets", event.path)]
        {
            org.get(&format!("{path}?{bad}")).await.refused(400, "malformed_query");
        }
    }
}

#[tokio::test]
async fn a_bad_escape_is_refused_also_where_nobody_reads_the_query() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    org.get(&format!("{}?a=%zz", event.path)).await.refused(400, "malformed_query");
    org.post("events?a=%", json!({"title": "X"})).await.refused(400, "malformed_query");
    assert_eq!(org.get("events").await.total(), 1);
}

#[tokio::test]
async fn an_empty_value_of_any_parameter_is_as_if_it_were_left_out() {
    let shop = Shop::open().await;
    let callers = Callers::of(&shop).await;
    let mut things = callers.things().await;
    let customer = things.iter().find(|(place, _)| *place == "{customer}").unwrap().1.clone();
    things.push(("{user}", customer));
    let mut checked = 0;
    for contract in Contract::all(&shop).await {
        for (_, path, operation) in contract.operations().filter(|(method, ..)| *method == "get") {
            let path = filled(path, &things);
            let plain = callers.owner.get(&path).await;
            let parameters = operation["parameters"].as_array().unwrap().iter().map(|one| contract.resolved(one));
            for parameter in parameters.filter(|parameter| parameter["in"] == "query") {
                let name = parameter["name"].as_str().unwrap();
                for empty in ["", "+", "%20"] {
                    let answer = callers.owner.get(&format!("{path}?{name}={empty}")).await;
                    assert_eq!((answer.status, &answer.bytes), (plain.status, &plain.bytes), "{path}?{name}={empty}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 100, "{checked}");
}

#[tokio::test]
async fn a_misspelled_parameter_is_named_in_a_warning() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    org.event("Concert").await;
    let cases = [
        ("statuses=public", Some("299 - \"Unknown parameter statuses is ignored: did you mean status?\"")),
        ("limits=1", Some("299 - \"Unknown parameter limits is ignored: did you mean limit?\"")),
        ("ofset=1&org=", Some("299 - \"Unknown parameter ofset is ignored: did you mean offset?\"")),
        ("%22sta%22tus=a%22b", None),
        ("fields_schema=id", Some("299 - \"Unknown parameter fields_schema is ignored: did you mean fields-schema?\"")),
        (
            "fieldsschema=id&limit=5",
            Some("299 - \"Unknown parameter fieldsschema is ignored: did you mean fields-schema?\""),
        ),
        ("unknown=1&filter=x", None),
        ("status=public&limit=5&fields-schema=id", None),
    ];
    for (query, expected) in cases {
        let answer = org.get(&format!("events?{query}")).await;
        let warning = answer.headers.get("warning").map(|value| value.to_str().unwrap().to_owned());
        assert_eq!((answer.status, warning.as_deref()), (200, expected), "{query}");
    }
}

#[tokio::test]
async fn a_misspelling_of_any_parameter_is_named_in_a_warning() {
    let shop = Shop::open().await;
    let callers = Callers::of(&shop).await;
    let mut things = callers.things().await;
    let customer = things.iter().find(|(place, _)| *place == "{customer}").unwrap().1.clone();
    things.push(("{user}", customer));
    let (mut checked, mut silent) = (0, Vec::new());
    for contract in Contract::all(&shop).await {
        for (_, path, operation) in contract.operations().filter(|(method, ..)| *method == "get") {
            let path = filled(path, &things);
            let parameters = operation["parameters"].as_array().unwrap().iter().map(|one| contract.resolved(one));
            for parameter in parameters.filter(|parameter| parameter["in"] == "query") {
                let name = parameter["name"].as_str().unwrap();
                // Some lists take `events`, too.
                let misspelled = if name == "event" { "evnt".to_owned() } else { format!("{name}s") };
                let answer = callers.owner.get(&format!("{path}?{misspelled}=1")).await;
                let warning = answer.headers.get("warning").map(|value| value.to_str().unwrap());
                let named = format!("299 - \"Unknown parameter {misspelled} is ignored: did you mean ");
                if !warning.is_some_and(|text| text.starts_with(&named)) {
                    silent.push(format!("{path}?{misspelled}: {} {warning:?}", answer.status));
                }
                checked += 1;
            }
        }
    }
    assert_eq!(silent, [""; 0], "of {checked}");
    assert!(checked > 40, "{checked}");
}

#[tokio::test]
async fn a_misspelled_fields_schema_of_a_write_is_named_and_unknown_fields_in_it_are_refused() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let answer = org.post("venues?field-schema=id", json!({"name": "Hall"})).await;
    let expected = "299 - \"Unknown parameter field-schema is ignored: did you mean fields-schema?\"";
    assert_eq!((answer.status, answer.headers.get("warning").unwrap().to_str().unwrap()), (201, expected));
    org.get("venues?fields-schema=id,nmae").await.refused(400, "bad_fields_schema");
    org.get("venues?fields-schema=city{nmae}").await.refused(400, "bad_fields_schema");
}
