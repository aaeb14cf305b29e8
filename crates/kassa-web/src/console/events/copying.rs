//! What a copy of an event takes along: its sets at their present prices, and its promocodes.

use std::collections::BTreeMap;

use kassa_http::http::StatusCode;
use serde_json::{Value, json};

use super::{Loaded, resource};
use crate::console::fault::Fault;
use crate::console::visit::{Conditions, Visit};

/// Promo codes that are read at a time.
const READ_SIZE: usize = 200;
/// Promo codes of a copy, at most: the newest of what it is a copy of.
const PROMOCODES_MAX: usize = 1_000;

/// Copies sets and promocodes into a new event, and returns how many of them are not in it. The same form sent again
/// copies nothing twice.
pub(super) async fn copy_offer(visit: &Visit<'_>, source: &Loaded, target: &str) -> Result<usize, Fault> {
    let mut copying = Copying { visit, source: resource(&source.data.id), target: resource(target), left_out: 0 };
    let sets = copying.copy_sets().await?;
    copying.copy_promocodes(&sets).await?;
    Ok(copying.left_out)
}

struct Copying<'c, 'v> {
    visit: &'c Visit<'v>,
    /// The paths of both events in the interface.
    source: String,
    target: String,
    left_out: usize,
}

impl Copying<'_, '_> {
    /// Copies the sets, and returns which has become which.
    async fn copy_sets(&mut self) -> Result<BTreeMap<String, Value>, Fault> {
        let sets = self.visit.read(&format!("{}/sets", self.source)).await?.value;
        let mut copies = BTreeMap::new();
        for set in sets.as_array().into_iter().flatten() {
            let mut body = json!({
                "name": set["name"], "desc": set["desc"], "pos": set["pos"], "price": set["price_org"],
            });
            if set["with_seats"] == true {
                body["seats"] = set["seats"].clone();
                body["sector"] = set["sector"].clone();
            } else {
                body["amount"] = set["amount"].clone();
            }
            let id = set["id"].as_str().unwrap_or_default();
            if let Some(copy) = self.make("sets", id, &body).await? {
                copies.insert(id.to_owned(), copy["id"].clone());
            }
        }
        Ok(copies)
    }

    /// Copies the newest promo codes.
    async fn copy_promocodes(&mut self, sets: &BTreeMap<String, Value>) -> Result<(), Fault> {
        let mut offset = 0;
        loop {
            let path = format!("{}/promocodes?limit={READ_SIZE}&offset={offset}", self.source);
            let found = self.visit.read(&path).await?;
            for code in found.value.as_array().into_iter().flatten() {
                self.copy_promocode(code, sets).await?;
            }
            offset += READ_SIZE;
            if offset >= found.total.min(PROMOCODES_MAX) {
                self.left_out += found.total.saturating_sub(PROMOCODES_MAX);
                return Ok(());
            }
        }
    }

    async fn copy_promocode(&mut self, code: &Value, sets: &BTreeMap<String, Value>) -> Result<(), Fault> {
        let of: Vec<&str> = code["sets"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let copies: Vec<&Value> = of.iter().filter_map(|id| sets.get(*id)).collect();
        if copies.is_empty() && !of.is_empty() {
            // Without any of its sets it would be for all of them.
            self.left_out += 1;
            return Ok(());
        }
        let body = json!({
            "code": code["code"], "discount": code["discount"], "name": code["name"], "desc": code["desc"],
            "amount": code["amount"], "tickets_count": code["tickets_count"], "sets": copies,
        });
        self.make("promocodes", code["id"].as_str().unwrap_or_default(), &body).await?;
        Ok(())
    }

    /// Makes a copy of what has this id. What is refused is left out: the rest is of use without it. Whoever did too much
    /// at once sends the form again.
    async fn make(&mut self, kind: &str, id: &str, body: &Value) -> Result<Option<Value>, Fault> {
        let key = format!("{}-{id}", self.visit.form().value("_key").unwrap_or_default());
        let conditions = Conditions { key: Some(&key), tag: None };
        let path = format!("{}/{kind}", self.target);
        match self.visit.send_if("POST", &path, Some(body), conditions).await? {
            Ok(made) => Ok(Some(made.value)),
            Err(refusal) if refusal.status == StatusCode::TOO_MANY_REQUESTS => Err(refusal.into()),
            Err(_) => {
                self.left_out += 1;
                Ok(None)
            }
        }
    }
}
