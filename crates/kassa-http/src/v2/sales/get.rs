//! `GET /v2/services/sales`

use axum::extract::State;
use kassa_domain::event::EventId;
use kassa_domain::sales::SalesDate;
use kassa_domain::{ReadSet, permission};
use kassa_store::queries::{GroupedSales, SalesGroup, SalesQuery, SalesSide};

use super::model::{SalesResponse, SalesRows};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{parameters, single_value, value_pair, words};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::Route;

/// The most sums of one answer.
const ROWS_MAX: u32 = 5_000;

const SIDES: &[(&str, SalesSide)] = &[("organizer", SalesSide::Organizer), ("agent", SalesSide::Agent)];

const GROUPS: &[(&str, SalesGroup)] = &[
    ("event", SalesGroup::Event),
    ("set", SalesGroup::Set),
    ("vendor", SalesGroup::Vendor),
    ("day", SalesGroup::Day),
    ("month", SalesGroup::Month),
];

parameters! {
    pub(crate) struct Filters:
        words(
            "side", SIDES,
            "`organizer`, which is the default: of the events that you organize, whoever sold. `agent`: what you sold of \
             others' events.",
        ),
        words("by", GROUPS, "What sums are told apart by, in this order; by nothing by default. By `set` only with `event`."),
        single_value("event", schema::id(), "Only for this event."),
        value_pair(
            "days", schema::text_with_format("date"),
            "Only what was paid on these days, from the first to the last, in UTC.",
        ),
}

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/sales", tag = "Sales", operation_id = "get_sales", summary = "Add up what was sold",
    description = "Sums over paid orders: of the tickets that they have now and of the money for them, on the day on which \
                   they were paid. They are made behind the orders, usually within a second: `counted_to` says how far. Up \
                   to 5,000 sums, in the order of what they are told apart by.",
    params(Filters),
    responses(
        (
            status = 200, description = "The sums.", body = SalesResponse,
            example = json!({
                "data": [{
                    "event": "65b06b247b33e06d72292534", "set": null, "vendor": null, "date": "2026-11",
                    "sums": {
                        "orders": 12, "tickets": 31, "full": "3224.00", "organizer": "2790.00", "agent": "341.00",
                        "platform": "93.00", "retained": "0.00",
                    },
                }],
                "total": {
                    "orders": 12, "tickets": 31, "full": "3224.00", "organizer": "2790.00", "agent": "341.00",
                    "platform": "93.00", "retained": "0.00",
                },
                "is_cut": false, "inventory": null, "counted_to": "1200-4", "is_complete": true,
                "refs": {"events": {"65b06b247b33e06d72292534": "Concert"}, "sets": {}, "partners": {}},
            })
        ),
        error_responses::ListErrors,
    ),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let sides = query.words("side", SIDES, &mut problems).unwrap_or_default();
    if sides.len() > 1 {
        problems.add_parameter("side", "must be one word");
    }
    let mut groups: Vec<SalesGroup> = Vec::new();
    for group in query.words("by", GROUPS, &mut problems).unwrap_or_default() {
        if groups.contains(&group) {
            problems.add_parameter("by", "must name everything once");
        }
        groups.push(group);
    }
    if groups.contains(&SalesGroup::Day) && groups.contains(&SalesGroup::Month) {
        problems.add_parameter("by", "must not name both day and month");
    }
    let event: Option<EventId> = query.id("event", &mut problems);
    if event.is_none() && groups.contains(&SalesGroup::Set) {
        problems.add_parameter("by", "must name an event to tell its sets apart");
    }
    let days: Option<(SalesDate, SalesDate)> = query.range("days", &mut problems);
    problems.finish()?;
    let side = sides.first().copied().unwrap_or(SalesSide::Organizer);
    let partners = permission::sees_sales_of(&actor);
    let sales = SalesQuery { partners, side, event, days, groups, limit: ROWS_MAX };
    // Asked first: what is counted meanwhile is in the sums, and may be behind this place.
    let state = app.engine.order_index_state().await?;
    let totals = app.engine.sales(SalesQuery { groups: Vec::new(), ..sales.clone() }).await?;
    let found = if sales.groups.is_empty() { Vec::new() } else { app.engine.sales(sales).await? };
    let named = app.engine.view(&named_by(&found, event)).await?;
    let inventory = event.and_then(|id| named.events.get(id)).filter(|event| permission::organizes(&actor, event));
    let rows = SalesRows {
        total: totals.first().map(|totals| totals.sums).unwrap_or_default(),
        is_cut: found.len() >= ROWS_MAX as usize,
        rows: &found,
    };
    Ok(ApiResponse::ok(&SalesResponse::new(&rows, state, inventory, &named)))
}

/// What the sums are of, each once; and the sets of the one event that is asked for.
fn named_by(found: &[GroupedSales], event: Option<EventId>) -> ReadSet {
    let mut read_set = ReadSet {
        events: found.iter().filter_map(|row| row.event).chain(event).collect(),
        sets: found.iter().filter_map(|row| row.set).collect(),
        partners_to_read: found.iter().filter_map(|row| row.vendor).collect(),
        sets_of: event.into_iter().collect(),
        ..ReadSet::default()
    };
    read_set.normalize();
    read_set
}
