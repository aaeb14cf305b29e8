//! `GET /v1/resources/partners`: one's own and those that they have deals with, or any by `ids`, newest
//! first.

use axum::extract::State;
use kassa_store::queries::PartnersFilter;

use super::model::PARTNER;
use super::{VisiblePartnerBody, visible_partner_bodies};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{LimitOffsetParameters, flag, ids, parameters};
use crate::response::ApiResponse;
use crate::route::Route;

parameters! {
    pub(crate) struct Filters: ids(), flag("removed", "Whether to include your own removed ones; `false` by default.")
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&PARTNER);

#[utoipa::path(
    get, path = "/partners", tag = "Partners", operation_id = "list_partners", summary = "List partners",
    description = "Your own and those that they have deals with, or any by `ids`; newest first. Without a \
                   credential, `ids` is required.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Partners.", body = [VisiblePartnerBody]), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    base: BaseUrl,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let ids = query.ids("ids", &mut problems);
    let removed = query.flag("removed", &mut problems);
    let slice = query.slice(&mut problems);
    if ids.is_none() {
        actor.require_credential()?;
    }
    problems.finish()?;
    let related = ids.is_none().then(|| actor.own_partners());
    let removed_of = if removed { actor.own_partners() } else { Vec::new() };
    let page = app
        .engine
        .page(PartnersFilter { ids, counterparties_of: related, include_removed_of: removed_of }, slice)
        .await?;
    let seen = visible_partner_bodies(&app.engine, &actor, &page.rows, &base).await?;
    let items: Vec<VisiblePartnerBody> = seen.into_iter().map(|(_, body)| body).collect();
    Ok(ApiResponse::list(&items, page.total))
}
