//! Money that is to go back: who gets how much, and by whom.

use serde_json::Value;

use super::payment_words::{is_by_hand, open_sum, provider_text, reason_text};
use super::{customer, money, text};
use crate::console::fault::Fault;
use crate::console::paging::Paging;
use crate::console::times::day;
use crate::console::visit::Visit;

/// Payments of a page.
const PAGE_SIZE: u32 = 25;

/// A payment of which money is to go back.
pub(crate) struct ReturningRow {
    /// The page of its order, where it is noted.
    pub(crate) path: String,
    pub(crate) number: String,
    pub(crate) customer: String,
    pub(crate) sum: String,
    pub(crate) provider: String,
    /// What a transfer said, which finds it in a statement.
    pub(crate) reference: String,
    pub(crate) reason: String,
    /// When it last changed.
    pub(crate) at: String,
    /// Whether the vendor sends it.
    pub(crate) is_by_hand: bool,
}

/// What the partner has to give back: those first that have waited for longest.
pub(crate) async fn returning(visit: &Visit<'_>, path: &str) -> Result<(Vec<ReturningRow>, Paging), Fault> {
    let page = Paging::wanted(visit);
    let found = visit.read(&format!("/v2/resources/returning_payments?page={page}&page_size={PAGE_SIZE}")).await?.value;
    let orders = &found["refs"]["orders"];
    let rows = found["data"].as_array().into_iter().flatten().map(|payment| row_of(visit, payment, orders)).collect();
    Ok((rows, Paging::of_v2(&found, &format!("{path}?page={{}}"))))
}

fn row_of(visit: &Visit<'_>, payment: &Value, orders: &Value) -> ReturningRow {
    let (texts, order) = (visit.texts(), text(&payment["order"]));
    ReturningRow {
        path: format!("{}/orders/{order}", visit.home()),
        number: orders[&order]["number"].to_string(),
        customer: customer(&orders[&order]),
        sum: money(visit, &Value::from(open_sum(payment).to_string())),
        provider: provider_text(payment, texts),
        reference: text(&payment["reference"]),
        reason: reason_text(payment, texts).unwrap_or_default(),
        at: day(visit.request.language, &payment["updated_at"]),
        is_by_hand: is_by_hand(payment),
    }
}
