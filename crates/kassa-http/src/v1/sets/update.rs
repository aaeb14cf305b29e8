//! `PATCH /v1/resources/events/{event}/sets/{set}`: by the organizer. `seats` is the full layout, and
//! `blocked` the full list of tickets that are held back.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::Event;
use kassa_domain::set::{TicketSet, UpdateSet};

use super::model::{PricingInput, SET, SetBody, SetInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};
use crate::text_rates::limit_texts;

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Set).shows(&SET).event(EventSource::Path);

#[utoipa::path(
    patch, path = "/events/{event}/sets/{set}", tag = "Sets", operation_id = "update_set", summary = "Change a set",
    description = "Only the organizer can. A price rule that has sold tickets never changes: a new `price` ends it \
                   and adds another, from now. `seats` is the full layout: seats are added and removed accordingly.",
    request_body = SetInput,
    responses((status = 200, description = "The set.", body = SetBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(event): PathId<Event>,
    PathId(set): PathId<TicketSet, 1>,
    Json(mut body): Json<SetInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let desc = body.take_desc(&mut problems);
    let (price, price_from, rules) = match body.take_pricing(&mut problems) {
        PricingInput::Unspecified => (None, None, None),
        PricingInput::SinglePrice(price, from) => (Some(price), from, None),
        PricingInput::Rules(rules) => (None, None, Some(rules)),
    };
    let command = UpdateSet {
        event,
        set,
        name: body.name.patch_non_null("name", &mut problems).map(|text| text.0),
        desc,
        sector: body.sector.patch("sector", &mut problems).map(|text| text.0),
        pos: body.pos.patch("pos", &mut problems).map(|pos| i64::from(pos.0)),
        amount: body.amount.patch_non_null("amount", &mut problems).value().map(|count| count.0),
        observed_amount: 0,
        seats: body.seats.patch("seats", &mut problems).map(|seats| seats.0),
        observed_seats: Vec::new(),
        observed_rows: 0,
        price,
        price_from,
        rules,
        blocked: body
            .blocked
            .patch_non_null("blocked", &mut problems)
            .value()
            .map(|list| list.0.into_iter().map(|id| id.0).collect()),
    };
    problems.finish()?;
    limit_texts(&app, &actor, command.text_bytes())?;
    let render = |_: &View, set: &TicketSet| {
        ApiResponse::ok(&SetBody::new(set, None, set.updated_at)).with_revision(set.revision.number())
    };
    Ok(app.engine.update_set(&actor, command, render).await?)
}
