//! What must be true after a sale: nothing was sold twice, and nothing that was acknowledged is lost.

use std::collections::HashSet;

use serde_json::Value;

use crate::error::BenchError;
use crate::scripts::{ORDERS_PATH, OrderId, TICKETS_PER_ORDER};
use crate::sellers::{Sale, Sellers};

/// Orders that are asked for at a time.
const ORDERS_PER_PAGE: usize = 1_000;

/// Holds the orders of a sale, all that were acknowledged, against its tickets.
pub(crate) async fn audit_sale<'a>(
    sellers: &mut Sellers,
    sale: &Sale,
    orders: impl IntoIterator<Item = &'a OrderId>,
) -> Result<(), BenchError> {
    let orders: Vec<&str> = orders.into_iter().map(|id| std::str::from_utf8(id)).collect::<Result<_, _>>()?;
    let mut tickets = HashSet::new();
    for page in orders.chunks(ORDERS_PER_PAGE) {
        let path = format!("{ORDERS_PATH}?fields-schema=id,tickets&limit={ORDERS_PER_PAGE}&ids={}", page.join(","));
        let found = sellers.get(&path).await?;
        let found = found.as_array().ok_or("a list of orders is no list")?;
        if found.len() != page.len() {
            return Err(format!("{} acknowledged orders are lost", page.len() - found.len()).into());
        }
        if found
            .iter()
            .any(|order| order["tickets"].as_array().is_none_or(|tickets| tickets.len() != TICKETS_PER_ORDER))
        {
            return Err("an order has less than it wanted: the sale was too small for the time".into());
        }
        for ticket in found.iter().filter_map(|order| order["tickets"].as_array()).flatten() {
            if !tickets.insert(ticket.as_str().unwrap_or_default().to_owned()) {
                return Err(format!("ticket {ticket} is in two orders").into());
            }
        }
    }
    let gone = count_taken_tickets(sellers, sale).await?;
    if gone != tickets.len() as u64 {
        return Err(format!("the orders have {} tickets, and {gone} are gone from the sale", tickets.len()).into());
    }
    Ok(())
}

/// How many tickets of a sale are no longer vacant.
async fn count_taken_tickets(sellers: &mut Sellers, sale: &Sale) -> Result<u64, BenchError> {
    let sets =
        sellers.get(&format!("/v1/resources/events/{}/sets?fields-schema=amount,amount_vacant", sale.event)).await?;
    let count = |set: &Value, field: &str| set[field].as_u64().ok_or("a set has no amount");
    let mut gone = 0;
    for set in sets.as_array().ok_or("a list of sets is no list")? {
        gone += count(set, "amount")? - count(set, "amount_vacant")?;
    }
    Ok(gone)
}
