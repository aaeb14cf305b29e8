//! The one form of every write: a command names what it needs, and decides over it.

use std::fmt::Debug;

use super::Context;
use super::inventory::state_inventory;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// The most rows that one command writes. Longer work is a job of bounded steps.
pub const COMMAND_ROWS_MAX: u32 = 10_000;

/// What a command weighs that reads and writes a few short rows.
pub const LIGHT_WEIGHT: u32 = 8;

/// What a command weighs besides that reads and writes a hall map: one may have a million seats, and a command does not
/// know before it is loaded.
pub const HALL_MAP_WEIGHT: u32 = 1_000;

/// How many bytes of long texts weigh as much as a row.
const TEXT_BYTES_PER_ROW: usize = 256;

/// What so many bytes of long texts weigh, as rows.
pub(crate) fn rows_of_text(bytes: usize) -> u32 {
    u32::try_from(bytes / TEXT_BYTES_PER_ROW).unwrap_or(COMMAND_ROWS_MAX).min(COMMAND_ROWS_MAX)
}

/// A write, before it is decided.
pub trait Command: Debug + Send + Sync + 'static {
    /// What a success has to report, with all that an answer shows.
    type Outcome: Send + 'static;

    /// Why it states no changes, though it changes rows: nobody outside sees those, or they say nothing new. Commands
    /// without a reason are held to state what they change.
    const SILENT: Option<&'static str> = None;

    /// Where it meets other commands: the tag of the event, or of the resource, that it changes.
    fn shard(&self) -> ShardTag;

    /// Names the rows that the decision reads, known before anything is loaded.
    fn read_set(&self, read_set: &mut ReadSet);

    /// About how many rows it reads and writes, where long texts count as several; batches are capped by their sum.
    fn weight(&self) -> u32 {
        LIGHT_WEIGHT
    }

    /// Decides. Reads nothing but `view`, changes nothing but `view`, and may run again.
    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Self::Outcome, Refusal>;
}

/// Decides a command, and states what follows from the rows that it changed. Whoever runs commands calls this.
pub fn decide<C: Command>(command: &C, cx: &mut Context<'_>, view: &mut View) -> Result<C::Outcome, Refusal> {
    let outcome = command.decide(cx, view)?;
    state_inventory(cx, view);
    debug_assert!(
        C::SILENT.is_some() || !view.has_visible_pending_rows() || !view.changes.pending().is_empty(),
        "a command changes rows and states nothing: {command:?}"
    );
    debug_assert!(
        C::SILENT.is_none() || view.changes.pending().is_empty(),
        "a command that has a reason to state nothing states something: {command:?}"
    );
    Ok(outcome)
}
