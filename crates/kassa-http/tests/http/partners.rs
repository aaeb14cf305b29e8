//! `/v1/resources/partners`.

use kassa_domain::Actor;
use kassa_domain::partner::{RestorePartner, SuspendPartner};
use serde_json::json;

use crate::access::{Row, row};
use crate::client::{ids, shape};
use crate::harness::{EVENING, NOTHING, Shop, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET partners", "", 401, [200, 200], [200, 200], 200),
    row("GET partners?ids={partner}", "", 200, [200, 200], [200, 200], 200),
    row("GET partners/{partner}", "", 200, [200, 200], [200, 200], 200),
    row("PATCH partners/{partner}", "{}", 401, [403, 403], [200, 200], 200),
];

/// It changes who the callers act for, and is called near the end.
#[rustfmt::skip]
pub(crate) const LATE_ACCESS: &[Row] = &[
    row("POST partners", r#"{"name": "X"}"#, 401, [403, 201], [403, 201], 201),
];

#[tokio::test]
async fn a_user_makes_a_partner_that_it_manages() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let partner = ann.post("partners", json!({"name": "Hall", "roles": ["org", "org", "agent"]})).await.created();
    insta::assert_snapshot!(shape(&partner), @r#"
    {
      "channels": null,
      "contact": {
        "address": null,
        "email": null,
        "id": "[id]",
        "name": null,
        "phones": [],
        "www": null
      },
      "created_at": "2026-01-01T00:00:00.000000+00:00",
      "desc": null,
      "director": null,
      "id": "[id]",
      "invited": [],
      "legal": null,
      "media": {},
      "name": "Hall",
      "refund_policy": null,
      "removed": false,
      "require_second_factor": false,
      "roles": [
        "org",
        "agent"
      ],
      "shop": {
        "about": null,
        "accent": null,
        "email": null,
        "header": null,
        "open": false,
        "origins": [],
        "payments": [],
        "phone": null,
        "terms": null,
        "transfer": null
      },
      "standard_term": null,
      "suspended": false,
      "tags": [],
      "updated_at": "2026-01-01T00:00:00.000000+00:00",
      "user": {
        "created_at": "2026-01-01T00:00:00.000000+00:00",
        "email": "ann@example.org",
        "first_name": null,
        "id": "[id]",
        "last_name": null,
        "partners": [
          "[id]"
        ],
        "tags": [],
        "updated_at": "2026-01-01T00:00:00.000000+00:00"
      },
      "users": [
        "[id]"
      ]
    }
    "#);
    assert_eq!(ann.get(&format!("partners/{}", text(&partner["id"]))).await.ok(), partner);
    assert_eq!(ann.get("/v1/services/whoami").await.ok()["partners"], json!([partner["id"]]));
}

#[tokio::test]
async fn a_key_makes_no_partners() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    org.post("partners", json!({"name": "Hall"})).await.refused(403, "forbidden");
}

#[tokio::test]
async fn everybody_sees_the_face_of_a_partner() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let about = json!({"desc": "A hall", "contact": {"www": "https://hall.example.org", "email": "hall@example.org"}, "legal": {"type": "ru/ltd"}});
    org.patch(&org.path(), about).await.ok();
    let face = shop.anonymous().get(&org.path()).await.ok();
    insta::assert_snapshot!(shape(&face), @r#"
    {
      "contact": {
        "id": "[id]",
        "www": "https://hall.example.org"
      },
      "desc": "A hall",
      "id": "[id]",
      "media": {},
      "name": "Partner of org@example.org",
      "roles": [],
      "shop": {
        "about": null,
        "accent": null,
        "email": null,
        "header": null,
        "open": false,
        "origins": [],
        "payments": [],
        "phone": null,
        "terms": null,
        "transfer": null
      },
      "tags": []
    }
    "#);
    let other = shop.organizer("other@example.org").await;
    assert_eq!(other.get(&org.path()).await.ok(), face);
    assert_eq!(other.get(&format!("partners?ids={}", org.id)).await.ok(), json!([face]));
}

