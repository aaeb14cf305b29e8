//! How much text a partner sends for its events and their sets: quotas count events, and not how long they are.

use kassa_domain::Actor;
use kassa_engine::metrics::Limit;

use crate::app::AppState;
use crate::rate_limits::RateLimitExceeded;

/// Counts the bytes of texts that a write names, if its partner may send so many more.
pub(crate) fn limit_texts(app: &AppState, actor: &Actor, bytes: usize) -> Result<(), RateLimitExceeded> {
    // Who acts for no partner writes nothing.
    let Ok(partner) = actor.acting_partner() else { return Ok(()) };
    let count = u32::try_from(bytes).unwrap_or(u32::MAX);
    let acquired = app.rate_limiters.text_bytes.try_acquire_many(&partner, count, app.engine.now());
    acquired.inspect_err(|_| app.engine.limit_hits().record(Limit::TextBytes))
}
