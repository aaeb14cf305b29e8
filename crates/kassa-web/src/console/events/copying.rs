//! What a copy of an event takes along: its sets at their present prices, and its promocodes.

use serde_json::{Map, Value, json};

use super::{Loaded, resource};
use crate::console::fault::Fault;
use crate::console::visit::{Conditions, Visit};

/// Copies sets and promocodes into a new event. The same form sent again copies nothing twice.
pub(super) async fn copy_offer(visit: &Visit<'_>, source: &Loaded, target: &str) -> Result<(), Fault> {
    let key = visit.form().value("_key").unwrap_or_default();
    let sets = visit.read(&format!("{}/sets", resource(&source.data.id))).await?.value;
    let mut copies: Map<String, Value> = Map::new();
    for set in sets.as_array().into_iter().flatten() {
        let id = set["id"].as_str().unwrap_or_default();
        let mut body = json!({
            "name": set["name"], "desc": set["desc"], "pos": set["pos"], "price": set["price_org"],
        });
        if set["with_seats"] == true {
            body["seats"] = set["seats"].clone();
            body["sector"] = set["sector"].clone();
        } else {
            body["amount"] = set["amount"].clone();
        }
        let conditions = Conditions { key: Some(&format!("{key}-{id}")), tag: None };
        let made = visit.send_if("POST", &format!("{}/sets", resource(target)), Some(&body), conditions).await?;
        copies.insert(id.to_owned(), made.map_err(Fault::from)?.value["id"].clone());
    }
    let codes = visit.read(&format!("{}/promocodes", resource(&source.data.id))).await?.value;
    for code in codes.as_array().into_iter().flatten() {
        let id = code["id"].as_str().unwrap_or_default();
        let of = code["sets"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let body = json!({
            "code": code["code"], "discount": code["discount"], "name": code["name"], "desc": code["desc"],
            "amount": code["amount"], "tickets_count": code["tickets_count"],
            "sets": of.filter_map(|id| copies.get(id)).collect::<Vec<_>>(),
        });
        let conditions = Conditions { key: Some(&format!("{key}-{id}")), tag: None };
        let path = format!("{}/promocodes", resource(target));
        visit.send_if("POST", &path, Some(&body), conditions).await?.map_err(Fault::from)?;
    }
    Ok(())
}