#[tokio::test]
async fn the_other_side_of_an_accepted_deal_sees_contact_and_legal_form() {
    let shop = Shop::open().await;
    let (org, agent) = (shop.organizer("org@example.org").await, shop.organizer("agent@example.org").await);
    let about = json!({"contact": {"www": "https://hall.example.org", "phones": ["1"]}, "legal": {"type": "ru/ltd"}});
    org.patch(&org.path(), about).await.ok();
    let event = org.event("Concert").await;
    let face = agent.get(&org.path()).await.ok();
    let deal = agent.post("deals", json!({"event": event.id, "term": {"org": 90}})).await.ok();
    assert_eq!(agent.get(&org.path()).await.ok(), face, "a proposal opens nothing");
    let deal = format!("deals/{}", text(&deal["id"]));
    org.patch(&deal, json!({"status": "accepted"})).await.ok();
    let side = agent.get(&org.path()).await.ok();
    insta::assert_snapshot!(shape(&side), @r#"
    {
      "contact": {
        "address": null,
        "email": null,
        "id": "[id]",
        "name": null,
        "phones": [
          "1"
        ],
        "www": "https://hall.example.org"
      },
      "desc": null,
      "id": "[id]",
      "legal": {
        "type": "ru/ltd"
      },
      "media": {},
      "name": "Partner of org@example.org",
      "roles": [],
      "shop": {
        "about": null,
        "accent": null,
        "email": null,
        "header": null,
        "open": false,
        "origins": [],
        "payments": [],
        "phone": null,
        "terms": null,
        "transfer": null
      },
      "tags": []
    }
    "#);
    assert_eq!(agent.get(&format!("partners?ids={}", org.id)).await.ok(), json!([side]));
    let expanded = agent.get(&format!("{deal}?fields-schema=obj%7Blegal,contact%7D")).await.ok();
    assert_eq!(expanded, json!({"obj": {"legal": side["legal"], "contact": side["contact"]}}));
    let other_side = org.get(&agent.path()).await.ok();
    assert_eq!((&other_side["legal"], &other_side["contact"]["phones"]), (&json!(null), &json!([])));
    let third = shop.organizer("third@example.org").await;
    assert_eq!(third.get(&org.path()).await.ok(), face);
    agent.patch(&deal, json!({"status": "terminated"})).await.ok();
    assert_eq!(agent.get(&org.path()).await.ok(), face);
}

#[tokio::test]
async fn the_list_shows_sides_of_own_deals_as_they_are_shown_by_id() {
    let shop = Shop::open().await;
    let (org, agent) = (shop.organizer("org@example.org").await, shop.organizer("agent@example.org").await);
    let (asks, third) = (shop.organizer("asks@example.org").await, shop.organizer("third@example.org").await);
    org.patch(&org.path(), json!({"contact": {"email": "hall@example.org"}})).await.ok();
    let event = org.event("Concert").await;
    let term = json!({"org": 90});
    org.post("deals", json!({"event": event.id, "subj": agent.id, "term": term})).await.ok();
    asks.post("deals", json!({"event": event.id, "term": term})).await.ok();
    let cases = [
        (&org, vec![asks.id.as_str(), &agent.id, &org.id]),
        (&agent, vec![agent.id.as_str(), &org.id]),
        (&asks, vec![asks.id.as_str(), &org.id]),
        (&third, vec![third.id.as_str()]),
    ];
    for (partner, shown) in cases {
        let list = partner.get("partners").await;
        assert_eq!(list.total(), shown.len());
        let list = list.ok();
        assert_eq!(ids(&list), shown);
        for item in list.as_array().unwrap() {
            assert_eq!(&partner.get(&format!("partners/{}", text(&item["id"]))).await.ok(), item);
        }
    }
    org.patch(&org.path(), json!({"removed": true})).await.ok();
    assert_eq!(ids(&agent.get("partners").await.ok()), [agent.id.as_str()]);
    org.get("partners").await.refused(401, "credential_invalid");
}

#[tokio::test]
async fn a_change_merges_objects_by_key_and_replaces_lists() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let path = org.path();
    let about = json!({
        "contact": {"address": "1 Long Street", "phones": ["1", "2"], "www": "https://a.example.org"},
        "legal": {"type": "ru/ip", "bank": {"bik": "1", "rs": "2"}, "who": {"name": "Ann"}},
        "tags": ["a", "b"],
    });
    org.patch(&path, about).await.ok();
    let change = json!({
        "contact": {"address": null, "phones": ["3"]},
        "legal": {"bank": {"rs": "3"}, "who": null},
        "tags": ["c"],
        "director": "Ann",
    });
    let partner = org.patch(&path, change).await.ok();
    assert_eq!(
        partner["contact"],
        json!({
            "id": org.id, "address": null, "email": null, "name": null, "phones": ["3"], "www": "https://a.example.org",
        })
    );
    assert_eq!(partner["legal"], json!({"type": "ru/ip", "bank": {"bik": "1", "rs": "3"}}));
    assert_eq!((&partner["tags"], &partner["director"]), (&json!(["c"]), &json!("Ann")));
    let cleared = org.patch(&path, json!({"contact": null, "legal": null, "tags": null, "director": null})).await.ok();
    assert_eq!((&cleared["legal"], &cleared["tags"], &cleared["director"]), (&json!(null), &json!([]), &json!(null)));
    assert_eq!(cleared["contact"]["www"], json!(null));
    assert_eq!(org.get(&path).await.ok(), cleared);
}

