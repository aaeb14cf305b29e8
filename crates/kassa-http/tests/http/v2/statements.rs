//! Bank statements: what they pay.

use serde_json::{Value, json};

use super::payments::{begin, money, order_of, seen, shop_of, status};
use crate::access::{Row, row};
use crate::harness::{MINUTE_MS, Org, Shop, text};

const IMPORT: &str = "/v2/services/payments/import";
const CAMT_02: &str = include_str!("statements/camt_02.xml");
const CAMT_08: &str = include_str!("statements/camt_08.xml");
const CSV: &str = include_str!("statements/bank.csv");

/// A table without entries.
const EMPTY: &str = r#"{"format": "csv", "statement": "A;B;C\n", "csv": {"date": "A", "texts": ["B"], "amount": "C"}}"#;

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("POST /v2/services/payments/import", EMPTY, 401, [200, 200], [200, 200], 400),
];

/// The columns of the table.
fn columns() -> Value {
    json!({
        "date": "Buchungsdatum", "amount": "Betrag (€)", "texts": ["Verwendungszweck"], "name": "Zahlungspflichtige*r",
    })
}

async fn import(org: &Org, body: Value) -> Vec<Value> {
    org.post(IMPORT, body).await.ok()["data"].as_array().unwrap().clone()
}

/// The matches of entries.
fn matches(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|entry| entry["match"].as_str().unwrap()).collect()
}

/// A reference as people write it.
fn by_hand(payment: &Value) -> String {
    let reference = text(&payment["reference"]).to_lowercase();
    reference.as_bytes().chunks(4).map(|part| str::from_utf8(part).unwrap()).collect::<Vec<_>>().join(" ")
}

pub(crate) async fn a_camt_statement_pays_what_it_names_once(shop: Shop) {
    let (org, event, set) = shop_of(&shop).await;
    let (exact_order, exact_buyer) = order_of(&shop, &org, &event, &set, 2).await;
    let (partial_order, partial_buyer) = order_of(&shop, &org, &event, &set, 2).await;
    let (late_order, late_buyer) = order_of(&shop, &org, &event, &set, 2).await;
    let exact = begin(&exact_buyer, &exact_order, "TRANSFER").await;
    let partial = begin(&partial_buyer, &partial_order, "TRANSFER").await;
    let late = begin(&late_buyer, &late_order, "TRANSFER").await;
    let (named, spaced) = (text(&exact["reference"]), by_hand(&exact));
    let (start, end) = spaced.split_at(7);
    let statement = CAMT_02.replace("{exact:0}", start).replace("{exact:1}", end);
    let statement = statement.replace("{partial}", &text(&partial["reference"]));
    let body = json!({"format": "camt.053", "statement": statement});
    let proposed = import(&org, body.clone()).await;
    assert_eq!(matches(&proposed), ["exact", "ignored", "partial", "unmatched", "ignored"]);
    assert_eq!((&proposed[0]["name"], &proposed[0]["date"]), (&json!("Ann & Ben Fox"), &json!("2026-04-13")));
    let part = &proposed[0]["parts"][0];
    assert_eq!((&part["payment"], &part["amount"], &part["applied"]), (&exact["id"], &json!("200.00"), &json!(false)));
    assert_eq!(status(&exact_buyer, &exact_order).await, "in_progress", "a proposal changes nothing");

    let mut applied = body;
    applied["apply"] = json!(true);
    applied["entries"] = json!([proposed[2]["id"]]);
    let chosen = import(&org, applied.clone()).await;
    assert_eq!([&chosen[0], &chosen[2]].map(|entry| entry["parts"][0]["applied"].clone()), [json!(false), json!(true)]);
    assert_eq!(money(&seen(&org, &partial_order, &partial).await), ["pending", "60.00", "0.00", "0.00"]);
    applied.as_object_mut().unwrap().remove("entries");
    let rest = import(&org, applied.clone()).await;
    assert_eq!(matches(&rest), ["exact", "ignored", "known", "unmatched", "ignored"]);
    assert_eq!(rest[0]["parts"][0]["status"], "paid");
    assert_eq!(status(&exact_buyer, &exact_order).await, "done");
    assert_eq!(matches(&import(&org, applied).await), ["known", "ignored", "known", "unmatched", "ignored"]);
    assert_eq!(money(&seen(&org, &partial_order, &partial).await), ["pending", "60.00", "0.00", "0.00"]);

    // The rest comes the next day; somebody else pays for an order that was canceled meanwhile.
    late_buyer.patch(&super::at(&late_order), json!({"status": "canceled"})).await.ok();
    let next = CAMT_08.replace("{partial}", &text(&partial["reference"])).replace("{exact}", &named);
    let next = next.replace("{late}", &text(&late["reference"]));
    let next = json!({"format": "camt.053", "statement": next, "apply": true});
    let imported = import(&org, next.clone()).await;
    assert_eq!(matches(&imported), ["exact", "late", "other_currency", "ignored"]);
    assert_eq!(status(&partial_buyer, &partial_order).await, "done");
    let back = seen(&org, &late_order, &late).await;
    assert_eq!((money(&back), &back["reason"]), (["returning", "200.00", "0.00", "0.00"], &json!("order_canceled")));
    assert_eq!(matches(&import(&org, next).await), ["known", "known", "other_currency", "ignored"]);
}

