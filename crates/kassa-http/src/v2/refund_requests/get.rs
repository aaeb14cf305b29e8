//! `GET /v2/resources/refund_requests/{refund_request}`: by the vendor and the organizer.

use axum::extract::State;
use kassa_domain::refund::RefundRequest;
use kassa_domain::{ReadSet, permission};

use super::super::related::RelatedRows;
use super::model::RefundResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Refund);

#[utoipa::path(
    get, path = "/refund_requests/{refund_request}", tag = "Refunds", operation_id = "get_refund_request",
    summary = "Get a refund request",
    description = "For the vendor and the organizer.",
    responses((status = 200, description = "The request.", body = RefundResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<RefundRequest>,
) -> Result<ApiResponse, ApiError> {
    let view = app.engine.view(&ReadSet { refunds: vec![id], ..ReadSet::default() }).await?;
    let request = view.refunds.get(id).filter(|request| permission::sees_refund(&actor, request));
    let request = request.ok_or_else(|| ApiError::not_found("refund request"))?;
    let loaded = RelatedRows::with_orders(&app.engine, vec![request.order], request.tickets()).await?;
    Ok(ApiResponse::ok(&RefundResponse::new(request, loaded.lookup())).with_revision(request.revision))
}
