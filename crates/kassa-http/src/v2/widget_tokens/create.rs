//! `POST /v2/services/widget_tokens`

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::widget_token::{CreateWidgetToken, WidgetToken};

use super::model::WidgetTokenResponse;
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Input, OptionalJson, Problems, fields};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;
use crate::wire::IdRef;

pub(crate) static ROUTE: Route = Route::new();

fields! {
    /// A new token of a shop.
    pub(crate) struct NewWidgetTokenInput {
        /// The one event that it shall sell; without, all that the partner sells.
        event: Input<IdRef<Event>>,
    }
}

#[utoipa::path(
    post, path = "/widget_tokens", tag = "Shops", operation_id = "create_widget_token", summary = "Create a widget token",
    description = "By it pages of other sites name the shop of the partner. It is no secret, and good until it is removed. \
                   A partner has up to 50.",
    request_body(content = NewWidgetTokenInput, example = json!({"event": "65b06b247b33e06d72292534"})),
    responses((status = 200, description = "The token.", body = WidgetTokenResponse), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    OptionalJson(body): OptionalJson<NewWidgetTokenInput>,
) -> Result<ApiResponse, ApiError> {
    let partner = actor.acting_partner()?;
    let mut problems = Problems::default();
    let event = body.event.optional("event", &mut problems).map(|event| event.0);
    problems.finish()?;
    let engine = app.engine.clone();
    let render = move |_: &kassa_domain::View, token: &WidgetToken| {
        ApiResponse::ok(&WidgetTokenResponse::new(token, partner, &engine, &base))
    };
    Ok(app.engine.execute(&actor, CreateWidgetToken { partner, event }, render).await?)
}
