//! `PATCH /v1/resources/events/{event}/promocodes/{promocode}`: by the organizer. `name` and `desc`; and
//! `amount` and `lifetime`, by which a code is ended or lasts longer. What the code is for never changes:
//! other fields are read-only and ignored.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::Event;
use kassa_domain::promocode::{PROMOCODE_USES_MAX, Promocode, UpdatePromocode};

use super::ensure_may_view;
use super::model::{LifetimeInput, PROMOCODE, PromocodeBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{BoundedNumber, Input, Json, LongText, NameText, PathId, Problems, fields};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};

fields! {
    /// A change of a promocode.
    pub(crate) struct PromocodeInput {
        /// A name for the organizer's own use; up to 255 characters.
        name: Input<NameText>,
        /// A description for the organizer's own use; up to 10000 characters.
        desc: Input<LongText>,
        /// How many orders can use it; `null` for any number. Not below the uses that orders hold or have paid with.
        amount: Input<BoundedNumber<PROMOCODE_USES_MAX>>,
        /// When orders can start using it: a VEVENT (RFC 5545), or an object. `null`: at any time.
        lifetime: Input<LifetimeInput>,
    }
}

pub(crate) static ROUTE: Route =
    Route::new().resource(ResourceType::Promocode).shows(&PROMOCODE).event(EventSource::Path);

#[utoipa::path(
    patch, path = "/events/{event}/promocodes/{promocode}", tag = "Promocodes", operation_id = "update_promocode",
    summary = "Change a promocode",
    description = "Only the organizer can. The code, its sets and its discount never change.",
    request_body = PromocodeInput,
    responses((status = 200, description = "The promocode.", body = PromocodeBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(event): PathId<Event>,
    PathId(promocode): PathId<Promocode, 1>,
    Json(body): Json<PromocodeInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let command = UpdatePromocode {
        event,
        promocode,
        name: body.name.patch("name", &mut problems).map(|text| text.0),
        desc: body.desc.patch("desc", &mut problems).map(|text| text.0),
        uses_limit: body.amount.patch("amount", &mut problems).map(|count| count.0),
        lifetime: body.lifetime.patch("lifetime", &mut problems).map(|lifetime| lifetime.0),
    };
    problems.finish()?;
    ensure_may_view(&app, &actor, event).await?;
    let render = |_: &View, promocode: &Promocode| {
        ApiResponse::ok(&PromocodeBody::new(promocode)).with_revision(promocode.revision.number())
    };
    Ok(app.engine.execute(&actor, command, render).await?)
}
