//! `DELETE /v2/services/stripe_account`

use axum::extract::State;

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
    delete, path = "/stripe_account", tag = "Payments", operation_id = "remove_stripe_account",
    summary = "Remove the account at Stripe",
    description = "The shop takes no cards any more. Payments that have begun are not asked for, and no money is sent back, until \
                   there is an account again.",
    responses((status = 200, description = "No account.", body = StripeAccountResponse), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
) -> Result<ApiResponse, ApiError> {
    let partner = actor.acting_partner()?;
    let render = move |account: Option<&_>| ApiResponse::ok(&StripeAccountResponse::new(partner, account, &base));
    Ok(app.engine.set_stripe_account(&actor, partner, None, render).await?)
}
