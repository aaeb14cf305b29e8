//! `GET /v1/resources/events/{event}/sets`, by position.

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::permission;
use kassa_domain::set::{SetId, TicketSet};

use super::model::{SET, SetBody};
use super::{VisibleEvent, load_visible_event, seller_terms};
use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{LimitOffsetParameters, flag, ids, parameters};
use crate::response::ApiResponse;
use crate::route::Route;

parameters! {
    pub(crate) struct Filters:
        ids(),
        flag(
            "removed",
            "Whether to include removed ones, which only the organizer sees; `false` by default.",
        )
}

pub(crate) static ROUTE: Route = Route::new().shows(&SET);

#[utoipa::path(
    get, path = "/events/{event}/sets", tag = "Sets", operation_id = "list_sets", summary = "List the sets of an event",
    description = "In the order of `pos`.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Sets.", body = [SetBody]), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    PathId(event): PathId<Event>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let ids: Option<Vec<SetId>> = query.ids("ids", &mut problems);
    let removed = query.flag("removed", &mut problems);
    let slice = query.slice(&mut problems);
    let VisibleEvent { event, view } = load_visible_event(&app, &actor, event).await?;
    problems.finish()?;
    let shows_removed = removed && permission::organizes(&actor, &event);
    let passes =
        |set: &&TicketSet| (shows_removed || !set.removed) && ids.as_ref().is_none_or(|ids| ids.contains(&set.id));
    let sets: Vec<&TicketSet> = view.sets_of(event.id).into_iter().filter(passes).collect();
    let (terms, now) = (seller_terms(&view, &actor, &event), app.engine.now());
    let offset = usize::try_from(slice.offset).unwrap_or(usize::MAX);
    let page = sets.iter().skip(offset).take(slice.limit as usize);
    let items: Vec<SetBody> = page.map(|set| SetBody::new(set, terms, now)).collect();
    Ok(ApiResponse::list(&items, sets.len() as u64))
}
