//! The start: lanes with their numbers, and the secret that the database belongs to.

use std::sync::{Arc, OnceLock};

use futures_util::future::BoxFuture;
use kassa_domain::node::RegisterSecretFingerprint;
use kassa_domain::{Actor, View};
use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::{Engine, EngineInner, EngineParts};
use crate::credential_cache::CredentialCache;
use crate::failure::OutageTracker;
use crate::feed::FeedHub;
use crate::lane::{Lane, LaneShared, WorkSignals};
use crate::lanes::{Lanes, place_of_lane};
use crate::list_turns::ListTurns;
use crate::mark_board::MarkBoard;
use crate::metrics::Metrics;
use crate::password::PasswordPool;
use crate::pause::PauseDetector;
use crate::recent_orders::RecentOrders;
use crate::secret::Secret;
use crate::short_events::ShortEvents;
use crate::start_error::StartError;
use crate::task::{CommandTask, Executed};
use crate::verify::Verifications;

impl Engine {
    /// Starts the lanes, and claims the database for the secret. Needs a runtime.
    pub fn start(parts: EngineParts) -> BoxFuture<'static, Result<Self, StartError>> {
        Box::pin(async move {
            let pause_detector = PauseDetector::start().map_err(|error| StartError::Thread(error.to_string()))?;
            let (shared, lanes) = claim_lanes(&parts, pause_detector).await?;
            let lanes = Lanes::start(lanes, &parts.store)?;
            Ok(Self::assemble(parts, shared, lanes))
        })
    }

    pub(super) fn assemble(parts: EngineParts, shared: Arc<LaneShared>, lanes: Lanes) -> Self {
        parts.store.set_read_time_limit(parts.read_limits.time);
        let limit_hits = Arc::clone(shared.metrics.limit_hits());
        let connections = parts.store.list_connections();
        let write_count = lanes.step_count();
        let list_turns = ListTurns::new(connections, parts.read_limits, Arc::clone(&limit_hits), write_count);
        let inner = EngineInner {
            store: parts.store,
            files: parts.files,
            clock: parts.clock,
            random: Mutex::new((parts.random)()),
            secret: Arc::new(parts.secret),
            settings: parts.settings,
            credentials: CredentialCache::new(),
            passwords: PasswordPool::new(limit_hits),
            list_turns,
            short_events: ShortEvents::new(),
            kept_answers: Arc::default(),
            fonts: OnceLock::new(),
            stripe: OnceLock::new(),
            lanes,
            shared,
            verifications: Verifications::default(),
        };
        Self { inner: Arc::new(inner) }
    }
}

/// All lanes, each with its number, or an error and no number.
pub(super) async fn claim_lanes(
    parts: &EngineParts,
    pause_detector: Arc<PauseDetector>,
) -> Result<(Arc<LaneShared>, Vec<Lane>), StartError> {
    let lanes_max = parts.store.lanes_max();
    if parts.lanes == 0 || parts.lanes > lanes_max {
        return Err(StartError::LaneCount(parts.lanes, lanes_max));
    }
    let outage = OutageTracker::new(Arc::clone(&parts.clock));
    let shared = Arc::new(LaneShared {
        signals: WorkSignals::default(),
        outage,
        pause_detector,
        metrics: Metrics::new(),
        feed: FeedHub::new(),
        marks: MarkBoard::new(),
        recent_orders: RecentOrders::new(),
    });
    let mut lanes = Vec::new();
    if let Err(error) = claim_numbers(parts, &shared, &mut lanes).await {
        for lane in &mut lanes {
            lane.release_number().await;
        }
        return Err(error);
    }
    Ok((shared, lanes))
}

/// Creates the lanes, each with its number. The first one registers the secret, or compares it.
async fn claim_numbers(parts: &EngineParts, shared: &Arc<LaneShared>, lanes: &mut Vec<Lane>) -> Result<(), StartError> {
    for index in 0..parts.lanes {
        let (clock, settings) = (Arc::clone(&parts.clock), parts.settings.clone());
        let place = place_of_lane(index, parts.store.places());
        let mut lane = Lane::new(&parts.store, place, clock, (parts.random)(), settings, Arc::clone(shared))?;
        lane.claim_number().await?;
        lanes.push(lane);
        if let (0, [first]) = (index, lanes.as_mut_slice()) {
            claim_secret(first, &parts.secret).await?;
        }
    }
    Ok(())
}

/// The first command of every start: registers the fingerprint of the secret, or compares it.
async fn claim_secret(lane: &mut Lane, secret: &Secret) -> Result<(), StartError> {
    let fingerprint = secret.fingerprint();
    let (reply, answer) = oneshot::channel();
    let command = RegisterSecretFingerprint { fingerprint: fingerprint.clone() };
    lane.run_first(Box::new(CommandTask::new(
        (&Actor::System).into(),
        command,
        |_: &View, registered: &String| registered.clone(),
        reply,
    )))
    .await?;
    match answer.await.map(|answer| answer.map(Executed::into_response)) {
        Ok(Ok(registered)) if registered == fingerprint => Ok(()),
        Ok(Ok(_)) => Err(StartError::WrongSecret),
        Ok(Err(failure)) => Err(StartError::Thread(failure.to_string())),
        Err(_) => Err(StartError::Thread("the first command was not answered".to_owned())),
    }
}
