//! Promo codes and promotions of an event, from the first to their end.

use kassa_http::http::StatusCode;

use super::{after, draft, sale};
use crate::harness::{Page, Shop};

/// The ways of a page to things of a kind: `href="…/promotions/…"`.
fn ways<'p>(page: &'p Page, kind: &str) -> Vec<&'p str> {
    let mark = format!("/{kind}/");
    page.html()
        .split("href=\"")
        .skip(1)
        .map(|rest| rest.split_once('"').unwrap().0)
        .filter(|path| path.contains(&mark))
        .collect()
}

/// A change of one field of a form, as a browser sends it.
fn changed(fields: &mut Vec<(String, String)>, name: &str, value: &str) {
    fields.retain(|(other, _)| other != name);
    fields.push((name.to_owned(), value.to_owned()));
}

#[tokio::test]
async fn a_promotion_is_made_changed_and_ended_by_forms() {
    let shop = Shop::open().await;
    let (ann, event, _) = sale(&shop).await;
    ann.get(&event).await.assert_has(&["Promotions", &format!("{event}/new-promotion")]);
    let path = format!("{event}/new-promotion");
    let levels = [("level.0.from", "2"), ("level.0.value", "10"), ("level.2.from", "4"), ("level.2.value", "20%")];
    let more = [("by", "count"), ("kind", "percentage"), ("start", ""), ("finish", ""), ("_key", "k1")];
    let form: Vec<(&str, &str)> = levels.into_iter().chain(more).collect();
    assert_eq!(ann.send(&path, &form).await.leads_to(), format!("{event}/promotions?done=created"));
    ann.send(&path, &form).await.leads_to();
    let list = ann.get(&format!("{event}/promotions")).await;
    list.assert_has(&["2+ tickets: −10%", "4+ tickets: −20%", "Runs", "For all tickets"]);
    let ways = ways(&list, "promotions");
    assert_eq!(ways.len(), 1, "the button was pressed twice");
    let path = ways[0].to_owned();
    let mut fields = ann.fill(&path, &[("level.0.value", "15")]).await;
    assert_eq!(ann.send_filled(&path, &fields).await.leads_to(), format!("{event}/promotions?done=saved"));
    ann.get(&event).await.assert_has(&["2+ tickets: −15%", "4+ tickets: −20%"]);
    changed(&mut fields, "level.1.from", "5");
    changed(&mut fields, "level.0.value", "12");
    let late = ann.send_filled(&path, &fields).await;
    assert_eq!(late.status, StatusCode::CONFLICT, "somebody else has saved it meanwhile");
    assert!(late.text().contains("Somebody else wrote:"), "{}", late.text());
    assert_eq!(after(late.text(), "name=\"level.1.from\" value=\""), "5", "what was typed stays");
    let ended = ann.send(&path, &[("_do", "remove")]).await;
    assert_eq!(ended.leads_to(), format!("{event}/promotions?done=ended"));
    ann.get(&format!("{event}/promotions?done=ended")).await.assert_has(&["None yet.", "It was ended."]);
    ann.get(&format!("{event}/promotions?removed=true")).await.assert_has(&["Ended by hand"]);
    ann.get(&path).await.assert_has(&["It was ended. Orders that had it keep it.", "4+ tickets: −20%"]);
}

#[tokio::test]
async fn what_is_wrong_with_a_promotion_stands_beside_its_fields() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let path = format!("{event}/new-promotion");
    let set = format!("set.{set}");
    let first = [("level.0.from", "2"), ("level.0.value", "10"), (set.as_str(), "true")];
    ann.send(&path, &first).await.leads_to();
    let same_time =
        ann.send(&path, &[("level.0.from", "3"), ("level.0.value", "5"), ("finish", "2026-06-01T00:00")]).await;
    assert_eq!(same_time.status, StatusCode::UNPROCESSABLE_ENTITY);
    let wrong = "id=\"wrong-finish\">Another promotion runs at this time";
    assert!(same_time.text().contains(wrong), "{}", same_time.text());
    assert_eq!(after(same_time.text(), "name=\"level.0.from\" value=\""), "3", "what was typed stays");
    let descending = [("level.0.from", "4"), ("level.0.value", "5"), ("level.1.from", "2"), ("level.1.value", "9")];
    assert!(ann.send(&path, &descending).await.text().contains("id=\"wrong-levels\""));
    let malformed = [("level.1.from", "a few"), ("level.1.value", "much"), ("start", "soon")];
    let page = ann.send(&path, &malformed).await;
    assert!(page.text().contains("id=\"wrong-start\""), "{}", page.text());
    let page = ann.send(&path, &malformed[..2]).await;
    for part in ["id=\"wrong-level.1.from\"", "id=\"wrong-level.1.value\"", "value=\"a few\""] {
        assert!(page.text().contains(part), "{part} is not in\n{}", page.text());
    }
    let backwards =
        [("level.0.from", "2"), ("level.0.value", "5"), ("start", "2027-01-01T10:00"), ("finish", "2026-01-01T10:00")];
    assert!(ann.send(&path, &backwards).await.text().contains("id=\"wrong-finish\">It has to end after it begins"));
}

