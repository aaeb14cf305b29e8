//! `POST /v1/resources/events/{event}/sets`: a set and its tickets, `amount` of them or one for each
//! chair of `seats`; more than 10,000 of them are made in the background.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::Event;
use kassa_domain::set::{CreateSet, Set};

use super::model::{NewSet, Pricing, SetBody, SetInput};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems, must};
use crate::openapi::errors;

#[utoipa::path(
    post, path = "/events/{event}/sets", tag = "Sets", operation_id = "create_set", summary = "Make a set of tickets",
    description = "With `amount` tickets, or one for each chair of `seats`. More than 10,000 are made in the background.",
    request_body = NewSet,
    responses((status = 201, description = "The set.", body = SetBody), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(event): PathId<Event>,
    Json(mut body): Json<SetInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let desc = body.take_desc(&mut problems).value();
    let pricing = body.take_pricing(&mut problems);
    let name = body.name.required("name", &mut problems);
    let amount = body.amount.optional("amount", &mut problems).map(|count| count.0);
    let seats = body.seats.optional("seats", &mut problems).map(|seats| seats.0);
    if let (Some(amount), Some(seats)) = (amount, &seats)
        && i64::from(amount) != seats.count()
    {
        problems.add("amount", "must be the number of seats, or be left out");
    }
    let pos = body.pos.optional("pos", &mut problems).map_or(0, |pos| i64::from(pos.0));
    let sector = body.sector.optional("sector", &mut problems).map_or_else(String::new, |text| text.0);
    problems.finish()?;
    let (price, rules) = match pricing {
        Pricing::Unsaid => (None, Vec::new()),
        Pricing::Plain(price) => (Some(price), Vec::new()),
        Pricing::Rules(rules) => (None, rules),
    };
    let command =
        CreateSet { event, name: must(name)?.0, desc, sector, pos, amount: amount.unwrap_or(0), seats, price, rules };
    let render = |_: &View, set: &Set| Answer::created(&SetBody::new(set, None, set.updated_at)).tagged(set.revision);
    Ok(app.engine.execute(&actor, command, render).await?)
}
