//! `GET /v2/platform/partners`, newest first.

use axum::extract::State;
use kassa_domain::partner::Partner;
use kassa_domain::permission;

use super::super::pagination::{PageParameters, PageRequest};
use super::model::PlatformPartnerListResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{flag, parameters, single_value};
use crate::openapi::schema;
use crate::response::ApiResponse;
use crate::route::Route;

parameters! {
    pub(crate) struct Filters:
        single_value("search", schema::text(), "A part of the name, in capital or small letters, or the id."),
        flag("suspended", "Whether only suspended ones are shown; `false` by default."),
}

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/partners", tag = "Platform", operation_id = "list_platform_partners", summary = "List all partners",
    description = "All partners with what they store, newest first. Only operators of the platform see them.",
    params(Filters, PageParameters),
    responses((status = 200, description = "Partners.", body = PlatformPartnerListResponse), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let search = query.part_of_name("search", &mut problems).map(|text| text.to_lowercase());
    let only_suspended = query.flag("suspended", &mut problems);
    let wanted = PageRequest::read(&query, &mut problems);
    permission::run_platform(&actor)?;
    problems.finish()?;
    let is_found = |partner: &Partner| {
        let has = |text: &str| partner.name.to_lowercase().contains(text) || partner.id.to_string() == text;
        search.as_deref().is_none_or(has)
    };
    let is_wanted = |partner: &Partner| (partner.suspension.is_some() || !only_suspended) && is_found(partner);
    let mut found = app.engine.select(is_wanted).await?;
    found.sort_unstable_by_key(|partner| std::cmp::Reverse(partner.id));
    Ok(PlatformPartnerListResponse::new(found, app.engine.quotas(), wanted).into_response())
}