#[tokio::test]
async fn a_promo_code_gets_other_limits_and_an_end() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let code = [("code", "Spring"), ("kind", "percent"), ("value", "30"), ("amount", "10"), ("name", "For the choir")];
    let made = ann.send(&format!("{event}/new-promocode"), &code).await;
    assert_eq!(made.leads_to(), format!("{event}/promocodes?done=created"));
    let list = ann.get(&format!("{event}/promocodes")).await;
    list.assert_has(&["1 promo code", "Spring", "For the choir", "0 / 10", "Can be used"]);
    let path = ways(&list, "promocodes")[0].to_owned();
    let mut fields =
        ann.fill(&path, &[("amount", "20"), ("from", "2026-01-01T10:00"), ("until", "2025-01-01T10:00")]).await;
    let refused = ann.send_filled(&path, &fields).await;
    assert!(refused.text().contains("id=\"wrong-until\""), "{}", refused.text());
    changed(&mut fields, "until", "2027-01-01T10:00");
    assert_eq!(ann.send_filled(&path, &fields).await.leads_to(), format!("{event}/promocodes?done=saved"));
    ann.get(&path).await.assert_has(&["value=\"2027-01-01T10:00\"", "0 / 20", "30%"]);
    changed(&mut fields, "desc", "Sung in May");
    assert_eq!(ann.send_filled(&path, &fields).await.status, StatusCode::CONFLICT, "the form is an old one");
    let ended = ann.send(&path, &[("_do", "end")]).await;
    assert_eq!(ended.leads_to(), format!("{event}/promocodes?done=ended"));
    ann.get(&format!("{event}/promocodes")).await.assert_has(&["state--finished\">Over"]);
    // It can be brought back.
    let again = ann.fill(&path, &[("from", ""), ("until", "")]).await;
    ann.send_filled(&path, &again).await.leads_to();
    ann.get(&event).await.assert_has(&["Can be used"]);
}

#[tokio::test]
async fn long_lists_of_promo_codes_have_pages() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let many = [("kind", "percent"), ("value", "10"), ("count", "52"), ("_key", "k")];
    ann.send(&format!("{event}/new-promocodes"), &many).await.leads_to();
    ann.get(&event).await.assert_has(&["47 more"]);
    let first = ann.get(&format!("{event}/promocodes")).await;
    first.assert_has(&["52 promo codes", &format!("rel=\"next\" href=\"{event}/promocodes?page=2\"")]);
    assert_eq!(ways(&first, "promocodes").len(), 50);
    let second = ann.get(&format!("{event}/promocodes?page=2")).await;
    assert_eq!(ways(&second, "promocodes").len(), 2);
    second.assert_has(&["rel=\"prev\""]);
}

#[tokio::test]
async fn a_promo_code_with_an_end_is_made_once_though_the_button_is_pressed_twice() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let path = format!("{event}/new-promocode");
    let form = [("code", "SPRING"), ("value", "10"), ("until", "2026-05-01T10:00")];
    let form = ann.fill(&path, &form).await;
    for _ in 0..2 {
        assert_eq!(ann.send_filled(&path, &form).await.leads_to(), format!("{event}/promocodes?done=created"));
        shop.pass_ms(1_000);
    }
    let list = ann.get(&format!("{event}/promocodes")).await;
    let codes = ways(&list, "promocodes");
    assert_eq!(codes.len(), 1);
    ann.get(codes[0]).await.assert_has(&["value=\"2026-01-01T00:00\"", "value=\"2026-05-01T10:00\""]);
    let over = ann.fill(&path, &[("code", "WINTER"), ("value", "10"), ("until", "2025-12-31T10:00")]).await;
    let refused = ann.send_filled(&path, &over).await;
    assert!(refused.text().contains("id=\"wrong-until\""), "{}", refused.text());
}
