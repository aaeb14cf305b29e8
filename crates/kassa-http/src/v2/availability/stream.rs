//! `GET /v2/resources/events/{event}/availability/stream`: what is left as server-sent events. All who follow an event
//! are sent the same bytes.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::stream::unfold;
use kassa_domain::event::{Event, EventId};
use kassa_domain::{Actor, permission};
use kassa_engine::ListTurn;
use tokio::time::Instant;

use super::model::write_frames;
use crate::app::AppState;
use crate::availability_streams::{AvailabilityNews, AvailabilityReader};
use crate::caller::{AnyCaller, StandingCredential};
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::related::events_and_deals;
use crate::response::event_stream::{RETRY_LINE, event_stream};
use crate::route::Route;

/// So long somebody who saw an event that not everybody sees is taken to see it still.
const SIGHT_AGE_MAX: Duration = Duration::from_secs(15);

/// Its events are not packed: each is sent when it is there.
pub(crate) static ROUTE: Route = Route::new().uncompressed();

#[utoipa::path(
    get, path = "/events/{event}/availability/stream", tag = "Availability", operation_id = "stream_availability",
    summary = "Follow what is left of an event",
    description = "Server-sent events, as browsers read them with `EventSource`. `availability` is all that \
        `…/availability` shows in `data`, at first and whenever the seats are others; `change` has the sets that have \
        changed since, with seats that were `taken` and `freed` by their places in `free`, or all of `free`. There are four \
        a second at most. Whoever comes back after a cut is told everything again.",
    security((), ("key" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "What is left, until one side ends the stream.", content_type = "text/event-stream",
            body = String,
            example = "retry: 2000\nid: 1f0c6c4be7a1d2f0\nevent: availability\ndata: {\"event\":\"6b0159d2e3a64ec908400000\",\
                \"layout\":\"9b6f0a4be1c2d3f4\",\"on_sale\":true,\"sets\":[{\"id\":\"6b0159d2e3a64ec901400001\",\"left\":3,\
                \"on_sale\":true,\"free\":\"Cw==\"}]}\n\n"),
        error_responses::ReadErrors,
    ),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    PathId(id): PathId<Event>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if !sees(&app, &actor, id).await? {
        return Err(ApiError::not_found("event"));
    }
    let reader = app.availability_streams.join(id, ListTurn::reader(), write_frames)?;
    let sight = match actor {
        // They see what is public.
        Actor::Anonymous | Actor::Visitor(_) | Actor::Buyer(_) => None,
        Actor::User(_) | Actor::Partner(_) | Actor::Operator | Actor::System => Some(Box::new(CallerSight {
            app,
            credential: StandingCredential::of(&headers),
            event: id,
            checked_at: Instant::now(),
            readers_changed: None,
        })),
    };
    let stream = AvailabilityStream { reader, sight, has_begun: false };
    let pieces = unfold(stream, |mut stream| async move {
        let piece = stream.next().await?;
        Some((Ok::<_, Infallible>(piece), stream))
    });
    Ok(event_stream(Body::from_stream(pieces)))
}

/// Whether a caller sees an event.
async fn sees(app: &AppState, actor: &Actor, event: EventId) -> Result<bool, ApiError> {
    let view = app.engine.view(&events_and_deals(actor, vec![event])).await?;
    Ok(view.events.get(event).is_some_and(|event| permission::sees_event(actor, event, &view)))
}

/// A stream, for one who reads it.
struct AvailabilityStream {
    reader: AvailabilityReader,
    /// `None` for one who sees what everybody does.
    sight: Option<Box<CallerSight>>,
    has_begun: bool,
}

/// Whether a caller sees an event that not everybody sees.
struct CallerSight {
    app: AppState,
    credential: StandingCredential,
    event: EventId,
    checked_at: Instant,
    /// What was told of the readers of the event when it was checked.
    readers_changed: Option<u64>,
}

impl AvailabilityStream {
    /// What is sent next. Who sees the event no longer is told nothing more of it.
    async fn next(&mut self) -> Option<Bytes> {
        if !self.has_begun {
            self.has_begun = true;
            return Some(Bytes::from_static(RETRY_LINE.as_bytes()));
        }
        let AvailabilityNews { bytes, is_public, readers_changed } = self.reader.next().await?;
        if !is_public && !self.sight.as_mut()?.lasts(readers_changed).await {
            return None;
        }
        Some(bytes)
    }
}

impl CallerSight {
    async fn lasts(&mut self, readers_changed: u64) -> bool {
        if self.readers_changed == Some(readers_changed) && self.checked_at.elapsed() < SIGHT_AGE_MAX {
            return true;
        }
        match self.check().await {
            Ok(true) => {
                (self.readers_changed, self.checked_at) = (Some(readers_changed), Instant::now());
                true
            }
            Ok(false) => false,
            Err(error) => {
                // Whoever comes back is told why.
                tracing::debug!(code = error.code(), "a stream of what is left ends");
                false
            }
        }
    }

    async fn check(&self) -> Result<bool, ApiError> {
        let actor = self.credential.check(&self.app).await?;
        sees(&self.app, &actor, self.event).await
    }
}
