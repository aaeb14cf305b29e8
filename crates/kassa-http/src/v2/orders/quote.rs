//! `POST /v2/services/orders/quote`: what an order would come to. Nothing is reserved.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::order::{CreateOrder, OrderOutcome, Split};
use serde::Serialize;
use utoipa::ToSchema;

use super::super::around::{Around, Loaded};
use super::super::errors::LeftOutBody;
use super::super::refs::RefsBody;
use super::input::OrderInput;
use super::model::{DetailBody, TicketBody, ValuesBody};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::Json;
use crate::openapi::errors;
use crate::wire::Price;

/// What an order would come to.
#[derive(Serialize, ToSchema)]
#[schema(as = Quote)]
struct QuoteBody<'a> {
    values: ValuesBody,
    /// Those that it would have if it were made now.
    tickets: Vec<TicketBody<'a>>,
    split: SplitBody,
    /// What could not be had.
    details: Vec<DetailBody>,
}

/// Who would get how much; together they are `values.full`.
#[derive(Serialize, ToSchema)]
#[schema(as = Split)]
struct SplitBody {
    org: Price,
    agent: Price,
    core: Price,
}

impl From<Split> for SplitBody {
    fn from(split: Split) -> Self {
        Self { org: Price(split.org), agent: Price(split.agent), core: Price(split.core) }
    }
}

/// A quote, and what it refers to.
#[derive(Serialize, ToSchema)]
#[schema(as = QuoteAnswer)]
struct QuoteAnswer<'a> {
    data: QuoteBody<'a>,
    refs: RefsBody<'a>,
    /// Promocodes that were asked for and left out; missing if none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    errors: Option<Vec<LeftOutBody>>,
}

impl<'a> QuoteAnswer<'a> {
    fn new(outcome: &'a OrderOutcome, around: Around<'a>) -> Self {
        let order = &outcome.order;
        let tickets = order.lines.iter().map(|line| TicketBody::new(order, line, around).unheld());
        let data = QuoteBody {
            values: ValuesBody::new(order, around),
            tickets: tickets.collect(),
            split: order.split().into(),
            details: DetailBody::all(&outcome.details),
        };
        Self { data, refs: RefsBody::of([order], around), errors: LeftOutBody::all(&outcome.left_out) }
    }
}

#[utoipa::path(
    post, path = "/orders/quote", tag = "Orders", operation_id = "quote_order", summary = "Quote an order",
    description = "Takes what a new order would, decides it in the same way, and reserves nothing.",
    request_body = OrderInput,
    responses((status = 200, description = "The quote.", body = QuoteAnswer), errors::Create),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    Json(body): Json<OrderInput>,
) -> Result<Answer, ApiError> {
    let new = body.into_new()?;
    let vendor = actor.partner()?;
    let event = new.event(&app.engine).await?;
    let loaded = Loaded::before(&app.engine, event, vendor).await?;
    let render = |view: &View, outcome: &OrderOutcome| Answer::ok(&QuoteAnswer::new(outcome, loaded.under(view)));
    let command = CreateOrder { event, vendor, deal: new.deal, edit: new.edit };
    Ok(app.engine.rehearse(&actor, &command, render).await?)
}