#[tokio::test]
async fn managers_come_and_go_at_once() {
    let shop = Shop::open().await;
    let (ann, bob) = (shop.user("ann@example.org").await, shop.user("bob@example.org").await);
    let hall = ann.partner("Hall").await;
    let path = format!("partners/{hall}");
    bob.post("events", json!({"title": "Early"})).await.refused(400, "partner_required");
    let asked = ann.patch(&path, json!({"users": [ann.id, bob.id]})).await.ok();
    assert_eq!((&asked["users"], &asked["invited"]), (&json!([ann.id]), &json!([bob.id])));
    bob.post("events", json!({"title": "Early"})).await.refused(400, "partner_required");
    shop.accept_invitation(&bob, &hall).await;
    let both = ann.get(&path).await.ok();
    assert_eq!((both["users"].as_array().unwrap().len(), &both["invited"]), (2, &json!([])));
    bob.post("events", json!({"title": "Concert"})).await.ok();
    bob.patch(&path, json!({"users": [bob.id]})).await.ok();
    ann.patch(&path, json!({"name": "Mine"})).await.refused(403, "forbidden");
    bob.patch(&path, json!({"users": []})).await.refused(400, "last_manager");
    bob.patch(&path, json!({"users": [ann.id]})).await.refused(400, "last_manager");
    bob.patch(&path, json!({"users": [NOTHING]})).await.refused(400, "user_not_found");
    assert_eq!(bob.get(&path).await.ok()["users"], json!([bob.id]));
}

#[tokio::test]
async fn an_invitation_changes_nothing_until_it_is_accepted() {
    let shop = Shop::open().await;
    let (ann, bob) = (shop.user("ann@example.org").await, shop.user("bob@example.org").await);
    let own = bob.partner("Own").await;
    for at in 0..3 {
        let partner = ann.partner(&format!("Trap {at}")).await;
        let users = json!({"users": [ann.id, "bob@example.org"]});
        ann.patch(&format!("partners/{partner}"), users).await.ok();
    }
    bob.post("events", json!({"title": "Mine"})).await.ok();
    assert_eq!(bob.get(&bob.path()).await.ok()["partners"], json!([own]));
    let path = format!("{}/invitations", bob.path());
    let list = bob.get(&path).await;
    assert_eq!(list.total(), 3);
    let list = list.ok();
    let partner = text(&list[0]["partner"]);
    assert_eq!((&list[0]["status"], &list[0]["user"]), (&json!("pending"), &json!(bob.id)));
    let named = bob.get(&format!("{path}?fields-schema=partner%7Bname%7D")).await.ok();
    assert!(text(&named[0]["partner"]["name"]).starts_with("Trap"));
    for other in [&*ann, &shop.anonymous().with_cookie(&ann.token)] {
        other.get(&path).await.refused(404, "not_found");
    }
    let answer = format!("{path}/{partner}");
    bob.patch(&answer, json!({"status": "accepted"})).await.refused(403, "forbidden");
    bob.patch(&answer, json!({"status": "perhaps"})).await.refused(400, "invalid_fields");
    bob.patch(&answer, json!({})).await.refused(400, "invalid_fields");
    assert_eq!(bob.patch(&answer, json!({"status": "declined"})).await.ok()["status"], "declined");
    ann.patch(&format!("partners/{partner}"), json!({"users": [ann.id]})).await.ok();
    shop.accept_invitation(&bob, &partner).await;
    bob.patch(&answer, json!({"status": "declined"})).await.refused(400, "invitation_accepted");
    bob.patch(&format!("{path}/{NOTHING}"), json!({"status": "declined"})).await.refused(404, "not_found");
}

#[tokio::test]
async fn who_made_a_partner_is_shown_to_its_people_without_the_account() {
    let shop = Shop::open().await;
    let (ann, bob) = (shop.user("ann@example.org").await, shop.user("bob@example.org").await);
    ann.patch(&ann.path(), json!({"first_name": "Ann", "last_name": "Lee"})).await.ok();
    shop.pass_ms(5_000);
    let hall = ann.partner("Hall").await;
    let path = format!("partners/{hall}");
    ann.patch(&path, json!({"users": [ann.id, bob.id]})).await.ok();
    shop.accept_invitation(&bob, &hall).await;
    let own = ann.get(&path).await.ok();
    assert_eq!((&own["user"]["email"], &own["user"]["first_name"]), (&json!("ann@example.org"), &json!("Ann")));
    let changed = bob.patch(&path, json!({"desc": "A hall"})).await.ok();
    for seen in [changed, bob.get(&path).await.ok()] {
        let user = &seen["user"];
        assert_eq!((&user["id"], &user["email"], &user["first_name"]), (&json!(ann.id), &json!(null), &json!(null)));
        assert_eq!(user["created_at"], seen["created_at"]);
    }
}

