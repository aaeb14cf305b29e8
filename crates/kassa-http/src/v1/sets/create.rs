//! `POST /v1/resources/events/{event}/sets`: a set and its tickets, `amount` of them or one for each
//! seat of `seats`; more than 10,000 of them are made in the background.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::Event;
use kassa_domain::set::{CreateSet, RequestedPriceRule, TicketSet};

use super::model::{NewSet, PricingInput, SET, SetBody, SetInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems, required_value};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, Route};
use crate::text_rates::limit_texts;

pub(crate) static ROUTE: Route = Route::new().shows(&SET).event(EventSource::Path);

#[utoipa::path(
    post, path = "/events/{event}/sets", tag = "Sets", operation_id = "create_set", summary = "Create a set",
    description = "Only the organizer can. It gets `amount` tickets, or one for each of its `seats`. More than 10000 \
                   are created in the background.",
    request_body = NewSet,
    responses((status = 201, description = "The set.", body = SetBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(event): PathId<Event>,
    Json(mut body): Json<SetInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let desc = body.take_desc(&mut problems).value();
    let pricing = body.take_pricing(&mut problems);
    let name = body.name.required("name", &mut problems);
    let amount = body.amount.optional("amount", &mut problems).map(|count| count.0);
    let seats = body.seats.optional("seats", &mut problems).map(|seats| seats.0);
    if let (Some(amount), Some(seats)) = (amount, &seats)
        && i64::from(amount) != seats.count()
    {
        problems.add("amount", "must be the number of seats, or be left out: a set with seats has one ticket per seat");
    }
    let pos = body.pos.optional("pos", &mut problems).map_or(0, |pos| i64::from(pos.0));
    let sector = body.sector.optional("sector", &mut problems).map_or_else(String::new, |text| text.0);
    problems.finish()?;
    let (price, rules) = match pricing {
        PricingInput::Unspecified => (None, Vec::new()),
        PricingInput::SinglePrice(price, None) => (Some(price), Vec::new()),
        PricingInput::SinglePrice(price, start) => {
            (None, vec![RequestedPriceRule { id: None, start, finish: None, price }])
        }
        PricingInput::Rules(rules) => (None, rules),
    };
    let name = required_value(name)?.0;
    limit_texts(&app, &actor, name.len() + sector.len() + desc.as_ref().map_or(0, String::len))?;
    let command = CreateSet { event, name, desc, sector, pos, amount: amount.unwrap_or(0), seats, price, rules };
    let render = |_: &View, set: &TicketSet| {
        ApiResponse::created(&SetBody::new(set, None, set.updated_at)).with_revision(set.revision.number())
    };
    Ok(app.engine.execute(&actor, command, render).await?)
}
