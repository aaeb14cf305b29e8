//! The life of an order from reservation to payment, and its ends.

use serde_json::json;

use crate::client::shape;
use crate::harness::{EVENING, MINUTE_MS, NOTHING, Shop, TO_END_OF_EVENING_MS, text, tickets_of};

pub(crate) async fn an_order_is_paid_and_its_tickets_are_sold(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(3, "100.00").await;
    let order = org.order(&event, set.random(2)).await;
    let begun = order.patch(json!({"payment": {"system": "api\u{2f}BASE"}, "status": "in_progress"})).await;
    assert_eq!((&begun["status"], &begun["payment"]["system"]), (&json!("in_progress"), &json!("api/BASE")));
    let done = order.becomes("done").await;
    insta::allow_duplicates! {
        insta::assert_snapshot!(shape(&done["values"]), @r#"
    {
      "discount": "0.00",
      "extra": "0.00",
      "full": "200.00",
      "nominal": "200.00",
      "sets": [
        {
          "d": "0.00",
          "id": "[id]",
          "p": "100.00",
          "promotion": null,
          "ps": []
        }
      ]
    }
    "#);
    }
    assert_eq!((&done["value"], &done["value_extra"], &done["deal"]), (&json!("200.00"), &json!("0.00"), &json!(null)));
    assert_eq!(set.amounts().await, (3, 1));
    let sold = org.get(&format!("{}/tickets?status=sold", event.path)).await.ok();
    assert_eq!(crate::client::ids(&sold), tickets_of(&done));
    assert_eq!(sold[0]["reserved_till"], json!(null));
}

pub(crate) async fn holds_last_fifteen_minutes_and_thirty_once_payment_begins(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(3, "1.00").await;
    let order = org.order(&event, set.random(1)).await;
    assert_eq!(order.now().await["reserved_till"], "2026-01-01T00:15:00.000000+00:00");
    shop.pass_ms(10 * MINUTE_MS);
    assert_eq!(order.patch(set.random(2)).await["reserved_till"], "2026-01-01T00:15:00.000000+00:00");
    assert_eq!(order.becomes("in_progress").await["reserved_till"], "2026-01-01T00:40:00.000000+00:00");
    let held = org.get(&format!("{}/tickets?status=reserved", event.path)).await.ok();
    assert_eq!(held[0]["reserved_till"], "2026-01-01T00:40:00.000000+00:00");
    event.patch(json!({"hold_minutes": 60})).await;
    let longer = org.order(&event, json!({"tickets": []})).await.now().await;
    assert_eq!(longer["reserved_till"], "2026-01-01T01:10:00.000000+00:00");
}

pub(crate) async fn a_lapsed_hold_gives_its_tickets_back(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(3, "10.00").await;
    let (waits, pays) = (org.order(&event, set.random(2)).await, org.order(&event, set.random(1)).await);
    pays.becomes("in_progress").await;
    assert_eq!(shop.expire_after_ms(15 * MINUTE_MS - 1).await, 0);
    assert_eq!(waits.status().await, "executed");
    assert_eq!(shop.expire_after_ms(1).await, 1);
    let expired = waits.now().await;
    assert_eq!((&expired["status"], &expired["value"]), (&json!("expired"), &json!("20.00")));
    assert_eq!(tickets_of(&expired).len(), 2, "it keeps showing what it held");
    assert_eq!(set.amounts().await, (3, 2));
    assert_eq!(shop.expire_after_ms(15 * MINUTE_MS).await, 1);
    assert_eq!(pays.status().await, "expired");
    assert_eq!(set.amounts().await, (3, 3));
    assert_eq!(org.order(&event, set.random(3)).await.tickets().await.len(), 3);
}

pub(crate) async fn cancel_and_delete_are_the_same(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(4, "10.00").await;
    let (one, two) = (org.order(&event, set.random(2)).await, org.order(&event, set.random(2)).await);
    two.becomes("in_progress").await;
    let canceled = one.becomes("canceled").await;
    assert_eq!((tickets_of(&canceled).len(), &canceled["value"]), (2, &json!("20.00")));
    assert_eq!(org.delete(&two.path).await.ok(), json!({}));
    assert_eq!((two.status().await, two.tickets().await.len()), ("canceled".to_owned(), 2));
    assert_eq!(set.amounts().await, (4, 4));
    for order in [&one, &two] {
        let before = order.now().await;
        assert_eq!(org.delete(&order.path).await.ok(), json!({}), "it is canceled already");
        assert_eq!(order.now().await, before);
    }
}

pub(crate) async fn only_the_documented_steps_are_taken(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(100, "1.00").await;
    let states = ["executed", "in_progress", "done", "canceled", "expired"];
    let steps = [
        ("in_progress", "executed in_progress"),
        ("done", "executed in_progress done expired"),
        ("canceled", "executed in_progress canceled"),
    ];
    for from in states {
        for (to, allowed) in steps {
            let order = org.order(&event, set.random(1)).await;
            match from {
                "executed" => {}
                "expired" => assert!(shop.expire_after_ms(15 * MINUTE_MS).await >= 1),
                other => drop(order.becomes(other).await),
            }
            let answer = org.patch(&order.path, json!({"status": to})).await;
            if allowed.split(' ').any(|allowed| allowed == from) {
                assert_eq!(answer.ok()["status"], to, "{from}");
            } else {
                answer.refused(400, "order_transition");
                assert_eq!(order.status().await, from);
            }
        }
    }
    let order = org.order(&event, json!({"tickets": []})).await;
    for never in ["expired", "refunded"] {
        order.refuses(json!({"status": never}), 400, "order_transition").await;
    }
    order.refuses(json!({"status": "paid"}), 400, "invalid_fields").await;
}

pub(crate) async fn what_is_over_does_not_change(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(9, "1.00").await;
    for end in ["done", "canceled", "expired"] {
        let order = org.order(&event, set.random(1)).await;
        if end == "expired" {
            shop.expire_after_ms(15 * MINUTE_MS).await;
        } else {
            order.becomes(end).await;
        }
        let before = order.now().await;
        for change in [
            set.random(2),
            json!({"tickets": []}),
            json!({"customer": {"first_name": "X"}}),
            json!({"payment": {"system": "api/BASE"}}),
        ] {
            order.refuses(change, 400, "order_final").await;
        }
        assert_eq!(order.now().await, before);
    }
}

pub(crate) async fn tickets_are_only_dropped_once_payment_has_begun(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(5, "10.00").await;
    let order = org.order(&event, set.random(3)).await;
    order.becomes("in_progress").await;
    order.refuses(set.random(4), 400, "tickets_fixed").await;
    let fewer = order.patch(set.random(1)).await;
    assert_eq!((tickets_of(&fewer).len(), &fewer["value"]), (1, &json!("10.00")));
    order.refuses(set.random(2), 400, "tickets_fixed").await;
    assert_eq!(set.amounts().await, (5, 4));
}

pub(crate) async fn done_needs_a_ticket_and_an_email_where_tickets_are_mailed(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(5, "10.00").await;
    let order = org.order(&event, json!({"tickets": []})).await;
    order.refuses(json!({"status": "done"}), 400, "order_empty").await;
    let all = json!({"random": {&set.id: 1}, "payment": {"send_tickets": "true"}, "status": "done"});
    order.refuses(all.clone(), 400, "customer_email_required").await;
    assert_eq!(order.tickets().await, Vec::<String>::new(), "a refused step takes its tickets back");
    assert_eq!((order.now().await["payment"]["send_tickets"].clone(), set.amounts().await), (json!(false), (5, 5)));
    let mut with_email = all;
    with_email["customer"] = json!({"email": "ann@example.org"});
    assert_eq!(order.patch(with_email).await["status"], "done");
}

pub(crate) async fn an_invitation_costs_nothing_and_is_done_as_soon_as_it_is_committed(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(5, "10.00").await;
    let order = org.order(&event, set.random(2)).await;
    let free = order.patch(json!({"payment": {"system": "system/INVITATION"}})).await;
    assert_eq!((&free["value"], &free["values"]["discount"]), (&json!("0.00"), &json!("20.00")));
    order.refuses(json!({"status": "in_progress"}), 400, "customer_email_required").await;
    let body = json!({"customer": {"email": "ann@example.org"}, "status": "in_progress"});
    assert_eq!(order.patch(body).await["status"], "done");
    let second = org.order(&event, json!({"random": {&set.id: 1}, "payment": {"system": "system/INVITATION"}})).await;
    assert_eq!(second.now().await["value"], "0.00");
    assert_eq!(second.patch(json!({"payment": {"system": null}})).await["value"], "10.00");
}

pub(crate) async fn customer_and_payment_change_key_by_key(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let order = org.order(&event, json!({"tickets": []})).await;
    order.patch(json!({"customer": {"email": "ann@example.org", "first_name": "Ann", "lang": "en"}})).await;
    let changed = order.patch(json!({"customer": {"last_name": "Lee", "lang": null}})).await["customer"].clone();
    let user = text(&changed["user"]);
    let expected = json!({"email": "ann@example.org", "first_name": "Ann", "last_name": "Lee", "mobile": null, "lang": null, "user": user});
    assert_eq!(changed, expected);
    let other = order.patch(json!({"customer": {"email": "bob@example.org"}})).await["customer"].clone();
    assert_ne!(other["user"], user);
    let none = order.patch(json!({"customer": {"email": null}})).await["customer"].clone();
    assert_eq!((&none["email"], &none["user"], &none["first_name"]), (&json!(null), &json!(null), &json!("Ann")));
    let urls =
        json!({"payment": {"success_url": "https://a.example.org/?ok=1", "failure_url": "http://a.example.org"}});
    order.patch(urls).await;
    let payment = order.patch(json!({"payment": {"failure_url": null}})).await["payment"].clone();
    assert_eq!(
        (&payment["success_url"], &payment["failure_url"]),
        (&json!("https://a.example.org/?ok=1"), &json!(null))
    );
    order.refuses(json!({"payment": {"success_url": "javascript:alert(1)"}}), 400, "invalid_fields").await;
}

pub(crate) async fn late_money_takes_the_same_tickets_at_the_old_prices(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(3, "10.00").await;
    let order = org.order(&event, set.random(2)).await;
    let held = order.tickets().await;
    shop.expire_after_ms(15 * MINUTE_MS).await;
    set.patch(json!({"price": "99.00"})).await;
    let done = order.becomes("done").await;
    assert_eq!((tickets_of(&done), &done["value"]), (held, &json!("20.00")));
    assert_eq!(set.amounts().await, (3, 1));
}

pub(crate) async fn late_money_takes_others_of_the_same_price_for_those_that_are_gone(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(6, "10.00").await;
    let order = org.order(&event, set.random(3)).await;
    let held = order.tickets().await;
    shop.expire_after_ms(15 * MINUTE_MS).await;
    org.order(&event, json!({"tickets": held})).await.becomes("in_progress").await;
    let done = order.becomes("done").await;
    assert_eq!((tickets_of(&done).len(), &done["value"]), (3, &json!("30.00")));
    assert!(tickets_of(&done).iter().all(|ticket| !held.contains(ticket)));
    assert_eq!(set.amounts().await, (6, 0));
}

pub(crate) async fn late_money_is_refused_when_tickets_are_gone_or_dearer(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(4, "10.00").await;
    let order = org.order(&event, set.random(2)).await;
    let held = order.tickets().await;
    shop.expire_after_ms(15 * MINUTE_MS).await;
    let other = org.order(&event, json!({"tickets": [held[0]]})).await;
    set.patch(json!({"price": "11.00"})).await;
    order.refuses(json!({"status": "done"}), 409, "tickets_gone").await;
    assert_eq!((order.status().await, order.tickets().await), ("expired".to_owned(), held));
    assert_eq!(set.amounts().await, (4, 3));
    other.becomes("canceled").await;
    order.becomes("done").await;
}

pub(crate) async fn late_money_is_refused_after_the_end_or_a_cancellation(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    for change in [json!({"status": "canceled"}), json!({"status": "stand_by"})] {
        let event = org.event_with(json!({"title": "Concert", "lifetime": EVENING, "status": "public"})).await;
        let set = event.set(1, "10.00").await;
        let order = org.order(&event, set.random(1)).await;
        shop.expire_after_ms(15 * MINUTE_MS).await;
        event.patch(change.clone()).await;
        if change["status"] == "canceled" {
            order.refuses(json!({"status": "done"}), 409, "event_over").await;
            assert_eq!((order.status().await, set.amounts().await), ("expired".to_owned(), (1, 1)));
        } else {
            order.becomes("done").await;
        }
    }
    let event = org.event("Concert").await;
    let set = event.set(1, "10.00").await;
    let order = org.order(&event, set.random(1)).await;
    shop.expire_after_ms(TO_END_OF_EVENING_MS).await;
    order.refuses(json!({"status": "done"}), 409, "event_over").await;
}

pub(crate) async fn orders_are_for_their_own(shop: Shop) {
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let event = org.event("Concert").await;
    let order = org.order(&event, json!({"tickets": []})).await;
    other.get(&order.path).await.refused(404, "not_found");
    other.patch(&order.path, json!({"status": "canceled"})).await.refused(404, "not_found");
    other.delete(&order.path).await.refused(404, "not_found");
    for id in [NOTHING, "x", "%ff"] {
        org.get(&format!("orders/{id}")).await.refused(404, "not_found");
        org.delete(&format!("orders/{id}")).await.refused(404, "not_found");
    }
    assert_eq!(order.status().await, "executed");
}

pub(crate) async fn late_money_takes_no_tickets_of_a_removed_set(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(2, "10.00").await;
    let order = org.order(&event, set.random(1)).await;
    shop.expire_after_ms(15 * MINUTE_MS).await;
    org.delete(&set.path).await.ok();
    order.refuses(json!({"status": "done"}), 409, "tickets_gone").await;
}

pub(crate) async fn no_order_is_paid_once_its_event_is_canceled(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(2, "10.00").await;
    let order = org.order(&event, set.random(1)).await;
    order.becomes("in_progress").await;
    event.patch(json!({"status": "canceled"})).await;
    order.refuses(json!({"status": "done"}), 409, "event_over").await;
    order.becomes("canceled").await;
    assert_eq!(set.amounts().await, (2, 2));
}
