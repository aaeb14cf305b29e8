//! `GET /v2/services/stripe_account`

use axum::extract::State;
use kassa_domain::{ReadSet, permission};

use super::model::StripeAccountResponse;
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    get, path = "/stripe_account", tag = "Payments", operation_id = "get_stripe_account",
    summary = "Get the account at Stripe",
    description = "Of the partner that asks. Nobody is shown its keys again, but how they end.",
    responses((status = 200, description = "The account.", body = StripeAccountResponse), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
) -> Result<ApiResponse, ApiError> {
    let partner = actor.acting_partner()?;
    permission::manage_keys(&actor, partner)?;
    let view = app.engine.view(&ReadSet { partners: vec![partner], ..ReadSet::default() }).await?;
    let account = view.partners.get(partner).and_then(|partner| partner.profile.shop.stripe.as_ref());
    Ok(ApiResponse::ok(&StripeAccountResponse::new(partner, account, &base)))
}
