//! `POST /v2/resources/refund_requests`: asks that tickets of a paid order be given back.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::order::Order;
use kassa_domain::refund::{Culprit, RefundOf, RefundRequest};
use kassa_engine::refunds::RefundWish;
use utoipa::openapi::{RefOr, Schema};

use super::super::around::Loaded;
use super::model::RefundAnswer;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::{ApiError, Detail};
use crate::input::{FromJson, Input, Json, Problems, TicketList, culprit, fields, must, requires};
use crate::openapi::errors;
use crate::wire::{ReadTime, Ref, culprits};

fields! {
    /// A request for a refund.
    pub(crate) struct RefundInput {
        order: Input<Ref<Order>>,
        /// Whose doing it is: `user` leaves the customer what the policy at sale says, `org` all that it paid.
        culprit: Input<CulpritInput>,
        /// The tickets to give back.
        tickets: Input<TicketList>,
        /// When the customer asked, if that was not now.
        requested_at: Input<ReadTime>,
    }
}

requires! {
    /// A new refund request.
    pub(crate) struct NewRefund: RefundInput { order, culprit, tickets }
}

struct CulpritInput(Culprit);

impl FromJson for CulpritInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let [user, org] = Culprit::ALL.map(Culprit::name);
        // The word is spelled so in the interface.
        let told = |said| format!("Value '{said}' not in list of avaiable values ['{user}', '{org}']");
        culprit(json, told).map(Self)
    }

    fn form() -> RefOr<Schema> {
        culprits()
    }
}

#[utoipa::path(
    post, path = "/refund_requests", tag = "Refunds", operation_id = "create_refund_request",
    summary = "Ask for a refund",
    description = "By the vendor of a paid order, or by the organizer. No ticket can be in two open requests.",
    request_body = NewRefund,
    responses((status = 200, description = "The request.", body = RefundAnswer), errors::Create),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    Json(body): Json<RefundInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let order = body.order.required("order", &mut problems);
    let culprit = body.culprit.required("culprit", &mut problems);
    let tickets = body.tickets.required("tickets", &mut problems);
    let requested_at = body.requested_at.optional("requested_at", &mut problems).map(|time| time.0);
    problems.finish()?;
    let (Ref(order), CulpritInput(culprit), tickets) = (must(order)?, must(culprit)?, must(tickets)?);
    let tickets = RefundOf::Tickets(tickets.0.into_iter().map(|id| id.0).collect());
    // An order that is not there is for the command to refuse.
    let loaded = Loaded::with_orders(&app.engine, vec![order], []).await?;
    let wish = RefundWish { order, culprit, tickets, requested_at, reason: None };
    let render = move |view: &View, request: &RefundRequest| {
        Answer::ok(&RefundAnswer::new(request, loaded.under(view))).tagged(request.revision)
    };
    Ok(app.engine.create_refund(&actor, wish, render).await?)
}