#[tokio::test]
async fn a_partner_that_is_removed_or_suspended_does_nothing() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let (hall, other) = (ann.partner("Hall").await, ann.partner("Other").await);
    let path = format!("partners/{hall}");
    let key = text(&ann.post(&format!("{path}/api_keys"), json!({"name": "till"})).await.created()["key"]);
    let key = shop.anonymous().with_key(&key);
    let body = json!({"title": "Concert", "lifetime": EVENING, "status": "public"});
    let event = text(&key.post("events", body).await.ok()["id"]);
    let event = format!("events/{event}");
    shop.anonymous().get(&event).await.ok();
    key.patch(&path, json!({"removed": true})).await.ok();
    key.get(&event).await.refused(401, "credential_invalid");
    shop.anonymous().get(&event).await.refused(404, "not_found");
    assert_eq!(shop.anonymous().get("events").await.ok(), json!([]));
    ann.for_partner(&hall).get(&event).await.refused(403, "partner_inactive");
    assert_eq!(text(&ann.post("events", json!({"title": "X"})).await.ok()["org"]), other);
    assert_eq!(ann.get(&path).await.ok()["removed"], true);
    assert_eq!(ann.patch(&path, json!({"removed": false})).await.ok()["removed"], false);
    key.get(&event).await.ok();
    let partner = hall.parse().unwrap();
    let suspend = SuspendPartner { partner, reason: None };
    shop.engine.change_access(&Actor::Operator, suspend).await.unwrap();
    key.get(&event).await.refused(401, "credential_invalid");
    shop.anonymous().get(&event).await.refused(404, "not_found");
    assert_eq!(ann.get(&path).await.ok()["suspended"], true);
    ann.patch(&path, json!({"removed": false})).await.refused(403, "partner_inactive");
    shop.engine.change_access(&Actor::Operator, RestorePartner { partner }).await.unwrap();
    shop.anonymous().get(&event).await.ok();
    key.post("events", json!({"title": "Again"})).await.ok();
}

#[tokio::test]
async fn the_list_shows_own_ones_newest_first() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let mut own = Vec::new();
    for name in ["One", "Two", "Three"] {
        shop.pass_ms(1_000);
        own.insert(0, ann.partner(name).await);
    }
    shop.organizer("org@example.org").await;
    let list = ann.get("partners").await;
    assert_eq!(list.total(), 3);
    assert_eq!(ids(&list.ok()), own);
    assert_eq!(ids(&ann.for_partner(&own[1]).get("partners").await.ok()), [own[1].clone()]);
    shop.anonymous().get("partners").await.refused(401, "credential_required");
}

#[tokio::test]
async fn a_removed_partner_is_for_its_own_people_only() {
    let shop = Shop::open().await;
    let (ann, other) = (shop.user("ann@example.org").await, shop.organizer("other@example.org").await);
    let hall = ann.partner("Hall").await;
    let path = format!("partners/{hall}");
    assert_eq!(ann.patch(&path, json!({"removed": "true"})).await.ok()["removed"], true);
    other.get(&path).await.refused(404, "not_found");
    assert_eq!(other.get(&format!("partners?ids={hall}&removed=true")).await.ok(), json!([]));
    assert_eq!(ann.get("partners").await.ok(), json!([]));
    assert_eq!(ids(&ann.get("partners?removed=true").await.ok()), [hall.as_str()]);
    assert_eq!(ann.get(&path).await.ok()["removed"], true);
}

#[tokio::test]
async fn a_removed_partner_is_not_there_for_others_who_change_it() {
    let shop = Shop::open().await;
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    org.patch(&org.path(), json!({"removed": true})).await.ok();
    other.patch(&org.path(), json!({"name": "X"})).await.refused(404, "not_found");
}

#[tokio::test]
async fn what_is_no_partner_is_not_found() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    for id in [NOTHING, "x", "000000000000000000000000", &org.id.to_uppercase(), &org.key] {
        org.get(&format!("partners/{id}")).await.refused(404, "not_found");
        org.patch(&format!("partners/{id}"), json!({"name": "X"})).await.refused(404, "not_found");
    }
}
