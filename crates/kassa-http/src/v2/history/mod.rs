//! What happened to a resource, as its managers read it: `…/history`, the newest change first. Who may, the endpoint of
//! the resource says; what is told of those who act for the other side of a row, `actors` does.

mod actors;
mod model;
pub(super) mod of_deal;
pub(super) mod of_event;
pub(super) mod of_order;
pub(super) mod of_partner;
pub(super) mod of_refund_request;
pub(super) mod of_set;

use kassa_domain::Actor;
use kassa_domain::change::{Revision, Subject};
use kassa_domain::precondition::ResourceRef;
use kassa_engine::history::{HistoryCursor, HistoryError};

use actors::KnownActors;
use model::HistoryResponse;

use crate::app::AppState;
use crate::error::{ApiError, ErrorDetail};
use crate::input::{Problems, Query};
use crate::openapi::params::{parameters, single_value};
use crate::openapi::schema;
use crate::response::ApiResponse;

/// The most changes of a page.
const LIMIT_MAX: u32 = 100;
/// How many there are when the client does not say.
const LIMIT_DEFAULT: u32 = 50;

parameters! {
    /// Which part of a history.
    struct HistoryParameters:
        single_value(
            "limit", schema::integer().minimum(Some(1)).maximum(Some(LIMIT_MAX)),
            "How many changes to return at most: 1 to 100; 50 by default.",
        ),
        single_value(
            "cursor", schema::text().pattern(Some("^[0-9]{1,19}-[0-9]{1,5}\\.[0-9]{1,19}\\.[0-9]{1,19}$")),
            "Where to go on: `pagination.next` of the page before.",
        ),
}

/// A part of a history that is asked for.
#[derive(Clone, Copy, Debug)]
struct HistoryRequest {
    limit: u32,
    cursor: Option<HistoryCursor>,
}

impl HistoryRequest {
    /// From a query.
    fn read(query: &Query) -> Result<Self, ApiError> {
        let mut problems = Problems::default();
        let limit = query.number_within("limit", 1..=LIMIT_MAX, &mut problems);
        let cursor = query.value("cursor", &mut problems);
        problems.finish()?;
        Ok(Self { limit: limit.unwrap_or(LIMIT_DEFAULT), cursor })
    }

    /// The part, of a resource that has this revision, as this actor reads it, who may.
    async fn answer(
        self,
        app: &AppState,
        actor: &Actor,
        resource: ResourceRef,
        revision: Revision,
    ) -> Result<ApiResponse, ApiError> {
        let subject = Subject::Resource(resource);
        let page = app.engine.history(subject, revision, self.cursor, self.limit as usize).await;
        let page = page.map_err(history_error)?;
        let known = KnownActors::load(&app.engine, actor, &page.changes).await?;
        // Versions begin at 1.
        let total = u64::try_from(revision.number()).unwrap_or_default();
        Ok(ApiResponse::list(&HistoryResponse::new(&page, &known, self.limit, total), total))
    }
}

fn history_error(error: HistoryError) -> ApiError {
    match error {
        HistoryError::Failure(failure) => failure.into(),
        HistoryError::Cursor(malformed) => ApiError::invalid(vec![ErrorDetail::new("cursor", malformed.to_string())]),
    }
}
