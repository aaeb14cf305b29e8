//! Sets with seats, and tickets with seats.

use serde_json::{Value, json};

use crate::client::{ids, shape};
use crate::harness::{Event, MINUTE_MS, Set, Shop, text};

/// `"<sector> <row>-<number>"` of each ticket, or its number.
fn places(tickets: &Value) -> Vec<String> {
    let place = |ticket: &Value| match &ticket["seat"] {
        seat if seat["number"].is_u64() => {
            let name = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let sector = seat["sector"].as_str().map_or_else(String::new, |sector| format!("{sector} "));
            format!("{sector}{}-{}", name(&seat["row"]), seat["number"])
        }
        _ => format!("#{}", ticket["number"]),
    };
    tickets.as_array().unwrap().iter().map(place).collect()
}

impl Event {
    /// A set of these seats, in the sector L.
    async fn hall(&self, seats: Value) -> Set {
        self.set_with(json!({"name": "Parterre", "seats": seats, "price": "10.00", "sector": "L"})).await
    }

    async fn places(&self) -> Vec<String> {
        places(&json!(self.tickets().await))
    }
}

pub(crate) async fn a_set_has_a_ticket_for_each_of_its_chairs(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let seats = json!({"10": [[1, 1]], "2": [[7, 8]], "A": [[3, 3]]});
    let set = event.hall(seats.clone()).await;
    let shown = set.now().await;
    assert_eq!((&shown["seats"], &shown["with_seats"]), (&seats, &json!(true)));
    assert_eq!((&shown["amount"], &shown["amount_vacant"], &shown["sector"]), (&json!(4), &json!(4), &json!("L")));
    let raw = org.get(&set.path).await.bytes;
    let raw = String::from_utf8(raw).unwrap();
    assert!(raw.contains(r#""seats":{"2":[[7,8]],"10":[[1,1]],"A":[[3,3]]}"#), "from the front: {raw}");
    assert_eq!(event.now().await["sets"], json!([shown]));
    assert_eq!(org.get("events").await.ok()[0]["sets"][0]["seats"], seats);
    assert_eq!(org.get(&format!("{}?fields-schema=seats", set.path)).await.ok(), json!({"seats": seats}));

    let list = shop.anonymous().get(&format!("{}/tickets", event.path)).await;
    assert_eq!(list.total(), 4);
    let list = list.ok();
    assert_eq!(places(&list), ["L 2-7", "L 2-8", "L 10-1", "L A-3"]);
    insta::allow_duplicates! {
        insta::assert_snapshot!(shape(&list[0]), @r#"
    {
      "barcode": null,
      "id": "[id]",
      "number": 1,
      "reserved_till": null,
      "seat": {
        "number": 7,
        "row": 2,
        "sector": "L"
      },
      "serial": "[serial]",
      "set": "[id]",
      "status": "vacant"
    }
    "#);
    }
    assert_eq!(list[3]["seat"], json!({"sector": "L", "row": "A", "number": 3}));
    let one = org.get(&format!("{}/tickets/{}", set.path, text(&list[3]["id"]))).await.ok();
    assert_eq!(one["seat"], list[3]["seat"]);
    let nowhere = event.set_with(json!({"name": "No sector", "seats": {"1": [[1, 1]]}})).await;
    let list = org.get(&format!("{}/tickets?fields-schema=seat", nowhere.path)).await.ok();
    assert_eq!(list, json!([{"seat": {"sector": null, "row": 1, "number": 1}}]));

    let order = org.order(&event, set.random(2)).await;
    let of_order = format!("{}/tickets", order.path);
    assert_eq!(places(&org.get(&of_order).await.ok()), ["L 2-7", "L 2-8"]);
    let schema = "tickets{number,seat{row,number}}";
    assert_eq!(
        org.get(&format!("{}?fields-schema={schema}", order.path)).await.ok(),
        json!({"tickets": [
            {"number": 1, "seat": {"row": 2, "number": 7}},
            {"number": 2, "seat": {"row": 2, "number": 8}},
        ]})
    );
}

pub(crate) async fn tickets_are_listed_from_the_front_of_each_sector(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let of = |sector: &str, seats: Value| json!({"name": "S", "price": 1, "sector": sector, "seats": seats});
    let cheap = event.set_with(of("B10", json!({"10": [[1, 2]], "2": [[4, 5]]}))).await;
    event.set_with(of("B2", json!({"1": [[1, 1]]}))).await;
    event.set_with(of("", json!({"5": [[9, 9]]}))).await;
    let dear = event.set_with(of("B10", json!({"2": [[3, 3], [10, 10]], "1": [[1, 1]]}))).await;
    event.set_with(json!({"name": "Standing", "price": 1, "sector": "B10", "amount": 2})).await;
    let expected =
        ["5-9", "B2 1-1", "#10", "#11", "B10 1-1", "B10 2-3", "B10 2-4", "B10 2-5", "B10 2-10", "B10 10-1", "B10 10-2"];
    assert_eq!(event.places().await, expected);
    // A row that comes later is in its place among the others.
    cheap.patch(json!({"seats": {"10": [[1, 2]], "9": [[1, 1]], "2": [[4, 4]]}})).await;
    for (query, expected) in [
        (
            "sector=B10",
            &["#10", "#11", "B10 1-1", "B10 2-3", "B10 2-4", "B10 2-10", "B10 9-1", "B10 10-1", "B10 10-2"][..],
        ),
        ("sector=B2", &["B2 1-1"]),
        ("sector=B2,nowhere&sector=X", &["B2 1-1"]),
    ] {
        let list = org.get(&format!("{}/tickets?{query}", event.path)).await;
        assert_eq!(list.total(), expected.len(), "{query}");
        assert_eq!(places(&list.ok()), expected, "{query}");
    }
    let list = org.get(&format!("{}/tickets", dear.path)).await;
    assert_eq!((list.total(), places(&list.ok())), (3, ["B10 1-1", "B10 2-3", "B10 2-10"].map(str::to_owned).into()));
    let all = event.ticket_ids().await;
    let wanted = format!("{}/tickets?ids={},{},{}", event.path, all[10], all[2], all[1]);
    let list = org.get(&wanted).await;
    assert_eq!((list.total(), ids(&list.ok())), (3, vec![all[1].clone(), all[2].clone(), all[10].clone()]));
    let mixed = org.order(&event, json!({"tickets": [all[9], all[4], all[2], all[0]]})).await;
    let of_order = org.get(&format!("{}/tickets", mixed.path)).await.ok();
    assert_eq!(places(&of_order), ["5-9", "#10", "B10 1-1", "B10 10-1"]);
}

pub(crate) async fn a_long_list_of_seats_is_whole_and_in_order(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let rows: serde_json::Map<String, Value> =
        (1..=45).map(|row| (row.to_string(), json!([[1, 99], [101, 101]]))).collect();
    let set = event.hall(json!(rows)).await;
    let expected: Vec<String> =
        (1..=45).flat_map(|row| (1..=99).chain([101]).map(move |number| format!("L {row}-{number}"))).collect();
    assert_eq!(event.places().await, expected, "4,500 of them are more than one page");
    org.order(&event, set.random(3)).await;
    let list = org.get(&format!("{}/tickets?status=vacant", event.path)).await;
    assert_eq!((list.total(), places(&list.ok())), (4_497, expected[3..].to_vec()));
}

pub(crate) async fn seats_are_the_full_layout(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.hall(json!({"1": [[1, 4]]})).await;
    let chairs = event.ticket_ids().await;
    org.order(&event, json!({"tickets": [chairs[0]]})).await.becomes("done").await;
    let held = org.order(&event, json!({"tickets": [chairs[1]]})).await;
    set.patch(json!({"blocked": [chairs[2]]})).await;
    for seats in
        [json!({"1": [[2, 4]]}), json!({"1": [[1, 1], [3, 4]]}), json!({"1": [[1, 2]]}), json!({}), json!(null)]
    {
        org.patch(&set.path, json!({"seats": seats})).await.refused(400, "amount_below_sold");
    }
    let changed = set.patch(json!({"seats": {"1": [[1, 3], [6, 6]], "0": [[1, 1]]}, "name": "Stalls"})).await;
    assert_eq!(
        (&changed["amount"], &changed["amount_vacant"], &changed["name"]),
        (&json!(5), &json!(2), &json!("Stalls"))
    );
    assert_eq!(event.places().await, ["L 0-1", "L 1-1", "L 1-2", "L 1-3", "L 1-6"]);
    assert_eq!(event.ticket_ids().await[1..4], chairs[..3], "what stays is the same ticket");
    let again = org.patch(&set.path, set.now().await).await.ok();
    assert_eq!(again, set.now().await, "a set can be sent back as it is shown");
    assert_eq!((again["seats"].clone(), set.amounts().await), (changed["seats"].clone(), (5, 2)));
    held.becomes("canceled").await;
    set.patch(json!({"seats": {"1": [[1, 1], [3, 3]]}})).await;
    assert_eq!(set.amounts().await, (2, 0));

    org.patch(&set.path, json!({"amount": 3})).await.refused(400, "amount_of_seats");
    org.patch(&set.path, json!({"amount": 3, "seats": {"1": [[1, 1], [3, 4]], "2": [[1, 1]]}}))
        .await
        .refused(400, "amount_of_seats");
    org.patch(&set.path, json!({"sector": "R"})).await.refused(400, "sector_fixed");
    assert_eq!(set.patch(json!({"amount": 2, "sector": "L", "with_seats": false})).await["with_seats"], true);
    let standing = event.set(2, "1.00").await;
    org.patch(&standing.path, json!({"seats": {"1": [[1, 2]]}})).await.refused(400, "set_without_seats");
    assert_eq!(standing.patch(json!({"seats": null})).await["seats"], json!(null));
    standing.patch(json!({"amount": 0})).await;
    assert_eq!(standing.patch(json!({"seats": {"1": [[1, 2]]}})).await["amount"], 2);
    assert_eq!(standing.patch(json!({"seats": null})).await["seats"], json!({}));
}

pub(crate) async fn what_is_wrong_with_a_layout_is_named(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let sets = format!("{}/sets", event.path);
    let cases = [
        (json!({"seats": {"1": [[1, 5], [5, 9]]}}), &["$.seats.1"][..]),
        (
            json!({"seats": {"1": [[5, 1]], "2": [[0, 1], [1, 2], [1, 10_000]]}}),
            &["$.seats.1[0]", "$.seats.2[0]", "$.seats.2[2]"],
        ),
        (json!({"seats": {"": [[1, 1]], "B ": [[1, 1]], "B": [[2, 2]]}}), &["$.seats.", "$.seats.B "]),
        (json!({"seats": [[1, 2]]}), &["$.seats"]),
        (json!({"seats": {"1": 5}}), &["$.seats.1"]),
        (json!({"seats": {"1": [[1, 5]]}, "amount": 6}), &["$.amount"]),
        (json!({"seats": {}, "amount": 6}), &["$.amount"]),
    ];
    for (mut body, expected) in cases {
        body["name"] = json!("Hall");
        let details = org.post(&sets, body.clone()).await.refused(400, "invalid_fields");
        let fields: Vec<&str> = details.as_array().unwrap().iter().map(|d| d["field"].as_str().unwrap()).collect();
        assert_eq!(fields, expected, "{body}");
    }
    let equal = event.set_with(json!({"name": "Hall", "seats": {" 1 ": [[2, 2], [1, 1]]}, "amount": 2})).await;
    assert_eq!(equal.now().await["seats"], json!({"1": [[1, 1], [2, 2]]}));
    let wrong = json!({"seats": {"1": [[1, 1], [1, 1]]}});
    org.patch(&equal.path, wrong).await.refused(400, "invalid_fields");
    assert_eq!(event.tickets().await.len(), 2);
}

pub(crate) async fn a_chair_is_in_one_set(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let one = event.hall(json!({"1": [[1, 5]]})).await;
    let sets = format!("{}/sets", event.path);
    let body = |sector: &str, seats: Value| json!({"name": "Other", "sector": sector, "seats": seats});
    org.post(&sets, body("L", json!({"0": [[1, 1]], "1": [[5, 6]]}))).await.refused(400, "seat_taken");
    assert_eq!(org.get(&sets).await.total(), 1, "a refused set leaves nothing");
    org.post(&sets, body("R", json!({"1": [[1, 5]]}))).await.created();
    let next = event.set_with(body("L", json!({"1": [[6, 9]]}))).await;
    org.patch(&next.path, json!({"seats": {"1": [[5, 9]]}})).await.refused(400, "seat_taken");
    one.patch(json!({"seats": {"1": [[1, 4]]}})).await;
    next.patch(json!({"seats": {"1": [[5, 9]]}})).await;
    assert_eq!((one.amounts().await, next.amounts().await), ((4, 4), (5, 5)));
    let elsewhere = org.event("Play").await;
    elsewhere.hall(json!({"1": [[1, 5]]})).await;
}

pub(crate) async fn a_removed_set_gives_its_chairs_up(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.hall(json!({"1": [[1, 3]]})).await;
    let chairs = event.ticket_ids().await;
    set.patch(json!({"blocked": [chairs[2]]})).await;
    let lapsed = org.order(&event, set.random(1)).await;
    org.delete(&set.path).await.refused(400, "has_orders");
    lapsed.becomes("canceled").await;
    let removed = org.delete(&set.path).await.ok();
    assert_eq!((&removed["removed"], &removed["amount"], &removed["seats"]), (&json!(true), &json!(0), &json!({})));
    event.hall(json!({"1": [[1, 3]]})).await;
    assert_eq!(event.places().await, ["L 1-1", "L 1-2", "L 1-3"]);
    let line = &org.get(&format!("{}/tickets", lapsed.path)).await.ok()[0];
    assert_eq!((&line["id"], &line["number"], &line["seat"]), (&json!(chairs[0]), &json!(1), &json!({})));
}

pub(crate) async fn a_large_hall_is_made_and_moved_step_by_step(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let rows = |first: u32, last: u32| {
        let rows = (first..=last).map(|row| (row.to_string(), json!([[1, 200]])));
        json!(rows.collect::<serde_json::Map<String, Value>>())
    };
    let set = event.hall(rows(1, 60)).await;
    assert_eq!(set.amounts().await, (12_000, 10_000), "the rest is pending");
    assert_eq!(set.now().await["seats"], rows(1, 60));
    let details =
        org.post("orders", json!({"event": event.id, "random": {&set.id: 1}})).await.created()["details"].clone();
    assert_eq!(details, json!([]), "what is there is for sale");
    shop.run_jobs().await;
    assert_eq!(set.amounts().await, (12_000, 11_999));
    let list = org.get(&format!("{}/tickets", event.path)).await.ok();
    let expected: Vec<String> = (1..=60).flat_map(|row| (1..=200).map(move |seat| format!("L {row}-{seat}"))).collect();
    assert_eq!(places(&list), expected);
    org.patch(&set.path, json!({"seats": {"1": [[1, 1]]}})).await.refused(400, "seats_leaving_limit");
    set.patch(json!({"seats": rows(1, 10)})).await;
    assert_eq!(set.amounts().await, (2_000, 1_999), "ten thousand go at once");
    set.patch(json!({"seats": rows(1, 70)})).await;
    set.patch(json!({"seats": rows(1, 65)})).await;
    assert_eq!(set.now().await["amount"], 13_000);
    shop.run_jobs().await;
    assert_eq!(set.amounts().await, (13_000, 12_999));
    assert_eq!(event.places().await[12_999], "L 65-200");
}

pub(crate) async fn chairs_are_ordered_by_id_or_from_the_front(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.hall(json!({"1": [[1, 2]], "2": [[1, 2]]})).await;
    let chairs = event.ticket_ids().await;
    set.patch(json!({"blocked": [chairs[1]]})).await;
    let mine = org.order(&event, json!({"tickets": [chairs[3]]})).await;
    let wanted = json!({"event": event.id, "tickets": [chairs[3], chairs[1], chairs[2]]});
    let order = org.post("orders", wanted).await.created();
    assert_eq!(order["tickets"], json!([chairs[2]]));
    let reasons: Vec<&str> =
        order["details"].as_array().unwrap().iter().map(|detail| detail["reason"].as_str().unwrap()).collect();
    assert_eq!(reasons, ["reserved", "blocked"]);
    mine.becomes("canceled").await;
    let front = org.order(&event, set.random(1)).await;
    assert_eq!(front.tickets().await, [chairs[0].clone()]);
    front.becomes("canceled").await;
    let rest = org.post("orders", json!({"event": event.id, "random": {&set.id: 2}})).await.created();
    assert_eq!(rest["tickets"], json!([chairs[0], chairs[3]]));
    assert_eq!(rest["details"], json!([{"set": set.id, "wanted": 2, "got": 2, "reason": "scattered"}]));
    let order = org.post("orders", json!({"event": event.id, "random": {&set.id: 1}})).await.created();
    assert_eq!(order["details"][0]["reason"], "reserved", "sold out");
}

pub(crate) async fn seats_that_nobody_named_are_side_by_side(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.hall(json!({"1": [[1, 2], [4, 5]], "2": [[1, 6]], "10": [[1, 3]]})).await;
    let seats = |order: &Value| {
        let path = format!("orders/{}/tickets", text(&order["id"]));
        let org = &org;
        async move { places(&org.get(&path).await.ok()) }
    };
    let any = |count: u32| json!({"event": event.id, "random": {&set.id: count}});
    let three = org.post("orders", any(3)).await.created();
    assert_eq!(
        (seats(&three).await, &three["details"]),
        (["L 2-1", "L 2-2", "L 2-3"].map(str::to_owned).into(), &json!([]))
    );
    let two = org.post("orders", any(2)).await.created();
    assert_eq!(seats(&two).await, ["L 1-1", "L 1-2"]);
    let path = format!("orders/{}", text(&three["id"]));
    let five = org.patch(&path, json!({"random": {&set.id: 5}})).await.ok();
    assert_eq!(seats(&five).await, ["L 2-1", "L 2-2", "L 2-3", "L 2-4", "L 2-5"]);
    assert_eq!(five["details"], json!([]));
    let mut wish = any(5);
    wish["all_or_nothing"] = json!(true);
    let apart = org.post("orders", wish).await.created();
    assert_eq!(seats(&apart).await, ["L 1-4", "L 1-5", "L 10-1", "L 10-2", "L 10-3"]);
    assert_eq!(apart["details"], json!([{"set": set.id, "wanted": 5, "got": 5, "reason": "scattered"}]));
    let last = org.post("orders", any(4)).await.created();
    assert_eq!(seats(&last).await, ["L 2-6"]);
    assert_eq!(last["details"], json!([{"set": set.id, "wanted": 4, "got": 1, "reason": "reserved"}]));
}

pub(crate) async fn late_money_takes_its_own_chairs_or_none(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.hall(json!({"1": [[1, 3]]})).await;
    let late = org.order(&event, set.random(1)).await;
    let chair = late.tickets().await;
    assert_eq!(shop.expire_after_ms(15 * MINUTE_MS).await, 1);
    let rival = org.order(&event, json!({"tickets": chair})).await;
    late.refuses(json!({"status": "done"}), 409, "tickets_gone").await;
    rival.becomes("canceled").await;
    late.becomes("done").await;
    assert_eq!(late.tickets().await, chair);
}
