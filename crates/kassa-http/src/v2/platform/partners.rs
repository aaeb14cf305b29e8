//! `GET /v2/platform/partners`, newest first, or sorted otherwise.

use std::cmp::Ordering;

use axum::extract::State;
use kassa_domain::partner::Partner;
use kassa_domain::permission;
use kassa_domain::quota::QuotaKind;

use super::super::pagination::{PageParameters, PageRequest};
use super::model::PlatformPartnerListResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{flag, parameters, single_value, sort_fields};
use crate::openapi::schema;
use crate::response::ApiResponse;
use crate::route::Route;

/// What partners can be sorted by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SortField {
    Created,
    Name,
    Events,
    Tickets,
}

const SORT_FIELDS: [(&str, SortField); 4] = [
    ("created_at", SortField::Created),
    ("name", SortField::Name),
    ("events", SortField::Events),
    ("tickets", SortField::Tickets),
];

parameters! {
    pub(crate) struct Filters:
        single_value("search", schema::text(), "A part of the name, in capital or small letters, or the id."),
        flag("suspended", "Whether only suspended ones are shown; `false` by default."),
        sort_fields(&SORT_FIELDS),
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
    let sort = query.sort(&SORT_FIELDS, &mut problems);
    let wanted = PageRequest::read(&query, &mut problems);
    permission::run_platform(&actor)?;
    problems.finish()?;
    let is_found = |partner: &Partner| {
        let has = |text: &str| partner.name.to_lowercase().contains(text) || partner.id.to_string() == text;
        search.as_deref().is_none_or(has)
    };
    let is_wanted = |partner: &Partner| (partner.suspension.is_some() || !only_suspended) && is_found(partner);
    let mut found = app.engine.select(is_wanted).await?;
    found.sort_by(|one, other| compare(&sort, one, other));
    Ok(PlatformPartnerListResponse::new(found, app.engine.quotas(), wanted).into_response())
}

/// By the fields that are named, and then the newest first.
fn compare(sort: &[(SortField, bool)], one: &Partner, other: &Partner) -> Ordering {
    let by_field = |(field, descending): &(SortField, bool)| {
        let ordering = match field {
            SortField::Created => one.id.cmp(&other.id),
            SortField::Name => one.name.to_lowercase().cmp(&other.name.to_lowercase()),
            SortField::Events => one.usage.get(QuotaKind::Events).cmp(&other.usage.get(QuotaKind::Events)),
            SortField::Tickets => one.usage.get(QuotaKind::Tickets).cmp(&other.usage.get(QuotaKind::Tickets)),
        };
        if *descending { ordering.reverse() } else { ordering }
    };
    sort.iter().map(by_field).fold(Ordering::Equal, Ordering::then).then(other.id.cmp(&one.id))
}
