//! `POST /v2/resources/webhooks/{webhook}/replay`

use axum::extract::State;
use kassa_domain::change::{FeedCursor, MalformedCursor};
use kassa_domain::webhook::Webhook;
use kassa_engine::webhooks::ReplayOrder;
use utoipa::openapi::{RefOr, Schema};

use super::super::changes::{ChangeRef, MalformedChangeRef, feed_error};
use super::load_own_webhook;
use super::model::WebhookResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::{ApiError, ErrorDetail};
use crate::input::{FromJson, Input, Json, LineText, List, PathId, Problems, fields, invalid_value};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};
use crate::wire::TimeInput;

/// Changes that a replay can name.
const CHANGES_MAX: usize = 100;

fields! {
    /// What is to be sent once more.
    pub(crate) struct ReplayInput {
        /// All that comes from this cursor on: `cursor` of a change, of an answer of the feed, or of the webhook.
        after: Input<CursorText>,
        /// The changes with these ids.
        ids: Input<List<ChangeId, CHANGES_MAX>>,
        /// What was given up since this time.
        failed_since: Input<TimeInput>,
    }
}

struct CursorText(FeedCursor);

impl FromJson for CursorText {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let LineText(text) = LineText::<64>::from_json(json)?;
        text.parse().map(Self).map_err(|error: MalformedCursor| invalid_value(error.to_string()))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text().pattern(Some("^[0-9]{1,19}-[0-9]{1,10}$")).into()
    }
}

struct ChangeId(ChangeRef);

impl FromJson for ChangeId {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let LineText(text) = LineText::<64>::from_json(json)?;
        text.parse().map(Self).map_err(|error: MalformedChangeRef| invalid_value(error.to_string()))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text().pattern(Some("^chg_[0-9]{1,19}-[0-9]{1,10}$")).into()
    }
}

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Webhook);

#[utoipa::path(
    post, path = "/webhooks/{webhook}/replay", tag = "Webhooks", operation_id = "replay_webhook",
    summary = "Send changes once more",
    description = "All from a cursor on, some by their ids, or those that were given up since a time: up to 1,000 of the \
        oldest. What is kept no longer is 410.",
    request_body = ReplayInput,
    responses((status = 200, description = "The webhook.", body = WebhookResponse), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Webhook>,
    Json(body): Json<ReplayInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let after = body.after.optional("after", &mut problems).map(|cursor| cursor.0);
    let ids = body.ids.optional("ids", &mut problems).map_or_else(Vec::new, |ids| ids.0);
    let parked_since = body.failed_since.optional("failed_since", &mut problems).map(|time| time.0);
    problems.finish()?;
    let order = ReplayOrder { after, changes: ids.into_iter().map(|id| id.0.0).collect(), parked_since };
    let partner = load_own_webhook(&app.engine, &actor, id).await?.partner;
    let render =
        |webhook: &Webhook| ApiResponse::ok(&WebhookResponse::new(webhook)).with_revision(webhook.revision.number());
    app.engine.replay_webhook(&actor, partner, id, order, render).await.map_err(|error| feed_error(error, "$.after"))
}
