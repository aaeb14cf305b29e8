//! What an organizer holds back. The interface takes all tickets of a set that are held back at once: those that are so
//! already are read first, and nobody else's change in between is lost.

use std::ops::ControlFlow;

use kassa_http::http::StatusCode;
use serde_json::{Value, json};

use crate::console::events::resource;
use crate::console::fault::Fault;
use crate::console::visit::{Conditions, Outcome, Visit};

/// How often a change is tried again that meets others.
const ATTEMPTS: usize = 5;

/// What is done with tickets of a set.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change<'t> {
    /// These are held back, too.
    Block(&'t [String]),
    /// These are put back on sale.
    Free(&'t [String]),
    /// So many are held back, whichever they are.
    HoldBack(usize),
}

/// Changes which tickets of a set are held back.
pub(crate) async fn change_blocked(
    visit: &Visit<'_>,
    event: &str,
    set: &str,
    change: Change<'_>,
) -> Result<Outcome, Fault> {
    let path = format!("{}/sets/{set}", resource(event));
    let mut attempts = ATTEMPTS;
    loop {
        let now = visit.read(&format!("{path}?fields-schema=id")).await?;
        let mut blocked = ids_of(visit, &path, "blocked", usize::MAX).await?;
        match change {
            Change::Block(tickets) => {
                let new = tickets.iter().filter(|ticket| !blocked.contains(ticket)).cloned();
                blocked.extend(new.collect::<Vec<String>>());
            }
            Change::Free(tickets) => blocked.retain(|ticket| !tickets.contains(ticket)),
            Change::HoldBack(count) => {
                let missing = count.saturating_sub(blocked.len());
                blocked.extend(ids_of(visit, &path, "vacant", missing).await?);
                blocked.truncate(count);
            }
        }
        let conditions = Conditions { key: None, tag: Some(&now.tag) };
        let outcome = visit.send_if("PATCH", &path, Some(&json!({"blocked": blocked})), conditions).await?;
        attempts -= 1;
        match outcome {
            // Somebody else has changed the set meanwhile: what is held back is looked up again.
            Err(refusal) if refusal.status == StatusCode::PRECONDITION_FAILED && attempts > 0 => {}
            outcome => return Ok(outcome),
        }
    }
}

/// The ids of tickets of a set in a state, up to so many.
async fn ids_of(visit: &Visit<'_>, set: &str, status: &str, max: usize) -> Result<Vec<String>, Fault> {
    let mut ids = Vec::new();
    if max == 0 {
        return Ok(ids);
    }
    let take = |ticket: Value| {
        ids.extend(ticket["id"].as_str().map(str::to_owned));
        if ids.len() < max { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    visit.read_items(&format!("{set}/tickets?status={status}&fields-schema=id"), take).await?;
    Ok(ids)
}