pub(crate) async fn a_table_pays_what_it_names_once(shop: Shop) {
    let (org, event, _) = shop_of(&shop).await;
    let set = event.set(9, "1000.00").await;
    let cheap = event.set(9, "100.00").await;
    let (exact_order, exact_buyer) = order_of(&shop, &org, &event, &set, 1).await;
    let (one_order, one_buyer) = order_of(&shop, &org, &event, &cheap, 1).await;
    let (two_order, two_buyer) = order_of(&shop, &org, &event, &cheap, 2).await;
    let exact = begin(&exact_buyer, &exact_order, "TRANSFER").await;
    let one = begin(&one_buyer, &one_order, "TRANSFER").await;
    let two = begin(&two_buyer, &two_order, "TRANSFER").await;
    let statement = CSV.replace("{exact}", &by_hand(&exact)).replace("{one}", &text(&one["reference"]));
    let statement = statement.replace("{two}", &text(&two["reference"]));
    let mut columns = columns();
    let body = json!({"format": "csv", "statement": statement, "csv": columns});
    let proposed = import(&org, body.clone()).await;
    assert_eq!(matches(&proposed), ["surplus", "exact", "ambiguous", "ignored", "unmatched", "unmatched"]);
    assert_eq!(proposed[0]["amount"], "1200.00");
    let split: Vec<&Value> = proposed[1]["parts"].as_array().unwrap().iter().map(|part| &part["amount"]).collect();
    assert_eq!(split, [&json!("100.00"), &json!("200.00")], "one transfer for two orders");
    assert_ne!(proposed[4]["id"], proposed[5]["id"], "two that are alike are two");
    let mut applied = body;
    applied["apply"] = json!(true);
    import(&org, applied.clone()).await;
    assert_eq!([status(&one_buyer, &one_order).await, status(&two_buyer, &two_order).await], ["done", "done"]);
    let surplus = seen(&org, &exact_order, &exact).await;
    assert_eq!((money(&surplus), &surplus["reason"]), (["returning", "1200.00", "1000.00", "0.00"], &json!("surplus")));
    let again = import(&org, applied.clone()).await;
    assert_eq!(matches(&again)[..2], ["known", "known"]);
    assert_eq!(seen(&org, &exact_order, &exact).await, surplus);

    // A statement that has a part of the same days knows the same entries.
    let rows: Vec<&str> = statement.lines().collect();
    applied["statement"] = json!(rows[..6].join("\n"));
    assert_eq!(matches(&import(&org, applied.clone()).await), ["known"]);
    columns["amount"] = json!("Umsatz");
    applied["csv"] = columns;
    org.post(IMPORT, applied).await.refused(400, "invalid_fields");
}

