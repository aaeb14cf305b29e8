//! What an organizer holds back. The interface takes all tickets of a set that are held back at once: those that are so
//! already are read first, and nobody else's change in between is lost.

use std::collections::HashSet;
use std::ops::ControlFlow;

use kassa_domain::set::BLOCKED_MAX;
use kassa_http::http::StatusCode;
use serde_json::{Value, json};

use crate::console::events::resource;
use crate::console::fault::{Fault, Refusal};
use crate::console::visit::{Conditions, Visit};

/// How often a change is tried again that meets others.
const ATTEMPTS: usize = 5;

/// What is done with tickets of a set.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change<'t> {
    /// These are held back, too.
    Block(&'t [String]),
    /// These are put back on sale.
    Free(&'t [String]),
    /// So many are held back, whichever they are; fewer, if fewer are free.
    HoldBack(usize),
}

/// Changes which tickets of a set are held back, and returns how many are.
pub(crate) async fn change_blocked(
    visit: &Visit<'_>,
    event: &str,
    set: &str,
    change: Change<'_>,
) -> Result<Result<usize, Refusal>, Fault> {
    let path = format!("{}/sets/{set}", resource(event));
    let mut attempts = ATTEMPTS;
    loop {
        let now = visit.read(&format!("{path}?fields-schema=id")).await?;
        let mut blocked = ids_of(visit, &path, "blocked", BLOCKED_MAX + 1).await?;
        match change {
            // What was not read would be put back on sale.
            _ if blocked.len() > BLOCKED_MAX => return Ok(Err(Refusal::of_page("too_many"))),
            Change::HoldBack(count) if count > BLOCKED_MAX => return Ok(Err(Refusal::of_page("too_many"))),
            Change::Block(tickets) => {
                let known: HashSet<String> = blocked.iter().cloned().collect();
                blocked.extend(tickets.iter().filter(|ticket| !known.contains(*ticket)).cloned());
            }
            Change::Free(tickets) => {
                let freed: HashSet<&String> = tickets.iter().collect();
                blocked.retain(|ticket| !freed.contains(ticket));
            }
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
            outcome => return Ok(outcome.map(|_| blocked.len())),
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
