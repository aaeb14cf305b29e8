//! Reads that a server has kept: as long as it says that they are current, reading again finds the same.

use std::collections::BTreeMap;

use kassa_domain::event::{Event, EventId};
use kassa_domain::set::TicketSet;
use kassa_domain::{ReadSet, View};
use kassa_engine::{Engine, Failure, ReadMarks};

use crate::Violation;

/// What one server keeps, by event.
#[derive(Default)]
pub(crate) struct KeptReads(BTreeMap<EventId, (Rows, ReadMarks)>);

/// An event with its sets.
#[derive(Debug, PartialEq)]
struct Rows {
    event: Option<Event>,
    sets: Vec<TicketSet>,
}

impl Rows {
    fn of(event: EventId, view: &View) -> Self {
        Self { event: view.events.get(event).cloned(), sets: view.sets_of(event).into_iter().cloned().collect() }
    }
}

impl KeptReads {
    /// Compares what is kept of an event with what is there now, and keeps that.
    pub(crate) async fn check(&mut self, engine: &Engine, event: EventId) -> Result<(), Violation> {
        let kept = self.0.remove(&event);
        let is_current = match &kept {
            Some((_, marks)) => engine.is_current(marks).await,
            None => false,
        };
        let read_set = ReadSet { events: vec![event], sets_of: vec![event], ..ReadSet::default() };
        let (view, marks) = engine.record_reads(engine.view(&read_set)).await;
        let view = match view {
            Ok(view) => view,
            // The database fails now and then.
            Err(Failure::Unavailable) => return Ok(()),
            Err(failure) => return Err(failure.into()),
        };
        let found = Rows::of(event, &view);
        if let Some((kept, _)) = kept.filter(|(kept, _)| is_current && *kept != found) {
            return Err(Violation::new("a read that was kept is stale", (kept, found)));
        }
        self.0.extend(marks.map(|marks| (event, (found, marks))));
        Ok(())
    }
}