pub(crate) async fn statements_of_others_pay_nothing_here(shop: Shop) {
    let (org, event, set) = shop_of(&shop).await;
    let (order, buyer) = order_of(&shop, &org, &event, &set, 1).await;
    let payment = begin(&buyer, &order, "TRANSFER").await;
    let row = |amount: &str| format!("When;What;Amount\n2026-01-02;{};{amount}\n", text(&payment["reference"]));
    let body = |amount: &str| {
        let csv = json!({"date": "when", "texts": ["what"], "amount": "AMOUNT", "date_format": "YYYY-MM-DD"});
        json!({"format": "csv", "statement": row(amount), "csv": csv, "apply": true})
    };
    let stranger = shop.organizer("stranger@example.org").await;
    assert_eq!(matches(&import(&stranger, body("100,00")).await), ["unmatched"]);
    buyer.post(IMPORT, body("100,00")).await.refused(403, "forbidden");
    shop.visitor(&org).post(IMPORT, body("100,00")).await.refused(403, "forbidden");
    shop.anonymous().post(IMPORT, body("100,00")).await.refused(401, "credential_required");
    assert_eq!(money(&seen(&org, &order, &payment).await), ["pending", "0.00", "0.00", "0.00"]);
    for bad in ["100.00", "1,234,56", "a", "1.23,45", "--5"] {
        org.post(IMPORT, body(bad)).await.refused(400, "invalid_fields");
    }
    // Of a test the provider knows.
    let (tried, buyer) = order_of(&shop, &org, &event, &set, 1).await;
    let test = begin(&buyer, &tried, "TEST").await;
    let mut named = body("100,00");
    named["statement"] = json!(row("100,00").replace(&text(&payment["reference"]), &text(&test["reference"])));
    let refused = import(&org, named).await;
    assert_eq!(refused[0]["parts"][0]["error"]["code"], "payment_by_provider");
    // Money for an order that has lapsed takes its tickets again.
    assert_eq!(shop.expire_after_ms(8 * 24 * 60 * MINUTE_MS).await, 2);
    let late = import(&org, body("100,00")).await;
    assert_eq!((matches(&late), &late[0]["parts"][0]["status"]), (vec!["late"], &json!("paid")));
}

pub(crate) async fn what_is_no_statement_is_refused(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let wrapped =
        |inner: &str| format!(r#"<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">{inner}</Document>"#);
    let bomb = r#"<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>"#;
    for bad in [
        String::new(),
        "When;What".to_owned(),
        "<Document/>".to_owned(),
        "<Document xmlns='urn:iso:std:iso:20022:tech:xsd:pain.001.001.03'/>".to_owned(),
        wrapped("<BkToCstmrStmt>"),
        wrapped("</Stmt>"),
        wrapped("&a;"),
        format!("{bomb}{}", wrapped("<BkToCstmrStmt>&b;</BkToCstmrStmt>")),
        wrapped(&format!("{}{}", "<a>".repeat(50), "</a>".repeat(50))),
        wrapped("<BkToCstmrStmt><Stmt><Ntry><Amt Ccy='EUR'>1</Amt></Ntry></Stmt></BkToCstmrStmt>"),
        CAMT_02[..CAMT_02.len() / 2].to_owned(),
    ] {
        org.post(IMPORT, json!({"format": "camt.053", "statement": bad})).await.refused(400, "invalid_fields");
    }
    let empty = json!({"format": "camt.053", "statement": wrapped("<BkToCstmrStmt/>")});
    assert_eq!(import(&org, empty).await, [Value::Null; 0]);
    for bad in [
        json!({"format": "mt940", "statement": ""}),
        json!({"format": "csv", "statement": "a"}),
        json!({"format": "camt.053"}),
        json!({"format": "csv", "statement": "a", "csv": {"date": "a"}}),
        json!({"format": "camt.053", "statement": wrapped(""), "currency": "euro"}),
    ] {
        org.post(IMPORT, bad).await.refused(400, "invalid_fields");
    }
}
