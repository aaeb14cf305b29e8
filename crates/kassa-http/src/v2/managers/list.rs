//! `GET /v2/resources/partners/{partner}/managers`

use axum::extract::State;
use kassa_domain::partner::Partner;
use kassa_domain::{ReadSet, permission};

use super::super::pagination::{PageParameters, PageRequest};
use super::model::ManagerListResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/partners/{partner}/managers", tag = "Partners", operation_id = "list_managers",
    summary = "List managers",
    description = "Those who manage the partner, by what they may do, and behind them those who are invited. Its own \
                   users and keys see them.",
    params(PageParameters),
    responses((status = 200, description = "The team.", body = ManagerListResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(partner): PathId<Partner>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let wanted = PageRequest::read(&query, &mut problems);
    permission::read_team(&actor, partner)?;
    problems.finish()?;
    let team = ReadSet { managers_of: vec![partner], invitations_of_partner: vec![partner], ..ReadSet::default() };
    let view = app.engine.view(&team).await?;
    // Their names are read with the team, as of one moment.
    let view = app.engine.view(&ReadSet { users: view.managers_of(partner), ..team }).await?;
    Ok(ManagerListResponse::new(partner, app.engine.now(), &view, wanted).into_response())
}
