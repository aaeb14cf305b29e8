//! `POST /v2/services/orders/quote`: what an order would come to. Nothing is reserved.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::order::{OrderOutcome, RevenueSplit};
use kassa_engine::ListTurn;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::errors::SkippedPromocodeBody;
use super::super::refs::RefsBody;
use super::input::OrderInput;
use super::model::{OrderTicketV2Body, OrderValuesV2Body};
use super::shortfall::ShortfallV2Body;
use crate::app::AppState;
use crate::caller::{AuthenticatedCaller, RequestAddress};
use crate::error::ApiError;
use crate::input::Json;
use crate::openapi::error_responses;
use crate::order_rates;
use crate::related::RelatedRowsLookup;
use crate::response::ApiResponse;
use crate::route::{EventSource, Route};
use crate::wire::MoneyBody;

/// What an order would cost.
#[derive(Serialize, ToSchema)]
#[schema(as = Quote)]
struct QuoteBody<'a> {
    /// Totals over its tickets, and prices by set.
    values: OrderValuesV2Body,
    /// The tickets that it would have if it were made now.
    tickets: Vec<OrderTicketV2Body<'a>>,
    /// Who would get how much.
    split: SplitBody,
    /// What was asked for and is not available, and why.
    details: Vec<ShortfallV2Body>,
}

/// Who would get how much: together `values.full`.
#[derive(Serialize, ToSchema)]
#[schema(as = Split)]
struct SplitBody {
    /// The organizer's part.
    org: MoneyBody,
    /// The agent's part; 0.00 if the organizer sells.
    agent: MoneyBody,
    /// The platform's part.
    core: MoneyBody,
}

impl From<RevenueSplit> for SplitBody {
    fn from(split: RevenueSplit) -> Self {
        Self { org: MoneyBody(split.organizer), agent: MoneyBody(split.agent), core: MoneyBody(split.platform) }
    }
}

/// A quote, and what it refers to.
#[derive(Serialize, ToSchema)]
#[schema(as = QuoteAnswer)]
struct QuoteResponse<'a> {
    /// The quote.
    data: QuoteBody<'a>,
    /// What the quote refers to by id.
    refs: RefsBody<'a>,
    /// Promocodes that were asked for and left out; missing if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    errors: Option<Vec<SkippedPromocodeBody>>,
}

impl<'a> QuoteResponse<'a> {
    fn new(outcome: &'a OrderOutcome, related: RelatedRowsLookup<'a>) -> Self {
        let order = &outcome.order;
        let tickets = order.lines.iter().map(|line| OrderTicketV2Body::new(order, line, related).into_vacant());
        let data = QuoteBody {
            values: OrderValuesV2Body::new(order, related),
            tickets: tickets.collect(),
            split: order.revenue_split().into(),
            details: ShortfallV2Body::all(&outcome.shortfalls),
        };
        Self {
            data,
            refs: RefsBody::of([order], related),
            errors: SkippedPromocodeBody::all(&outcome.refused_promocodes),
        }
    }
}

pub(crate) static ROUTE: Route = Route::new().event(EventSource::Body).computed();

#[utoipa::path(
    post, path = "/orders/quote", tag = "Orders", operation_id = "quote_order", summary = "Quote an order",
    description = "Takes the body of a new order and answers what it would cost. Nothing is reserved.",
    request_body = OrderInput,
    responses((status = 200, description = "The quote.", body = QuoteResponse), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    network: RequestAddress,
    Json(body): Json<OrderInput>,
) -> Result<ApiResponse, ApiError> {
    let new = body.with_tickets_of_seats(&app.engine).await?.into_new_order()?;
    order_rates::count_guesses(&app, &actor, network, new.promocodes())?;
    let vendor = actor.vendor()?;
    let (command, related) = new.into_command(&app.engine, vendor).await?;
    // It takes as much work as a page of a list, and a turn like one.
    ListTurn::begin().await?;
    let render =
        |view: &View, outcome: &OrderOutcome| ApiResponse::ok(&QuoteResponse::new(outcome, related.lookup_over(view)));
    Ok(app.engine.dry_run(&actor, &command, render).await?)
}
