//! `POST /v2/services/promocodes/check`.

use serde_json::json;

use super::given;
use crate::access::{Row, row};
use crate::harness::{NOTHING, Shop};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("POST /v2/services/promocodes/check", r#"{"event": "{event}", "code": "x"}"#, 401, [400, 400], [200, 200], 200),
];

const CHECK: &str = "/v2/services/promocodes/check";

pub(crate) async fn a_code_says_what_it_does(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let agent = shop.organizer("agent@example.org").await;
    let deal = json!({"event": event.id, "subj": agent.id, "term": {"org": 90, "extra": 10}});
    org.post("deals", deal).await.ok();
    let limits = json!({
        "sets": [set.id], "tickets_count": {"min": 2, "max": 4},
        "lifetime": {"start": "2026-01-01T00:00:00Z", "finish": "2026-02-01T00:00:00Z"},
    });
    event.promocode("Spring", json!({"percengate": "25%"}), limits).await;
    event.promocode("100", json!({"fix": "100.00"}), json!({})).await;
    let check = |code: &str| json!({"event": event.id, "code": code});
    let expected = json!({
        "data": {
            "discount": {"percentage": "25%"},
            "lifetime": {"start": "2026-01-01 00:00:00", "finish": "2026-02-01 00:00:00"},
            "sets": [set.id],
            "tickets_count": {"min": 2, "max": 4},
        },
        "refs": {"sets": {&set.id: {"id": set.id, "name": "Parterre", "price": "100.00"}}},
    });
    for seller in [&org, &agent] {
        assert_eq!(seller.post(CHECK, check(" SPRING ")).await.ok(), expected);
    }
    let plain = json!({"data": {"discount": {"fix": "100.00"}, "sets": [], "tickets_count": {}}, "refs": {"sets": {}}});
    assert_eq!(agent.post(CHECK, check("100")).await.ok(), plain);
}

pub(crate) async fn a_code_that_no_order_can_begin_to_use_is_not_found(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let once = event.promocode("ONCE", json!({"fix": 1}), json!({"amount": 1})).await;
    event.promocode("LATER", json!({"fix": 1}), json!({"lifetime": {"start": "2026-02-01T00:00:00Z"}})).await;
    let check = |code: &str| json!({"event": event.id, "code": code});
    org.post(CHECK, check("once")).await.ok();
    org.order_v2(&event, json!({"random": {&set.id: 1}, "promocodes": ["once"]})).await;
    assert_eq!(once.uses().await, [1, 0]);
    for code in ["ONCE", "LATER", "NONE"] {
        let refused = org.post(CHECK, check(code)).await.error();
        let shown = [&refused["error"], &refused["reason"], &refused["code"]];
        assert_eq!(shown, ["HTTPBadRequest", "Promocode not found", "promocode_not_found"], "{code}");
    }
    let stranger = shop.organizer("stranger@example.org").await;
    stranger.post(CHECK, check("once")).await.refused(400, "event_not_found");
    org.post(CHECK, json!({"event": NOTHING, "code": "x"})).await.refused(400, "event_not_found");
    shop.anonymous().post(CHECK, check("once")).await.refused(401, "credential_required");
}
